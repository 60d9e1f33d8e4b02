// SPDX-License-Identifier: MIT
// Base class of entry points whose module has neither an importer nor graphs. Its errors say what to import instead.
import { BaseSinew } from './sinew.js';

export class CoreSinew extends BaseSinew {
    loadAsset() {
        throw new Error("'sinew-animation/core' has no importer: import Sinew from 'sinew-animation' to load files, or pass"
            + ' a file that another library has parsed to drive(gltf, sinew) or sinew.makeAsset');
    }

    async fetchAsset() {
        return this.loadAsset();
    }

    loadGraph() {
        throw new Error("'sinew-animation/core' has no graphs: import Sinew from 'sinew-animation'. Its instances"
            + ' also work with drive(gltf, sinew) and sinew.makeAsset');
    }

    async fetchGraph() {
        return this.loadGraph();
    }
}
