// SPDX-License-Identifier: MIT
// Files dropped onto the studio: valid files open. Others get a message, and the current character stays.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compressed, dracoCompressed } from './glb.mjs';
import { manyClips } from './many_clips.mjs';
import { ask, context, faults, modelPath, openStudio, poseOf, reported, until } from './open_studio.mjs';

const folder = await mkdtemp(join(tmpdir(), 'sinew-studio-'));
after(() => rm(folder, { recursive: true, force: true }));
const conformance = (name) => modelPath(`conformance/${name}`);

async function made(name, content) {
    await writeFile(join(folder, name), content);
    return join(folder, name);
}

const asked = []; // of the server, by all pages
context.on('request', (request) => asked.push(request.url()));
const page = await openStudio();
const devtools = await context.newCDPSession(page);

// Drops files of this machine.
async function drop(files, onto = page, tools = devtools) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
        await tools.send('Input.dispatchDragEvent', { type, x: 200, y: 150, data });
    }
    return onto;
}

// Drops files onto a character of the user's own, which asks.
async function dropAnd(words, files) {
    await drop(files);
    await page.locator('#ask').getByRole('button', { name: words }).click();
}
const replaceBy = (files) => dropAnd('Replace the character', files);

const said = () => page.locator('.message.error').last().innerText();
const shown = () => page.evaluate(() => studio.stage.character.name);

// The hero with another name of a clip, of the same length.
const renamed = async (from, to) => {
    const bytes = await readFile(modelPath('hero.glb')), at = bytes.indexOf(`"name":"${from}"`);
    assert.ok(at > 0 && from.length === to.length);
    bytes.write(to, at + '"name":"'.length);
    return bytes;
};

test('an invalid file gets a message with advice, and the hero goes on', async () => {
    const hero = await readFile(modelPath('hero.glb'));
    const needs = (extension) => JSON.stringify({ asset: { version: '2.0' }, extensionsUsed: [extension],
        extensionsRequired: [extension] });
    const cases = [
        [[await made('notes.txt', 'Buy milk.')], /^notes\.txt: .*neither \.glb.* nor \.gltf.*Open a \.glb/],
        [[await made('empty.glb', '')], /^empty\.glb: the file is empty\. Copy or download it again/],
        [[await made('cut.glb', hero.subarray(0, 200000))], /^cut\.glb: .*truncated.*\. Copy or download it again/],
        [[await made('old.gltf', '{"asset":{"version":"1.0"}}')], /^old\.gltf: .*glTF 1\.0.*Convert it/],
        [[await made('new.gltf', needs('EXT_new'))], /^new\.gltf: .*EXT_new.*Export it without that extension/],
        [[conformance('refused-times-decrease.gltf')], /^refused-times-d.*: animations\[0\].*damaged, or violates/],
        [[conformance('buffer-sidecar.gltf')], /^buffer-sidecar\.gltf needs “buffer-sidecar\.bin”.*Open them together/],
        [[conformance('glb-plain.glb'), modelPath('sword.glb')], /^2 models at once \(.*one at a time/],
        [[await made('a.txt', 'a'), await made('b.txt', 'b')], /^None of these files is a \.glb or \.gltf/],
    ];
    for (const [files, expected] of cases) {
        await page.evaluate(() => document.getElementById('errors').replaceChildren());
        await drop(files);
        await page.locator('.message.error').waitFor();
        assert.match(await said(), expected);
        assert.equal(await shown(), 'hero.glb');
        await until(page, (before) => studio.stage.time !== before, await page.evaluate(() => studio.stage.time));
    }
    assert.equal(await page.getByRole('alert').count(), 1); // readers of screens hear it
});

test('refused files get a reason', async () => {
    const refused = (await readdir(conformance(''))).filter((name) => name.startsWith('refused-'));
    assert.ok(refused.length > 50);
    const files = await Promise.all(refused.map(async (name) => (
        [name, (await readFile(conformance(name))).toString('base64')])));
    const silent = await page.evaluate(async (given) => {
        const { openFiles } = await import('./files.js');
        const quiet = [];
        for (const [name, text] of given) {
            const file = new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name);
            try {
                const found = await openFiles([{ path: name, file }]);
                studio.stage.load(found.name, found.bytes, found.files);
                quiet.push(name);
            } catch (error) {
                if (error.constructor !== Error || error.message.length < 10) quiet.push(`${name}: ${error}`);
            }
        }
        return quiet;
    }, files);
    assert.deepEqual(silent, []);
    assert.equal(await shown(), 'hero.glb');
});

