// SPDX-License-Identifier: MIT
// What the studio draws and keeps: the page's start, a frame's draws, and memory over many files.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { address, context, faults, modelPath, openStudio, until } from './open_studio.mjs';

test('the page says that it loads, and fetches shaders, before the module arrives', async () => {
    const page = await context.newPage();
    let allow;
    const allowed = new Promise((resolve) => { allow = resolve; });
    const shaders = new Set();
    page.on('response', (response) => shaders.add(response.url().match(/shaders\/(.*)$/)?.[1]));
    await page.route('**/sinew-*.wasm', async (route) => {
        await allowed;
        await route.continue();
    });
    await page.goto(address);
    await until(page, () => (
        performance.getEntriesByType('resource').filter(({ name }) => /shaders\//.test(name)).length > 10));
    assert.ok(shaders.has('model.frag'));
    assert.equal(await page.locator('#waiting').isVisible(), true);
    allow();
    await until(page, () => globalThis.studio?.picture.drawn > 0);
    assert.equal(await page.locator('#waiting').isVisible(), false);
    await page.close();
});

// Counts the draws of meshes until the next `count` frames are drawn: [draws, frames].
function countDraws(count) {
    const { picture } = studio, { gl } = picture.renderer;
    const draw = gl.drawElementsInstanced, before = picture.drawn;
    let draws = 0;
    gl.drawElementsInstanced = (...given) => {
        draws++;
        return draw.apply(gl, given);
    };
    return new Promise((resolve) => {
        requestAnimationFrame(function wait() {
            if (picture.drawn < before + count) {
                requestAnimationFrame(wait);
                return;
            }
            gl.drawElementsInstanced = draw;
            resolve([draws, picture.drawn - before]);
        });
    });
}

test('a frame of the playing hero, with ground and shadow, draws its one mesh twice', async () => {
    const page = await openStudio({ draws: true });
    const [draws, frames] = await page.evaluate(countDraws, 5);
    assert.equal(draws, 2 * frames);
    await page.close();
});

test('an attachment and a character to compare with are drawn, too', async () => {
    const page = await openStudio({ draws: true });
    const messages = await page.evaluate(async () => {
        const { stage, picture } = studio, { name, bytes, files } = stage.character;
        const response = await fetch('models/sword.glb');
        stage.addAttachment('sword.glb', new Uint8Array(await response.arrayBuffer()), {}, 0);
        stage.startCompare(name, bytes, files);
        const assets = [stage.character, stage.attachments[0], stage.compare].map(({ asset }) => asset);
        while (!assets.every((asset) => picture.modelOf(asset)) && globalThis.messages.length === 0) {
            await new Promise((resolve) => { requestAnimationFrame(resolve); });
        }
        return globalThis.messages;
    });
    assert.deepEqual(messages, []);
    const [count, frames] = await page.evaluate(countDraws, 3);
    assert.ok(count >= 2 * 3 * frames, `${count} draws in ${frames} frames`);
    await page.close();
});

// In the page: loads a file, and waits until it is drawn.
async function load({ name, bytes }) {
    const { stage, picture } = studio;
    stage.load(name, Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
    const { drawn } = picture;
    const model = () => picture.modelOf(stage.character.asset);
    while (!model() || picture.drawn === drawn) await new Promise((resolve) => { requestAnimationFrame(resolve); });
}

// Leaking a file's objects takes 20 KB and more. The engine's notes about code that has run take less than 10.
const SLACK = 15e3;

// The bytes of JavaScript's objects and the nodes of the document, without those that are garbage.
async function countHeap(devtools) {
    for (let i = 0; i < 2; i++) await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes } = await devtools.send('Memory.getDOMCounters');
    return { usedSize, nodes };
}

test('memory is flat over 30 files', async () => {
    const watcher = await readFile(fileURLToPath(new URL('gpu_objects.js', import.meta.url)), 'utf8');
    const page = await openStudio({ draws: true, before: `${watcher.replace(/^export /gm, '')}
        watch(); globalThis.live = live;` });
    const files = await Promise.all(['hero.glb', 'windmill.glb', 'sword.glb'].map(async (name) => (
        { name, bytes: (await readFile(modelPath(name))).toString('base64') })));
    const sizes = () => page.evaluate(async () => {
        const { $module } = await import('./sinew/internal.js'), { memory } = studio.stage.sinew[$module];
        return [live.size, studio.picture.renderer.models.size, memory.buffer.byteLength];
    });
    const devtools = await context.newCDPSession(page), used = [], heaps = [];
    for (let i = 0; i < 30; i++) {
        await page.evaluate(load, files[i % 3]);
        used.push(String(await sizes()));
        if (i % 3 === 2) heaps.push(await countHeap(devtools));
    }
    assert.deepEqual(used.slice(-3), used.slice(3, 6), 'GPU objects, models and bytes of the module');
    const [first, last] = [heaps[3], heaps.at(-1)], growth = (last.usedSize - first.usedSize) / (30 - 12);
    console.log(`the heap of JavaScript: ${first.usedSize} bytes, and ${growth} bytes more for each file`);
    assert.ok(growth < SLACK, `${growth} bytes more of JavaScript for each file`);
    // A label that comes or goes between two counts is a node or two; a leak is at least one a file.
    assert.ok(last.nodes - first.nodes < 30 - 12, `${last.nodes - first.nodes} nodes more in the document`);
    await page.close();
});

test('there is no error on the console', () => {
    assert.deepEqual(faults, []);
});
