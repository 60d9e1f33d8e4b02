// SPDX-License-Identifier: MIT
// Base class of the library's entry points. They differ in their module: with or without the file importer, in a
// string or in a file.
import { assemble } from './assemble.js';
import { Asset } from './asset.js';
import { $code, $module } from './internal.js';
import { Module, checkMaker } from './module.js';

// A module with one function, () => i8x16.splat(0). It's only valid in browsers with SIMD.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

export const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

// A subclass's [$code] returns the module's code.
export class BaseSinew {
    [$module];

    /** @param {{ wasm?: BufferSource | WebAssembly.Module }} [options] */
    static async load({ wasm } = {}) {
        const code = wasm ?? await this[$code]();
        const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
        return new this(await Module.instantiate(module));
    }

    constructor(module) {
        checkMaker(module, Module, 'Sinew', 'await Sinew.load()');
        this[$module] = module;
    }

    get simd() {
        return this[$module].string(this[$module].exports.sinew_simd());
    }

    get version() {
        const number = this[$module].exports.sinew_version();
        return [Math.floor(number / 10000), Math.floor(number / 100) % 100, number % 100].join('.');
    }

    makeAsset(file) {
        return new Asset(this[$module], assemble(this[$module], file));
    }
}
