// SPDX-License-Identifier: MIT
// WebAssembly modules in a string, so bundlers don't have to copy a file.
import { hasSimd } from './sinew.js';

// Decodes base64, then gzip.
async function decode(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

// Returns the code of a module that needs SIMD. `alternative` is the entry point that also works without.
export function decodeModule(text, alternative) {
    if (hasSimd() && globalThis.DecompressionStream) return decode(text);
    throw new Error(`this browser has no WebAssembly SIMD or no DecompressionStream: import '${alternative}'`
        + ' instead, which has a module without SIMD');
}
