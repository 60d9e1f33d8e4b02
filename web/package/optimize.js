// SPDX-License-Identifier: MIT
// Makes animations smaller, within an error bound. Runs the code of `sinew optimize` and `sinew compare` in a
// separate WebAssembly module. optimize.d.ts documents every name.
import { Draco, Meshopt } from './decoders.js';
import { Module, addFunction, readBytes, toBytes } from './module.js';
import { extensionsUsed, sidecarFiles } from './sidecar.js';

// The module's C library imports stream functions. They return "bad file descriptor": there are no streams.
const BADF = 8;
const IMPORTS = { wasi_snapshot_preview1: { fd_close: () => BADF, fd_seek: () => BADF, fd_write: () => BADF } };

const DEFAULT_ERROR = 1, TIGHT_ERROR = 0.15, MAX_ERROR = 1000; // millimetres
const STAGES = ['optimizing', 'comparing']; // by web_optimize_host of web.h

const encode = (text) => new TextEncoder().encode(`${text}\0`);
const stemOf = (name) => name.replace(/\.[^./]*$/, '');

// ---- The module -------------------------------------------------------------------------------------------------

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null; // null after a failure, so the next call tries again

function compile() {
    compiled ??= readBytes(new URL('./sinew-optimize.wasm', import.meta.url)).then(WebAssembly.compile).catch((error) => {
        compiled = null;
        throw error;
    });
    return compiled;
}

// Instantiates the module for one call. All of its memory is freed afterwards, so a large file leaves nothing behind.
async function instantiate(wasm) {
    const code = wasm ?? await compile();
    return Module.instantiate(code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code), IMPORTS);
}

// Copies a file and its sidecar files, which are in its folder. Returns the address of a web_file array (web.h).
function copyFiles(module, { bytes, name, sidecars }) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const files = [[name, bytes], ...Object.entries(sidecars).map(([uri, data]) => [`${folder}${uri}`, toBytes(data, uri)])];
    const words = files.flatMap(([path, data]) => [module.copyIn(encode(path)), module.copyIn(data), data.length]);
    return { address: module.copyIn(toBytes(Uint32Array.from(words))), count: files.length };
}

// Adds the progress function to the table. Returns its index, or 0 without one.
function addProgress(module, onProgress) {
    if (!onProgress) return 0;
    return addFunction(module.exports, 3, (stage, done, total) => {
        onProgress({ stage: STAGES[stage], done, total });
        return 0;
    });
}

// Calls use(host) with the address of a web_optimize_host.
/** @param {any} module @param {import('./optimize.js').CommonOptions} options @param {(host: number) => any} use */
function withHost(module, { decoder, draco, onProgress }, use) {
    const progress = addProgress(module, onProgress);
    const withMeshopt = (take) => (decoder ? new Meshopt(module).with(decoder, take) : take(0));
    const withDraco = (take) => (draco ? new Draco(module).with(draco, take) : take(0));
    return withMeshopt((decode) => withDraco((decodeMesh) => (
        use(module.copyIn(toBytes(Uint32Array.of(decode, decodeMesh, progress)))))));
}

// Checks the address that a call returned. 0 means that it failed.
function check(module, address) {
    if (address >>> 0 === 0) throw module.error();
    return address >>> 0;
}

// ---- Options ----------------------------------------------------------------------------------------------------

// Sidecar files must include all of the file's buffers: the module can't load others.
/** @param {import('./optimize.js').Bytes} bytes @param {{ name?: string, sidecars?: Record<string, import('./optimize.js').Bytes> }} options @param {string} fallback */
function toFile(bytes, { name, sidecars = {} }, fallback) {
    const data = toBytes(bytes, 'a file'), path = name ?? fallback;
    if (typeof path !== 'string' || path === '' || path.includes('\0')) throw new TypeError("name must be the file's name");
    const absent = sidecarFiles(data).find((file) => file.kind === 'buffer' && !(file.name in sidecars));
    if (absent) throw new Error(`${path} needs '${absent.name}': pass its bytes in \`sidecars\``);
    return { bytes: data, name: path, sidecars };
}

/** @param {import('./optimize.js').OptimizeOptions} options */
function toMillimetres({ error, tight = false }) {
    if (tight && error !== undefined) throw new TypeError(`tight means an error of ${TIGHT_ERROR}: pass one of them`);
    const length = error ?? (tight ? TIGHT_ERROR : DEFAULT_ERROR);
    if (typeof length === 'number' && length > 0 && length <= MAX_ERROR) return length;
    throw new RangeError(`error must be above 0 and at most ${MAX_ERROR} millimetres, not ${String(length)}`);
}

// Throws if meshes need Draco and it's missing: they'd be empty and wouldn't be measured.
/** @param {import('./optimize.js').CommonOptions} options @param {{ name: string, bytes: Uint8Array }[]} files */
async function awaitDecoders({ decoder, draco }, files) {
    const compressed = files.find(({ bytes }) => extensionsUsed(bytes).includes('KHR_draco_mesh_compression'));
    if (compressed && !draco) {
        throw new Error(`${compressed.name}: its meshes are compressed by Draco: pass what draco3d's createDecoderModule() returns as \`draco\``);
    }
    await decoder?.ready;
    return { decoder, draco: await draco };
}

// An optimize_extension of tools/optimize.
function extensionOf({ khr = false, plain = false, meshes = false }) {
    if (plain && meshes) throw new TypeError('plain uses no extension, but meshes needs one: pass one of them');
    if (khr && plain) throw new TypeError('plain uses no extension, but khr selects one: pass one of them');
    return plain ? 2 : Number(khr);
}

// ---- Calls ------------------------------------------------------------------------------------------------------

/** @param {import('./optimize.js').Bytes} bytes @param {import('./optimize.js').OptimizeOptions} [options] */
export async function optimize(bytes, options = {}) {
    const file = toFile(bytes, options, 'character.glb'), error = toMillimetres(options), extension = extensionOf(options);
    const decoders = await awaitDecoders(options, [file]), module = await instantiate(options.wasm);
    const { address, count } = copyFiles(module, file), output = module.copyIn(encode(`${stemOf(file.name)}-small.glb`));
    return withHost(module, { ...options, ...decoders }, (host) => {
        const meshes = Number(Boolean(options.meshes));
        const result = check(module, module.exports.web_optimize(address, count, output, error, extension, meshes, host));
        const [glb, size, report] = new Uint32Array(module.memory.buffer, result, 3); // web_optimized
        return { bytes: new Uint8Array(module.memory.buffer, glb, size).slice(), report: JSON.parse(module.string(report)) };
    });
}

/** @param {import('./optimize.js').Bytes} a @param {import('./optimize.js').Bytes} b @param {import('./optimize.js').CompareOptions} [options] */
export async function compare(a, b, options = {}) {
    const { names = ['a.glb', 'b.glb'], sidecars = [{}, {}] } = options;
    const files = [a, b].map((bytes, i) => toFile(bytes, { name: names[i], sidecars: sidecars[i] }, 'file.glb'));
    const decoders = await awaitDecoders(options, files), module = await instantiate(options.wasm);
    const copies = files.map((file) => copyFiles(module, file));
    const addresses = module.copyIn(toBytes(Uint32Array.from(copies, ({ address }) => address)));
    const counts = module.copyIn(toBytes(Uint32Array.from(copies, ({ count }) => count)));
    return withHost(module, { ...options, ...decoders }, (host) => (
        JSON.parse(module.string(check(module, module.exports.web_compare(addresses, counts, host))))));
}
