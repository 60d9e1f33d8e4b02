// SPDX-License-Identifier: MIT
// Batches: many characters updated in one call.
import { toStep } from './module.js';

export class Batch {
    constructor(mixers) {
        const given = [...mixers];
        if (given.length === 0) throw new RangeError('a batch needs at least one mixer');
        const module = given[0].asset._module;
        for (const mixer of given) {
            const { asset } = mixer._live();
            if (asset._module !== module) throw new TypeError('the mixers of a batch must be of one Sinew');
        }
        if (new Set(given).size !== given.length) throw new TypeError('a batch takes each mixer only once');

        const addresses = new Uint8Array(Uint32Array.from(given, ({ _address }) => _address).buffer);
        const copy = module.copyIn(addresses);
        const address = module.exports.web_batch_create(copy, given.length) >>> 0;
        module.exports.free(copy);
        if (address === 0) throw module.error();
        Object.assign(this, { mixers: given, _module: module, _address: address });
        for (const mixer of given) mixer._batches.add(this);
    }

    update(deltaTime) {
        if (this.disposed) throw new Error('this Batch is disposed, by itself or with one of its mixers');
        const step = toStep(deltaTime);
        for (let i = 0; i < this.mixers.length; i++) this.mixers[i]._beforeUpdate(step);
        this._module.exports.web_batch_update(this._address, step);
        for (let i = 0; i < this.mixers.length; i++) this.mixers[i]._updated();
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const mixer of this.mixers) mixer._batches.delete(this);
        this._module.exports.web_batch_destroy(this._address);
        this._address = 0;
    }
}
