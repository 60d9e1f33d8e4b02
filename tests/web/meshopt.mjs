// SPDX-License-Identifier: MIT
// meshopt-compressed files, decoded with npm's meshoptimizer: node meshopt.mjs NODE_MODULES PACKAGE MODELS SINEW.
// Conformance files are compared with their expected content, and a real character with the command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const [modules] = process.argv.splice(2, 1);
const { KINDS, Mixer, Sinew, command, loadSinew, packagePath, readModel } = await import('./common.mjs');
const decoder = join(resolve(modules), 'meshoptimizer', 'meshopt_decoder.mjs');
if (!existsSync(decoder)) {
    console.log('SKIPPED: npm has not fetched meshoptimizer');
    process.exit(77);
}
const { MeshoptDecoder } = await import(pathToFileURL(decoder));
const { Retargeter } = await import(pathToFileURL(packagePath('retarget.js')));
const { compressed } = await import('./glb.mjs');

const near = (values, expected, what) => {
    assert.equal(values.length, expected.length, what);
    expected.forEach((value, i) => {
        const within = 1e-6 * Math.max(1, Math.abs(value));
        assert.ok(Math.abs(values[i] - value) <= within, `${what}: ${values}, not ${expected}`);
    });
};
const withDecoder = async (kind) => Sinew.load(
    { wasm: await readFile(packagePath(`sinew-${kind}.wasm`)), meshopt: MeshoptDecoder });

// Transforms a position (w = 1) or a direction (w = 0) by a matrix of 16 floats.
const moved = (matrix, vectors, w) => Array.from(vectors, (_, i) => {
    const [x, y, z] = vectors.subarray(i - i % 3, i - i % 3 + 3);
    return matrix[i % 3] * x + matrix[4 + i % 3] * y + matrix[8 + i % 3] * z + matrix[12 + i % 3] * w;
});

function checkPose(asset, { clip, time, nodes, meshes = [] }, file) {
    const mixer = new Mixer(asset);
    if (clip !== null) {
        const action = mixer.clipAction(asset.clips[clip]);
        action.time = time;
        action.play();
    }
    mixer.update(0);
    const nodeOf = (source) => asset.nodes.findIndex((node) => node.source === source);
    for (const { node, world } of nodes) near(mixer.nodeMatrix(nodeOf(node)), world, `${file}, node ${node}`);
    for (const { node, mesh, primitive, positions, normals } of meshes) {
        const ours = asset.meshes[mesh].primitives[primitive], matrix = mixer.nodeMatrix(nodeOf(node));
        near(moved(matrix, ours.positions, 1), positions, `${file}, positions`);
        if (normals) near(moved(matrix, ours.normals, 0), normals, `${file}, normals`);
    }
    mixer.dispose();
}

for (const kind of KINDS) {
    test(`${kind}: the conformance set's`, async () => {
        const sinew = await withDecoder(kind);
        for (const name of ['attributes', 'indices', 'octahedral', 'quaternion', 'exponential']) {
            const file = `conformance/meshopt-${name}`;
            const asset = sinew.loadAsset(await readModel(`${file}.glb`));
            const { poses, triangles = [] } = JSON.parse(await readModel(`${file}.expected.json`));
            assert.ok(poses.length > 0);
            for (const pose of poses) checkPose(asset, pose, name);
            for (const { mesh, primitive, indices } of triangles) {
                assert.deepEqual([...asset.meshes[mesh].primitives[primitive].indices], indices);
            }
            asset.dispose();
        }
    });
}

