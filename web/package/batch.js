// SPDX-License-Identifier: MIT
// Batches: many characters updated in one call.
import { $address, $batches, $beforeUpdate, $live, $module, $rig, $updated } from './internal.js';
import { toStep } from './module.js';

export class Batch {
    #module;
    #address;

    constructor(mixers) {
        const given = [...mixers];
        if (given.length === 0) throw new RangeError('a batch needs at least one mixer');
        const module = given[0].asset[$module];
        for (const mixer of given) {
            const { asset } = mixer[$live]();
            if (mixer.animator?.[$rig]) throw new TypeError("a batch can't update characters with rigs: update them one by one");
            if (asset[$module] !== module) throw new TypeError("a batch's mixers must be from the same Sinew");
        }
        if (new Set(given).size !== given.length) throw new TypeError('a batch must not have a mixer twice');

        const addresses = new Uint8Array(Uint32Array.from(given, ({ [$address]: address }) => address).buffer);
        const copy = module.copyIn(addresses);
        const address = module.exports.web_batch_create(copy, given.length) >>> 0;
        module.exports.free(copy);
        if (address === 0) throw module.error();
        this.mixers = given;
        this.#module = module;
        this.#address = address;
        for (const mixer of given) mixer[$batches].add(this);
    }

    update(deltaTime) {
        if (this.disposed) throw new Error('this Batch is disposed, by itself or with one of its mixers');
        const step = toStep(deltaTime);
        for (let i = 0; i < this.mixers.length; i++) this.mixers[i][$beforeUpdate](step);
        this.#module.exports.web_batch_update(this.#address, step);
        for (let i = 0; i < this.mixers.length; i++) this.mixers[i][$updated]();
    }

    get disposed() {
        return this.#address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const mixer of this.mixers) mixer[$batches].delete(this);
        this.#module.exports.web_batch_destroy(this.#address);
        this.#address = 0;
    }
}