test('a message can be closed', async () => {
    await page.getByRole('button', { name: 'Close this message' }).last().click();
    assert.equal(await page.locator('.message.error').count(), 0);
});

// The hero compressed by meshopt, lossless.
async function smallHero() {
    const path = join(resolve(process.argv[2]), 'meshoptimizer', 'meshopt_encoder.js');
    const { MeshoptEncoder } = await import(pathToFileURL(path));
    await MeshoptEncoder.ready;
    return made('small.glb', compressed(await readFile(modelPath('hero.glb')), MeshoptEncoder));
}

const decodersAsked = () => asked.filter((url) => url.includes('meshopt_decoder')).length;

test('meshopt files are opened with a decoder that is fetched for the first one', async () => {
    const seen = () => page.evaluate(() => {
        const { stage } = studio, { asset, mixer } = stage.character;
        stage.setPlaying(false);
        stage.setSprings({ on: false }); // they fade in after a file is opened
        stage.advance(0, 1);
        stage.seek(0.4);
        stage.update(0);
        const parts = asset.meshes.flatMap(({ primitives }) => primitives).flatMap((primitive) => (
            ['positions', 'normals', 'joints', 'weights', 'indices'].map((name) => [...primitive[name]])));
        return { clips: asset.clips.map(({ name }) => name), pose: [...mixer.modelMatrices], parts };
    });
    const hero = await seen(), other = conformance('meshopt-attributes.glb');
    assert.ok(hero.parts[0].length > 1000);
    assert.equal(decodersAsked(), 0);
    await page.getByLabel('Files to add').setInputFiles(other);
    await until(page, () => studio.stage.attachments.length === 1);
    await drop([await smallHero()]);
    await until(page, () => studio.stage.character.name === 'small.glb');
    assert.deepEqual(await seen(), hero);
    await replaceBy([other]);
    await until(page, () => studio.stage.character.name === 'meshopt-attributes.glb');
    assert.equal(decodersAsked(), 1);

    await page.getByRole('tab', { name: 'Lint' }).click();
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.locator('.finding').first().waitFor();
    const { findings } = ask('lint', other);
    assert.deepEqual(await reported(page), findings.map(({ location, message }) => `${location}: ${message}`).sort());
});

test('without the decoder there is a message, and the hero goes on', async () => {
    const poor = await openStudio();
    await poor.route('**/meshopt_decoder.js', (route) => route.abort());
    const known = faults.length;
    const refuses = async (give) => {
        await poor.evaluate(() => document.getElementById('errors').replaceChildren());
        await give();
        await poor.locator('.message.error').waitFor();
        assert.match(await poor.locator('.message.error').innerText(),
            /^meshopt-attributes\.glb: .*meshopt.*no decoder for it\. Save it without meshopt/);
    };
    const file = conformance('meshopt-attributes.glb'), tools = await context.newCDPSession(poor);
    await refuses(() => drop([file], poor, tools));
    await refuses(() => poor.getByLabel('Files to add').setInputFiles(file));
    const has = () => poor.evaluate(() => [studio.stage.character.name, studio.stage.attachments.length]);
    assert.deepEqual(await has(), ['hero.glb', 0]);
    await until(poor, (before) => studio.stage.time !== before, await poor.evaluate(() => studio.stage.time));
    assert.ok(faults.splice(known).every((fault) => /Failed to load resource/.test(fault)));
    await poor.unroute('**/meshopt_decoder.js');
    await drop([file], poor, tools); // once more, when it can be had
    await until(poor, () => studio.stage.character.name === 'meshopt-attributes.glb');
    await poor.close();
});

