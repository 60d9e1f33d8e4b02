// SPDX-License-Identifier: MIT
// See optimize.sh: optimize.mjs VALIDATOR_FOLDER SINEW SCRATCH_FOLDER --all|'' FOLDER...
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { listShare } from './gltf_files.mjs';
import { Model, displacement, pose, readPrimitives } from './motion.mjs';

const [validator, sinew, scratch, all, ...folders] = process.argv.slice(2);
const { validateBytes } = createRequire(import.meta.url)(resolve(validator, 'node_modules/gltf-validator'));
const modules = resolve(scratch, 'npm/node_modules');
const { MeshoptDecoder } = await import(pathToFileURL(join(modules, 'meshoptimizer/meshopt_decoder.mjs')));
await MeshoptDecoder.ready;

// Files up to this size are optimized several times, without --all.
const SMALL = 400000;

// Vertices that are evaluated for a result, at many times or few.
const VERTICES = all ? 2e7 : 2e6;

const run = (...args) => spawnSync(sinew, args, { encoding: 'utf8' });

async function countErrors(path, folder) {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), {
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(folder, decodeURIComponent(uri)))),
  });
  return issues.numErrors;
}

let faults = 0, written = 0, smaller = 0, times = 0;
const fault = (text) => { console.log(text); faults++; };

// ---- The promise -----------------------------------------------------------------------------------------------------

let seed = 12345;
const random = () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;

// Random times between kept keys, and kept keys.
function measure(a, b, size) {
  const vertices = readPrimitives(a).reduce((sum, { positions }) => sum + positions.length / 3, 100);
  const count = Math.max(2, Math.min(200, Math.floor(VERTICES / vertices / a.clips.length)));
  const rest = pose(a);
  let largest = 0;
  a.clips.forEach(({ start, end }, clip) => {
    const keys = b.clips[clip].tracks.flatMap((track) => Array.from(track.times));
    for (let k = 0; k < count && keys.length > 0; k++, times++) {
      const time = k % 4 === 3 ? keys[Math.floor(random() * keys.length)] : start + (end - start) * (k + random()) / count;
      const found = displacement(a, b, clip, time, size, rest);
      if (!(found <= largest)) largest = found;
    }
  });
  return largest;
}

// ---- What stays ------------------------------------------------------------------------------------------------------

// Every track of B is also in A, with some of A's key times.
function checkTracks(what, a, b) {
  for (const to of b.tracks) {
    const from = a.tracks.find(({ node, path }) => node === to.node && path === to.path), authored = new Set(from?.times);
    if (!from || !Array.from(to.times).every((time) => authored.has(time)))
      fault(`${what}: '${a.name}': ${to.path} of node ${to.node} has other key times`);
  }
}

// Whether an attribute may go with --meshes: texture coordinates of a material without textures, tangents without a normal map.
const mayGo = (name, material) => {
  const text = JSON.stringify(material ?? {});
  return name === 'TANGENT' ? !/ormalTexture|nisotropy/.test(text) : /^TEXCOORD_/.test(name) && !/exture/.test(text);
};

// The attributes of meshes that materials may need, without the numbers of vertices, which --meshes merges.
const namesOf = ({ json }) => (json.meshes ?? []).map(({ primitives, ...mesh }) => {
  const namesFor = (material) => (members) => Object.keys(members).filter((name) => !mayGo(name, json.materials?.[material])).sort();
  return { ...mesh, primitives: primitives.map(({ attributes, targets = [], indices, mode = 4, ...primitive }) => {
    const names = primitive.extras || primitive.extensions ? (members) => Object.keys(members).sort() : namesFor(primitive.material);
    return { ...primitive, mode, attributes: names(attributes), targets: targets.map(names) };
  }) };
});

// Nodes and materials with the numbers of floats and without default values, which --meshes leaves out.
const defaults = { translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1], alphaMode: 'OPAQUE' };
const plain = (list) => JSON.parse(JSON.stringify(list ?? []), function (key, value) {
  if (isDeepStrictEqual(value, defaults[key])) return undefined;
  return typeof value === 'number' ? Math.fround(value) : value;
});

