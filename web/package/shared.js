// SPDX-License-Identifier: MIT
// Base class of masks and blend spaces, which mixers share. A mixer's queue or snapshot may return to one that it
// used before, so a disposed one's memory is freed with the last mixer that has used it. A graph's blend spaces
// belong to its binding: `destroy` is null, and only its animators use them.
import { $addUser, $address, $live, $mixers, $module, $release, $removeUser, $shared, $users } from './internal.js';

export class Shared {
    [$module];
    [$address];
    #destroy;
    [$mixers] = new Set();

    constructor(asset, address, destroy) {
        this.asset = asset;
        this.disposed = false;
        this[$module] = asset[$module];
        this[$address] = address;
        this.#destroy = destroy;
        if (destroy) asset[$users].add(this);
    }

    [$live]() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed`);
        return this;
    }

    [$addUser](mixer) {
        if (mixer.asset !== this.asset) throw new TypeError(`this ${this.constructor.name} is for another asset`);
        if (!this[$live]().#destroy) throw new TypeError(`this ${this.constructor.name} belongs to a graph: its animators play it`);
        this[$mixers].add(mixer);
        mixer[$shared].add(this);
        return this;
    }

    [$removeUser](mixer) {
        this[$mixers].delete(mixer);
        this.#freeIfUnused();
    }

    #freeIfUnused() {
        if (this.disposed && this[$mixers].size === 0) this.#destroy(this[$address]);
    }

    // A subclass's [$release] stops mixers from using it.
    dispose() {
        if (this.disposed) return;
        if (!this.#destroy) throw new Error(`this ${this.constructor.name} belongs to a graph and is freed with it`);
        this[$release]();
        this.disposed = true;
        this.asset[$users].delete(this);
        this.#freeIfUnused();
    }
}
