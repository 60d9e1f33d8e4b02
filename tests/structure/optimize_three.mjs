// SPDX-License-Identifier: MIT
// See optimize_three.sh: optimize_three.mjs NODE_MODULES SINEW SCRATCH_FOLDER FOLDER...
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listShare } from './gltf_files.mjs';
import { Model } from './motion.mjs';

const [modules, sinew, scratch, all, ...folders] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(modules, path)));
globalThis.self ??= globalThis; // GLTFLoader checks it to detect browsers
globalThis.ProgressEvent ??= class extends Event {}; // of its file reader
const { AnimationMixer, Vector3 } = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await load('meshoptimizer/meshopt_decoder.mjs');
await MeshoptDecoder.ready;
console.warn = () => {}; // about tracks whose nodes aren't in a scene

// So many points of a file are measured, in so many of its clips together.
const POINTS = 2e4, CLIPS = 4;

let faults = 0, measured = 0, worstPart = 0;
const fault = (text) => { console.log(text); faults++; };
const run = (...args) => spawnSync(sinew, args, { encoding: 'utf8', maxBuffer: 1 << 28 });

// ---- Characters whose rotations matter -------------------------------------------------------------------------------

let seed = 7;
const random = () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;

// A chain of long and short bones that turn at random. Its rotations have length 1, except for `stretch`.
function chainFile(path, { stretch = 0, named = true, joints = 24, clips = 4, keys = 16 }) {
  const parts = [], accessors = [], bufferViews = [];
  const add = (numbers, type, bounds = {}) => {
    const data = Buffer.from(Float32Array.from(numbers).buffer), byteOffset = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(data);
    bufferViews.push({ buffer: 0, byteOffset, byteLength: data.length });
    accessors.push({ bufferView: bufferViews.length - 1, componentType: 5126, type, count: numbers.length / { SCALAR: 1, VEC3: 3, VEC4: 4 }[type], ...bounds });
    return accessors.length - 1;
  };
  const turn = () => {
    const q = [0.4 * (random() - 0.5), 0.4 * (random() - 0.5), 0.4 * (random() - 0.5), 1];
    const length = Math.hypot(...q) / (1 + stretch * (2 * random() - 1));
    return q.map((x) => x / length);
  };
  const nodes = Array.from({ length: joints }, (_, i) => ({
    ...(named ? { name: `j${i}` } : {}), translation: [0, i < 4 ? 0.4 : 0.03, 0], ...(i + 1 < joints ? { children: [i + 1] } : {}) }));
  const times = Array.from({ length: keys }, (_, k) => k / 15);
  const animations = Array.from({ length: clips }, (_, c) => {
    const input = add(times, 'SCALAR', { min: [0], max: [times.at(-1)] });
    return { name: `clip ${c}`, samplers: nodes.map(() => ({ input, output: add(times.flatMap(turn), 'VEC4') })),
      channels: nodes.map((_, node) => ({ sampler: node, target: { node, path: 'rotation' } })) };
  });
  const data = Buffer.concat(parts);
  writeFileSync(path, JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes, animations, accessors, bufferViews,
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }] }));
  return path;
}

// ---- What three.js shows ---------------------------------------------------------------------------------------------

async function open(model) {
  const { json, bin } = model, plain = structuredClone(json);
  for (const list of ['materials', 'textures', 'images', 'samplers']) delete plain[list];
  (plain.meshes ?? []).forEach(({ primitives }) => primitives.forEach((primitive) => { delete primitive.material; delete primitive.extensions; }));
  (plain.buffers ?? []).forEach((buffer, i) => {
    if (!buffer.extensions) buffer.uri = `data:application/octet-stream;base64,${Buffer.from(model.buffer(i)).toString('base64')}`;
  });
  const keeps = (name) => !/meshopt|quantization/.test(name) ? [] : [name];
  plain.extensionsRequired = (json.extensionsRequired ?? []).flatMap(keeps);
  plain.extensionsUsed = (json.extensionsUsed ?? []).flatMap(keeps);
  const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(JSON.stringify(plain), '');
  const objects = [];
  gltf.scenes.forEach((scene) => scene.traverse((object) => objects.push(object)));
  return { gltf, objects, bin };
}

