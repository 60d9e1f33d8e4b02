// SPDX-License-Identifier: MIT
// Optimizing in the studio: the saved file and the report equal the command's; the worst moments; cancelling. Also
// baked assets dropped onto the page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { glbOf, parts } from './glb.mjs';
import { context, faults, modelPath, openStudio, until } from './open_studio.mjs';

const command = resolve(process.argv[5]);
const folder = await mkdtemp(join(tmpdir(), 'sinew-optimize-'));
after(() => rm(folder, { recursive: true, force: true }));
const inFolder = (name) => join(folder, name);
const run = (...words) => execFileSync(command, ['--quiet', ...words], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });

// The hero with two clips: optimized in a second.
const [json, binary] = parts(await readFile(modelPath('hero.glb')));
const animations = json.animations.filter(({ name }) => /^(Walk|Hit)$/.test(name));
await writeFile(inFolder('some.glb'), glbOf({ ...structuredClone(json), animations }, binary));

// The sword, with an accessor that stays as it is.
const [sword, swordBinary] = parts(await readFile(modelPath('sword.glb')));
sword.bufferViews[sword.accessors[sword.meshes[0].primitives[0].attributes.NORMAL].bufferView].extras = {};
await writeFile(inFolder('sword.glb'), glbOf(sword, swordBinary));
run('bake-asset', 'some.glb', '-o', 'some.sinew');
run('bake-asset', 'some.glb', '-o', 'u16.sinew', '--u16');

const asked = []; // of the server
context.on('request', (request) => asked.push(request.url()));
const page = await openStudio({ width: 1280, height: 800 });
const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const panel = page.locator('.panel', { has: page.locator('h2', { hasText: /^Optimize$/ }) });
const button = (name) => panel.getByRole('button', { name, exact: true });
const status = panel.locator('p[role="status"]');
const isDone = () => until(page, () => [...document.querySelectorAll('.bytes')].some((table) => table.checkVisibility()));

