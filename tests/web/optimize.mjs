// SPDX-License-Identifier: MIT
// Optimizing and comparing in JavaScript, against `sinew optimize` and `sinew compare`: the same bytes and the same
// JSON. Decoders, progress, messages, damaged files, memory: node optimize.mjs NODE_MODULES PACKAGE MODELS SINEW
// [all]. Without `all`, fewer files and fewer amounts of memory.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const [modules] = process.argv.splice(2, 1);
const { Mixer, Sinew, command, modelPath, packagePath } = await import('./common.mjs');
const { glbOf, parts } = await import('./glb.mjs');
const decoderPath = join(resolve(modules), 'meshoptimizer', 'meshopt_decoder.mjs');
if (!existsSync(decoderPath)) {
    console.log('SKIPPED: npm has not fetched meshoptimizer');
    process.exit(77);
}
const all = process.argv[5] === 'all';
const { MeshoptDecoder } = await import(pathToFileURL(decoderPath));
const { MeshoptEncoder } = await import(pathToFileURL(join(resolve(modules), 'meshoptimizer', 'meshopt_encoder.js')));
await MeshoptEncoder.ready;
const { compare, optimize } = await import(pathToFileURL(packagePath('optimize.js')));

const folder = await mkdtemp(join(tmpdir(), 'sinew-optimize-'));
after(() => rm(folder, { recursive: true }));
const inFolder = (name) => join(folder, name), read = (name) => readFileSync(inFolder(name));
for (const name of ['hero.glb', 'golem.glb', 'windmill.glb', 'sword.glb']) await copyFile(modelPath(name), inFolder(name));
const run = (...words) => execFileSync(command, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });

// ---- Files ------------------------------------------------------------------------------------------------------

// The hero with two clips, as a .gltf with its data in a sidecar file.
const [json, binary] = parts(readFileSync(modelPath('hero.glb')));
const some = { ...json, animations: json.animations.filter(({ name }) => /^(Walk|Hit)$/.test(name)) };
await writeFile(inFolder('some.glb'), glbOf(structuredClone(some), binary));
await writeFile(inFolder('side.gltf'), JSON.stringify({ ...some, buffers: [{ byteLength: binary.length, uri: 'hero data.bin' }] }));
await writeFile(inFolder('hero data.bin'), binary);

// Indices in version 0 of mode TRIANGLES: three differences for each triangle.
function encodeVersion0(indices) {
    let last = 0;
    const data = [...indices].flatMap((index, i) => {
        const bytes = i % 3 === 0 ? [0xff] : []; // the codes of the second and the third vertex
        let rest = index < last ? 2 * (last - index) - 1 : 2 * (index - last);
        for (last = index; rest > 127; rest >>>= 7) bytes.push(rest & 127 | 128);
        return [...bytes, rest];
    });
    return Uint8Array.from([0xe0, ...Array(indices.length / 3).fill(0xff), ...data, ...Array(16).fill(0)]);
}

// A file with indices compressed in meshopt's mode TRIANGLES. encode(source, count, size)
function withCompressedIndices(file, encode) {
    const [tree, bin] = parts(file), { accessors, bufferViews, meshes } = tree;
    const accessor = accessors[meshes[0].primitives[0].indices], view = bufferViews[accessor.bufferView], size = accessor.componentType === 5125 ? 4 : 2;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0), source = Uint8Array.from(bin.subarray(start, start + size * accessor.count));
    const encoded = encode(source, accessor.count, size);
    const byteOffset = Math.ceil(bin.length / 4) * 4;
    accessors.push({ ...accessor, bufferView: bufferViews.length, byteOffset: 0 });
    meshes[0].primitives[0].indices = accessors.length - 1;
    tree.buffers.push({ byteLength: source.length, extensions: { EXT_meshopt_compression: { fallback: true } } });
    bufferViews.push({ buffer: 1, byteLength: source.length, extensions: { EXT_meshopt_compression: { buffer: 0, byteOffset,
        byteLength: encoded.length, byteStride: size, count: accessor.count, mode: 'TRIANGLES' } } });
    tree.extensionsUsed = tree.extensionsRequired = ['EXT_meshopt_compression'];
    const data = Buffer.concat([bin, Buffer.alloc(byteOffset - bin.length), Buffer.from(encoded)]);
    tree.buffers[0].byteLength = data.length;
    return glbOf(tree, data);
}
await writeFile(inFolder('compressed.glb'), withCompressedIndices(read('some.glb'),
    (source, count, size) => MeshoptEncoder.encodeGltfBuffer(source, count, size, 'TRIANGLES')));
