// SPDX-License-Identifier: MIT
// Compares spring bones with three-vrm: the same file and motion, 10 s at 60 Hz. node springs.mjs NODE_MODULES SPRING_POSE FILE
//
// The motion (spring_pose.c has the same): at the time t the character is at (0.3 sin 3t, 0.1 sin 7t, 0.2 t) and turned about Y
// by 0.5 t; the node "J_Bip_C_Hips" is rotated about (0.6, 0, 0.8) by 0.6 sin 4.1t. The character has several scales.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, springPose, path] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(modules, name)));

globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
globalThis.ProgressEvent ??= Event;
const THREE = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await load('@pixiv/three-vrm/lib/three-vrm.module.js');

const FRAMES = 600;
const file = readFileSync(path);
const framesAt = (scale) => execFileSync(springPose, [path, String(FRAMES), String(scale)], { encoding: 'utf8', maxBuffer: 1 << 28 })
  .trim().split('\n').map(JSON.parse);

async function parse() {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser, { autoUpdateHumanBones: false }));
  return loader.parseAsync(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength), '');
}

// The specification's bone length is the child's distance in the world. three-vrm measures it in each frame, from the bone's matrix
// of this frame to its child's matrix of the last frame, so bones get longer and shorter as their parents rotate.
function keepLengths(springs, scale) {
  for (const joint of springs.joints) {
    joint._calcWorldSpaceBoneLength = function () {
      this._worldSpaceBoneLength = scale * this._initialLocalChildPosition.length(); // the file has no scale
    };
  }
}

// Runs three-vrm. Returns a line and the largest distance for each chain.
async function compare(frames, scale, withRestLengths) {
  const gltf = await parse(), { json } = gltf.parser, springs = gltf.userData.vrm.springBoneManager;
  const nodes = await gltf.parser.getDependencies('node');
  const hips = nodes[json.nodes.findIndex((node) => node.name === 'J_Bip_C_Hips')];
  const world = new THREE.Group(), p = new THREE.Vector3();
  world.add(gltf.scene);
  if (withRestLengths) keepLengths(springs, scale);
  const chains = json.extensions.VRMC_springBone.springs.map((spring) => {
    const joints = spring.joints.map((joint) => joint.node);
    const length = joints.slice(1).reduce((sum, node) => sum + nodes[node].position.length(), 0);
    return { name: spring.name, joints, length: scale * length, worst: 0, turn: 0 };
  });
  for (let i = 0; i <= FRAMES; i++) {
    const t = i / 60;
    world.position.set(0.3 * Math.sin(3 * t), 0.1 * Math.sin(7 * t), 0.2 * t);
    world.rotation.set(0, 0.5 * t, 0);
    world.scale.setScalar(scale);
    hips.quaternion.setFromAxisAngle(new THREE.Vector3(0.6, 0, 0.8), 0.6 * Math.sin(4.1 * t));
    world.updateMatrixWorld(true);
    if (i === 0) springs.reset();
    else springs.update(1 / 60);
    world.updateMatrixWorld(true);
    for (const chain of chains) {
      for (const node of chain.joints) {
        p.setFromMatrixPosition(nodes[node].matrixWorld);
        const [x, y, z] = frames[i].slice(3 * node, 3 * node + 3);
        chain.worst = Math.max(chain.worst, Math.hypot(p.x - x, p.y - y, p.z - z) / chain.length);
      }
      const tip = nodes[chain.joints.at(-2)];
      chain.turn = Math.max(chain.turn, 2 * Math.acos(Math.min(1, Math.abs(tip.quaternion.w))));
    }
  }
  return chains;
}

console.log(`three-vrm and Sinew: spring bones of ${path}, ${FRAMES / 60} s; the largest distance of a node, of its chain's length:`);
let good = true;
for (const scale of [1, 0.5, 2]) {
  const frames = framesAt(scale), asIs = await compare(frames, scale, false), corrected = await compare(frames, scale, true);
  console.log(` at scale ${scale}:`);
  corrected.forEach(({ name, worst, turn }, c) => console.log(`  ${name}: ${(100 * worst).toPrecision(2)} % with the bone lengths ` +
    `of the specification; ${(100 * asIs[c].worst).toPrecision(2)} % with three-vrm's (it turns by up to ${turn.toFixed(2)} rad)`));
  good &&= corrected.every(({ worst }) => worst <= 0.0001) && corrected.some(({ turn }) => turn > 0.1);
}
console.log(good ? 'All within 0.01 %.' : 'NOT all within 0.01 %.');
process.exitCode = good ? 0 : 1;
