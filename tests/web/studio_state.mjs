// SPDX-License-Identifier: MIT
// The studio's state: a model in the address, undo, reloads, and code for what plays.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from './browser.mjs';
import { address, faults, modelPath, newPage, openStudio, until } from './open_studio.mjs';
import { manyClips } from './many_clips.mjs';

const page = await openStudio();
await page.locator('.pinned > summary').click(); // closed in a small window
const root = fileURLToPath(new URL('../..', import.meta.url));

// ---- Undo -------------------------------------------------------------------------------------------------------

test('Ctrl+Z undoes the settings one after another, and Ctrl+Shift+Z redoes them', async () => {
    const state = () => page.evaluate(() => {
        const { transition, layers, attachments, view } = studio.stage;
        return [transition.kind, layers[1].clip, attachments.length, view.skeleton];
    });
    const settled = () => page.evaluate(() => studio.history.note()); // as after a pause
    await settled();
    assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
    await page.getByRole('radio', { name: 'Inertialize' }).check();
    await settled();
    await page.getByRole('tab', { name: 'Mix' }).click();
    await page.locator('details', { hasText: 'Layer 1' }).getByLabel('Clip').selectOption('Wave');
    await settled();
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: 'Add sword' }).click();
    await until(page, () => studio.stage.attachments.length === 1);
    await settled();
    await page.getByRole('tab', { name: 'View' }).click();
    await page.getByLabel('Skeleton').check();
    const all = [['fade', -1, 0, false], ['inertialize', -1, 0, false], ['inertialize', 4, 0, false],
        ['inertialize', 4, 1, false], ['inertialize', 4, 1, true]];
    assert.deepEqual(await state(), all[4]);
    for (const expected of all.slice(0, 4).reverse()) {
        await page.keyboard.press('Control+z');
        assert.deepEqual(await state(), expected);
    }
    assert.equal(await page.evaluate(() => studio.stage.view.tab), 'View');
    for (const expected of all.slice(1)) {
        await page.keyboard.press('Control+Shift+z');
        assert.deepEqual(await state(), expected);
    }
    assert.ok(await page.getByRole('button', { name: 'Redo' }).isDisabled());
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await state(), all[3]);
});

test('undo leaves the time alone', async () => {
    const before = await page.evaluate(() => {
        studio.stage.setPlaying(false);
        studio.stage.seek(0.7);
        return [studio.stage.clip, studio.stage.time];
    });
    await page.keyboard.press('Control+z');
    assert.deepEqual(await page.evaluate(() => [studio.stage.clip, studio.stage.time]), before);
});

// ---- The address and the reload ---------------------------------------------------------------------------------

const folder = resolve(process.argv[3]);

test('?model= opens a file of this site with its sidecar files', async () => {
    await cp(modelPath('conformance/buffer-sidecar.gltf'), join(folder, 'models', 'buffer-sidecar.gltf'));
    await cp(modelPath('conformance/buffer-sidecar.bin'), join(folder, 'models', 'buffer-sidecar.bin'));
    const other = await openStudio({ hash: '?model=models/buffer-sidecar.gltf' });
    assert.equal(await other.evaluate(() => studio.stage.character.name), 'buffer-sidecar.gltf');
    await other.goto(`${address}?model=https://example.org/a.glb`);
    await until(other, () => globalThis.studio);
    assert.match(await other.locator('.message.error').innerText(), /only opens files from this site/);
    assert.equal(await other.evaluate(() => studio.stage.character.name), 'hero.glb');
    await other.close();
});

test('a reload keeps the file and the settings', async () => {
    const other = await openStudio();
    await other.locator('#file').setInputFiles({ name: 'own.gltf', mimeType: 'model/gltf+json', buffer: manyClips(['a', 'b']) });
    await until(other, () => studio.stage.character.name === 'own.gltf');
    await other.evaluate(() => {
        studio.stage.setTransition({ duration: 0 });
        studio.stage.play(1);
        studio.stage.setSpeed(0.5);
        studio.stage.setView({ tab: 'View', wireframe: true });
        studio.stage.setPlaying(false);
        studio.stage.seek(0.25);
        studio.stage.update(0);
    });
    await other.evaluate(async () => {
        const { keptFile } = await import('./session.js');
        while ((await keptFile())?.name !== 'own.gltf') await new Promise(requestAnimationFrame);
    });
    await other.reload();
    await until(other, () => globalThis.studio);
    assert.deepEqual(await other.evaluate(() => {
        const { character, clip, speed, view, playing, time } = studio.stage;
        return [character.name, clip, speed, view.tab, view.wireframe, playing, time];
    }), ['own.gltf', 1, 0.5, 'View', true, false, 0.25]);
    const left = await other.evaluate(async () => { // a closed tab's file, of the day before yesterday
        const opened = indexedDB.open('sinew-studio', 1);
        await new Promise((done) => { opened.onsuccess = done; });
        const store = () => opened.result.transaction('files', 'readwrite').objectStore('files');
        const answer = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
        await answer(store().put({ name: 'old.glb', time: Date.now() - 2 * 24 * 3600 * 1000 }, 'closed'));
        studio.stage.load('again.gltf', studio.stage.character.bytes);
        const names = async () => (await answer(store().getAll())).map(({ name }) => name).sort();
        while ((await names()).includes('own.gltf') || (await names()).includes('old.glb')) await new Promise(requestAnimationFrame);
        return names();
    });
    assert.deepEqual(left, ['again.gltf']);
    await other.close();
});

