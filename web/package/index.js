// SPDX-License-Identifier: MIT
// The entry point of the package. README.md shows it in use; index.d.ts documents every name.
import { Asset } from './asset.js';
import { Module, readBytes } from './module.js';
import { extensionsUsed, sidecarFiles } from './sidecar.js';

export { Asset, extensionsUsed, sidecarFiles };
export { LoopOnce, LoopPingPong, LoopRepeat } from './action.js';
export { Batch } from './batch.js';
export { BlendSpace } from './blendspace.js';
export { Mask } from './layer.js';
export { Mixer } from './mixer.js';
export { Scene } from './scene.js';

// A module of one function, () => i8x16.splat(0), which is valid only in browsers with SIMD.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

async function fetchModule() {
    return readBytes(WebAssembly.validate(SIMD_PROBE)
        ? new URL('./sinew-simd.wasm', import.meta.url)
        : new URL('./sinew-plain.wasm', import.meta.url));
}

export class Sinew {
    static async load(options = {}) {
        const code = options.wasm ?? await fetchModule();
        const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
        await options.meshopt?.ready;
        return new Sinew(await Module.instantiate(module), options.meshopt, await options.draco);
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
