// SPDX-License-Identifier: MIT
// Lints and fixes files with the command's code, in a WebAssembly module that's fetched for the first report.
import { Meshopt } from './sinew/decoders.js';
import { readBytes, toBytes } from './sinew/module.js';

// The module's C library imports stream functions. They return "bad file descriptor": there are no streams.
const BADF = 8;
const WASI = { fd_close: () => BADF, fd_seek: () => BADF, fd_write: () => BADF };

async function instantiate() {
    const code = await readBytes(new URL('./sinew-lint.wasm', import.meta.url));
    const { instance } = await WebAssembly.instantiate(code, { wasi_snapshot_preview1: WASI });
    const { exports } = instance;
    /** @type {() => void} */ (exports._initialize)();
    return { exports, meshopt: new Meshopt({ exports, memory: exports.memory }) };
}

let loaded = null; // a promise; null after a failure, so the next report tries again

function load() {
    loaded ??= instantiate().catch((error) => {
        loaded = null;
        throw error;
    });
    return loaded;
}

// Copies of data in the module's memory, which are freed together.
class Copies {
    constructor(exports) {
        this.exports = exports;
        this.addresses = [];
    }

    // Adds a copy with a 0 at its end, which makes text a C string.
    add(bytes) {
        const address = this.exports.malloc(bytes.length + 1) >>> 0;
        if (address === 0) throw new Error('out of memory');
        this.addresses.push(address);
        const to = new Uint8Array(this.exports.memory.buffer, address, bytes.length + 1);
        to.set(bytes);
        to[bytes.length] = 0;
        return address;
    }

    // Adds a web_file array (web.h): name, data, size.
    addFiles(entries) {
        const words = entries.flatMap(([name, bytes]) =>
            [this.add(new TextEncoder().encode(name)), this.add(bytes), bytes.length]);
        return this.add(new Uint8Array(Uint32Array.from(words).buffer));
    }

    free() {
        for (const address of this.addresses) this.exports.free(address);
    }
}

function textAt(exports, address) {
    const bytes = new Uint8Array(exports.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

// Calls use(exports, report, address, decode) while the linted file and its sidecar files are in the module's memory.
// `address` is the file name's.
async function withLinted(bytes, files, name, decoder, use) {
    const { exports, meshopt } = await load(), copies = new Copies(exports);
    const entries = [[name, bytes], ...Object.entries(files)].map(([key, data]) => [key, toBytes(data, key)]);
    const lint = (decode) => {
        const address = exports.web_lint(copies.addFiles(entries), entries.length, decode) >>> 0;
        if (address === 0) throw new Error('out of memory');
        try {
            const report = JSON.parse(textAt(exports, address));
            if (report.error) throw new Error(report.error);
            return use(exports, report, copies.add(new TextEncoder().encode(name)), decode);
        } finally {
            exports.free(address);
        }
    };
    try {
        return decoder ? meshopt.with(decoder, lint) : lint(0);
    } finally {
        copies.free();
    }
}

/**
 * Lints a .glb or .gltf. Returns `sinew lint --json`'s report, plus each rule's title, why and advice.
 * @param {ArrayBuffer | ArrayBufferView} bytes the file
 * @param {Object<string, ArrayBuffer | ArrayBufferView>} files its sidecar files, by name
 * @param {string} name the file's name. Sidecar files may have it in their names
 * @param {object | null} decoder npm's MeshoptDecoder, for a meshopt-compressed file
 * @throws Error if the file can't be read
 */
export function lintFile(bytes, files = {}, name = 'file', decoder = null) {
    return withLinted(bytes, files, name, decoder, (_, report) => report);
}

/** Fixes a file like `sinew lint --fix`, and returns the .glb. Parameters and errors are lintFile's. */
export function fixFile(bytes, files = {}, name = 'file', decoder = null) {
    return withLinted(bytes, files, name, decoder, (exports, _, address, decode) => {
        const result = exports.web_lint_fix(address, decode) >>> 0;
        try {
            const [glb, size, error] = new Uint32Array(exports.memory.buffer, result, 3);
            if (glb === 0) throw new Error(textAt(exports, error));
            return new Uint8Array(exports.memory.buffer, glb, size).slice();
        } finally {
            exports.web_lint_fix_end();
        }
    });
}