// The meshes, with the number of elements instead of each accessor.
const shapesOf = ({ json }) => (json.meshes ?? []).map(({ primitives, ...mesh }) => {
  const count = (accessor) => json.accessors[accessor]?.count;
  const counts = (members) => Object.fromEntries(Object.entries(members).map(([name, accessor]) => [name, count(accessor)]));
  return { ...mesh, primitives: primitives.map(({ attributes, targets = [], indices, ...primitive }) =>
    ({ ...primitive, attributes: counts(attributes), targets: targets.map(counts), indices: count(indices) })) };
});

function checkKept(what, a, b, meshes) {
  const without = (list, ...keys) => (list ?? []).map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key))));
  for (const key of ['scenes', 'scene', 'textures', 'cameras', 'extras']) {
    if (!isDeepStrictEqual(a.json[key], b.json[key])) fault(`${what}: ${key} differ`);
  }
  for (const key of ['nodes', 'materials']) {
    const [from, to] = [a, b].map(({ json }) => meshes ? plain(json[key]) : json[key]);
    if (!isDeepStrictEqual(from, to)) fault(`${what}: ${key} differ`);
  }
  if (!isDeepStrictEqual(without(a.json.skins, 'inverseBindMatrices'), without(b.json.skins, 'inverseBindMatrices')))
    fault(`${what}: skins differ`);
  const shapes = meshes ? namesOf : shapesOf;
  if (!isDeepStrictEqual(shapes(a), shapes(b))) fault(`${what}: the attributes or extras of meshes differ`);
  if (!isDeepStrictEqual(without(a.json.animations, 'samplers', 'channels'), without(b.json.animations, 'samplers', 'channels')))
    fault(`${what}: names, extras or markers of clips differ`);
  a.clips.forEach((clip, i) => {
    const { start, end } = b.clips[i];
    if (clip.start !== start || clip.end !== end) fault(`${what}: '${clip.name}' has another duration`);
    checkTracks(what, clip, b.clips[i]);
  });
}

// ---- One file --------------------------------------------------------------------------------------------------------

// The file and its errors, which several results are compared with.
const read = async (file) => ({ model: new Model(file, MeshoptDecoder), errors: await countErrors(file, dirname(file)) });

async function check(file, authored, ...options) {
  const out = join(scratch, 'optimized.glb'), again = join(scratch, 'again.glb'), what = `${file} ${options.join(' ')}`;
  const { status, stdout, stderr } = run('optimize', file, '-o', out, ...options, '--json');
  if (status !== 0) {
    // A file that the library refuses is refused.
    if (run('info', file).status === 0) fault(`${what}: ${stderr}`);
    return;
  }
  const { kept, error, worst, files, size } = JSON.parse(stdout);
  written++;
  smaller += kept === null;
  if (kept === null && files[1].bytes >= files[0].bytes) fault(`${what}: ${files[1].bytes} bytes, not fewer than ${files[0].bytes}`);
  if (!(worst.bound <= error)) fault(`${what}: ${worst.bound} mm`);
  const compared = run('compare', file, out, '--error', `${error}mm`);
  if (compared.status !== 0) fault(`${what}: ${compared.stderr}`);
  if (await countErrors(out, dirname(file)) > authored.errors) fault(`${what}: new errors of the validator`);
  if (kept === null) {
    const a = authored.model, b = new Model(out, MeshoptDecoder);
    const found = measure(a, b, size) / size * 1800;
    if (!(found <= error)) fault(`${what}: ${found} mm by the other evaluator`);
    checkKept(what, a, b, options.includes('--meshes'));
  }
  if (run('optimize', out, '-o', again, ...options).status !== 0 || !readFileSync(again).equals(readFileSync(out)))
    fault(`${what}: optimizing it again gives other bytes`);
}

// A file's runs. A small file gets all three errors, meshes, and each extension.
function runsOf(file) {
  const errors = ['0.1mm', '1mm', '5mm'].map((error) => ['--error', error]), others = [['--khr'], ['--plain']];
  if (all) return [...errors, ...errors.map((error) => [...error, '--meshes']), ...others];
  if (/conformance/.test(file)) return [['--meshes']];
  if (statSync(file).size <= SMALL) return [errors[0], ['--meshes'], [...errors[2], '--meshes'], ...others];
  return [file.startsWith(folders[0]) ? ['--meshes'] : errors[1]];
}

for (const file of listShare(all, ...folders)) {
  const authored = await read(file);
  for (const options of runsOf(file)) await check(file, authored, ...options);
}
console.log(`${written} files written, ${smaller} smaller, measured at ${times} times, ${faults} faults`);
process.exit(faults || !smaller || !times ? 1 : 0);