// The hero compressed by Draco, lossless.
async function dracoHero() {
    const [modules, studioFolder] = process.argv.slice(2, 4).map((name) => resolve(name));
    const draco3d = createRequire(import.meta.url)(join(modules, 'draco3d'));
    const { Sinew } = await import(pathToFileURL(join(studioFolder, 'sinew', 'index.js')));
    const hero = await readFile(modelPath('hero.glb'));
    const sinew = await Sinew.load({ wasm: await readFile(join(studioFolder, 'sinew', 'sinew-simd.wasm')) });
    return made('draco.glb', dracoCompressed(hero, sinew.loadAsset(hero), await draco3d.createEncoderModule()));
}

test('Draco files are opened with a decoder that is fetched for the first one', async () => {
    const vertices = (of) => of.evaluate(() => studio.stage.character.asset.meshes[0].primitives[0].vertexCount);
    const fetched = () => asked.filter((url) => url.includes('draco_decoder')).length;
    const file = await dracoHero();
    assert.equal(fetched(), 0);
    await replaceBy([file]);
    await until(page, () => studio.stage.character.name === 'draco.glb');
    assert.ok(await vertices(page) > 1000);
    await replaceBy([file]);
    await until(page, () => studio.stage.character.name === 'draco.glb');
    assert.equal(fetched(), 2); // the script and the module

    const poor = await openStudio(), known = faults.length;
    await poor.route('**/draco_decoder.js', (route) => route.abort());
    await drop([file], poor, await context.newCDPSession(poor));
    await until(poor, () => studio.stage.character.name === 'draco.glb');
    await poor.getByText('no decoder for them').waitFor();
    assert.equal(await vertices(poor), 0);
    assert.ok(await poor.evaluate(() => studio.stage.character.asset.clips.length) > 0);
    faults.splice(known);
    await poor.close();
});

test('a .gltf is opened with its files, and a folder as a whole', async () => {
    await replaceBy([conformance('buffer-sidecar.gltf'), conformance('buffer-sidecar.bin')]);
    await until(page, () => studio.stage.character.name === 'buffer-sidecar.gltf');
    await until(page, () => globalThis.messages.some((text) => text.includes('no visible meshes')));
    await page.getByRole('button', { name: 'Hero' }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    const flat = await readFile(conformance('buffer-sidecar.gltf'), 'utf8');
    const nested = await made('nested.gltf', flat.replace('buffer-sidecar.bin', 'data/buffer-sidecar.bin'));
    await drop([nested, conformance('buffer-sidecar.bin')]); // without the folder that it names
    await until(page, () => studio.stage.character.name === 'nested.gltf');
    const marked = { Idle: [{ name: 'Breath', time: 0.25 }] }, hero = await made('marked.glb', await readFile(modelPath('hero.glb')));
    await replaceBy([hero, await made('marked.markers.json', '{\n"Idle": 3 }')]);
    await page.locator('.message.error', { hasText: 'marked.glb: markers: line 2' }).waitFor();
    assert.match(await said(), /Idle.*Correct the \.markers\.json file/);
    await replaceBy([hero, await made('marked.markers.json', JSON.stringify(marked))]);
    await until(page, () => studio.stage.character.name === 'marked.glb');
    assert.deepEqual(await page.evaluate(() => studio.stage.character.asset.findClip('Idle').markers), marked.Idle);
    const whole = join(folder, 'whole');
    await cp(conformance('buffer percent%20encoded.bin'), join(whole, 'buffer percent%20encoded.bin'));
    await cp(conformance('buffer-percent-encoded.gltf'), join(whole, 'buffer-percent-encoded.gltf'));
    await replaceBy([whole]);
    await until(page, () => studio.stage.character.name === 'buffer-percent-encoded.gltf');
});

// Choosing works like dropping: phones have no other way.
test('files can be chosen by the button, which asks as well', async () => {
    const choose = async (file) => {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Open…' }).click();
        await (await chooser).setFiles(file);
    };
    await choose(modelPath('windmill.glb'));
    await page.locator('#ask').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await shown(), 'buffer-percent-encoded.gltf');
    await choose(modelPath('windmill.glb'));
    await page.locator('#ask').getByRole('button', { name: 'Replace the character' }).click();
    await until(page, () => studio.stage.character.name === 'windmill.glb');
    assert.match(await page.locator('.panel h2').first().textContent(), /^windmill\.glb · \d+ clips?$/);
});

