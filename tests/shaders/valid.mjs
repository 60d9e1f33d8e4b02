// Dawn takes every variant of the WGSL, and it binds just what is said of it: valid.mjs DAWN VARIANTS_FOLDER
// The null backend does everything but run.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bindingsOf, pipelineLayout, readName } from './bindings.mjs';

const [dawn, folder] = process.argv.slice(2);
const { create, globals } = await import(resolve(dawn));
Object.assign(globalThis, globals);
const gpu = create(['backend=null']);
const device = await (await gpu.requestAdapter()).requestDevice();

// position, normal, uv, joints, weights, color, joints2, weights2, tangent
const formats = ['float32x3', 'float32x3', 'float32x2', 'uint16x4', 'float32x4', 'float32x4', 'uint16x4', 'float32x4',
  'float32x4'];

function attributesOf(name) {
  const { influences } = readName(name);
  const left = [[3, 4, 6, 7], [6, 7], []][influences / 4];
  return formats.map((format, shaderLocation) => ({ format, shaderLocation, offset: 0 }))
    .filter(({ shaderLocation }) => !left.includes(shaderLocation));
}

// A buffer for each attribute would be one too many for the usual limit of eight.
function makePipeline(name, compute, module) {
  const visibility = compute ? GPUShaderStage.COMPUTE : GPUShaderStage.VERTEX;
  const layout = pipelineLayout(device, bindingsOf(name, compute), visibility);
  if (compute) return device.createComputePipeline({ layout, compute: { module } });
  const buffers = [{ arrayStride: 64, attributes: attributesOf(name) }];
  const depthStencil = { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' };
  return device.createRenderPipeline({ layout, vertex: { module, buffers }, depthStencil });
}

async function complaintsOf(name, compute, code) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  if (messages.length === 0) makePipeline(name, compute, module);
  const error = await device.popErrorScope();
  const complaints = messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`);
  if (error && messages.length === 0) complaints.push(error.message);
  const declared = [...code.matchAll(/^@group\(SINEW_GROUP\) @binding\((\d+)\)/gm)].map((match) => Number(match[1]));
  const expected = bindingsOf(name, compute).map(([binding]) => binding);
  if (String(declared.sort()) !== String(expected)) complaints.push(`binds ${declared} instead of ${expected}`);
  return complaints;
}

let faults = 0;
const files = readdirSync(join(folder, 'wgsl')).filter((file) => file.endsWith('.wgsl'));
for (const file of files) {
  const [name, stage] = file.split('.');
  const code = readFileSync(join(folder, 'wgsl', file), 'utf8');
  const complaints = await complaintsOf(name, stage === 'compute', code);
  if (complaints.length === 0) continue;
  faults += 1;
  console.log(`${file}: ${complaints.join('\n  ')}`);
}
console.log(`${files.length} modules, ${faults} faults`);
process.exit(faults > 0 || files.length === 0 ? 1 : 0);
