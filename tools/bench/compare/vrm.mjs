// SPDX-License-Identifier: MIT
// Compares VRM avatars with three-vrm: node constraints, gaze, expressions and .vrma tracks of files that this script
// makes. node vrm.mjs NODE_MODULES VRM_POSE FOLDER
//
// For eye bones three-vrm uses rangeMapVerticalUp downward and rangeMapVerticalDown upward, unlike lookAt.md. So where these
// differ, it gets a file in which they are exchanged.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, vrmPose, folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(modules, path)));

globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
globalThis.ProgressEvent ??= Event; // it reads buffers of data URIs as downloads
const THREE = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await load('@pixiv/three-vrm/lib/three-vrm.module.js');
const { VRMAnimationLoaderPlugin } = await load('@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js');
mkdirSync(folder, { recursive: true });

// ---- Random numbers, the same in each run ------------------------------------------------------------------------

let state = 1;
const random = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296);
const between = (low, high) => low + (high - low) * random();
const vector = (size) => [between(-size, size), between(-size, size), between(-size, size)];

function rotation(most = Math.PI) {
  const axis = new THREE.Vector3(...vector(1)).normalize();
  return new THREE.Quaternion().setFromAxisAngle(axis, between(-most, most)).toArray();
}

// ---- Files -------------------------------------------------------------------------------------------------------

const BONES = ['hips', 'spine', 'chest', 'neck', 'head', 'leftEye', 'rightEye', 'leftUpperArm', 'leftLowerArm', 'leftHand',
  'rightUpperArm', 'rightLowerArm', 'rightHand', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot', 'rightUpperLeg',
  'rightLowerLeg', 'rightFoot'];
const PARENTS = { spine: 'hips', chest: 'spine', neck: 'chest', head: 'neck', leftEye: 'head', rightEye: 'head',
  leftUpperArm: 'chest', leftLowerArm: 'leftUpperArm', leftHand: 'leftLowerArm', rightUpperArm: 'chest',
  rightLowerArm: 'rightUpperArm', rightHand: 'rightLowerArm', leftUpperLeg: 'hips', leftLowerLeg: 'leftUpperLeg',
  leftFoot: 'leftLowerLeg', rightUpperLeg: 'hips', rightLowerLeg: 'rightUpperLeg', rightFoot: 'rightLowerLeg' };
const FRAMES = 12;
const node = (bone) => BONES.indexOf(bone);

// The buffer of a file, and accessors of floats.
function makeBuffer() {
  const json = { buffers: [], bufferViews: [], accessors: [] }, parts = [];
  let size = 0;
  const add = (type, floats, bounds) => {
    const data = new Float32Array(floats.flat()), width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    json.bufferViews.push({ buffer: 0, byteOffset: size, byteLength: data.byteLength });
    json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, count: data.length / width, type,
      ...(bounds ? { min: [...data.slice(0, width)], max: [...data.slice(-width)] } : {}) });
    parts.push(Buffer.from(data.buffer));
    size += data.byteLength;
    return json.accessors.length - 1;
  };
  const finish = () => {
    json.buffers = [{ byteLength: size, uri: `data:application/octet-stream;base64,${Buffer.concat(parts).toString('base64')}` }];
    return json;
  };
  return { add, finish };
}

// The animation of some nodes: [node, path, values], one value for each second.
function animate(buffer, tracks) {
  const times = buffer.add('SCALAR', tracks[0][2].map((_, i) => i), true);
  return {
    samplers: tracks.map(([, path, values]) => ({ input: times, output: buffer.add(path === 'rotation' ? 'VEC4' : 'VEC3', values) })),
    channels: tracks.map(([target, path], i) => ({ sampler: i, target: { node: target, path } })),
  };
}

const constraint = (kind) => ({ VRMC_node_constraint: { specVersion: '1.0', constraint: kind } });