await writeFile(inFolder('old.glb'), withCompressedIndices(read('some.glb'),
    (source, count, size) => encodeVersion0(new (size === 4 ? Uint32Array : Uint16Array)(source.buffer, 0, count))));

// Lines and points: their indices aren't triangles'.
function linesFile() {
    const count = 4000, positions = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(i) * (i % 3));
    const indices = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? i / 2 : (i * 7) % count));
    const data = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(indices.buffer)]);
    const bounds = (of) => [0, 1, 2].map((axis) => of(...positions.filter((_, i) => i % 3 === axis)));
    return glbOf({
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [1, 0].map((mode) => ({ mode, attributes: { POSITION: 0 }, indices: 1 })) }],
        accessors: [{ bufferView: 0, componentType: 5126, count, type: 'VEC3', min: bounds(Math.min), max: bounds(Math.max) },
            { bufferView: 1, componentType: 5125, count: 2 * count, type: 'SCALAR' }],
        bufferViews: [{ buffer: 0, byteLength: 12 * count }, { buffer: 0, byteOffset: 12 * count, byteLength: 8 * count }],
        buffers: [{ byteLength: data.length }],
    }, data);
}
await writeFile(inFolder('lines.glb'), linesFile());

// ---- Against the command ----------------------------------------------------------------------------------------

const sidecars = { 'hero data.bin': read('hero data.bin') };
const CASES = [
    ['some.glb', {}, []],
    ['some.glb', { error: 5, plain: true }, ['--error', '5mm', '--plain']],
    ['some.glb', { khr: true }, ['--khr']],
    ['side.gltf', { tight: true, sidecars }, ['--tight']],
    ['golem.glb', { error: 0.5 }, ['--error', '0.5']],
    ['windmill.glb', {}, []],
    ['sword.glb', {}, []],
    ['compressed.glb', {}, []],
    ['old.glb', { decoder: MeshoptDecoder }, []],
    ['some.glb', { meshes: true }, ['--meshes']],
    ['side.gltf', { meshes: true, error: 3, khr: true, sidecars }, ['--meshes', '--error', '3mm', '--khr']],
    ['golem.glb', { meshes: true, tight: true }, ['--meshes', '--tight']],
    ['windmill.glb', { meshes: true }, ['--meshes']],
    ['sword.glb', { meshes: true }, ['--meshes']],
    ['lines.glb', { meshes: true }, ['--meshes']],
    ['compressed.glb', { meshes: true }, ['--meshes']],
];

const byCommand = (name, words) => {
    const output = `${name.replace(/\..*$/, '')}-small.glb`, report = JSON.parse(run('optimize', name, '-o', output, '--json', ...words));
    return { bytes: read(output), report };
};

// Some have each option once.
for (const [name, options, words] of all ? CASES : CASES.filter((_, i) => [1, 3, 6, 8, 10, 14].includes(i))) {
    test(`the file and the report equal the command's: ${name} ${words.join(' ')}`, async () => {
        const expected = byCommand(name, words), { bytes, report } = await optimize(read(name), { name, ...options });
        assert.deepEqual(report, expected.report);
        assert.ok(expected.bytes.equals(bytes), `${bytes.length} bytes, and ${expected.bytes.length} by the command`);
        if (report.kept === null) assert.ok(bytes.length < report.files[0].bytes && report.worst.bound <= report.error);
    });
}

test('clips and meshes of other people\'s characters, too', { skip: process.env.SINEW_ASSETS ? false : 'SINEW_ASSETS is not set' }, async () => {
    for (const file of ['robotexpressive/RobotExpressive.glb', 'khronos-samples-2017/AnimatedMorphCube.glb', 'raylib/greenman.glb'].slice(0, all ? 3 : 1)) {
        const path = join(process.env.SINEW_ASSETS, file);
        await copyFile(path, inFolder('other.glb'));
        for (const meshes of [false, true]) {
            const expected = byCommand('other.glb', meshes ? ['--meshes'] : []);
            const { bytes, report } = await optimize(read('other.glb'), { name: 'other.glb', meshes });
            assert.deepEqual(report, expected.report, file);
            assert.ok(expected.bytes.equals(bytes), file);
        }
    }
});

