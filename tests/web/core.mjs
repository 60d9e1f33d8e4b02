// SPDX-License-Identifier: MIT
// Assets from files that another library has parsed, with the module without the importer. Compared with the
// importer's assets of the same files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { BlendSpace, Mixer, Scene, Sinew, internal, loadSinew, modelPath, packagePath } from './common.mjs';
import { parts } from './glb.mjs';

const { $module } = internal;
const { Sinew: CoreSinew } = await import(pathToFileURL(packagePath('core.js')));
const full = await loadSinew(), core = await CoreSinew.load();

// ---- Equal assets ------------------------------------------------------------------------------------------------

const COMPRESSED = /^meshopt-/; // the other library decompresses
const index = JSON.parse(readFileSync(modelPath('conformance/index.json')));
const conformance = index.filter(({ file, refused }) => !refused && !COMPRESSED.test(file)).map(({ file }) => `conformance/${file}`);
const ASSETS = ['bevy/Fox.glb', 'robotexpressive/RobotExpressive.glb', 'kaykit/Knight.glb',
    'khronos-samples-2017/AnimatedMorphCube.glb', 'jgltf/InterpolationTest.gltf'];
const others = process.env.SINEW_ASSETS
    ? ASSETS.map((path) => join(process.env.SINEW_ASSETS, path)).filter((path) => existsSync(path)) : [];
const FILES = [...['hero.glb', 'sword.glb', 'windmill.glb', ...conformance].map(modelPath), ...others];

// The JSON, the buffers, and those in files by their name, as a library that loads glTF has them.
function parse(path) {
    const bytes = readFileSync(path), files = {};
    if (bytes.toString('latin1', 0, 4) === 'glTF') {
        const [json, binary] = parts(bytes);
        return { bytes, files, json, buffers: [binary] };
    }
    const json = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    const buffers = (json.buffers ?? []).map(({ uri }) => {
        if (uri.startsWith('data:')) return Buffer.from(uri.split(',')[1], 'base64');
        const name = decodeURIComponent(uri);
        return (files[name] = readFileSync(join(path, '..', name)));
    });
    return { bytes, files, json, buffers };
}

function near(ours, theirs, tolerance, what) {
    assert.equal(ours.length, theirs.length, what);
    ours.forEach((number, i) => {
        const isNear = number === theirs[i] || Math.abs(number - theirs[i]) <= tolerance * Math.max(1, Math.abs(theirs[i]));
        assert.ok(isNear, `${what}: ${number}, not ${theirs[i]}`);
    });
}

// The poses of a clip at some times: matrices, palettes, morph weights and bounds.
function posesOf(asset, clip) {
    const mixer = new Mixer(asset), action = clip && mixer.clipAction(clip).play();
    const poses = [0, 0.37, 0.9].map((part) => {
        if (action) action.time = part * clip.duration;
        mixer.update(0);
        return { matrices: [...mixer.modelMatrices], bounds: [...mixer.bounds()],
            palettes: asset.skins.flatMap((_, skin) => [...mixer.palette(skin)]),
            weights: asset.nodes.flatMap((_, node) => [...mixer.morphWeights(node)]) };
    });
    mixer.dispose();
    return poses;
}

const plain = (object) => JSON.parse(JSON.stringify(object));

function compare(ours, theirs, path) {
    for (const part of ['nodes', 'clips', 'meshNodes']) assert.deepEqual(plain(ours[part]), plain(theirs[part]), `${path}: ${part}`);
    assert.deepEqual(ours.meshes.map(({ name }) => name), theirs.meshes.map(({ name }) => name), path);
    ours.skins.forEach(({ name, joints, inverseBinds }, i) => {
        assert.equal(name, theirs.skins[i].name);
        assert.deepEqual([...joints, ...inverseBinds], [...theirs.skins[i].joints, ...theirs.skins[i].inverseBinds]);
    });
    for (const clip of [null, ...ours.clips.slice(0, 5)]) {
        const other = clip && theirs.clips[clip.index], them = posesOf(theirs, other);
        posesOf(ours, clip).forEach((pose, i) => {
            for (const part of ['matrices', 'palettes', 'weights']) assert.deepEqual(pose[part], them[i][part], `${path}: ${part}`);
            near(pose.bounds, them[i].bounds, 1e-6, `${path}: bounds`);
        });
    }
}

