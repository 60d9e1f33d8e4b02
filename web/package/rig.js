// SPDX-License-Identifier: MIT
// Rigs: a graph's steps, bound to an asset. Only the character module has them.
import { Binding, bindError } from './binding.js';
import { $address, $binding, $checkDisposable, $freeIfUnused, $module, $users } from './internal.js';

// Makes the module's error. Errors about a step have its line in the graph's text.
function toError(module) {
    const error = bindError(module), found = /^line (\d+): /.exec(error.message);
    return found ? Object.assign(error, { line: Number(found[1]) }) : error;
}

function create(binding) {
    const { asset: { [$module]: module } } = binding;
    if (!module.exports.web_character_rig_create) throw new Error("this Sinew can't run rigs: use the Sinew of 'sinew-animation/character'");
    const address = module.exports.web_character_rig_create(binding[$address]) >>> 0;
    if (address === 0) throw toError(module);
    return address;
}

// Characters share a rig. A disposed rig's memory is freed with the last of them.
export class Rig {
    [$address];
    [$binding];
    [$users] = new Set(); // the characters' mixers

    constructor(asset, graph) {
        const binding = Binding.of(asset, graph);
        try {
            this[$address] = create(binding);
        } catch (error) {
            binding[$freeIfUnused]();
            throw error;
        }
        this.asset = asset;
        this.graph = graph;
        this.disposed = false;
        this[$binding] = binding;
        binding[$users].add(this);
        asset[$users].add(this);
    }

    dispose() {
        for (const { animator } of this[$users]) animator[$checkDisposable]();
        this.disposed = true;
        this.asset[$users].delete(this);
        this[$freeIfUnused]();
    }

    [$freeIfUnused]() {
        if (!this.disposed || this[$users].size > 0 || this[$address] === 0) return;
        this.asset[$module].exports.sinew_rig_destroy(this[$address]);
        this[$address] = 0;
        this[$binding].release(this);
    }
}
