// SPDX-License-Identifier: MIT
// Functions for both adapters' tests.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const TOLERANCE = 1e-5; // of the model's size

export function near(ours, theirs, tolerance, what) {
    assert.equal(ours.length, theirs.length, what);
    for (let i = 0; i < theirs.length; i++) {
        const difference = Math.abs(ours[i] - theirs[i]);
        assert.ok(ours[i] === theirs[i] || difference <= tolerance, `${what}: [${i}] is ${ours[i]}, not ${theirs[i]}`);
    }
}

// The tested files: this project's, and those in SINEW_ASSETS if it's set.
export function filesOf(models, others) {
    const own = ['hero.glb', 'windmill.glb', 'conformance/morph-weights-cubic.gltf',
        'conformance/morph-before-skin.gltf', 'conformance/node-between-joints.gltf',
        'conformance/two-skins-one-skeleton.gltf', 'conformance/skinned-mesh-ignores-its-node.gltf',
        'conformance/linear-translation-scale.gltf', 'conformance/morph-whose-weights.gltf'];
    const { SINEW_ASSETS } = process.env;
    if (!SINEW_ASSETS) console.log('SINEW_ASSETS is not set: only with models of this project');
    return [...own.map((name) => join(models, name)),
        ...(SINEW_ASSETS ? others.map((name) => join(SINEW_ASSETS, name)) : [])];
}

// The meshes of a file at a time of a clip, as the command skins them.
export function skinned(command, path, clip, time) {
    const output = execFileSync(command, ['skin', path, '--clip', `#${clip.index}`, '--time', String(time), '--json'],
        { encoding: 'utf8', maxBuffer: 1 << 28 });
    return JSON.parse(output).meshes;
}