const EXPRESSIONS = {
  happy: { overrideBlink: 'blend', overrideMouth: 'block', morphTargetBinds: [[0, 0.7], [2, 0.2]] },
  angry: { overrideBlink: 'blend', isBinary: true, morphTargetBinds: [[1, 1]] },
  blink: { overrideLookAt: 'blend', morphTargetBinds: [[0, 0.5]] },
  aa: { isBinary: true, morphTargetBinds: [[2, 0.4]] },
  lookUp: { morphTargetBinds: [[3, 1]] }, lookDown: { morphTargetBinds: [[3, -1]] },
  lookLeft: { morphTargetBinds: [[1, 0.3]] }, lookRight: { morphTargetBinds: [[1, -0.3]] },
};
const PRESETS_0 = { happy: 'joy', angry: 'angry', blink: 'blink', aa: 'a', lookUp: 'lookup', lookDown: 'lookdown',
  lookLeft: 'lookleft', lookRight: 'lookright' };

// A range of VRM 1.0 or 0.x.
const range = (version, input, output) =>
  version === 1 ? { inputMaxValue: input, outputScale: output } : { xRange: input, yRange: output, curve: [0, 0, 0, 1, 1, 1, 1, 0] };

// Bones with random rest poses; VRM 0.x forbids rotations. Constrained nodes are children of bones. The mesh is the last node.
function makeAvatar(version, lookAtType, up, down) {
  const buffer = makeBuffer();
  const nodes = BONES.map((name) => ({ name, translation: vector(0.5), ...(version === 1 ? { rotation: rotation() } : {}) }));
  const constraints = version === 0 ? [] : [
    ['leftLowerArm', constraint({ roll: { source: node('leftHand'), rollAxis: 'X', weight: 0.5 } })],
    ['rightLowerArm', constraint({ roll: { source: node('rightHand'), rollAxis: 'Z' } })],
    ['chest', constraint({ aim: { source: node('leftHand'), aimAxis: 'NegativeY', weight: 0.8 } })],
    ['chest', constraint({ aim: { source: node('rightFoot'), aimAxis: 'PositiveZ' } })],
    ['hips', constraint({ rotation: { source: node('leftUpperLeg'), weight: 0.3 } })],
    ['hips', constraint({ rotation: { source: BONES.length } })], // after the first
  ];
  constraints.forEach(([parent, extensions], i) => {
    nodes.push({ name: `constrained${i}`, translation: vector(0.5), rotation: rotation(), extensions });
    (nodes[node(parent)].children ??= []).push(BONES.length + i);
  });
  for (const [child, parent] of Object.entries(PARENTS)) (nodes[node(parent)].children ??= []).push(node(child));
  const triangle = buffer.add('VEC3', [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]], true), mesh = nodes.length;
  nodes.push({ name: 'body', mesh: 0 });
  const animation = animate(buffer, [...BONES.keys()].map((bone) =>
    [bone, 'rotation', Array.from({ length: FRAMES }, () => rotation())]));
  const scale = lookAtType === 'bone' ? [15, 25, down, up] : [1, 0.9, 0.8, 0.7];
  const ranges = [range(version, 50, scale[0]), range(version, 70, scale[1]), range(version, 60, scale[2]), range(version, 60, scale[3])];
  const binds = (list, key) => list.map(([index, weight]) =>
    key === 'node' ? { node: mesh, index, weight } : { mesh: 0, index, weight: 100 * weight });
  const extensions = version === 1 ? { VRMC_vrm: {
    specVersion: '1.0', meta: { name: 'generated', authors: ['vrm.mjs'], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: Object.fromEntries(BONES.map((bone, i) => [bone, { node: i }])) },
    lookAt: { type: lookAtType, offsetFromHeadBone: [0.01, 0.06, 0.03], rangeMapHorizontalInner: ranges[0],
      rangeMapHorizontalOuter: ranges[1], rangeMapVerticalDown: ranges[2], rangeMapVerticalUp: ranges[3] },
    expressions: { preset: Object.fromEntries(Object.entries(EXPRESSIONS).map(([name, e]) =>
      [name, { ...e, morphTargetBinds: binds(e.morphTargetBinds, 'node') }])) },
  } } : { VRM: {
    meta: { title: 'generated' },
    humanoid: { humanBones: BONES.map((bone, i) => ({ bone, node: i })) },
    firstPerson: { firstPersonBone: node('head'), firstPersonBoneOffset: { x: 0.01, y: 0.06, z: 0.03 },
      lookAtTypeName: lookAtType === 'bone' ? 'Bone' : 'BlendShape', lookAtHorizontalInner: ranges[0],
      lookAtHorizontalOuter: ranges[1], lookAtVerticalDown: ranges[2], lookAtVerticalUp: ranges[3] },
    blendShapeMaster: { blendShapeGroups: Object.entries(EXPRESSIONS).map(([name, e]) => ({ name,
      presetName: PRESETS_0[name], isBinary: e.isBinary, binds: binds(e.morphTargetBinds, 'mesh') })) },
  } };
  const roots = nodes.map((_, i) => i).filter((i) => !nodes.some((other) => other.children?.includes(i)));
  return { asset: { version: '2.0' }, extensionsUsed: [...Object.keys(extensions), 'VRMC_node_constraint'], extensions, nodes,
    scenes: [{ nodes: roots }], scene: 0, animations: [animation],
    meshes: [{ primitives: [{ attributes: { POSITION: triangle }, targets: [0, 1, 2, 3].map(() => ({ POSITION: triangle })) }] }],
    ...buffer.finish() };
}

