// SPDX-License-Identifier: MIT
// Sinew in WebAssembly against three.js's AnimationMixer, in Node and in Chromium, on 1,000 heroes:
// node --expose-gc web.mjs NODE_MODULES PACKAGE HERO SCRATCH_FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openBrowser, serve } from '../../../tests/web/browser.mjs';
import { withoutMaterials } from '../../../tests/web/glb.mjs';
import { Crowds } from './crowd.mjs';

const [modules, packageFolder, hero, scratch] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const CHARACTERS = Number(process.env.HEROES || 1000), TURNS = 5, FRAMES = 6;
const STEADY_CHARACTERS = 20, STEADY = 10 * CHARACTERS; // frames
const bytes = withoutMaterials(readFileSync(hero));

// ---- In Node ----------------------------------------------------------------------------------------------------

async function inNode() {
    globalThis.self ??= globalThis; // GLTFLoader detects browsers by it
    const load = (...path) => import(pathToFileURL(join(...path)));
    const all = [await load(modules, 'three/build/three.module.js'), await load(packageFolder, 'index.js'),
        await load(modules, 'three/examples/jsm/loaders/GLTFLoader.js'), await load(packageFolder, 'three.js'),
        await load(modules, 'three/examples/jsm/utils/SkeletonUtils.js')];
    const crowds = await Crowds.load(Object.assign({}, ...all), bytes, CHARACTERS);
    const times = crowds.measureAll(TURNS, FRAMES), run = crowds.steady(STEADY_CHARACTERS);
    const heap = () => {
        globalThis.gc();
        return process.memoryUsage().heapUsed;
    };
    run(STEADY); // lets the engine compile all of it
    const before = heap(), memory = run(0), after = run(STEADY);
    return { where: `Node ${process.version}`, revision: all[0].REVISION, simd: crowds.sinew.simd, times,
        heap: heap() - before, memory: after - memory };
}

// ---- In Chromium ------------------------------------------------------------------------------------------------

const PAGE = `<!doctype html><title>Crowds</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: { three: '/npm/three/build/three.module.js',
        'three/addons/': '/npm/three/examples/jsm/' } })}</script>
<script type="module">
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { Batch, Mixer, Sinew } from '/package/index.js';
import { drive } from '/package/three.js';
import { Crowds } from '/bench/crowd.mjs';
const bytes = new Uint8Array(await (await fetch('/scratch/hero.glb')).arrayBuffer());
globalThis.crowds = await Crowds.load({ AnimationMixer, GLTFLoader, clone, Batch, Mixer, Sinew, drive }, bytes,
    ${CHARACTERS});
globalThis.ready = true;
</script>`;

async function inChromium() {
    writeFileSync(join(scratch, 'hero.glb'), bytes);
    const server = await serve({ '/npm/': modules, '/package/': packageFolder, '/bench/': here, '/scratch/': scratch,
        '/': { html: PAGE } });
    const browser = await openBrowser(modules);
    try {
        const page = await browser.newPage(server.url);
        page.setDefaultTimeout(600000);
        await page.waitForFunction(() => globalThis.ready);
        const times = await page.evaluate(([turns, frames]) => globalThis.crowds.measureAll(turns, frames),
            [TURNS, FRAMES]);
        const devtools = await browser.context.newCDPSession(page);
        const heap = async () => {
            await devtools.send('HeapProfiler.collectGarbage');
            return (await devtools.send('Runtime.getHeapUsage')).usedSize;
        };
        const run = (frames) => page.evaluate((count) => globalThis.run(count), frames);
        await page.evaluate((count) => {
            globalThis.run = globalThis.crowds.steady(count);
        }, STEADY_CHARACTERS);
        await run(STEADY);
        const before = await heap(), memory = await run(0), after = await run(STEADY);
        return { where: `Chromium ${browser.context.browser().version().split('.')[0]}`, times, heap: await heap() - before,
            memory: after - memory };
    } finally {
        await browser.close();
        server.close();
    }
}

// ---- The table --------------------------------------------------------------------------------------------------

const results = [await inNode(), await inChromium()];
const [{ revision, simd }] = results;
const line = (name, cell) => {
    console.log(`  ${name.padEnd(34)}${results.map((one) => cell(one).padStart(20)).join('')}`);
};
const micro = (time) => `${time.toFixed(2)} µs`;

console.log(`A frame of one of ${CHARACTERS} heroes, two clips cross-fading, to the joint matrices, on one thread,`);
console.log(`in turns with three.js r${revision}'s AnimationMixer:`);
line('', ({ where }) => where);
for (const [name, path] of [[`Sinew, ${simd}`, 'sinew'], ['three.js driven, by transforms', 'transforms'],
    ['three.js driven, by matrices', 'matrices']]) {
    line(name, ({ times }) => micro(times[path].other));
    line('  AnimationMixer', ({ times }) => micro(times[path].three));
    line('  ratio', ({ times }) => (times[path].three / times[path].other).toFixed(1));
}
console.log(`${STEADY} more frames of Sinew's, of ${STEADY_CHARACTERS} heroes each:`);
line('grown by, on the heap', ({ heap }) => `${heap} bytes`);
line('grown by, of the module', ({ memory }) => `${memory} bytes`);
