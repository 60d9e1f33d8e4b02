// SPDX-License-Identifier: MIT
// Compares three.js's AnimationMixer with Sinew on one glTF file: first the poses, then the time of a frame.
// node three.mjs FOLDER_OF_THREE SINEW BLENDED_POSE FILE

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutMaterials } from '../../../tests/web/glb.mjs';

const [threeFolder, sinew, blendedPose, file] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(threeFolder, path)));

globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
const THREE = await load('build/three.module.js');
const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
const { clone } = await load('examples/jsm/utils/SkeletonUtils.js');

// ---- Loading -------------------------------------------------------------------------------------------------

function parse(path) {
  return new GLTFLoader().parseAsync(withoutMaterials(readFileSync(path)).buffer, '');
}

const gltf = await parse(file);
const jsonNodes = gltf.parser.json.nodes;

// Each object of a clone by its node's number in the file: a clone has the same tree as its original.
function nodesOf(root) {
  const originals = [], copies = [], nodes = new Array(jsonNodes.length);
  gltf.scene.traverse((object) => originals.push(object));
  root.traverse((object) => copies.push(object));
  originals.forEach((object, i) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) nodes[node] = copies[i];
  });
  return nodes;
}

function skinnedMesh(root) {
  let found;
  root.traverse((object) => { found ??= object.isSkinnedMesh ? object : undefined; });
  return found;
}

// A new character, posed by some clips: parts are [clip, time, weight].
function poseByClips(parts) {
  const root = clone(gltf.scene), mixer = new THREE.AnimationMixer(root);
  for (const [clip, time, weight] of parts) {
    const action = mixer.clipAction(clip);
    action.setEffectiveWeight(weight).play();
    action.time = time;
  }
  mixer.update(0);
  root.updateMatrixWorld(true);
  return root;
}

// ---- The same poses ------------------------------------------------------------------------------------------

const worst = {}; // the largest difference of each kind
let compared = 0;

function note(kind, difference) {
  compared++;
  if (!(difference <= (worst[kind] ?? -1))) worst[kind] = difference; // also NaN
}

const distance = (a, b) => Math.max(...a.map((x, i) => Math.abs(x - b[i])));

// The angle between two rotations, by the chord, which is exact for small ones.
function angle(a, b) {
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1;
  const lengths = [Math.hypot(...a), Math.hypot(...b)];
  return 4 * Math.asin(Math.min(1, Math.hypot(...a.map((x, i) => x / lengths[0] - (sign * b[i]) / lengths[1])) / 2));
}

const run = (program, ...args) => JSON.parse(execFileSync(program, args, { maxBuffer: 1 << 28 }));

function poseOf(clip, time) {
  return run(sinew, 'pose', file, '--clip', clip.name, '--time', String(time), '--json');
}

function compareClip(clip, time) {
  const ours = poseOf(clip, time), root = poseByClips([[clip, time, 1]]), nodes = nodesOf(root);
  for (const { node, translation, rotation, scale, world } of ours.nodes) {
    const theirs = nodes[node];
    note('translation', distance(translation, theirs.position.toArray()));
    note('rotation', angle(rotation, theirs.quaternion.toArray()));
    note('scale', distance(scale, theirs.scale.toArray()));
    note('world matrix', distance(world, theirs.matrixWorld.toArray()));
  }
  const mesh = skinnedMesh(root);
  mesh.skeleton.update();
  ours.skins[0].matrices.forEach((matrix, i) => {
    note('joint matrix', distance(matrix, [...mesh.skeleton.boneMatrices.slice(16 * i, 16 * i + 16)]));
  });
}

// three.js slerps from one clip to the other; Sinew normalizes the sum. With h the angle between the two quaternions,
// slerp moves by t h and the sum by atan2(t sin h, 1 - t + t cos h); the rotation angle is twice that.
function sumMinusSlerp(h, t) {
  return 2 * Math.abs(Math.atan2(t * Math.sin(h), 1 - t + t * Math.cos(h)) - t * h);
}

// The maximum of that over t. The difference is largest where both have the same speed: the sum's is sin h / |sum|², with
// |sum|² = 1 - 2 t (1 - t) (1 - cos h), and slerp's is h. The maximum is 8.2 degrees at a rotation of 180 degrees, and 0.9
// at 90.
function mostSumMinusSlerp(h) {
  if (h < 1e-3) return 1e-10; // h³ / 31
  const product = (1 - Math.sin(h) / h) / (2 * (1 - Math.cos(h)));
  return sumMinusSlerp(h, (1 - Math.sqrt(1 - 4 * product)) / 2);
}

let widest = 0, largest = 0; // radians: between two clips' rotations, and between the two blends of them