// ---- A second file ----------------------------------------------------------------------------------------------

const xOf = (node) => page.evaluate((index) => {
    studio.stage.update(0);
    return studio.stage.character.mixer.nodeTransform(index).translation[0];
}, node);

test('the clips of another file are added by the names of joints, without their prefix', async () => {
    await replaceBy([await made('own.gltf', manyClips(['a', 'b'], (i) => `joint_${i}`))]);
    await until(page, () => studio.stage.character.name === 'own.gltf');
    await page.evaluate(async () => {
        const { stage } = studio, { fetchBuiltIn } = await import('./files.js');
        stage.setSpeed(0.5);
        stage.addAttachment('sword.glb', await fetchBuiltIn('sword.glb'), {}, 1);
        stage.startCompare('hero.glb', await fetchBuiltIn('hero.glb'), {}, 'dead-blend');
    });
    // Its nodes in another order, as Mixamo names them, and one that the character does not have.
    const other = manyClips(['', 'b', 'c'], (i) => ['mixamorig:Joint1', 'mixamorig:Joint0', 'mixamorig:Tail'][i]);
    await dropAnd('Add its clips', [await made('dance.gltf', other)]);
    await until(page, () => studio.stage.character.asset.clips.length === 4);
    assert.deepEqual(await page.evaluate(() => studio.stage.character.asset.clips.map(({ name }) => name)),
        ['a', 'b', 'dance', 'b 2']);
    assert.deepEqual(await page.evaluate(() => {
        const { clip, speed, attachments: [{ name, joint }], compare } = studio.stage;
        const kept = [clip, speed, name, joint, compare.name, compare.kind];
        studio.stage.removeAttachment(0);
        studio.stage.stopCompare();
        return kept;
    }), [2, 0.5, 'sword.glb', 1, 'hero.glb', 'dead-blend']);
    const at = async (clip) => {
        await page.evaluate((index) => studio.stage.showMoment(index, 0.5), clip);
        return [await xOf(0), await xOf(1)];
    };
    assert.deepEqual(await at(2), [0, 0.5]); // node 0 of the other file is joint 1 here
    assert.deepEqual(await at(3), [1, 0]);
    assert.deepEqual(await at(1), [0, 1]); // its own clip
});

test('clips of morph targets are added where the numbers of targets are equal', async () => {
    const fits = await page.evaluate(async () => {
        const { compareNames } = await import('./merge.js');
        const fileOf = (count) => new TextEncoder().encode(JSON.stringify({ asset: { version: '2.0' },
            nodes: [{ name: 'Face', mesh: 0 }], meshes: [{ primitives: [{ attributes: {}, targets: Array(count).fill({}) }] }],
            accessors: [{}, {}], animations: [{ samplers: [{ input: 0, output: 1 }],
                channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }] }] }));
        return [2, 3].map((count) => compareNames({ bytes: fileOf(2) }, fileOf(count)).clips);
    });
    assert.deepEqual(fits, [1, 0]);
});