async function drop(name) {
    const tools = await context.newCDPSession(page), data = { items: [], files: [inFolder(name)], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await tools.send('Input.dispatchDragEvent', { type, x: 200, y: 150, data });
    await tools.detach();
}

async function isTheCommands(...words) {
    const report = JSON.parse(run('optimize', 'some.glb', '-o', 'some-small.glb', '--json', ...words));
    const [file] = await Promise.all([page.waitForEvent('download'), button('Save .glb').click()]);
    assert.equal(file.suggestedFilename(), 'some-small.glb');
    assert.ok((await readFile(await file.path())).equals(await readFile(inFolder('some-small.glb'))), words.join(' '));
    return report;
}

const nameOf = (node) => json.nodes[node].name;
const sizeOf = (bytes) => (bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(2)} MiB`);
const tableCells = () => panel.locator('.bytes tr:not([hidden]) td').allTextContents();

test('the code is fetched for the first file, and the result is the command\'s', async () => {
    await drop('some.glb');
    await until(page, () => studio.stage.character.name === 'some.glb');
    await tab('Optimize');
    assert.deepEqual(asked.filter((url) => /optimize_(driver|worker|report)|sinew-optimize/.test(url)), []);
    assert.ok(!await button('Save .glb').isVisible());
    await button('Optimize').click();
    await isDone();
    const { files, worst, clips } = await isTheCommands();
    const rows = await tableCells();
    assert.deepEqual(rows.slice(0, 2), files.map(({ animationData, animationJson }) => sizeOf(animationData + animationJson)));
    assert.equal(rows.length, 6);
    assert.equal(rows[4], sizeOf(files[1].bytes));
    const text = await panel.textContent();
    assert.ok(text.includes(`Largest displacement: ${worst.millimetres.toFixed(3)} mm`), text);
    assert.ok(text.includes(`${clips[worst.clip].name}, ${worst.time.toFixed(2)} s, ${nameOf(worst.node)}`), text);
});

test('the worst moment is shown side by side, paused', async () => {
    const { worst, clips } = JSON.parse(run('compare', 'some.glb', 'some-small.glb', '--json'));
    const shown = () => page.evaluate(() => {
        const { stage } = studio, { asset } = stage.character;
        stage.update(0);
        const [a, b] = [stage.character, stage.compare].map(({ mixer }) => mixer.modelMatrices);
        const apart = asset.nodes.map((_, node) => Math.hypot(...[3, 7, 11].map((i) => a[12 * node + i] - b[12 * node + i])));
        return { clip: stage.clip, time: stage.time, playing: stage.playing, second: stage.compare.name,
            joint: asset.nodes[stage.selected].name, apart: Math.max(...apart) };
    });
    await button('Show the worst moment').click();
    await until(page, () => studio.stage.compare !== null);
    await page.evaluate(() => studio.stage.setSprings({ on: false })); // so only clips make the poses
    await until(page, () => !studio.stage.solving?.isActive);
    const { clip, time, apart, ...rest } = await shown();
    assert.ok(apart > 1e-5 && apart <= worst.units * 1.001, `${apart}, not up to ${worst.units}`); // both at the same time
    assert.equal(clip, worst.clip);
    assert.ok(Math.abs(time - worst.time) < 1e-4, `${time} s, not ${worst.time}`);
    assert.deepEqual(rest, { playing: false, second: 'some-small.glb', joint: nameOf(worst.node) });
    const other = clips.findIndex((_, i) => i !== worst.clip);
    await panel.locator('.moment', { hasText: clips[other].name }).first().click();
    assert.equal((await shown()).clip, other);
    assert.ok(Math.abs((await shown()).time - clips[other].time) < 1e-4);
    await button('Stop comparing').click();
    assert.ok(await page.evaluate(() => studio.stage.compare === null && studio.stage.character.name === 'some.glb'));
    assert.ok(!await button('Stop comparing').isVisible());
});

test('the options are those of the command', async () => {
    const slider = panel.getByRole('slider');
    await slider.fill('0.7');
    assert.match(await status.textContent(), /optimize again/);
    assert.equal(await panel.locator('output').textContent(), '5.0 mm');
    await panel.getByLabel(/^Without meshopt/).check();
    await button('Optimize').click();
    await until(page, () => document.querySelector('progress[aria-label="Progress of the optimization"]').hidden === false);
    await isDone();
    assert.equal((await isTheCommands('--error', '5mm', '--plain')).error, 5);
    await panel.getByLabel(/^Tight/).check();
    assert.ok(await slider.isDisabled());
    assert.equal(await panel.locator('output').textContent(), '0.15 mm');
    await button('Optimize').click();
    await isDone();
    await isTheCommands('--tight', '--plain');
    await panel.getByLabel(/^Tight/).uncheck();
    assert.equal(await panel.locator('output').textContent(), '5.0 mm');
});

test('meshes become smaller, too, and their bytes are listed', async () => {
    const meshes = panel.getByLabel(/^Also meshes/), plain = panel.getByLabel(/^Without meshopt/);
    assert.ok(await meshes.isDisabled()); // plain is on
    await plain.uncheck();
    await meshes.check();
    assert.ok(await plain.isDisabled());
    await button('Optimize').click();
    await isDone();
    const { files, meshes: coded } = await isTheCommands('--error', '5mm', '--meshes');
    const rows = await tableCells();
    assert.equal(rows.length, 9);
    assert.deepEqual(rows.slice(3, 5), coded.bytes.map(sizeOf));
    assert.deepEqual(rows.slice(6, 8), files.map(({ bytes }) => sizeOf(bytes)));
    const text = await panel.textContent();
    assert.ok(text.includes(`Compressed mesh accessors: ${coded.accessors}. Vertices reordered: ${coded.reordered.toLocaleString('en')}, merged: ${coded.merged.toLocaleString('en')}. ` +
        `The meshes alone move no vertex by more than ${coded.bound.toPrecision(3)} mm.`) && coded.bound > 1, text);
    const { worst } = JSON.parse(run('compare', 'some.glb', 'some-small.glb', '--json'));
    await button('Show the worst moment').click();
    await until(page, () => studio.stage.compare !== null);
    assert.ok(Math.abs(await page.evaluate(() => studio.stage.time) - worst.time) < 1e-4);
    await button('Stop comparing').click();
    await meshes.uncheck();
});

test('Cancel ends the worker, and so does another character', async () => {
    const workers = async (count) => {
        for (let i = 0; i < 1000 && page.workers().length !== count; i++) await page.evaluate(() => new Promise(requestAnimationFrame));
        assert.equal(page.workers().length, count);
    };
    await button('Optimize').click();
    await button('Cancel').click();
    await workers(0);
    assert.ok(!await panel.locator('progress').isVisible() && !await panel.locator('.bytes').isVisible());
    await button('Optimize').click();
    await page.evaluate(() => studio.stage.replaceFile(studio.stage.character.bytes, {}));
    await workers(0);
    assert.ok(await button('Optimize').isEnabled());
});

test('a file that does not become smaller says why', async () => {
    await page.evaluate(() => document.getElementById('hero').click());
    await until(page, () => studio.stage.character.name === 'hero.glb');
    await drop('sword.glb');
    await until(page, () => studio.stage.character.name === 'sword.glb');
    await button('Optimize').click();
    await until(page, () => /is unchanged/.test(document.querySelector('[role="tabpanel"]:not([hidden]) [role="status"]').textContent));
    assert.equal(await status.textContent(), 'The file is unchanged: it has no animation.');
    assert.ok(!await button('Save .glb').isVisible());
    await panel.getByLabel(/^Also meshes/).check();
    await button('Optimize').click();
    await isDone();
    const { meshes: { kept } } = JSON.parse(run('optimize', 'sword.glb', '-o', 'sword-small.glb', '--json', '--meshes', '--error', '5mm'));
    assert.ok(kept.length > 0);
    const text = await panel.textContent();
    assert.ok(text.includes(`Unchanged accessors: ${kept.length} (it or its buffer view has extras or extensions).`), text);
    assert.ok(await button('Save .glb').isVisible());
    await panel.getByLabel(/^Also meshes/).uncheck();
});

// ---- Baked assets -----------------------------------------------------------------------------------------------

test('a baked asset opens and plays; what needs the .glb says so', async () => {
    await page.evaluate(() => document.getElementById('hero').click());
    await until(page, () => studio.stage.character.name === 'hero.glb');
    await drop('some.sinew');
    await until(page, () => studio.stage.character.name === 'some.sinew');
    assert.deepEqual(await page.evaluate(() => studio.stage.character.asset.clips.map(({ name }) => name)), animations.map(({ name }) => name));
    await button('Optimize').click();
    await until(page, () => /baked asset/.test(document.querySelector('[role="tabpanel"]:not([hidden]) [role="status"]').textContent));
    for (const name of ['Plots', 'View', 'Lint']) await tab(name);
    assert.match(await page.locator('.statistics').textContent(), /FormatBaked asset/);
    await page.getByRole('button', { name: 'Check file' }).click();
    await until(page, () => /baked asset/.test(document.querySelector('[role="tabpanel"]:not([hidden]) [role="status"]').textContent));
    await drop('some.glb');
    const ask = page.locator('#ask');
    await ask.getByText('one of them is a baked asset').first().waitFor();
    assert.ok(await ask.getByRole('button', { name: 'Add its clips' }).isDisabled());
    assert.ok(await ask.getByRole('button', { name: 'Use its motion' }).isDisabled());
    await ask.getByRole('button', { name: 'Compare side by side' }).click();
    await until(page, () => studio.stage.compare?.name === 'some.glb');
});

test('a baked asset that the page does not read says so', async () => {
    await page.evaluate(() => document.getElementById('hero').click());
    await until(page, () => studio.stage.character.name === 'hero.glb');
    await drop('u16.sinew');
    await until(page, () => globalThis.messages.some((text) => /u16\.sinew: has 16-bit keys/.test(text)));
    assert.deepEqual(faults, []);
});
