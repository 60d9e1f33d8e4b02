// SPDX-License-Identifier: MIT
// Every variant of the compute shader skins a character like the CPU, within 2e-5 of its size. So do the functions
// that vertex shaders call: skinned.mjs DAWN VARIANTS_FOLDER Uses whatever Dawn finds: Vulkan, or OpenGL ES on Mesa's
// software driver. Skipped without either (77).
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bindingsOf, group, pipelineLayout, readName } from './bindings.mjs';

const [dawn, folder] = process.argv.slice(2);
const { create, globals } = await import(resolve(dawn));
Object.assign(globalThis, globals);

const rowTexels = 1024;
const groups = { sinew_skin_vertices: 1 }; // of 64 vertices. Fewer groups than needed, so some invocations skin two
const tolerance = 2e-5;

// ---- The device --------------------------------------------------------------------------------------------------

const instances = []; // they end with what was made of them

async function findAdapter() {
  process.env.EGL_PLATFORM ??= 'surfaceless';
  for (const backend of ['vulkan', 'opengles']) {
    const gpu = create([`backend=${backend}`]);
    instances.push(gpu);
    const adapter = await gpu.requestAdapter({ featureLevel: 'compatibility' });
    if (!adapter) continue;
    console.log(`by ${backend}: ${adapter.info.description || adapter.info.device}`);
    return adapter;
  }
  console.log('SKIPPED: Dawn finds neither Vulkan nor OpenGL ES');
  process.exit(77);
}

const device = await (await findAdapter()).requestDevice();

// ---- What is bound -----------------------------------------------------------------------------------------------

function makeBuffer(data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return { buffer };
}

function makeTexture(texels) {
  const rows = Math.ceil(texels.length / 4 / rowTexels);
  const data = new Float32Array(4 * rowTexels * rows);
  data.set(texels);
  const texture = device.createTexture({
    size: [rowTexels, rows], format: 'rgba32float', usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
  });
  device.queue.writeTexture({ texture }, data, { bytesPerRow: 16 * rowTexels }, [rowTexels, rows]);
  return texture.createView();
}

function dataOf(numbers, binding) {
  switch (binding) {
    case 0: return Float32Array.from(numbers.palette);
    case 1: return Float32Array.from(numbers.deltas);
    case 2: return Int32Array.from(numbers.draw);
    case 3: return Float32Array.from(numbers.animations);
    case 4: return Float32Array.from(numbers.moving);
    case 5: return Uint32Array.from(numbers.fixed);
    default: return Int32Array.from(numbers.mesh);
  }
}

function makeResource(numbers, binding, what, out) {
  if (binding === 6) return { buffer: out };
  const data = dataOf(numbers, binding);
  if (what.texture) return makeTexture(data);
  return makeBuffer(data, what.buffer.type === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE);
}

// ---- Running -----------------------------------------------------------------------------------------------------

async function skin(name, code, entryPoint, numbers) {
  const bindings = bindingsOf(name, true);
  const layout = pipelineLayout(device, bindings, GPUShaderStage.COMPUTE);
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout, compute: { module, entryPoint } });
  const size = 4 * numbers.expected.length;
  const out = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const entries = bindings.map(([binding, what]) => ({ binding, resource: makeResource(numbers, binding, what, out) }));
  const none = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [] });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  for (let i = 0; i < group; i++) pass.setBindGroup(i, none);
  pass.setBindGroup(group, device.createBindGroup({ layout: pipeline.getBindGroupLayout(group), entries }));
  pass.dispatchWorkgroups(groups[entryPoint] ?? numbers.mesh[0]);
  pass.end();
  encoder.copyBufferToBuffer(out, 0, back, 0, size);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  const skinned = Float32Array.from(new Float32Array(back.getMappedRange()));
  back.destroy();
  return skinned;
}

// How far the worst float is off, in shares of the model's size; endless where one is not a number.
function errorOf(skinned, numbers) {
  const positions = numbers.expected.slice(0, 3 * numbers.mesh[0]);
  const size = Math.max(1, ...positions.map(Math.abs));
  let most = 0;
  numbers.expected.forEach((value, i) => {
    const off = Math.abs(skinned[i] - value) / size;
    if (!(off <= most)) most = Number.isNaN(off) ? Infinity : off;
  });
  return most;
}

let faults = 0;
let worst = 0;

async function check(name, code, entryPoint, numbers) {
  device.pushErrorScope('validation');
  const skinned = await skin(name, code, entryPoint, numbers);
  const refused = await device.popErrorScope();
  const error = refused ? Infinity : errorOf(skinned, numbers);
  worst = Math.max(worst, error);
  if (error <= tolerance) return;
  faults += 1;
  console.log(`${name}, ${entryPoint}: ${refused ? refused.message : `off by ${error} of the size`}`);
}

const files = readdirSync(join(folder, 'wgsl')).filter((file) => file.endsWith('.json'));
for (const file of files) {
  const name = file.replace('.json', '');
  const numbers = JSON.parse(readFileSync(join(folder, 'wgsl', file), 'utf8'));
  const code = readFileSync(join(folder, 'wgsl', `${name}.compute.wgsl`), 'utf8');
  await check(name, code, 'sinew_skin_vertices', numbers);
  if (readName(name).source !== 'block') continue; // the functions do not know where texels come from
  numbers.draw[0] -= numbers.draw[1]; // they ask for instance 1
  await check(name, code, 'called', numbers);
}
console.log(`${files.length} variants, at worst ${worst.toExponential(1)} of the size off, ${faults} faults`);
process.exit(faults > 0 || files.length === 0 ? 1 : 0);
