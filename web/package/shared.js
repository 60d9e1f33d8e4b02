// SPDX-License-Identifier: MIT
// The base class of masks and blend spaces, which mixers share. A queue or a snapshot of a mixer may return to one
// that the mixer used before. So the memory of a disposed one is freed with the last mixer that has used it. The binding
// of a graph owns its blend spaces: `destroy` is null, and only its own animators use them.
export class Shared {
    constructor(asset, address, destroy) {
        Object.assign(this, { asset, disposed: false, _module: asset._module, _address: address, _destroy: destroy });
        this._mixers = new Set();
        if (destroy) asset._users.add(this);
    }

    _live() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed`);
        return this;
    }

    _addUser(mixer) {
        if (mixer.asset !== this.asset) throw new TypeError(`this ${this.constructor.name} is for another asset`);
        if (!this._live()._destroy) throw new TypeError(`this ${this.constructor.name} belongs to a graph: its animators play it`);
        this._mixers.add(mixer);
        mixer._shared.add(this);
        return this;
    }

    _removeUser(mixer) {
        this._mixers.delete(mixer);
        this._freeIfUnused();
    }

    _freeIfUnused() {
        if (this.disposed && this._mixers.size === 0) this._destroy(this._address);
    }

    // `_release` of a subclass stops the mixers from using it.
    dispose() {
        if (this.disposed) return;
        if (!this._destroy) throw new Error(`this ${this.constructor.name} belongs to a graph and is freed with it`);
        this._release();
        this.disposed = true;
        this.asset._users.delete(this);
        this._freeIfUnused();
    }
}
