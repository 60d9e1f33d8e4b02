// SPDX-License-Identifier: MIT
// Compares retargeted motion with that of three.js and three-vrm: the angles between the bones of target and source.
// node retarget.mjs NODE_MODULES SINEW SCRATCH_FOLDER FILE:CLIP[,CLIP...] FILE:CLIP...
// A file with + in front is only a source.
//
// three.js: SkeletonUtils.retargetClip with the names of the roles, the hips, and the ratio of the leg lengths as scale;
// without localOffsets, which users must find for each pair. three-vrm: the normalized humanoid of its own VRMHumanoid,
// driven as its examples drive it by Mixamo's clips. All three read the roles that `sinew humanoid` finds.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutMaterials } from '../../../tests/web/glb.mjs';

const [modules, sinew, scratch, ...files] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(resolve(modules, path)));

globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
const THREE = await load('three/build/three.module.js');
const { GLTFLoader } = await load('three/examples/jsm/loaders/GLTFLoader.js');
const { retargetClip } = await load('three/examples/jsm/utils/SkeletonUtils.js');
const { VRMHumanoid } = await load('@pixiv/three-vrm-core/lib/three-vrm-core.module.js');

const STEPS = 24; // moments of each clip
const SIDES = ['left', 'right'];
const LIMBS = SIDES.flatMap((side) => [['UpperArm', 'LowerArm'], ['LowerArm', 'Hand'], ['UpperLeg', 'LowerLeg'], ['LowerLeg', 'Foot']]
    .map((bone) => bone.map((part) => side + part)));
mkdirSync(scratch, { recursive: true });

// ---- Characters ----------------------------------------------------------------------------------------------------

// A loaded file with its nodes by number and by role.
class Character {
    static async load(path, roles) {
        const gltf = await new GLTFLoader().parseAsync(withoutMaterials(readFileSync(path)).buffer, '');
        const count = gltf.parser.json.nodes.length;
        const nodes = await Promise.all(Array.from({ length: count }, (_, i) => gltf.parser.getDependency('node', i)));
        return new Character(gltf, nodes, roles);
    }

    constructor(gltf, nodes, roles) {
        Object.assign(this, { gltf, scene: gltf.scene, clips: gltf.animations });
        this.roles = new Map(roles.map(({ role, node }) => [role, nodes[node]]));
        this.scene.updateMatrixWorld(true);
        this.scene.traverse((object) => { this.mesh ??= object.isSkinnedMesh ? object : undefined; });
    }

    clip(name) {
        return this.clips.find((clip) => clip.name === name);
    }

    position(role) {
        return this.roles.get(role).getWorldPosition(new THREE.Vector3());
    }

    directions(bones) {
        this.scene.updateMatrixWorld(true);
        return bones.map(([from, to]) => this.position(to).sub(this.position(from)).normalize());
    }

    // Both legs.
    legLength() {
        return SIDES.reduce((sum, side) => sum + this.position(`${side}UpperLeg`).distanceTo(this.position(`${side}LowerLeg`)) +
            this.position(`${side}LowerLeg`).distanceTo(this.position(`${side}Foot`)), 0);
    }
}

function rolesOf(path) {
    return JSON.parse(execFileSync(sinew, ['humanoid', path, '--json'])).roles.filter(({ node }) => node >= 0);
}

// A function that poses a character by a clip.
function player(root, clip) {
    const mixer = new THREE.AnimationMixer(root);
    mixer.clipAction(clip).play();
    return (time) => mixer.setTime(time);
}

// ---- Methods: each returns [target, (time) => poses the target] -----------------------------------------------------------

async function bySinewWith(options, source, target, clip) {
    const out = join(scratch, 'retargeted.glb');
    execFileSync(sinew, ['retarget', source, '--onto', target, '--clip', clip, '--only', '--rate', '60', ...options, '-o', out]);
    const character = await Character.load(out, rolesOf(target));
    return [character, player(character.scene, character.clip(clip))];
}

const bySinew = (...motion) => bySinewWith(['--no-feet'], ...motion);
const bySinewWithFeet = (...motion) => bySinewWith([], ...motion);

async function byThree(source, target, clip) {
    const from = await Character.load(source, rolesOf(source)), to = await Character.load(target, rolesOf(target));
    const names = {};
    for (const [role, node] of to.roles) if (from.roles.has(role)) names[node.name] = from.roles.get(role).name;
    const retargeted = retargetClip(to.mesh, from.mesh, from.clip(clip),
        { names, hip: from.roles.get('hips').name, scale: to.legLength() / from.legLength(), fps: 60 });
    return [to, player(to.mesh, retargeted)];
}

function restRotations(character) {
    const rest = new Map();
    for (const [role, node] of character.roles) {
        rest.set(role, [node.parent.getWorldQuaternion(new THREE.Quaternion()),
            node.getWorldQuaternion(new THREE.Quaternion()).invert()]);
    }
    return rest;
}

async function byThreeVrm(source, target, clip) {
    const from = await Character.load(source, rolesOf(source)), to = await Character.load(target, rolesOf(target));
    const bones = Object.fromEntries([...to.roles].map(([role, node]) => [role, { node }]));
    const humanoid = new VRMHumanoid(bones, { autoUpdateHumanBones: true });
    to.scene.add(humanoid.normalizedHumanBonesRoot);
    const rest = restRotations(from), play = player(from.scene, from.clip(clip));
    return [to, (time) => {
        play(time);
        for (const [role, node] of from.roles) {
            const normalized = humanoid.getNormalizedBoneNode(role), [parent, inverse] = rest.get(role);
            normalized?.quaternion.copy(parent).multiply(node.quaternion).multiply(inverse);
        }
        humanoid.update();
    }];
}

// ---- Comparison ----------------------------------------------------------------------------------------------------

const METHODS = { 'Sinew': bySinew, 'Sinew, feet placed': bySinewWithFeet, 'three.js': byThree, 'three-vrm': byThreeVrm };

// The angles between the bones of source and target over a clip, degrees.
async function angles(method, sourcePath, targetPath, clip) {
    const source = await Character.load(sourcePath, rolesOf(sourcePath)), play = player(source.scene, source.clip(clip));
    const [target, pose] = await method(sourcePath, targetPath, clip), result = [], duration = source.clip(clip).duration;
    for (let step = 0; step < STEPS; step++) {
        const time = duration * (step + 0.5) / STEPS;
        play(time);
        pose(time);
        const from = source.directions(LIMBS);
        target.directions(LIMBS).forEach((direction, i) => result.push(THREE.MathUtils.radToDeg(direction.angleTo(from[i]))));
    }
    return result;
}

const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];

const motions = files.map((argument) => {
    const colon = argument.lastIndexOf(':');
    const isTarget = !argument.startsWith('+');
    return { path: argument.slice(isTarget ? 0 : 1, colon), clips: argument.slice(colon + 1).split(','), isTarget };
});
console.log('angle between the limbs of source and target, degrees: mean (95th percentile)');
for (const source of motions) {
    for (const target of motions) {
        if (source.path === target.path || !source.clips[0] || !target.isTarget) continue;
        const cells = [];
        for (const [name, method] of Object.entries(METHODS)) {
            let all = [];
            try {
                for (const clip of source.clips) all = all.concat(await angles(method, source.path, target.path, clip));
                const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
                cells.push(`${name} ${mean.toFixed(2)} (${percentile(all, 0.95).toFixed(1)})`);
            } catch (error) {
                cells.push(`${name}: ${error.message}`);
            }
        }
        console.log(`${basename(source.path)} ${source.clips} -> ${basename(target.path)}: ${cells.join(', ')}`);
    }
}
