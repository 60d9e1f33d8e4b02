// SPDX-License-Identifier: MIT
// The entry point of the package, with the WebAssembly module in a string. README.md shows it in use; index.d.ts
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
