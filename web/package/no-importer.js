// SPDX-License-Identifier: MIT
// The base class of the entry points whose module has no importer. It tells programs that load files what to import.
import { BaseSinew } from './sinew.js';

export class CoreSinew extends BaseSinew {
    loadAsset() {
        throw new Error("'sinew-animation/core' has no importer: import Sinew from 'sinew-animation' to load files, or pass"
            + ' it what another library has parsed, by drive(gltf, sinew) or sinew.makeAsset');
    }

    async fetchAsset() {
        return this.loadAsset();
    }
}
