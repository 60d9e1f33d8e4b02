// SPDX-License-Identifier: MIT
// Springs, and inverse kinematics of chains and bodies, in a WebAssembly module of their own. solvers.d.ts documents every
// name.
import { Asset } from './asset.js';
import { Module, readBytes } from './module.js';
import { Rig } from './solver.js';

export { Body, Chain, Effector } from './ik.js';
export { springsOf } from './spring-bones.js';
export { Springs } from './springs.js';

export class Solvers {
    static async load({ wasm } = {}) {
        const code = wasm ?? await readBytes(new URL('./sinew-solvers.wasm', import.meta.url));
        return new this(await Module.instantiate(code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code)));
    }

    constructor(module) {
        this._module = module;
        this._rigs = new WeakMap(); // by asset
    }

    _rigOf(asset) {
        if (!(asset instanceof Asset)) throw new TypeError('an Asset is needed');
        if (!this._rigs.has(asset) || this._rigs.get(asset).disposed) this._rigs.set(asset, new Rig(this._module, asset));
        return this._rigs.get(asset);
    }
}
