// SPDX-License-Identifier: MIT
// Compares the `sinew` command with poses that an independent evaluator of the glTF specification computed in double.
//
//     SINEW_ASSETS=FOLDER SINEW_ORACLE=FOLDER node compare.mjs SINEW [--all] [--tolerance X]
//
// Each *.json.gz of the oracle names a file in the assets. It has local and world transforms, morph weights, skin
// matrices and skinned vertices of its clips at several times. Everything must agree within 1e-5 of the model's size
// (at least 1; rotations within 1e-5). If a file's own rotation keys aren't unit, the limit is also four times their
// error. Without --all, checks every other time. Exit status 0: all agree; 1: some don't; 77: nothing to compare
// with. --tolerance replaces 1e-5, for a SINEW that prints more than a float's digits.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const [sinew, ...flags] = process.argv.slice(2);
const TOLERANCE = flags.includes('--tolerance') ? Number(flags[flags.indexOf('--tolerance') + 1]) : 1e-5;

// What is known not to agree, and why it cannot: the part of the comparison that may differ, and by how much.
const EXCEPTIONS = {
  'magnum/skin-multiple-sets.gltf': {
    skin: Infinity, // its inverse binds have a fourth row of zeros, against the specification; ours is 0 0 0 1
  },
};

const assets = process.env.SINEW_ASSETS;
const oracle = process.env.SINEW_ORACLE;
if (!assets || !oracle || !existsSync(assets) || !existsSync(oracle)) {
  console.log('SKIPPED: set SINEW_ASSETS and SINEW_ORACLE to compare with other people\'s files');
  process.exit(77);
}

const run = (...args) => JSON.parse(execFileSync(sinew, args, { maxBuffer: 1 << 30 }).toString());

// The largest difference of two lists of numbers; Infinity where they do not match at all.
function difference(actual, expected) {
  if (!actual || actual.length !== expected.length) return Infinity;
  let most = 0;
  expected.forEach((x, i) => {
    const d = Math.abs(actual[i] - x);
    if (!(d <= most)) most = d;
  });
  return most;
}

// A matrix that scales by 100 turns a rotation of 7 digits into numbers of 5: it counts by its own size, if that is more.
function matrixError(actual, expected, size) {
  return difference(actual, expected) / Math.max(size, ...expected.filter((_, i) => i % 16 < 12).map(Math.abs));
}

function sizeOf(poses) {
  let size = 1;
  const grow = (xs) => xs.forEach((x) => { size = Math.max(size, Math.abs(x)); });
  for (const pose of poses) {
    for (const skin of pose.skins ?? []) {
      for (let i = 12; skin && i < skin.world.length; i += 16) grow(skin.world.slice(i, i + 3));
    }
    for (const world of Object.values(pose.world ?? {})) grow(world.slice(12, 15));
    for (const prim of pose.prims ?? []) grow(prim ?? []);
  }
  return size;
}

class Errors {
  constructor(size) {
    this.size = size;
    this.worst = { translation: 0, rotation: 0, scale: 0, world: 0, weights: 0, skin: 0, vertices: 0 };
  }

  add(what, error) {
    if (!(error <= this.worst[what])) this.worst[what] = error;
  }
}

function compareLocals(pose, nodes, errors) {
  for (const [index, local] of Object.entries(pose.local ?? {})) {
    if (!Array.isArray(local)) continue; // given by a matrix: its world transform is compared
    const node = nodes.get(+index);
    const expected = local.slice(3, 7);
    const sign = node.rotation.reduce((sum, x, i) => sum + x * expected[i], 0) < 0 ? -1 : 1;
    errors.add('translation', difference(node.translation, local.slice(0, 3)) / errors.size);
    errors.add('rotation', difference(node.rotation.map((x) => x * sign), expected));
    errors.add('scale', difference(node.scale, local.slice(7, 10)));
  }
}

function comparePose(reference, pose, got, errors) {
  const nodes = new Map(got.nodes.map((n) => [n.node, n]));
  compareLocals(pose, nodes, errors);
  for (const [index, world] of Object.entries(pose.world ?? {})) {
    errors.add('world', matrixError(nodes.get(+index).world, world, errors.size));
  }
  for (const [index, weights] of Object.entries(pose.weights ?? {})) {
    errors.add('weights', difference(nodes.get(+index).weights, weights));
  }
  (pose.skins ?? []).forEach((skin, s) => {
    if (!skin) return;
    reference.skins[s].joints.forEach((joint, j) => {
      const range = [16 * j, 16 * j + 16];
      errors.add('world', matrixError(nodes.get(joint).world, skin.world.slice(...range), errors.size));
      errors.add('skin', matrixError(got.skins[s].matrices[j], skin.skin.slice(...range), errors.size));
    });
  });
}

function compareVertices(reference, pose, meshes, errors) {
  reference.prims.forEach((prim, p) => {
    const normalized = pose.primsNormalized?.[p];
    const morphed = pose.primsMorphed?.[p];
    const expected = normalized ?? morphed ?? pose.prims?.[p];
    if (prim.skip || !expected || (normalized && morphed)) return; // both: no single answer is stored
    const mesh = meshes.find((m) => m.node === prim.node && m.primitive === prim.prim);
    const actual = prim.verts.flatMap((v) => mesh.positions.slice(3 * v, 3 * v + 3));
    errors.add('vertices', difference(actual, expected) / errors.size);
  });
}

function compareFile(reference) {
  const file = join(assets, reference.file);
  const errors = new Errors(sizeOf(reference.poses));
  reference.poses.forEach((pose, i) => {
    if (!flags.includes('--all') && i % 2 === 1) return;
    const at = pose.anim < 0 ? [] : ['--clip', `#${pose.anim}`, '--time', String(pose.t)];
    comparePose(reference, pose, run('pose', file, ...at, '--json'), errors);
    if (reference.prims.some((prim) => !prim.skip)) {
      compareVertices(reference, pose, run('skin', file, ...at, '--json').meshes, errors);
    }
  });
  return errors.worst;
}

let failed = 0;
const references = readdirSync(oracle).filter((name) => name.endsWith('.json.gz')).sort();
for (const name of references) {
  const reference = JSON.parse(gunzipSync(readFileSync(join(oracle, name))));
  const allowed = TOLERANCE + (reference.maxQuatErr > TOLERANCE / 10 ? 4 * reference.maxQuatErr : 0);
  const worst = compareFile(reference);
  const bad = Object.entries(worst).filter(([what, x]) => !(x <= (EXCEPTIONS[reference.file]?.[what] ?? allowed)));
  failed += bad.length > 0;
  const numbers = Object.entries(worst).filter(([, x]) => x > 0).map(([what, x]) => `${what} ${x.toExponential(1)}`);
  console.log(`${bad.length ? 'FAIL' : 'ok  '} ${reference.file.padEnd(44)} ${numbers.join('  ')}`);
}
console.log(`${references.length - failed} of ${references.length} files agree`);
process.exit(failed || references.length === 0 ? 1 : 0);
