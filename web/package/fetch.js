// SPDX-License-Identifier: MIT
// The entry point that fetches the WebAssembly module from a neighboring file, with SIMD or without.
import { ImporterSinew } from './importer.js';
import { $code } from './internal.js';
import { readBytes } from './module.js';
import { hasSimd } from './sinew.js';

export * from './interface.js';

export class Sinew extends ImporterSinew {
    static [$code]() {
        return readBytes(hasSimd()
            ? new URL('./sinew-simd.wasm', import.meta.url)
            : new URL('./sinew-plain.wasm', import.meta.url));
    }
}
