// SPDX-License-Identifier: MIT
// WebAssembly modules in a string: no bundler has to copy a file.
import { hasSimd } from './sinew.js';

// Decodes base64 of gzip.
async function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

// The code of a module with SIMD. `alternative` is the entry point that also has one without.
export function decodeModule(text, alternative) {
    if (hasSimd() && globalThis.DecompressionStream) return decode(text);
    throw new Error(`this browser has no WebAssembly SIMD or no DecompressionStream: import '${alternative}'`
        + ' instead, which has a module without SIMD');
}
