// SPDX-License-Identifier: MIT
// Dawn accepts every WGSL variant, with exactly the documented bindings, and the shaders in docs/gpu.md:
// valid.mjs DAWN VARIANTS_FOLDER PAGE
// The null backend does everything but run.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bindingsOf, pipelineLayout, readName } from './bindings.mjs';

const [dawn, folder, page] = process.argv.slice(2);
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
  if (compute) return device.createComputePipeline({ layout, compute: { module, entryPoint: 'sinew_skin_vertices' } });
  const buffers = [{ arrayStride: 64, attributes: attributesOf(name) }];
  const depthStencil = { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' };
  return device.createRenderPipeline({ layout, vertex: { module, buffers }, depthStencil });
}

// What the compiler says of a module, and then of a pipeline that is made of it.
async function complaintsOf(code, make) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  if (messages.length === 0) make(module);
  const error = await device.popErrorScope();
  if (messages.length === 0) return error ? [error.message] : [];
  return messages.map(({ lineNum, message }) => `line ${lineNum}: ${message}`);
}

function misboundBy(name, compute, code) {
  const declared = [...code.matchAll(/^@group\(SINEW_GROUP\) @binding\((\d+)\)/gm)].map((match) => Number(match[1]));
  const expected = bindingsOf(name, compute).map(([binding]) => binding);
  return String(declared.sort()) === String(expected) ? [] : [`binds ${declared} instead of ${expected}`];
}

let faults = 0;
function report(what, complaints) {
  if (complaints.length === 0) return;
  faults += 1;
  console.log(`${what}: ${complaints.join('\n  ')}`);
}

const files = readdirSync(join(folder, 'wgsl')).filter((file) => file.endsWith('.wgsl'));
for (const file of files) {
  const [name, stage] = file.split('.');
  const compute = stage === 'compute';
  const code = readFileSync(join(folder, 'wgsl', file), 'utf8');
  const complaints = await complaintsOf(code, (module) => makePipeline(name, compute, module));
  report(file, [...complaints, ...misboundBy(name, compute, code)]);
}

const before = readFileSync(join(folder, 'page.wgsl'), 'utf8');
const snippets = [...readFileSync(page, 'utf8').matchAll(/^```wgsl\n([^]*?)^```/gm)].map((match) => match[1]);
for (const snippet of snippets) {
  report(`the page's ${snippet.split('\n')[0]}`, await complaintsOf(before + snippet, () => {}));
}
console.log(`${files.length} modules, ${snippets.length} of the page, ${faults} faults`);
process.exit(faults > 0 || files.length === 0 || snippets.length === 0 ? 1 : 0);
