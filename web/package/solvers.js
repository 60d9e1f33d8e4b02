// SPDX-License-Identifier: MIT
// Springs, and inverse kinematics for chains and bodies, in a separate WebAssembly module. solvers.d.ts documents
// every name.
import { toAsset } from './asset.js';
import { $module, $rigOf } from './internal.js';
import { Module, checkMaker, readBytes } from './module.js';
import { Rig } from './solver.js';

export { Body, Chain, Effector } from './ik.js';
export { springsOf } from './spring-bones.js';
export { Springs } from './springs.js';

export class Solvers {
    [$module];
    #rigs = new WeakMap(); // by asset

    /** @param {{ wasm?: BufferSource | WebAssembly.Module }} [options] */
    static async load({ wasm } = {}) {
        const code = wasm ?? await readBytes(new URL('./sinew-solvers.wasm', import.meta.url));
        return new this(await Module.instantiate(code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code)));
    }

    constructor(module) {
        checkMaker(module, Module, 'Solvers', 'await Solvers.load()');
        this[$module] = module;
    }

    [$rigOf](asset) {
        if (!this.#rigs.has(toAsset(asset)) || this.#rigs.get(asset).disposed) this.#rigs.set(asset, new Rig(this[$module], asset));
        return this.#rigs.get(asset);
    }
}