function makeMotion() {
  const buffer = makeBuffer(), bones = BONES.filter((bone) => !bone.endsWith('Eye'));
  const nodes = bones.map((name) => ({ name, translation: [0, 0.1, 0] }));
  bones.forEach((bone, i) => { if (PARENTS[bone]) (nodes[bones.indexOf(PARENTS[bone])].children ??= []).push(i); });
  const first = nodes.length;
  nodes.push({ name: 'happy' }, { name: 'smirk' }, { name: 'gaze' });
  const weights = () => Array.from({ length: FRAMES }, () => [between(-0.3, 1.3), 0, 0]);
  const animation = animate(buffer, [[0, 'rotation', Array.from({ length: FRAMES }, () => rotation())],
    [first, 'translation', weights()], [first + 1, 'translation', weights()],
    [first + 2, 'rotation', Array.from({ length: FRAMES }, () => rotation(1.2))]]);
  return { asset: { version: '2.0' }, extensionsUsed: ['VRMC_vrm_animation'], nodes, scenes: [{ nodes: [0, first, first + 1, first + 2] }],
    scene: 0, animations: [animation], extensions: { VRMC_vrm_animation: { specVersion: '1.0',
      humanoid: { humanBones: Object.fromEntries(bones.map((bone, i) => [bone, { node: i }])) },
      expressions: { preset: { happy: { node: first } }, custom: { smirk: { node: first + 1 } } },
      lookAt: { node: first + 2, offsetFromHeadBone: [0, 0.06, 0] } } }, ...buffer.finish() };
}

// ---- Comparing ---------------------------------------------------------------------------------------------------

const worst = {};
let compared = 0;

function note(kind, difference) {
  compared++;
  if (!(difference <= (worst[kind] ?? -1))) worst[kind] = difference; // also NaN
}

// The file in which the two vertical ranges are exchanged.
function exchanged(json) {
  const copy = structuredClone(json), { lookAt } = copy.extensions.VRMC_vrm ?? {}, { firstPerson } = copy.extensions.VRM ?? {};
  const [object, down, up] = lookAt ? [lookAt, 'rangeMapVerticalDown', 'rangeMapVerticalUp']
    : [firstPerson, 'lookAtVerticalDown', 'lookAtVerticalUp'];
  [object[down], object[up]] = [object[up], object[down]];
  return copy;
}

const angle = (a, b) => {
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1;
  return 4 * Math.asin(Math.min(1, Math.hypot(...a.map((x, i) => x - sign * b[i])) / 2));
};

function sinew(path, time, target, weights) {
  return JSON.parse(execFileSync(vrmPose, [path, time, ...target, ...weights].map(String), { encoding: 'utf8' }));
}

async function parse(json, plugin) {
  const loader = new GLTFLoader();
  loader.register(plugin);
  return loader.parseAsync(JSON.stringify(json), '');
}

const nodesOf = (gltf) => gltf.parser.getDependencies('node');