test('a real character equals the command\'s', async (context) => {
    const { SINEW_ASSETS: assets } = process.env;
    const file = assets && join(assets, 'derived', 'greenman.meshopt.glb');
    if (!file || !existsSync(file)) return context.skip('SINEW_ASSETS has none');
    const sinew = await withDecoder('simd');
    const asset = sinew.loadAsset(await readFile(file));
    const bits = (floats) => new Uint32Array(Float32Array.from(floats).buffer);
    for (const { index } of asset.clips) {
        const mixer = new Mixer(asset);
        const action = mixer.clipAction(asset.clips[index]);
        action.time = 0.4;
        action.play();
        mixer.update(0);
        const native = JSON.parse(execFileSync(command, ['pose', file, '--clip', `#${index}`, '--time',
            String(Math.fround(action.time)), '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }));
        asset.nodes.forEach(({ source, name }, node) => (
            assert.deepEqual(bits(mixer.nodeMatrix(node)), bits(native.nodes[source].world), name)));
        mixer.dispose();
    }
});

const file = await readModel('conformance/meshopt-quaternion.glb');

test('without a decoder the message names the option', async () => {
    const sinew = await loadSinew();
    assert.throws(() => sinew.loadAsset(file), /EXT_meshopt_compression.*npm's MeshoptDecoder as `meshopt`/);
    const asset = sinew.loadAsset(file, {}, { meshopt: MeshoptDecoder });
    assert.equal(asset.clips[0].name, 'coded');
});

test('a decoder that is not ready is reported', async () => {
    const sinew = await loadSinew();
    const exports = undefined; // like npm's before it's ready
    const meshopt = { decodeGltfBuffer: () => exports.decode() };
    assert.throws(() => sinew.loadAsset(file, {}, { meshopt }), /the meshopt decoder is not ready: await its `ready`/);
    assert.equal(sinew.loadAsset(file, {}, { meshopt: MeshoptDecoder }).clips.length, 1);
});

// The JSON of a .glb, changed.
function withJson(change) {
    const length = file.readUInt32LE(12);
    const json = JSON.parse(file.subarray(20, 20 + length));
    change(json);
    const text = Buffer.from(JSON.stringify(json));
    const padded = Buffer.concat([text, Buffer.alloc((4 - text.length % 4) % 4, 32)]);
    const head = Buffer.from(file.subarray(0, 20));
    head.writeUInt32LE(padded.length, 12);
    const whole = Buffer.concat([head, padded, file.subarray(20 + length)]);
    whole.writeUInt32LE(whole.length, 8);
    return whole;
}

test('damaged data are refused with their location, and never trap', async () => {
    const sinew = await withDecoder('simd');
    const wrong = (key, value) => withJson(({ bufferViews }) => {
        bufferViews.find(({ extensions }) => extensions).extensions.EXT_meshopt_compression[key] = value;
    });
    const location = /bufferViews\[\d\]\.extensions\.EXT_meshopt_compression/;
    for (const [key, value] of [['count', 1e9], ['count', -1], ['byteOffset', 1e6], ['byteLength', 0],
        ['byteLength', 3], ['byteStride', 7], ['byteStride', 0], ['mode', 'ALL'], ['filter', 'ALL'], ['buffer', 9]]) {
        assert.throws(() => sinew.loadAsset(wrong(key, value)), location, `${key}: ${value}`);
    }
    const body = 20 + file.readUInt32LE(12) + 8;
    let refused = 0;
    for (let at = body; at < file.length; at++) {
        for (const bit of [1, 128]) {
            const damaged = Buffer.from(file);
            damaged[at] ^= bit;
            try {
                sinew.loadAsset(damaged).dispose();
            } catch (error) {
                assert.equal(error.constructor, Error, `byte ${at}: ${error}`);
                refused++;
            }
        }
    }
    console.log(`${refused} of ${2 * (file.length - body)} damaged files were refused`);
    assert.ok(refused > 0);
    assert.equal(sinew.loadAsset(file).clips.length, 1);
});

test('retargeting reads compressed files and writes into them, as the command does', async () => {
    const { MeshoptEncoder } = await import(pathToFileURL(join(resolve(modules), 'meshoptimizer', 'meshopt_encoder.js')));
    await MeshoptEncoder.ready;
    const folder = await mkdtemp(join(tmpdir(), 'sinew-meshopt-')), [name, out] = ['hero.glb', 'out.glb'].map((each) => join(folder, each));
    after(() => rm(folder, { recursive: true }));
    await writeFile(name, compressed(await readModel('hero.glb'), MeshoptEncoder));
    const retargeter = await Retargeter.load(), bytes = await readFile(name);
    await assert.rejects(retargeter.open(bytes, { name }), /EXT_meshopt_compression.*npm's MeshoptDecoder as `decoder`/);
    const hero = await retargeter.open(bytes, { name, decoder: MeshoptDecoder });
    const { glb, report } = retargeter.retarget(hero, hero, { clips: ['Jump'] });
    const words = ['retarget', name, '--onto', name, '--clip', 'Jump', '-o', out, '--json'];
    assert.deepEqual(report, JSON.parse(execFileSync(command, words, { encoding: 'utf8' })));
    assert.ok((await readFile(out)).equals(glb));
    await assert.rejects(retargeter.open(bytes, { name, decoder: {} }), /not ready/);
});
