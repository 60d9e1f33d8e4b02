// SPDX-License-Identifier: MIT
// The studio's renderers draw what `sinew render` draws: node pictures.mjs NODE_MODULES PACKAGE MODELS SINEW OUT
// It writes to OUT: the command's picture, the page's, and their difference times six.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStudio } from './studio_page.mjs';

const [sinew, out] = process.argv.slice(5, 7);
const assets = process.env.SINEW_ASSETS;
const SIZE = { width: 240, height: 180 };

// How far pictures may be apart, as pictures_page.js measures it: CIE Lab after a blur of 3 x 3, all pixels on
// average, and what one in a thousand goes beyond. Up to 0.22 and 6.3, and 0.32 and 9.0, were measured: one software
// renderer and another take their samples of edges elsewhere. Without the dark where feet touch the ground it is 0.18
// and 9.9, and a tenth of a second later 4.4 and 81.
const LIMITS = { webgl: { mean: 0.25, most: 7 }, webgpu: { mean: 0.35, most: 9.6 } };

// The pictures, and the arguments of the command.
const hero = '/models/hero.glb';
const run = { file: hero, clip: 'Run', time: 0.2 };
const SHOTS = {
    walk: { actors: [{ file: hero, clip: 'Walk', time: 0.3 }] },
    transparent: { actors: [run], view: { background: 'transparent' }, native: ['--background', 'none'] },
    carried: { actors: [run, { file: '/models/sword.glb', node: 'Grip_R' }],
        view: { background: 0x202830 }, from: [100, 5],
        native: ['--attach', '/models/sword.glb@Grip_R', '--background', '202830', '--from', '100:5'] },
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

function renderNative(name, { actors: [{ file, clip, time }], native = [] }) {
    const words = native.map((word) => (word.startsWith('/') ? fileOf(word) : word));
    execFileSync(sinew, ['render', fileOf(file), '--clip', clip, '--time', `${time}`, ...words,
        '--size', `${SIZE.width}x${SIZE.height}`, '-o', join(out, `${name}.png`)]);
}

async function compare(kind, name, shot) {
    const what = { ...shot, ...SIZE, kind, native: `/out/${name}.png` };
    const { sheet, difference } = await page.evaluate((given) => globalThis.compare(given), what);
    await writeFile(join(out, `${name}.${kind}.png`), Buffer.from(sheet.split(',')[1], 'base64'));
    return difference;
}

const isNear = ({ mean, most }, limit) => mean <= limit.mean && most <= limit.most;
const inWords = ({ mean, most }) => `${mean.toFixed(3)} on average, ${most.toFixed(2)} at most`;

try {
    for (const [name, shot] of Object.entries(SHOTS)) {
        renderNative(name, shot);
        for (const [kind, limit] of Object.entries(LIMITS)) {
            const difference = await compare(kind, name, shot);
            console.log(`${name}, ${kind}: ${inWords(difference)}`);
            assert.ok(isNear(difference, limit), `${name} by ${kind} is not what sinew render draws: see ${out}`);
        }
    }
    // The measure distinguishes times.
    const later = { actors: [{ ...SHOTS.walk.actors[0], time: 0.4 }] };
    for (const [kind, limit] of Object.entries(LIMITS)) {
        const difference = await compare(kind, 'walk', later);
        console.log(`a tenth of a second later, ${kind}: ${inWords(difference)}`);
        assert.ok(!isNear(difference, limit));
    }
} finally {
    await close();
}
