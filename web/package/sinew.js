// SPDX-License-Identifier: MIT
// The base class of the library, for the entry points: index.js and fetch.js differ in where the module comes from.
import { Asset } from './asset.js';
import { Module, readBytes } from './module.js';
import { sidecarFiles } from './sidecar.js';

// A module of one function, () => i8x16.splat(0), which is valid only in browsers with SIMD.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

export const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

// `_code` of a subclass returns the module's code.
export class BaseSinew {
    static async load(options = {}) {
        const code = options.wasm ?? await this._code();
        const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
        await options.meshopt?.ready;
        return new this(await Module.instantiate(module), options.meshopt, await options.draco);
    }

    constructor(module, meshopt = null, draco = null) {
        Object.assign(this, { _module: module, _meshopt: meshopt, _draco: draco });
    }

    get simd() {
        return this._module.string(this._module.exports.sinew_simd());
    }

    get version() {
        const number = this._module.exports.sinew_version();
        return [Math.floor(number / 10000), Math.floor(number / 100) % 100, number % 100].join('.');
    }

    loadAsset(bytes, files = {}, { meshopt = this._meshopt, draco = this._draco } = {}) {
        return new Asset(this._module, bytes, files, { meshopt, draco });
    }

    async fetchAsset(url, { images = false, ...options } = {}) {
        const base = new URL(url, globalThis.location?.href);
        const bytes = await readBytes(base);
        const files = {};
        for (const { name, uri, kind } of sidecarFiles(bytes)) {
            if (images || kind === 'buffer') files[name] = await readBytes(new URL(uri, base));
        }
        await options.meshopt?.ready;
        if (options.draco) options.draco = await options.draco;
        return this.loadAsset(bytes, files, options);
    }
}
