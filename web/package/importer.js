// SPDX-License-Identifier: MIT
// The base class of the entry points whose module has the importer of files.
import { Asset } from './asset.js';
import { Graph } from './graph.js';
import { loadFile } from './load.js';
import { readBytes } from './module.js';
import { markersName, sidecarFiles } from './sidecar.js';
import { BaseSinew } from './sinew.js';

export class ImporterSinew extends BaseSinew {
    static async load({ meshopt = null, draco = null, ...options } = {}) {
        const sinew = await super.load(options);
        await meshopt?.ready;
        return Object.assign(sinew, { _meshopt: meshopt, _draco: await draco });
    }

    constructor(module) {
        super(module);
        if (!module.exports.web_asset_load) {
            throw new Error("wasm is a module without the importer: pass it to the Sinew of 'sinew-animation/core'");
        }
    }

    loadAsset(bytes, files = {}, { markers = null, meshopt = this._meshopt, draco = this._draco } = {}) {
        return new Asset(this._module, loadFile(this._module, bytes, files, markers, { meshopt, draco }));
    }

    // `markers: true` fetches NAME.markers.json, next to NAME.glb.
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
        return new Graph(this._module, source, name);
    }

    async fetchGraph(url) {
        const location = new URL(url, globalThis.location?.href);
        return this.loadGraph(await readBytes(location), { name: location.pathname.split('/').at(-1) });
    }
}