function compareBlend(a, timeA, b, timeB, weight) {
  const ours = run(blendedPose, file, a.name, String(timeA), b.name, String(timeB), String(weight));
  const nodes = nodesOf(poseByClips([[a, timeA, 1 - weight], [b, timeB, weight]]));
  const first = poseOf(a, timeA).nodes, second = poseOf(b, timeB).nodes;
  ours.nodes.forEach(({ translation, rotation, scale }, node) => {
    const theirs = nodes[node], apart = angle(first[node].rotation, second[node].rotation);
    const difference = angle(rotation, theirs.quaternion.toArray());
    note('blended translation', distance(translation, theirs.position.toArray()));
    note('blended scale', distance(scale, theirs.scale.toArray()));
    note('blended rotation, from what the formula says', Math.abs(difference - sumMinusSlerp(apart / 2, weight)));
    note('blended rotation, above the bound', Math.max(0, difference - mostSumMinusSlerp(apart / 2)));
    widest = Math.max(widest, apart);
    largest = Math.max(largest, difference);
  });
}

const clips = gltf.animations;
for (const clip of clips) {
  for (const part of [0, 0.123, 0.5, 0.77, 0.98]) compareClip(clip, part * clip.duration);
}
clips.forEach((a, i) => {
  const b = clips[(i + 1) % clips.length];
  for (const weight of [0.2, 0.5, 0.7]) compareBlend(a, 0.4 * a.duration, b, 0.6 * b.duration, weight);
});

const degrees = (radians) => `${((radians * 180) / Math.PI).toFixed(2)}°`;
console.log(`three.js r${THREE.REVISION} and Sinew on ${file}: ${compared} comparisons; the largest differences:`);
for (const [kind, difference] of Object.entries(worst)) console.log(`  ${kind}: ${difference.toExponential(1)}`);
console.log(`  blends: up to ${degrees(largest)} where two clips are up to ${degrees(widest)} apart (slerp, normalised sum)`);
const good = Object.values(worst).every((difference) => difference <= 1e-5);
console.log(good ? 'All within 1e-5.' : 'NOT all within 1e-5.');

// ---- How long a frame of a crowd takes -----------------------------------------------------------------------------

const CHARACTERS = Number(process.env.HEROES || 1000), WARM_UP = 90, FRAMES = 31;

// As tools/bench/crowd.c chooses clips, times and weights.
const spread = (number, step) => ((number + 1) * step) % 1;

function makeCharacter(i) {
  const root = clone(gltf.scene), mixer = new THREE.AnimationMixer(root);
  const first = i % clips.length;
  let second = (i * 7 + 3) % clips.length;
  if (second === first) second = (second + 1) % clips.length;
  const mix = 0.2 + 0.6 * spread(i, 0.56984029099);
  for (const [clip, phase, weight] of [[clips[first], spread(i, 0.61803398875), 1 - mix],
                                       [clips[second], spread(i, 0.75487766625), mix]]) {
    const action = mixer.clipAction(clip);
    action.setEffectiveWeight(weight).play();
    action.time = phase * clip.duration;
  }
  return { root, mixer, skeleton: skinnedMesh(root).skeleton };
}

function measureThree() {
  const crowd = Array.from({ length: CHARACTERS }, (_, i) => makeCharacter(i));
  const times = [];
  for (let frame = 0; frame < WARM_UP + FRAMES; frame++) {
    const start = process.hrtime.bigint();
    for (const { root, mixer, skeleton } of crowd) {
      mixer.update(1 / 60);
      root.updateMatrixWorld();
      skeleton.update();
    }
    if (frame >= WARM_UP) times.push(Number(process.hrtime.bigint() - start) / CHARACTERS);
  }
  return times.sort((a, b) => a - b)[FRAMES >> 1];
}

function measureSinew() {
  const data = basename(file).replace(/\.[^.]*$/, '');
  const { machine, rows } = run(sinew, 'bench', file, '--quiet', '--json', '--filter', `${data} ${CHARACTERS} sinew`);
  const row = rows.find((one) => one.stage === 'everything');
  return { nanoseconds: row.medianNs * row.joints, simd: machine.simd };
}

const theirs = measureThree(), { nanoseconds: ours, simd } = measureSinew();
const micro = (nanoseconds) => `${(nanoseconds / 1000).toFixed(2)} µs`;
console.log(`A frame of one of ${CHARACTERS} characters, two clips cross-fading, to the joint matrices, on one core:`);
console.log(`  three.js r${THREE.REVISION}, Node ${process.version}: ${micro(theirs)}`);
console.log(`  Sinew, ${simd}: ${micro(ours)}`);
console.log(`  ratio: ${(theirs / ours).toFixed(1)}`);
process.exit(good ? 0 : 1);
