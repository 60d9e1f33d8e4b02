// SPDX-License-Identifier: MIT
// The entry point without the file importer. It fetches the WebAssembly module from a neighboring file, with SIMD or
// without.
import { $code } from './internal.js';
import { readBytes } from './module.js';
import { CoreSinew } from './no-importer.js';
import { hasSimd } from './sinew.js';

export * from './interface.js';

export class Sinew extends CoreSinew {
    static [$code]() {
        return readBytes(hasSimd()
            ? new URL('./sinew-core-simd.wasm', import.meta.url)
            : new URL('./sinew-core-plain.wasm', import.meta.url));
    }
}
