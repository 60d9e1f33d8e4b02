// SPDX-License-Identifier: MIT
// The entry point without the file importer, for pages whose renderer parses files. The WebAssembly module is in a
// string.
import code from './core-simd.js';
import { decodeModule } from './inline.js';
import { $code } from './internal.js';
import { CoreSinew } from './no-importer.js';

export * from './interface.js';

export class Sinew extends CoreSinew {
    static [$code]() {
        return decodeModule(code, 'sinew-animation/core/fetch');
    }
}
