// What mixers have in their hands: masks and blend spaces. A mixer may come back to one that it has had, since it keeps
// what it played before, and so do snapshots; what is disposed of is given back with the last mixer that has had it.
export class Held {
    constructor(asset, address, destroy) {
        Object.assign(this, { asset, disposed: false, _module: asset._module, _address: address, _destroy: destroy });
        this._mixers = new Set();
        asset._users.add(this);
    }

    _live() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed of`);
        return this;
    }

    // Taken by a mixer.
    _taken(mixer) {
        if (mixer.asset !== this.asset) throw new TypeError(`this ${this.constructor.name} is for another asset`);
        this._live()._mixers.add(mixer);
        mixer._held.add(this);
        return this;
    }

    _left(mixer) {
        this._mixers.delete(mixer);
        this._giveBack();
    }

    _giveBack() {
        if (this.disposed && this._mixers.size === 0) this._destroy(this._address);
    }

    dispose() {
        if (this.disposed) return;
        this._drop();
        this.disposed = true;
        this.asset._users.delete(this);
        this._giveBack();
    }
}
