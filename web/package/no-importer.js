// SPDX-License-Identifier: MIT
// The base class of the entry points whose module has neither importer nor graphs. It tells programs what to import.
import { BaseSinew } from './sinew.js';

export class CoreSinew extends BaseSinew {
    loadAsset() {
        throw new Error("'sinew-animation/core' has no importer: import Sinew from 'sinew-animation' to load files, or pass"
            + ' it what another library has parsed, by drive(gltf, sinew) or sinew.makeAsset');
    }

    async fetchAsset() {
        return this.loadAsset();
    }

    loadGraph() {
        throw new Error("'sinew-animation/core' has no graphs: import Sinew from 'sinew-animation', which drive(gltf, sinew)"
            + ' and sinew.makeAsset also take');
    }

    async fetchGraph() {
        return this.loadGraph();
    }
}