// Writes the points of all objects at a time: origins, points on the axes, and some vertices.
function pointsOf({ gltf, objects }, clip, time, size, stride) {
  const mixer = new AnimationMixer(gltf.scene), action = mixer.clipAction(gltf.animations[clip]).play(), out = [], at = new Vector3();
  action.time = time;
  mixer.update(0);
  gltf.scene.updateMatrixWorld(true);
  for (const object of objects) {
    const { elements } = object.matrixWorld;
    out.push(elements[12], elements[13], elements[14]);
    if (object.isSkinnedMesh) object.skeleton.update();
    for (let i = 0; i < (object.geometry?.attributes.position.count ?? 0); i += stride) {
      object.getVertexPosition(i, at).applyMatrix4(object.matrixWorld);
      out.push(at.x, at.y, at.z);
    }
  }
  const kept = out.slice();
  action.stop();
  mixer.uncacheRoot(gltf.scene);
  return kept;
}

function largestDistance(a, b) {
  let largest = 0;
  for (let i = 0; i < a.length; i += 3) largest = Math.max(largest, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  return a.length === b.length ? largest : Infinity;
}

// ---- One file --------------------------------------------------------------------------------------------------------

// The rotations that are floats, and not unit within 1e-6.
function countStretched(model) {
  let count = 0;
  for (const { samplers, channels } of model.json.animations ?? []) {
    for (const { sampler, target } of channels) {
      const { output, interpolation } = samplers[sampler], spline = interpolation === 'CUBICSPLINE';
      if (target.path !== 'rotation' || model.json.accessors[output].componentType !== 5126) continue;
      const values = model.accessor(output);
      for (let i = spline ? 4 : 0; i < values.length; i += spline ? 12 : 4) count += Math.abs(Math.hypot(...values.subarray(i, i + 4)) - 1) > 1e-6;
    }
  }
  return count;
}

async function check(file, error, { stretched = false, options = [] } = {}) {
  const out = join(scratch, 'optimized.glb'), what = `${file} ${error} mm ${options.join(' ')}`;
  const { status, stdout, stderr } = run('optimize', file, '-o', out, '--error', `${error}mm`, '--json', ...options);
  if (status !== 0) return run('info', file).status === 0 && fault(`${what}: ${stderr}`);
  const { kept, size, tracks } = JSON.parse(stdout), [a, b] = [file, out].map((path) => new Model(path, MeshoptDecoder));
  if (kept !== null || tracks.some(({ untouched }) => untouched)) return undefined;
  if (countStretched(b) > 0) return fault(`${what}: ${countStretched(b)} rotations are not unit`);
  if (stretched) return undefined; // three.js shows another motion for the authored file
  const [before, after] = [await open(a), await open(b)];
  const vertices = before.objects.reduce((sum, { geometry }) => sum + (geometry?.attributes.position.count ?? 0), 0);
  const stride = Math.max(1, Math.ceil(vertices / 500)), each = before.objects.length + vertices / stride;
  const every = Math.ceil(a.clips.length / CLIPS), clips = a.clips.length / every;
  const count = Math.max(4, Math.min(120, Math.floor(POINTS / each / clips)));
  let largest = 0, where = '';
  a.clips.forEach(({ start, end }, clip) => {
    if (clip % every > 0) return;
    const keys = b.clips[clip].tracks.flatMap((track) => Array.from(track.times));
    for (let k = 0; k < count && keys.length > 0; k++, measured++) {
      const time = k % 2 ? keys[Math.floor(random() * keys.length)] : start + (end - start) * (k + random()) / count;
      const found = largestDistance(...[before, after].map((one) => pointsOf(one, clip, time, size, stride))) / size * 1800;
      if (found <= largest) continue;
      largest = found;
      where = `clip ${clip} at ${time} s`;
    }
  });
  worstPart = Math.max(worstPart, largest / error);
  return largest <= error ? undefined : fault(`${what}: ${largest} mm in ${where}`);
}

for (const named of [true, false]) {
  const file = chainFile(join(scratch, `chain-${named}.gltf`), { named });
  for (const error of [0.15, 1, 5]) await check(file, error);
  await check(file, 1, { options: ['--plain'] });
}
await check(chainFile(join(scratch, 'stretched.gltf'), { stretch: 2e-3 }), 1, { stretched: true });
await check(chainFile(join(scratch, 'rounded.gltf'), { stretch: 3e-5 }), 1);
// three.js does not clamp the least integers, as glTF demands.
for (const file of listShare(all, ...folders).filter((path) => !/keys-least-integers/.test(path))) await check(file, 1);
console.log(`${measured} moments measured, at most ${worstPart.toFixed(3)} of the error, ${faults} faults`);
process.exit(faults || !measured ? 1 : 0);