test('the assets are those of the importer', () => {
    assert.ok(conformance.length > 80);
    for (const path of FILES) {
        const { bytes, files, json, buffers } = parse(path);
        const theirs = full.loadAsset(bytes, files);
        for (const sinew of [core, full]) {
            const ours = sinew.makeAsset({ json, buffers });
            compare(ours, theirs, path);
            ours.dispose();
        }
        theirs.dispose();
    }
});

// ---- With the other features -------------------------------------------------------------------------------------

const hero = parse(modelPath('hero.glb'));

test('everything but loading works', () => {
    const asset = core.makeAsset(hero), mixer = new Mixer(asset);
    const space = new BlendSpace(asset, { samples: [{ clip: 'Idle', x: 0 }, { clip: 'Walk', x: 1.4 }] });
    mixer.clipAction(space).play();
    mixer.clipAction(asset.makeAdditive('Wave'), { layer: 1 });
    const snapshot = mixer.save(), before = mixer.hash;
    mixer.update(0.3);
    assert.notEqual(mixer.hash, before);
    assert.equal(mixer.restore(snapshot).hash, before);
    const scene = new Scene();
    scene.addInstance(asset).mixer.clipAction('Run').play();
    scene.update(0.1);
    scene.dispose();
    asset.dispose();
});

test('a file is freed with its asset', () => {
    core.makeAsset(hero).dispose();
    const { byteLength } = core[$module].memory.buffer;
    for (let i = 0; i < 30; i++) core.makeAsset(hero).dispose();
    assert.equal(core[$module].memory.buffer.byteLength, byteLength);
});

// ---- Messages ----------------------------------------------------------------------------------------------------

test('loading says which entry has the importer', async () => {
    assert.throws(() => core.loadAsset(hero.bytes), /no importer: import Sinew from 'sinew-animation'/);
    await assert.rejects(core.fetchAsset('hero.glb'), /no importer: import Sinew from 'sinew-animation'/);
    const wasm = await readFile(packagePath('sinew-core-simd.wasm'));
    await assert.rejects(Sinew.load({ wasm }), /without the importer.*sinew-animation\/core/);
    assert.equal((await CoreSinew.load({ wasm: await readFile(packagePath('sinew-simd.wasm')) })).makeAsset(hero).clips.length, 11);
});

test('the modules are fetched with SIMD and without', async () => {
    const { Sinew: Fetched } = await import(pathToFileURL(packagePath('core-fetch.js')));
    assert.equal((await Fetched.load()).simd, 'simd128');
    const { validate } = WebAssembly;
    WebAssembly.validate = () => false;
    try {
        assert.equal((await Fetched.load()).simd, 'scalar');
        await assert.rejects(async () => CoreSinew.load(), /sinew-animation\/core\/fetch/);
    } finally {
        WebAssembly.validate = validate;
    }
});

test('compressed buffer views are refused', () => {
    const { json, buffers } = parse(modelPath('conformance/meshopt-attributes.glb'));
    assert.throws(() => core.makeAsset({ json, buffers }), /bufferViews\[\d+\] is compressed/);
});

// Every number of a value, by a function that sets it.
function numbersIn(value, found = []) {
    for (const key of Object.keys(value)) {
        if (typeof value[key] === 'number') found.push((number) => { value[key] = number; });
        else if (typeof value[key] === 'object' && value[key] !== null) numbersIn(value[key], found);
    }
    return found;
}

test('damaged files get a message, never a trap', () => {
    let refused = 0, seed = 1;
    const random = (count) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor(seed / 2 ** 32 * count);
    };
    for (let i = 0; i < 400; i++) {
        const json = structuredClone(hero.json), numbers = numbersIn(json);
        numbers[random(numbers.length)]([-1, 0, 1, 3, 0.5, 1000, 65536, 4e9, 1e300][random(9)]);
        try {
            const asset = core.makeAsset({ json, buffers: hero.buffers }), mixer = new Mixer(asset);
            for (const clip of asset.clips) mixer.clipAction(clip).play();
            mixer.update(0.1);
            mixer.bounds();
            asset.dispose();
        } catch (error) {
            assert.ok(!(error instanceof WebAssembly.RuntimeError), `${error.stack}`);
            assert.match(error.message, /\S.{10}/);
            refused++;
        }
    }
    assert.ok(refused > 40, `${refused}`);
    compare(core.makeAsset(hero), full.loadAsset(hero.bytes), 'after the damaged files');
});