test('a file that is dropped may be attached, compared with, or not be opened', async () => {
    await drop([modelPath('sword.glb')]); // has no clip
    await page.locator('#ask').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Add its clips' }).isDisabled());
    await page.keyboard.press('Escape');
    await dropAnd('Cancel', [modelPath('hero.glb')]);
    await page.evaluate(() => studio.stage.setView({ tab: 'Clips' }));
    await dropAnd('Attach it to a joint', [modelPath('sword.glb')]);
    await until(page, () => studio.stage.attachments.length === 1);
    assert.equal(await shown(), 'own.gltf');
    const row = page.locator('details', { hasText: 'sword.glb' });
    await until(page, () => studio.stage.view.tab === 'Scene');
    assert.ok(await row.evaluate(({ open }) => open)); // with its handles
    await page.evaluate(() => studio.stage.setView({ tab: 'Clips' }));
    await dropAnd('Compare side by side', [modelPath('hero.glb')]);
    await until(page, () => studio.stage.compare?.name === 'hero.glb' && studio.stage.view.tab === 'Scene');
    await replaceBy([modelPath('hero.glb')]);
    await until(page, () => studio.stage.character.name === 'hero.glb');
    assert.deepEqual(await page.evaluate(() => [studio.stage.compare, studio.stage.attachments.length]), [null, 0]);
});

test('the question names the joint that a file would be attached to', async () => {
    const answer = async (name, joints, select) => {
        await page.evaluate(async ([file, text, selected]) => {
            studio.stage.load(file, new TextEncoder().encode(text), {});
            studio.stage.select(selected);
        }, [name, String(manyClips(joints, (i) => joints[i])), select]);
        await drop([modelPath('sword.glb')]);
        const text = await page.locator('#ask[open] .answer', { hasText: 'Attach it to a joint' }).innerText();
        await page.locator('#ask').getByRole('button', { name: 'Cancel' }).click();
        return text;
    };
    assert.match(await answer('a.gltf', ['Hips', 'mixamorig:RightHand'], -1), /To mixamorig:RightHand\./);
    assert.match(await answer('a.gltf', ['Hips', 'mixamorig:RightHand'], 0), /To Hips\./);
    assert.match(await answer('a.gltf', ['Root', 'Tail'], -1), /To the world, because no joint is selected/);
});

test('the question about a file with a long name fits on a phone', async () => {
    const phone = await openStudio({ width: 360, height: 640 }), name = `${'a_very_long_name'.repeat(5)}.gltf`;
    const file = { name, mimeType: 'model/gltf+json', buffer: Buffer.from(String(manyClips(['a']))) };
    await phone.locator('#file').setInputFiles(file);
    await until(phone, (wanted) => studio.stage.character.name === wanted, name);
    await phone.locator('#file').setInputFiles(file);
    await phone.locator('#ask').waitFor();
    const dialog = await phone.locator('#ask').evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.equal(...dialog);
    await phone.getByRole('button', { name: 'Compare side by side' }).click();
    await until(phone, () => studio.stage.compare && studio.stage.view.tab === 'Scene');
    const panels = await phone.locator('#panels').evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.equal(...panels);
    await phone.close();
});

