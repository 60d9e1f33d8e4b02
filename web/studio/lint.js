// What is wrong or wasteful in a file: the command's lint in a module of its own, fetched when it is first asked for.
import { Meshopt } from './sinew/meshopt.js';
import { readBytes, toBytes } from './sinew/module.js';

// The C library's streams of a module that has none: "bad file descriptor".
const BADF = 8;
const WASI = { fd_close: () => BADF, fd_seek: () => BADF, fd_write: () => BADF };

async function instantiate() {
    const code = await readBytes(new URL('./sinew-lint.wasm', import.meta.url));
    const { instance } = await WebAssembly.instantiate(code, { wasi_snapshot_preview1: WASI });
    const { exports } = instance;
    exports._initialize();
    return { exports, meshopt: new Meshopt({ exports, memory: exports.memory }) };
}

let loaded = null; // once, and again where that failed

function load() {
    loaded ??= instantiate().catch((error) => {
        loaded = null;
        throw error;
    });
    return loaded;
}

// Copies into the module's memory, all of which are given back together.
class Copies {
    constructor(exports) {
        this.exports = exports;
        this.addresses = [];
    }

    // With a 0 behind it, so that text is a string.
    add(bytes) {
        const address = this.exports.malloc(bytes.length + 1) >>> 0;
        if (address === 0) throw new Error('out of memory');
        this.addresses.push(address);
        const to = new Uint8Array(this.exports.memory.buffer, address, bytes.length + 1);
        to.set(bytes);
        to[bytes.length] = 0;
        return address;
    }

    // As web_file of web.h: name, data, size.
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

/**
 * The report of a .glb or .gltf, as `sinew lint --json` has it, with each rule's title, why and advice.
 * @param {ArrayBuffer | ArrayBufferView} bytes the file
 * @param {Object<string, ArrayBuffer | ArrayBufferView>} files what stands beside it, by name
 * @param {string} name the file's own name, by which what stands beside it may be called
 * @param {object | null} decoder npm's MeshoptDecoder, for a file that meshopt compressed
 * @throws Error where the file cannot be looked into at all
 */
export async function lintFile(bytes, files = {}, name = 'file', decoder = null) {
    const { exports, meshopt } = await load(), copies = new Copies(exports);
    const entries = [[name, bytes], ...Object.entries(files)].map(([key, data]) => [key, toBytes(data, key)]);
    let address = 0;
    try {
        const lint = (decode) => exports.web_lint(copies.addFiles(entries), entries.length, decode) >>> 0;
        address = decoder ? meshopt.with(decoder, lint) : lint(0);
        if (address === 0) throw new Error('out of memory');
        const report = JSON.parse(textAt(exports, address));
        if (report.error) throw new Error(report.error);
        return report;
    } finally {
        exports.free(address);
        copies.free();
    }
}