test('an optimized file is kept, byte for byte', async () => {
    const first = await optimize(read('some.glb')), again = await optimize(first.bytes);
    assert.match(again.report.kept, /already optimized/);
    assert.deepEqual(again.bytes, first.bytes);
    assert.deepEqual(again.report.tracks, []);
});

test('comparisons equal the command\'s', async () => {
    run('optimize', 'some.glb', '-o', 'small.glb', '--error', '3mm');
    const expected = JSON.parse(run('compare', 'side.gltf', 'small.glb', '--json'));
    const found = await compare(read('side.gltf'), read('small.glb'), { names: ['side.gltf', 'small.glb'], sidecars: [sidecars, {}] });
    assert.deepEqual(found, expected);
    assert.ok(found.worst.millimetres > 1 && found.worst.millimetres <= 3);
    assert.equal((await compare(read('golem.glb'), read('golem.glb'))).worst.millimetres, 0);
});

// ---- Measured by another decoder --------------------------------------------------------------------------------

// The positions of all nodes at 50 times of a clip.
function positionsOf(asset, clip) {
    const mixer = new Mixer(asset), action = mixer.clipAction(clip).play(), found = [];
    for (let i = 0; i < 50; i++) {
        action.time = i / 50 * action.clip.duration;
        mixer.update(0);
        asset.nodes.forEach((_, node) => found.push(...mixer.nodeMatrix(node).subarray(12, 15)));
    }
    return found;
}

test('npm\'s decoder reads the poses, within the error', async () => {
    const sinew = await Sinew.load({ meshopt: MeshoptDecoder }), { bytes, report } = await optimize(read('some.glb'));
    const [before, after] = [read('some.glb'), bytes].map((file) => sinew.loadAsset(file));
    for (const clip of ['Walk', 'Hit']) {
        const [a, b] = [before, after].map((asset) => positionsOf(asset, clip));
        let worst = 0;
        for (let i = 0; i < a.length; i += 3) worst = Math.max(worst, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
        const length = worst / report.size * 1800;
        assert.ok(length > 0.1 && length <= 1, `${clip}: ${length} mm`);
    }
});

// The compressed views of a file: { mode, filter, count, byteStride, coded }
function viewsOf(file) {
    const [tree, bin] = parts(file);
    return tree.bufferViews.map(({ extensions }) => extensions?.EXT_meshopt_compression).filter(Boolean)
        .map(({ byteOffset = 0, byteLength, ...view }) => ({ ...view, coded: Uint8Array.from(bin.subarray(byteOffset, byteOffset + byteLength)) }));
}

test('npm\'s decoder reads the meshes, and its encoder writes the same indices', async () => {
    for (const [name, modes] of [['some.glb', ['ATTRIBUTES', 'TRIANGLES']], ['lines.glb', ['ATTRIBUTES', 'INDICES']]]) {
        const { bytes, report } = await optimize(read(name), { meshes: true }), views = viewsOf(Buffer.from(bytes));
        assert.deepEqual([...new Set(views.map(({ mode }) => mode))].sort(), modes);
        assert.ok(report.meshes.bytes[1] < report.meshes.bytes[0] / 2);
        for (const { mode, filter, count, byteStride, coded } of views) {
            const data = new Uint8Array(count * byteStride);
            MeshoptDecoder.decodeGltfBuffer(data, count, byteStride, coded, mode, filter);
            if (mode === 'ATTRIBUTES') continue; // versions of the library make other choices
            assert.deepEqual(MeshoptEncoder.encodeGltfBuffer(data, count, byteStride, mode, 0), coded, `${name}: ${mode}`);
        }
    }
});

// ---- Options and faults -----------------------------------------------------------------------------------------

test('the progress counts clips, and an error of its function ends the call', async () => {
    const told = [];
    await optimize(read('some.glb'), { onProgress: (progress) => told.push(progress) });
    const of = (stage) => told.filter((one) => one.stage === stage).map(({ done }) => done);
    const steps = of('optimizing');
    assert.deepEqual([steps[0], steps.at(-1)], [0, 4]); // two for each clip, in order
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b));
    assert.deepEqual(of('comparing'), [0, 1, 2]);
    assert.ok(told.every(({ stage, total }) => total === (stage === 'optimizing' ? 4 : 2)));
    const stop = () => { throw new Error('stopped'); };
    await assert.rejects(optimize(read('some.glb'), { onProgress: stop }), { message: 'stopped' });
});