test('a second character of another size is next to the first, not in it', async () => {
    await page.getByRole('button', { name: 'Hero', exact: true }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    const gap = await page.evaluate(async (scale) => {
        const { stage } = studio, { fetchBuiltIn } = await import('./files.js'), { readGltf, writeGlb } = await import('./gltf.js');
        const gltf = readGltf(await fetchBuiltIn('hero.glb')), { nodes } = gltf.json;
        nodes.push({ name: 'Large', scale: [scale, scale, scale], children: gltf.json.scenes[0].nodes });
        gltf.json.scenes[0].nodes = [nodes.length - 1];
        stage.startCompare('large.glb', writeGlb(gltf));
        stage.update(0);
        const [, , , right] = stage.character.mixer.bounds(), [left] = stage.compare.mixer.bounds();
        const between = stage.compare.world[3] + left - right;
        stage.stopCompare();
        return between;
    }, 5);
    assert.ok(gap > 0, `${gap} m apart`);
});

const WALK = 1, WAVE = 4; // clips of the hero

test('the second character is in sync, with its own kind of transition', async () => {
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: 'Compare transitions' }).click();
    await page.getByRole('group', { name: 'Transition of the second character' }).getByLabel('Inertialize').check();
    const { poses, times, weights } = await page.evaluate(([walk, wave]) => {
        const { stage } = studio, { mixer } = stage.character, { mixer: other, asset } = stage.compare;
        stage.setPlaying(false);
        stage.setTransition({ kind: 'fade', duration: 0.4 });
        stage.showMoment(walk, 0.5);
        for (let i = 0; i < 10; i++) stage.advance(0.05);
        const poses = [mixer, other].map(({ modelMatrices }) => [...modelMatrices]);
        stage.play(wave);
        stage.setPlaying(false);
        stage.advance(0.1);
        const weightIn = (of, from) => of.clipAction(from.clips[walk]).getEffectiveWeight();
        return { poses, times: [stage.time, other.clipAction('Wave').time],
            weights: [weightIn(mixer, stage.character.asset), weightIn(other, asset)] };
    }, [WALK, WAVE]);
    poses[0].forEach((value, i) => assert.ok(Math.abs(poses[1][i] - value) < 1e-5));
    assert.ok(Math.abs(times[0] - times[1]) < 1e-5, `${times}`);
    assert.ok(Math.abs(weights[0] - 0.75) < 1e-4 && weights[1] === 0, `${weights}`); // a fade keeps the old clip
});

// A cut: the joints are where the new clip has them, and not where the velocity of the old one leads.
test('the meter shows the jump of a cut', async () => {
    const step = 1 / 60, before = 0.5, positions = (clip, time) => poseOf(clip, time).map(({ world }) => world.slice(12, 15));
    const { largest, height } = await page.evaluate(([walk, wave, dt, time]) => {
        const { stage } = studio;
        stage.setTransition({ duration: 0 });
        stage.showMoment(walk, time - 3 * dt);
        for (let i = 0; i < 3; i++) stage.advance(dt);
        stage.play(wave);
        stage.setPlaying(false);
        stage.advance(dt);
        const [meter] = stage.compare.meters;
        return { largest: meter.largest, height: meter.height };
    }, [WALK, WAVE, step, before]);
    const [last, now, next] = [positions('Walk', before - step), positions('Walk', before), positions('Wave', step)];
    const jumps = now.map((at, i) => Math.hypot(...at.map((value, k) => next[i][k] - (2 * value - last[i][k]))));
    assert.ok(Math.abs(largest * height - Math.max(...jumps)) < 1e-4, `${largest * height}, not ${Math.max(...jumps)}`);
    await until(page, () => {
        studio.stage.update(0);
        return [...document.querySelectorAll('td.number')].filter((cell) => /^\d+\.\d %$/.test(cell.textContent)).length === 2;
    });
    await page.getByRole('button', { name: 'Stop comparing' }).click();
    assert.equal(await page.evaluate(() => studio.stage.compare), null);
    await page.evaluate(() => {
        studio.stage.setTransition({ duration: 0.3 });
        studio.stage.setPlaying(true);
    });
});

test('a large file shows its progress', async () => {
    const hero = await readFile(modelPath('hero.glb'));
    const large = await made('large.glb', Buffer.concat([hero, Buffer.alloc(8 << 20)]));
    await page.evaluate(() => {
        globalThis.told = new Set();
        const { waiting } = globalThis;
        new MutationObserver(() => globalThis.told.add(waiting.textContent)).observe(waiting, { childList: true });
    });
    await drop([large]); // bytes behind its end are let be
    await until(page, () => studio.stage.character.name === 'large.glb');
    const told = await page.evaluate(() => [...globalThis.told]);
    assert.ok(told.some((text) => /^Reading large\.glb: \d+ %$/.test(text)), told.join('; '));
    assert.ok(told.includes('Opening large.glb…'));
    await page.locator('#waiting').waitFor({ state: 'hidden' });
});

