// SPDX-License-Identifier: MIT
// The studio's renderers draw the same vertices and base colours as `sinew render`, and both renderers draw the same
// pictures: node pictures.mjs NODE_MODULES PACKAGE MODELS SINEW OUT The studio's light is different. So the files are
// made unlit, and only opaque pixels count.
// Writes to OUT: the command's picture, the page's, and their difference times six.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlit } from './glb.mjs';
import { openStudio } from './studio_page.mjs';

const [sinew, out] = process.argv.slice(5, 7);
const assets = process.env.SINEW_ASSETS;
const SIZE = { width: 240, height: 180 };

// How far pictures may be apart, as pictures_page.js measures it: CIE Lab after a blur of 3 x 3, all pixels on
// average, and what one in a thousand goes beyond. 0.30 and 14.5, 0.49 and 25.6, and 0.34 and 9.0 were measured: one
// software renderer and another take their samples of edges elsewhere. A tenth of a second later it is 5.7 and 127.
const NATIVE = { webgl: { mean: 0.33, most: 16 }, webgpu: { mean: 0.53, most: 28 } };
const BOTH = { mean: 0.37, most: 9.8 }; // of the two renderers of the studio, lit, with the ground

// The pictures, and the arguments of the command.
const hero = '/models/hero.glb';
const run = { file: hero, clip: 'Run', time: 0.2 };
const SHOTS = {
    walk: { actors: [{ file: hero, clip: 'Walk', time: 0.3 }] },
    carried: { actors: [run, { file: '/models/sword.glb', node: 'Grip_R' }], from: [100, 5],
        native: ['--attach', '/models/sword.glb@Grip_R', '--from', '100:5'] },
    crowd: { asCrowd: true,
        actors: [run, { ...run, at: [1.2, 0, -0.5], turn: 40 }, { ...run, clip: 'Idle', at: [-1, 0, 0.4], turn: -20 }],
        native: ['--with', '/models/hero.glb@1.2,0,-0.5:40:Run', '--with', '/models/hero.glb@-1,0,0.4:-20:Idle'] },
    ghosts: { actors: [{ file: hero, clip: 'Jump', time: 0.5 }], onion: { count: 3, gap: 0.15 },
        native: ['--onion', '3@0.15'] },
    windmill: { actors: [{ file: '/models/windmill.glb', clip: '#0', time: 0.4 }] },
    parade: { actors: [{ file: '/out/parade.gltf', clip: '#0', time: 0.7 }] },
    ...(assets && {
        fox: { actors: [{ file: '/assets/bevy/Fox.glb', clip: 'Run', time: 0.3 }] },
        morph: { actors: [{ file: '/assets/khronos-samples-2017/AnimatedMorphCube.glb', clip: '#0', time: 1.2 }] },
    }),
};
if (!assets) console.log('SINEW_ASSETS is not set: without the Fox and AnimatedMorphCube');

const { page, fileOf, close } = await openStudio('pictures');

// The paths of the page and of the command for the unlit copy of a file.
async function copyUnlit(path) {
    const name = path.split('/').at(-1).replace('.gltf', '.glb');
    await writeFile(join(out, `unlit-${name}`), unlit(await readFile(fileOf(path))));
    return `/out/unlit-${name}`;
}

async function withUnlitFiles(shot) {
    const actors = [];
    for (const actor of shot.actors) actors.push({ ...actor, file: await copyUnlit(actor.file) });
    const native = (shot.native ?? []).map((word) => (
        word.startsWith('/') ? fileOf(word.replace(/^\/models\//, '/out/unlit-')) : word));
    return { ...shot, actors, native, view: { background: 'transparent' } };
}

function renderNative(name, { actors: [{ file, clip, time }], native }) {
    execFileSync(sinew, ['render', fileOf(file), '--clip', clip, '--time', `${time}`, ...native, '--background', 'none',
        '--size', `${SIZE.width}x${SIZE.height}`, '-o', join(out, `${name}.png`)]);
}

async function compare(name, what) {
    const { sheet, difference } = await page.evaluate((given) => globalThis.compare(given), { ...what, ...SIZE });
    await writeFile(join(out, `${name}.png`), Buffer.from(sheet.split(',')[1], 'base64'));
    return difference;
}

const isNear = ({ mean, most }, limit) => mean <= limit.mean && most <= limit.most;
const inWords = ({ mean, most }) => `${mean.toFixed(3)} on average, ${most.toFixed(2)} at most`;

function checkNear(name, difference, limit) {
    console.log(`${name}: ${inWords(difference)}`);
    assert.ok(isNear(difference, limit), `${name}: the pictures differ: see ${out}`);
}

try {
    for (const [name, shot] of Object.entries(SHOTS)) {
        const flat = await withUnlitFiles(shot);
        renderNative(name, flat);
        const native = `/out/${name}.png`;
        for (const kind of ['webgl', 'webgpu']) {
            checkNear(`${name}.${kind}`, await compare(`${name}.${kind}`, { ...flat, kind, native }),
                NATIVE[kind]);
        }
        const lit = await compare(`${name}.lit`, { ...shot, kind: 'webgl', other: 'webgpu' });
        checkNear(`${name}, lit, webgl and webgpu`, lit, BOTH);
    }
    // The measure distinguishes times.
    const walk = await withUnlitFiles(SHOTS.walk);
    const later = { ...walk, actors: [{ ...walk.actors[0], time: 0.4 }], native: '/out/walk.png' };
    const difference = await compare('later', { ...later, kind: 'webgl' });
    console.log(`a tenth of a second later: ${inWords(difference)}`);
    assert.ok(!isNear(difference, NATIVE.webgpu));
} finally {
    await close();
}
