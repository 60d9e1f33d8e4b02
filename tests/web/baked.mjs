// SPDX-License-Identifier: MIT
// Baked assets in JavaScript: the same content and bits as the .glb that `sinew bake-asset` baked, with and without
// SIMD. Also damaged ones and other versions: node baked.mjs PACKAGE MODELS SINEW
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Animator, KINDS, Mixer, command, extensionsUsed, internal, loadSinew, modelPath, sidecarFiles } from './common.mjs';

const { $module } = internal;
const folder = await mkdtemp(join(tmpdir(), 'sinew-baked-'));
after(() => rm(folder, { recursive: true }));
const inFolder = (name) => join(folder, name);

function bake(name, output, ...words) {
    execFileSync(command, ['bake-asset', modelPath(name), '-o', inFolder(output), ...words]);
    return readFileSync(inFolder(output));
}

const FILES = ['hero.glb', 'windmill.glb', 'conformance/morph-weights-cubic.gltf', 'conformance/two-skins-one-skeleton.gltf'];
const baked = Object.fromEntries(FILES.map((name, i) => [name, bake(name, `${i}.sinew`)]));
const bits = (floats) => new Uint32Array(Float32Array.from(floats).buffer);

// All that an asset tells of its content, without the memory that it takes.
function contentOf({ nodes, skins, clips, meshes, materials, images, meshNodes }) {
    const plain = (value) => {
        if (ArrayBuffer.isView(value)) return [value.constructor.name, Buffer.from(value.slice().buffer).toString('base64')];
        if (Array.isArray(value)) return value.map(plain);
        if (value === null || typeof value !== 'object') return value;
        return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('_') && key !== 'asset').map(([key, one]) => [key, plain(one)]));
    };
    return plain({ nodes, skins, clips, meshes, materials, images, meshNodes });
}

// The poses of every clip at some times.
function posesOf(asset) {
    const mixer = new Mixer(asset), found = [];
    for (const clip of asset.clips) {
        const action = mixer.clipAction(clip).play();
        for (const part of [0, 0.13, 0.5, 0.99]) {
            action.time = part * clip.duration;
            mixer.update(0);
            found.push(...bits(mixer.modelMatrices), ...asset.skins.flatMap((_, skin) => [...bits(mixer.palette(skin))]),
                ...asset.nodes.flatMap((_, node) => [...bits(mixer.morphWeights(node))]));
        }
        action.stop();
    }
    return found;
}

for (const kind of KINDS) {
    for (const name of FILES) {
        test(`${kind}: the content and the poses of ${name}`, async () => {
            const sinew = await loadSinew(kind);
            const [glb, sinewFile] = [readFileSync(modelPath(name)), baked[name]].map((bytes) => sinew.loadAsset(bytes));
            assert.deepEqual(contentOf(sinewFile), contentOf(glb));
            const poses = posesOf(glb);
            assert.ok(poses.length > 10 && poses.some((one) => one !== 0));
            assert.deepEqual(posesOf(sinewFile), poses);
            glb.dispose();
            sinewFile.dispose();
        });
    }
}

test('a baked asset is fetched like any file, and names no others', async () => {
    const sinew = await loadSinew(), asset = await sinew.fetchAsset(pathToFileURL(inFolder('0.sinew')));
    assert.equal(asset.clips.length, 11);
    assert.deepEqual(sidecarFiles(baked['hero.glb']), []);
    assert.deepEqual(extensionsUsed(baked['hero.glb']), []);
    asset.dispose();
});

test('graphs, additive clips and clips of other assets work', async () => {
    const sinew = await loadSinew(), hero = sinew.loadAsset(baked['hero.glb']), other = sinew.loadAsset(readFileSync(modelPath('hero.glb')));
    const animators = [hero, other].map((asset) => new Animator(asset, sinew.loadGraph(readFileSync(modelPath('hero.graph.json')))));
    for (const animator of animators) animator.update(0.5);
    const [a, b] = animators.map(({ mixer }) => bits(mixer.palette()));
    assert.deepEqual(a, b);
    assert.ok(hero.makeAdditive(hero.clips[0]).additive);
    assert.equal(hero.bindClip(other.clips[1]).channels.length, other.clips[1].channels.length);
});

test('keys of 16 bits, other versions and damage are refused by messages', async () => {
    const sinew = await loadSinew(), file = baked['hero.glb'];
    assert.throws(() => sinew.loadAsset(bake('hero.glb', 'u16.sinew', '--u16')), /^Error: has 16-bit keys.*bake it without --u16$/);
    const changed = (at, change) => Uint8Array.from(file, (byte, i) => (i === at ? change(byte) : byte));
    assert.throws(() => sinew.loadAsset(changed(8, (byte) => byte ^ 64)), /(version|byte order)/);
    assert.throws(() => sinew.loadAsset(changed(file.length - 100, (byte) => byte ^ 1)), /checksum/);
    for (const size of [8, 9, 64, 1000, file.length - 64, file.length - 1]) {
        assert.throws(() => sinew.loadAsset(file.subarray(0, size)), { name: 'Error', message: /truncated|damaged/ }, `${size} bytes`);
    }
    assert.throws(() => sinew.loadAsset(file.subarray(0, 7)), Error); // too few to tell
    sinew.loadAsset(file).dispose();
});

// The memory of the module does not grow with each load.
test('loading and disposing leaks nothing', async () => {
    const sinew = await loadSinew();
    const load = () => sinew.loadAsset(baked['hero.glb']).dispose();
    for (let i = 0; i < 3; i++) load();
    const { byteLength } = sinew[$module].memory.buffer;
    for (let i = 0; i < 30; i++) load();
    assert.equal(sinew[$module].memory.buffer.byteLength, byteLength);
});
