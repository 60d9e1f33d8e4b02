// SPDX-License-Identifier: MIT
// The entry point of the package, with the WebAssembly module in a string: no bundler has to copy a file. README.md
// shows it in use; index.d.ts documents every name.
import { BaseSinew, hasSimd } from './sinew.js';
import code from './simd.js';

export * from './interface.js';

// Decodes base64 of gzip.
async function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

export class Sinew extends BaseSinew {
    static _code() {
        if (hasSimd() && globalThis.DecompressionStream) return decode(code);
        throw new Error("this browser has no WebAssembly SIMD or no DecompressionStream: import 'sinew-animation/fetch'"
            + ' instead, which has a module without SIMD');
    }
}
