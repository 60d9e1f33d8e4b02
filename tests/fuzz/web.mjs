// SPDX-License-Identifier: MIT
// Loads and plays damaged files in the WebAssembly modules, for MINUTES:
// node tests/fuzz/web.mjs PACKAGE MINUTES SEED FILE_OR_FOLDER...
// A file may be refused with a message, or load and play. A trap or any other exception is a fault. To repeat a
// fault, pass the printed seed and only that file: the first case is the one that failed.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, minutes, seed, ...paths] = process.argv.slice(2);
const { Batch, Mixer, Sinew } = await import(pathToFileURL(resolve(folder, 'index.js')));
const LARGEST = 4 << 20; // bytes of a file: larger ones are slow and find nothing else

// xorshift32.
let state = Number(seed) || 1;
function below(count) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
}

async function listFiles(path) {
    if ((await stat(path)).isFile()) return [path];
    const names = (await readdir(path, { recursive: true })).filter((name) => /\.(glb|gltf)$/.test(name));
    return names.sort().map((name) => join(path, name));
}

// ---- Damage -----------------------------------------------------------------------------------------------------

const isGlb = (bytes) => bytes.length > 20 && bytes.readUInt32LE(0) === 0x46546c67;
const headOf = (bytes) => (isGlb(bytes) ? Math.min(20 + bytes.readUInt32LE(12), bytes.length) : bytes.length);

function flip(bytes, from, to) {
    for (let flips = 1 + below(4); flips > 0; flips--) bytes[from + below(to - from)] ^= 1 << below(8);
    return bytes;
}

const NUMBERS = ['0', '-1', '1', '255', '65536', '2147483647', '2147483648', '4294967295', '1e30', '-1e-30', '0.5',
    '""', 'null', '[]', '{}'];

// Another number, or none, for one of the JSON's.
function exchangeNumber(bytes) {
    const end = headOf(bytes), start = isGlb(bytes) ? 20 : 0;
    const text = bytes.toString('latin1', start, end);
    const numbers = [...text.matchAll(/-?\d+(\.\d+)?(e[-+]?\d+)?/gi)];
    if (numbers.length === 0) return flip(bytes, 0, bytes.length);
    const { index, 0: old } = numbers[below(numbers.length)];
    const changed = text.slice(0, index) + NUMBERS[below(NUMBERS.length)] + text.slice(index + old.length);
    const json = Buffer.from(changed, 'latin1');
    if (!isGlb(bytes)) return json;
    const padded = Buffer.concat([json, Buffer.alloc(-json.length & 3, 0x20)]);
    const made = Buffer.concat([bytes.subarray(0, 20), padded, bytes.subarray(end)]);
    made.writeUInt32LE(made.length, 8);
    made.writeUInt32LE(padded.length, 12);
    return made;
}

// Copies a part of the file over another.
function copyWithin(bytes) {
    const length = 1 + below(Math.min(bytes.length, 256));
    const from = below(bytes.length - length + 1), to = below(bytes.length - length + 1);
    return bytes.copyWithin(to, from, from + length);
}

const DAMAGE = [
    (bytes) => bytes.subarray(0, below(bytes.length)),
    (bytes) => flip(bytes, 0, headOf(bytes)),
    (bytes) => flip(bytes, 0, bytes.length),
    exchangeNumber,
    exchangeNumber,
    copyWithin,
];

// ---- Use --------------------------------------------------------------------------------------------------------

function play(asset) {
    const mixers = [new Mixer(asset), new Mixer(asset)];
    const batch = new Batch(mixers);
    for (const [i, clip] of asset.clips.slice(0, 4).entries()) {
        for (const mixer of mixers) mixer.transitionTo(mixer.clipAction(clip), { duration: 0.2 * i });
        batch.update(0.05);
    }
    mixers[0].bounds();
    if (asset.nodes.length > 0) mixers[0].nodeTransform(asset.nodes.length - 1);
    asset.skins.forEach((_, skin) => mixers[0].palette(skin));
}

// The unexpected error, or null. Refusing a file isn't an error, nor is a file that's too large to play.
function fault(sinew, bytes) {
    let asset = null;
    try {
        asset = sinew.loadAsset(bytes);
        play(asset);
    } catch (error) {
        const isRefused = error.constructor === Error && (asset === null || error.message === 'out of memory');
        if (!isRefused) return error;
    }
    asset?.dispose();
    return null;
}

const files = [];
for (const path of paths) {
    for (const name of await listFiles(path)) {
        const bytes = await readFile(name);
        if (bytes.length > 0 && bytes.length <= LARGEST) files.push({ name, bytes });
    }
}
if (files.length === 0) throw new Error('no .glb or .gltf files in the given paths');

const load = async (kind) => Sinew.load({ wasm: await readFile(join(folder, `sinew-${kind}.wasm`)) });
const modules = [await load('simd'), await load('plain')];
const end = Date.now() + 60000 * Number(minutes);
let cases = 0, said = Date.now();
while (Date.now() < end) {
    const before = state;
    const { name, bytes } = files[below(files.length)];
    const damaged = DAMAGE[below(DAMAGE.length)](Buffer.from(bytes));
    for (const sinew of modules) {
        const error = fault(sinew, damaged);
        if (!error) continue;
        console.error(`${name}, damaged with seed ${before}: ${error.stack}`);
        process.exit(1);
    }
    cases++;
    if (Date.now() - said < 1000) continue;
    said = Date.now();
    process.stderr.write(`\r${cases} cases`);
}
console.log(`\r${cases} cases of ${files.length} files, by both modules: no fault`);
