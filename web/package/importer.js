// SPDX-License-Identifier: MIT
// Base class of entry points whose module can import files.
import { Asset } from './asset.js';
import { Graph } from './graph.js';
import { $module } from './internal.js';
import { loadFile } from './load.js';
import { readBytes } from './module.js';
import { markersName, sidecarFiles } from './sidecar.js';
import { BaseSinew } from './sinew.js';

export class ImporterSinew extends BaseSinew {
    /** @type {import('./index.js').Meshopt | undefined} */
    #meshopt;
    /** @type {import('./index.js').Draco | undefined} */
    #draco;

    /** @param {NonNullable<Parameters<typeof import('./index.js').Sinew.load>[0]>} [options] */
    static async load({ meshopt, draco, ...options } = {}) {
        const sinew = /** @type {ImporterSinew} */ (await super.load(options));
        await meshopt?.ready;
        sinew.#meshopt = meshopt;
        sinew.#draco = await draco;
        return sinew;
    }

    constructor(module) {
        super(module);
        if (!module.exports.web_asset_load) {
            throw new Error("wasm is a module without the importer: pass it to the Sinew of 'sinew-animation/core'");
        }
    }

    loadAsset(bytes, files = {}, { markers = null, meshopt = this.#meshopt, draco = this.#draco } = {}) {
        return new Asset(this[$module], loadFile(this[$module], bytes, files, markers, { meshopt, draco }));
    }

    /**
     * `markers: true` fetches NAME.markers.json, next to NAME.glb.
     * @param {string | URL} url
     * @param {any} [options]
     */
    async fetchAsset(url, { images = false, ...options } = {}) {
        const base = new URL(url, globalThis.location?.href);
        const bytes = await readBytes(base);
        const files = {};
        for (const { name, uri, kind } of sidecarFiles(bytes)) {
            if (images || kind === 'buffer') files[name] = await readBytes(new URL(uri, base));
        }
        if (options.markers === true) options.markers = await readBytes(new URL(markersName(base.pathname), base));
        await options.meshopt?.ready;
        if (options.draco) options.draco = await options.draco;
        return this.loadAsset(bytes, files, options);
    }

    loadGraph(source, { name = 'graph' } = {}) {
        return new Graph(this[$module], source, name);
    }

    async fetchGraph(url) {
        const location = new URL(url, globalThis.location?.href);
        return this.loadGraph(await readBytes(location), { name: location.pathname.split('/').at(-1) });
    }
}
