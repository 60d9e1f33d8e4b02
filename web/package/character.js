// SPDX-License-Identifier: MIT
// The main entry point with characters. Its module also has rigs. It fetches the module from a neighboring file, with
// SIMD or without.
import { ImporterSinew } from './importer.js';
import { $code } from './internal.js';
import { readBytes } from './module.js';
import { hasSimd } from './sinew.js';

export * from './interface.js';
export { Character } from './characters.js';
export { Rig } from './rig.js';

export class Sinew extends ImporterSinew {
    constructor(module) {
        super(module);
        if (module.exports.web_character_rig_create) return;
        throw new Error('wasm is a module without characters: pass sinew-character-simd.wasm');
    }

    static [$code]() {
        return readBytes(hasSimd()
            ? new URL('./sinew-character-simd.wasm', import.meta.url)
            : new URL('./sinew-character-plain.wasm', import.meta.url));
    }
}
