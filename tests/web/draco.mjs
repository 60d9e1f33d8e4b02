// SPDX-License-Identifier: MIT
// Draco-compressed meshes, decoded with npm's draco3d: node draco.mjs NODE_MODULES PACKAGE MODELS SINEW. draco3d's
// encoder makes them without loss: each corner of each triangle is unchanged.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const [modules] = process.argv.splice(2, 1);
const { KINDS, Sinew, command, extensionsUsed, loadSinew, packagePath, readModel } = await import('./common.mjs');
const { dracoCompressed } = await import('./glb.mjs');
const folder = join(resolve(modules), 'draco3d');
if (!existsSync(folder)) {
    console.log('SKIPPED: npm has not fetched draco3d');
    process.exit(77);
}
const draco3d = createRequire(import.meta.url)(folder);
const draco = await draco3d.createDecoderModule(), encoder = await draco3d.createEncoderModule();

const plain = (await loadSinew()).loadAsset(await readModel('hero.glb'));
const file = dracoCompressed(await readModel('hero.glb'), plain, encoder);

// The numbers of an attribute at the corners of all triangles, in their order.
function cornersOf(asset, name, width) {
    const { [name]: values, indices } = asset.meshes[0].primitives[0];
    const corners = new Float64Array(indices.length * width);
    indices.forEach((vertex, i) => corners.set(values.subarray(vertex * width, (vertex + 1) * width), i * width));
    return corners;
}

// Weights are divided by their sum once more, which may round.
const ATTRIBUTES = { positions: [3, 0], normals: [3, 1e-6], joints: [4, 0], weights: [4, 1e-6] };

for (const kind of KINDS) {
    test(`${kind}: the hero, corner by corner`, async () => {
        const sinew = await Sinew.load({ wasm: await readFile(packagePath(`sinew-${kind}.wasm`)),
            draco: draco3d.createDecoderModule() });
        const asset = sinew.loadAsset(file);
        for (const [name, [width, tolerance]] of Object.entries(ATTRIBUTES)) {
            const found = cornersOf(asset, name, width), expected = cornersOf(plain, name, width);
            assert.ok(expected.length > 1000 && found.length === expected.length, name);
            const off = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i])), 0);
            assert.ok(off <= tolerance, `${name}: off by ${off}`);
        }
        assert.deepEqual(asset.clips.map(({ name }) => name), plain.clips.map(({ name }) => name));
        asset.dispose();
    });
}

test('the command has the same vertices, where it has libdraco', async (context) => {
    const scratch = await mkdtemp(join(tmpdir(), 'sinew-draco-'));
    context.after(() => rm(scratch, { recursive: true }));
    const path = join(scratch, 'hero.glb');
    await writeFile(path, file);
    const { meshes } = JSON.parse(execFileSync(command, ['skin', path, '--json'],
        { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
    if (meshes[0].positions.length === 0) return context.skip('the command is built without libdraco');
    const asset = (await loadSinew()).loadAsset(file, {}, { draco });
    assert.equal(meshes[0].positions.length, asset.meshes[0].primitives[0].positions.length);
});

test('without a decoder meshes are empty, and the rest loads', async () => {
    const asset = (await loadSinew()).loadAsset(file);
    assert.deepEqual(extensionsUsed(file), ['KHR_draco_mesh_compression']);
    assert.equal(asset.meshes[0].primitives[0].vertexCount, 0);
    assert.deepEqual(asset.clips.map(({ name }) => name), plain.clips.map(({ name }) => name));
    assert.equal(asset.nodes.length, plain.nodes.length);
});

test('an invalid decoder is reported', async () => {
    const sinew = await loadSinew();
    assert.throws(() => sinew.loadAsset(file, {}, { draco: draco3d }), /the Draco decoder is not ready: .*resolves to/);
    assert.ok(sinew.loadAsset(file, {}, { draco }).meshes[0].primitives[0].vertexCount > 0);
});

test('damaged data are refused with their location, and never trap', async () => {
    const sinew = await loadSinew();
    const { json, start, size } = describe(file);
    assert.ok(json.bufferViews.length > 0);
    const DAMAGED = 60;
    let refused = 0;
    for (let i = 0; i < DAMAGED; i++) {
        const damaged = file.slice(), at = start + (i < 30 ? i : Math.floor(i * size / DAMAGED));
        damaged[at] ^= i % 2 ? 255 : 1;
        try {
            sinew.loadAsset(damaged, {}, { draco }).dispose();
        } catch (error) {
            assert.equal(error.constructor, Error, `byte ${at}: ${error}`);
            assert.match(error.message, /^meshes\[0\]|^accessors|^skins|^nodes/);
            refused++;
        }
    }
    console.log(`${refused} of ${DAMAGED} damaged files were refused`);
    assert.ok(refused > 10);
    assert.ok(sinew.loadAsset(file, {}, { draco }).meshes[0].primitives[0].vertexCount > 0);
});

// The offset of the first mesh's data in the file.
function describe(glb) {
    const length = Buffer.from(glb).readUInt32LE(12);
    const json = JSON.parse(Buffer.from(glb).toString('utf8', 20, 20 + length));
    const { KHR_draco_mesh_compression: { bufferView } } = json.meshes[0].primitives[0].extensions;
    const { byteOffset, byteLength } = json.bufferViews[bufferView];
    return { json, start: 28 + length + byteOffset, size: byteLength };
}

test('retargeting leaves compressed meshes as they are', async () => {
    const { Retargeter } = await import(pathToFileURL(packagePath('retarget.js')));
    const retargeter = await Retargeter.load(), hero = await retargeter.open(file);
    const { glb } = retargeter.retarget(hero, hero, { clips: ['Jump'], rate: 60 });
    const sinew = await Sinew.load({ draco: draco3d.createDecoderModule() }), asset = sinew.loadAsset(glb);
    assert.deepEqual(cornersOf(asset, 'positions', 3), cornersOf(plain, 'positions', 3));
    assert.equal(asset.clips.length, plain.clips.length);
});