test('a link has Play all, held morph targets and the comparison', async () => {
    const text = manyClips(['a', 'b']).toString();
    assert.deepEqual(await page.evaluate((json) => {
        const { stage } = studio;
        stage.load('two.gltf', new TextEncoder().encode(json));
        stage.playAll();
        stage.startCompare('two.gltf', stage.character.bytes);
        stage.setCompare({ kind: 'dead-blend' });
        stage.advance(1);
        stage.setPlaying(false);
        stage.seek(0.5);
        const saved = JSON.parse(JSON.stringify(stage.save()));
        stage.load('two.gltf', new TextEncoder().encode(json));
        stage.restore(saved);
        stage.advance(1);
        stage.seek(0.5);
        stage.advance(0);
        const x = [0, 1].map((node) => stage.character.mixer.nodeTransform(node).translation[0]);
        return [stage.playsAll, stage.compare.kind, x];
    }, text), [true, 'dead-blend', [0.5, 1]]);
    const morph = await readFile(modelPath('conformance/morph-weights-linear.gltf'), 'utf8');
    assert.deepEqual(await page.evaluate((json) => {
        const { stage } = studio;
        stage.load('morph.gltf', new TextEncoder().encode(json));
        const node = stage.character.asset.nodes.findIndex(({ weightCount }) => weightCount > 0);
        stage.setMorph(node, 0, 0.75);
        const saved = stage.save();
        stage.releaseMorphs();
        stage.restore({ ...saved, morphs: [...saved.morphs, [1e9, 0, 1], [node, 99, 1], null] });
        stage.advance(0.1);
        return [stage.heldMorphs.length, stage.character.mixer.morphWeights(node)[0]];
    }, morph), [1, 0.75]);
});

// ---- Code -------------------------------------------------------------------------------------------------------

// Settings as functions of the page. Their code is compiled and run.
const CASES = [
    () => { studio.stage.play(2); },
    () => {
        studio.stage.setWeight(4, 0.25);
        studio.stage.setSpeed(0.5);
        studio.stage.setLoop('ping-pong');
    },
    () => {
        const samples = [[0, 0], [1, 1.4], [2, 4]].map(([clip, x]) => ({ clip, x, y: 0 }));
        studio.stage.setSpace({ kind: 'line', samples, x: 2, y: 0 });
    },
    () => {
        const { stage } = studio, { asset } = stage.character;
        stage.setLayer(1, { clip: 4, weight: 0.6, mask: { node: asset.findNode('Spine'), feather: 2 } });
        stage.setLayer(2, { clip: 0, mode: 'additive', weight: 0.5 });
    },
];

const { Sinew, ...names } = await import(pathToFileURL(join(folder, 'sinew', 'index.js')));
const sinew = await Sinew.load({ wasm: await readFile(join(folder, 'sinew', 'sinew-simd.wasm')) });
const hero = sinew.loadAsset(await readFile(modelPath('hero.glb')));

// A mixer that plays by the code for three.js, after its import and its loading.
function runCode(code) {
    const mixer = new names.Mixer(hero), body = code.split('const { mixer } = character;')[1].split('// each frame')[0];
    const used = /import \{ ([^}]*) \} from 'sinew-animation'/.exec(code)[1].split(', ').filter((name) => name !== 'Sinew');
    Function('mixer', 'asset', ...used, body)(mixer, hero, ...used.map((name) => names[name]));
    for (let i = 0; i < 40; i++) mixer.update(0.05);
    return mixer;
}

// Runs the whole code in its own page, and returns all nodes' weights and rotations after 40 frames.
const modules = resolve(process.argv[2]), hasLibraries = ['three', '@babylonjs/core'].every((name) => existsSync(join(modules, name)));
const BEFORE = {
    three: "import { Scene } from 'three';\nconst scene = new Scene();",
    babylon: `import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Scene } from '@babylonjs/core/scene.js';
const scene = new Scene(new NullEngine());`,
};
const ROTATION = { three: 'scene.getObjectByName(name).quaternion.toArray()',
    babylon: 'scene.getTransformNodeByName(name).rotationQuaternion.asArray()' };