test('a link for another file names it, and is restored when it is opened', async () => {
    await replaceBy([modelPath('windmill.glb')]);
    await until(page, () => studio.stage.character.name === 'windmill.glb');
    await page.evaluate(() => {
        studio.stage.setPlaying(false);
        studio.stage.setTransition({ duration: 0 });
        studio.stage.play(0);
        studio.stage.setPlaying(false);
        studio.stage.seek(0.5);
    });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await until(page, () => location.hash.length > 10);
    const other = await openStudio({ hash: new URL(page.url()).hash });
    assert.match(await other.getByRole('status').first().innerText(), /for windmill\.glb\. Open that file/);
    assert.equal(await other.evaluate(() => studio.stage.character.name), 'hero.glb');
    await drop([modelPath('windmill.glb')], other, await context.newCDPSession(other));
    await until(other, () => studio.stage.character.name === 'windmill.glb' && !studio.stage.playing);
    assert.deepEqual(await other.evaluate(() => [studio.stage.time, studio.stage.playing]), [0.5, false]);
    await other.close();
});

test('a file that changes on disk is loaded again, and what plays goes on', async () => {
    const file = await made('edited.glb', await renamed('Wave', 'Wink'));
    const names = () => page.evaluate(() => studio.stage.character.asset.clips.map(({ name }) => name));
    await replaceBy([file]);
    await until(page, () => studio.stage.character.name === 'edited.glb');
    assert.ok((await names()).includes('Wink'));
    await page.evaluate(() => {
        const { stage } = studio;
        stage.play(stage.character.asset.clips.findIndex(({ name }) => name === 'Run'));
    });
    await made('edited.glb', (await readFile(file)).subarray(0, 5000)); // as a program that is still writing
    await until(page, () => /edited\.glb: .*truncated/.test(document.querySelector('.message.error')?.innerText ?? ''));
    assert.ok((await names()).includes('Wink'));
    await made('edited.glb', await renamed('Wave', 'Nods'));
    await until(page, () => studio.stage.character.asset.clips.some(({ name }) => name === 'Nods'));
    assert.equal(await page.evaluate(() => studio.stage.shownClip.name), 'Run');
    assert.equal(await page.locator('.message.error').count(), 0);

    const watches = await page.evaluate(() => globalThis.timers.size);
    await page.getByRole('button', { name: 'Hero' }).click();
    await until(page, () => studio.stage.character.name === 'hero.glb');
    await until(page, (fewer) => globalThis.timers.size === fewer, watches - 1); // nothing looks at the file any more
});

test('a character of VRM 0.x, which faces -Z, is seen from the front', async () => {
    const yawOf = (extensions) => page.evaluate(async (text) => {
        await studio.stage.load('avatar.gltf', new TextEncoder().encode(text));
        return studio.picture.orbit.goal.yaw;
    }, JSON.stringify({ asset: { version: '2.0' }, nodes: [{ name: 'root' }], extensions }));
    const front = await yawOf({ VRMC_vrm: { specVersion: '1.0' } });
    for (let i = 0; i < 2; i++) { // once for both
        const turned = Math.abs(await yawOf({ VRM: {} }) - front) / Math.PI;
        assert.ok(Math.abs(turned - 1) < 1e-6, `${turned} half turns`);
    }
    const back = Math.abs(await yawOf({ VRMC_vrm: { specVersion: '1.0' } }) - front) / Math.PI;
    assert.ok(Math.abs(back / 2 - Math.round(back / 2)) < 1e-6, `${back} half turns`);
});

test('nothing leaves the page', async () => {
    const why = await page.evaluate(() => new Promise((resolve) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
        fetch('https://example.org/').catch(() => {});
    }));
    assert.match(why, /connect-src|default-src/);
    assert.ok(faults.every((fault) => fault.includes('example.org')), faults.join('\n'));
});