test('wrong options are refused', async () => {
    const file = read('golem.glb');
    for (const error of [0, -1, NaN, 1001, '1mm']) {
        await assert.rejects(optimize(file, { error }), { name: 'RangeError', message: /above 0 and at most 1000 millimetres/ });
    }
    await assert.rejects(optimize(file, { tight: true, error: 1 }), /pass one of them/);
    await assert.rejects(optimize(file, { plain: true, meshes: true }), { name: 'TypeError', message: /meshes needs one: pass one of them/ });
    await assert.rejects(optimize(file, { name: '' }), TypeError);
    await assert.rejects(optimize('golem.glb'), /must be an ArrayBuffer/);
    await assert.rejects(optimize(read('side.gltf'), { name: 'side.gltf' }), /side\.gltf needs 'hero data\.bin': pass its bytes in `sidecars`/);
});

test('what needs a decoder says so', async () => {
    await assert.rejects(optimize(read('old.glb'), { name: 'old.glb' }),
        /^Error: old\.glb: .*pass npm's MeshoptDecoder as `decoder`$/);
    const tree = { asset: { version: '2.0' }, extensionsUsed: ['KHR_draco_mesh_compression'] };
    await assert.rejects(optimize(Buffer.from(JSON.stringify(tree))), /draco3d/);
});

test('damaged files are refused, and later calls work', async () => {
    const file = read('some.glb');
    await assert.rejects(optimize(file.subarray(0, 1000), { name: 'cut.glb' }), /cut\.glb/);
    await assert.rejects(optimize(Buffer.from('not a file')), /character\.glb/);
    await assert.rejects(compare(file, Buffer.from('{}')), /b\.glb/);
    run('bake-asset', 'golem.glb', '-o', 'golem.sinew');
    await assert.rejects(optimize(read('golem.sinew'), { name: 'golem.sinew' }), /golem\.sinew/);
    assert.equal((await optimize(read('golem.glb'), { error: 100 })).report.error, 100);
});

// Runs with instances that only have some bytes of memory left.
async function withMemory(left, use) {
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...given) => {
        const instance = await instantiate(...given), { malloc, free } = instance.exports, kept = malloc(left);
        for (let size = 1 << 30; size >= 16; size /= 2) while (malloc(size) !== 0);
        free(kept);
        return instance;
    };
    try {
        return await use();
    } finally {
        WebAssembly.instantiate = instantiate;
    }
}

test('running out of memory is an error', async () => {
    const file = read('golem.glb'), { bytes } = await optimize(file, { meshes: true });
    let failures = 0;
    for (let left = 1024; ; left = Math.ceil((all ? 1.1 : 1.6) * left), failures++) {
        const made = await withMemory(left, () => optimize(file, { meshes: true })).catch((error) => error);
        if (!(made instanceof Error)) {
            assert.deepEqual(made.bytes, bytes);
            break;
        }
        assert.match(made.message, /out of memory$/);
        assert.ok(left < 1 << 26);
    }
    assert.ok(failures > (all ? 40 : 8), `${failures} failures`);
});

// ---- The examples of the pages ----------------------------------------------------------------------------------

for (const [page, fence] of [['web/package/README.md', '```js optimize'], ['docs/howto/small-files.md', '```js']]) {
    test(`the example of ${page} runs`, async () => {
        const text = readFileSync(modelPath(join('..', page)), 'utf8'), start = text.indexOf(`${fence}\n`) + fence.length + 1;
        const lines = text.slice(start, text.indexOf('```', start));
        assert.match(lines, /from 'sinew-animation\/optimize'/);
        await writeFile(inFolder('example.mjs'), lines.replace("'sinew-animation/optimize'", `'${pathToFileURL(packagePath('optimize.js'))}'`));
        await copyFile(inFolder('some.glb'), inFolder('hero.glb'));
        assert.match(execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' }), /^0\.\d+ /);
        assert.ok(read('hero-small.glb').length < read('hero.glb').length);
    });
}