const IMPORTS = { three: '/npm/three/build/three.module.js', 'three/addons/': '/npm/three/examples/jsm/',
    '@babylonjs/core': "data:text/javascript,export { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js'", // not all of it
    '@babylonjs/core/': '/npm/@babylonjs/core/', '@babylonjs/loaders/': '/npm/@babylonjs/loaders/', 'sinew-animation': '/sinew/index.js',
    'sinew-animation/three': '/sinew/three.js', 'sinew-animation/babylon': '/sinew/babylon.js' };

async function runPage(library, code) {
    const html = `<!doctype html><title>${library}</title><link rel="icon" href="data:,">
<script>addEventListener('error', ({ message }) => { globalThis.result = message; });</script>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script><script type="module">
${BEFORE[library]}
const delta = 0.05;
${code}
for (let i = 1; i < 40; i++) character.update(delta);
globalThis.result = { weights: mixer.asset.clips.map((clip) => mixer.clipAction(clip).getEffectiveWeight()),
    rotations: ${JSON.stringify(JOINTS)}.map((name) => ${ROTATION[library]}) };
</script>`;
    const server = await serve({ '/npm/': modules, '/sinew/': join(folder, 'sinew'), '/models/': modelPath(''), '/models/page.html': { html } });
    const opened = await newPage(`${server.url}/models/page.html`);
    const result = await (await opened.waitForFunction(() => globalThis.result)).jsonValue();
    await opened.close();
    server.close();
    return result;
}

const JOINTS = ['Spine', 'Head', 'UpperArm_R', 'Hand_L', 'LowerLeg_R'];

// The rotations of those joints by a mixer.
const rotationsOf = (mixer) => JOINTS.map((name) => [...mixer.nodeTransform(hero.findNode(name)).rotation]);

async function codeOf(prepare) {
    await page.evaluate(async () => {
        const { stage } = studio, { fetchBuiltIn } = await import('./files.js');
        stage.load('hero.glb', await fetchBuiltIn('hero.glb'));
        stage.setSprings({ on: false }); // studio_solving.mjs has their code
        stage.setTransition({ kind: 'fade', duration: 0 });
        stage.setLoop('repeat');
        stage.setSpeed(1);
        stage.setPlaying(false);
    });
    await page.evaluate(prepare);
    return page.evaluate(async () => {
        const { stage } = studio;
        stage.setPlaying(false);
        stage.setTransition({ duration: 0.1 });
        for (let i = 0; i < 40; i++) stage.advance(0.05); // fades end
        const { playingOf, threeCode, babylonCode, cCode } = await import('./code.js');
        const playing = playingOf(stage), { clips } = stage.character.asset;
        return { three: threeCode(playing), babylon: babylonCode(playing), c: cCode(playing), weights: clips.map((_, i) => stage.action(i).getEffectiveWeight()) };
    });
}

test('the code plays what the stage plays, and that for C compiles', async () => {
    const mixers = [];
    for (const [i, prepare] of CASES.entries()) {
        const { three, babylon, c, weights } = await codeOf(prepare), mixer = runCode(three);
        assert.deepEqual(hero.clips.map((clip) => mixer.clipAction(clip).getEffectiveWeight()), weights, `case ${i}`);
        mixers.push(mixer);
        for (const [library, code] of Object.entries(hasLibraries ? { three, babylon } : {})) {
            const result = await runPage(library, code);
            assert.deepEqual(result, { weights, rotations: rotationsOf(mixer) }, `case ${i} in ${library}`);
        }
        const [include, ...body] = c.split('\n');
        const source = [include, 'void die(const char *message);', 'void program(float dt);', 'void program(float dt) {',
            ...body, '}', ''].join('\n');
        execFileSync('cc', ['-std=c17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-I', join(root, 'include'), '-x', 'c',
            '-'], { input: source });
    }
    const [, slow, space, layered] = mixers;
    assert.equal(slow.timeScale, 0.5);
    assert.equal(slow.clipAction('Walk').loop, names.LoopPingPong);
    assert.ok(Math.abs(space.layers[0].actions[0].x - 2) < 1e-3);
    const [upper, breath] = layered.layers.slice(1), { factors } = upper.mask;
    assert.ok(Math.abs(upper.weight - 0.6) < 1e-6 && Math.abs(breath.weight - 0.5) < 1e-6 && breath.mode === 'additive');
    assert.ok(factors[hero.findNode('Head')] === 1 && factors[hero.findNode('Foot_L')] === 0);
});

test('the code is copied for each language', async () => {
    await page.getByRole('tab', { name: 'Save' }).click();
    for (const [language, start] of [['three.js', 'import { GLTFLoader }'], ['Babylon.js', 'import { LoadAsset'], ['C', '#include <sinew']]) {
        await page.getByRole('radio', { name: language, exact: true }).check();
        assert.ok((await page.locator('.code').textContent()).startsWith(start), language);
    }
});

test('the page reported no errors', () => assert.deepEqual(faults, []));