// A frame by three-vrm: the clip's rotations on the raw bones, then the steps of VRM.update.
function frameOf(gltf, nodes, json, time, target, weights) {
  const { vrm } = gltf.userData, names = Object.keys(EXPRESSIONS);
  const values = new Float32Array(json.buffers[0].bytes.buffer, json.buffers[0].bytes.byteOffset);
  json.animations[0].channels.forEach(({ sampler, target: { node: i } }) => {
    const accessor = json.accessors[json.animations[0].samplers[sampler].output];
    const first = json.bufferViews[accessor.bufferView].byteOffset / 4 + 4 * time;
    nodes[i].quaternion.fromArray(values, first);
  });
  gltf.scene.updateMatrixWorld(true);
  names.forEach((name, i) => vrm.expressionManager.setValue(name, weights[i]));
  vrm.lookAt.lookAt(new THREE.Vector3(...target));
  vrm.lookAt.update(0);
  vrm.expressionManager.update();
  vrm.nodeConstraintManager?.update();
  return vrm;
}

async function compareAvatar(version, lookAtType, up, down) {
  const json = makeAvatar(version, lookAtType, up, down), path = join(folder, `avatar-${version}-${lookAtType}-${up}.gltf`);
  writeFileSync(path, JSON.stringify(json));
  const differ = lookAtType === 'bone' && up !== down;
  const gltf = await parse(differ ? exchanged(json) : json, (parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }));
  const nodes = await nodesOf(gltf), body = nodes[nodes.length - 1];
  json.buffers[0].bytes = Buffer.from(json.buffers[0].uri.split(',')[1], 'base64');
  const label = `VRM ${version === 1 ? '1.0' : '0.x'}`;
  for (let time = 0; time < FRAMES; time++) {
    const target = vector(3), weights = Object.keys(EXPRESSIONS).map((_, i) => (i < 4 && random() < 0.5 ? between(0, 0.9) : 0));
    const ours = sinew(path, time, target, weights), vrm = frameOf(gltf, nodes, json, time, target, weights);
    note(`${label}: yaw`, Math.abs(ours.yaw - THREE.MathUtils.degToRad(vrm.lookAt.yaw)));
    note(`${label}: pitch`, Math.abs(ours.pitch - THREE.MathUtils.degToRad(vrm.lookAt.pitch)));
    nodes.forEach((theirs, i) => {
      const kind = i >= BONES.length ? 'constrained nodes' : BONES[i]?.endsWith('Eye') ? 'eye bones' : 'other bones';
      note(`${label}: ${kind}${differ && kind === 'eye bones' ? ', vertical ranges exchanged' : ''}`,
        angle(ours.rotations[i], theirs.quaternion.toArray()));
    });
    ours.morphs.forEach((weight, i) => note(`${label}: morph weights`, Math.abs(weight - body.morphTargetInfluences[i])));
  }
}

async function compareMotion() {
  const json = makeMotion(), path = join(folder, 'motion.gltf');
  writeFileSync(path, JSON.stringify(json));
  const gltf = await parse(json, (parser) => new VRMAnimationLoaderPlugin(parser));
  const [animation] = gltf.userData.vrmAnimations;
  for (let time = 0; time < FRAMES; time++) {
    const ours = sinew(path, time, [0, 0, 1], []), { expressionTracks, lookAtTrack } = animation;
    const clamped = (track) => Math.min(1, Math.max(0, track.values[time])); // three-vrm clamps when it applies
    note('.vrma: happy', Math.abs(ours.tracks.happy - clamped(expressionTracks.preset.get('happy'))));
    note('.vrma: smirk', Math.abs(ours.tracks.smirk - clamped(expressionTracks.custom.get('smirk'))));
    const euler = new THREE.Euler().setFromQuaternion(new THREE.Quaternion().fromArray(lookAtTrack.values, 4 * time), 'YXZ');
    note('.vrma: gaze', Math.max(Math.abs(ours.trackYaw - euler.y), Math.abs(ours.trackPitch - euler.x)));
  }
}

for (const version of [1, 0]) {
  await compareAvatar(version, 'bone', 20, 20);
  await compareAvatar(version, 'bone', 11, 30);
  await compareAvatar(version, 'expression', 20, 20);
}
await compareMotion();

console.log(`three-vrm and Sinew on generated files: ${compared} comparisons; the largest differences (radians, weights):`);
for (const [kind, difference] of Object.entries(worst)) console.log(`  ${kind}: ${difference.toExponential(1)}`);
const good = Object.values(worst).every((difference) => difference <= 1e-5);
console.log(good ? 'All within 1e-5.' : 'NOT all within 1e-5.');
process.exitCode = good ? 0 : 1;
