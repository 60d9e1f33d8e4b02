// SPDX-License-Identifier: MIT
// The package's entry point. The WebAssembly module is in a string. README.md shows how to use it; index.d.ts
// documents every name.
import { ImporterSinew } from './importer.js';
import { decodeModule } from './inline.js';
import { $code } from './internal.js';
import code from './simd.js';

export * from './interface.js';

export class Sinew extends ImporterSinew {
    static [$code]() {
        return decodeModule(code, 'sinew-animation/fetch');
    }
}
