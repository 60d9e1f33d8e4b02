// SPDX-License-Identifier: MIT
// Graphs bound to assets.
import { toAsset } from './asset.js';
import { BlendSpace } from './blendspace.js';
import { Graph } from './graph.js';
import {
    $address, $binding, $bindings, $clipNamed, $clips, $freeIfUnused, $live, $madeClips, $module, $owner, $users,
} from './internal.js';
import { toBytes } from './module.js';

// Makes the module's error. Only the character module finds roles, and says why it found none.
export function bindError(module) {
    const error = module.error(), advice = /set `humanoid` in the definition$/, { web_roles_refusal: refusal } = module.exports;
    if (!advice.test(error.message)) return error;
    return new Error(error.message.replace(advice, refusal ? module.string(refusal()) : "use the Sinew of 'sinew-animation/character'"));
}

function bind(asset, graph) {
    const { [$module]: module } = asset;
    const bound = asset[$madeClips]();
    const copy = module.copyIn(toBytes(Uint32Array.from(bound, ({ [$address]: address }) => address)));
    try {
        const address = module.exports.web_graph_bind(graph[$address], asset[$address], copy, bound.length) >>> 0;
        if (address === 0) throw bindError(module);
        return address;
    } finally {
        module.exports.free(copy);
    }
}

// A graph bound to an asset's clips. Its animators share it. It's freed with the last of them. It owns the graph's
// blend spaces, its layers' masks, and the differences that additive layers play.
export class Binding {
    #exports;
    [$address];
    [$users] = new Set();
    [$clips] = new Map(); // differences, by address

    static of(asset, graph) {
        if (!(graph instanceof Graph)) throw new TypeError("graph must be a Graph: call the Sinew's loadGraph or fetchGraph");
        if (toAsset(asset)[$module] !== graph[$live]()[$module]) throw new TypeError('the graph and the asset must be from the same Sinew');
        for (const binding of graph[$bindings]) if (binding.asset === asset) return binding;
        return new Binding(asset, graph);
    }

    constructor(asset, graph) {
        this.asset = asset;
        this.graph = graph;
        this.#exports = asset[$module].exports;
        this[$address] = bind(asset, graph);
        this.sources = graph.states.map((state) => this.#sourceOf(state)); // clips and blend spaces; null for none
        this.masks = graph.layers.map((_, i) => this.#exports.web_binding_mask(this[$address], i) >>> 0);
        graph[$bindings].add(this);
    }

    #sourceOf({ index, kind, clip, blend }) {
        const { [$address]: binding, asset } = this;
        if (kind === 'clip') return this.#clipAt(this.#exports.web_binding_clip(binding, index) >>> 0, clip);
        if (kind !== 'blend') return null;
        const address = this.#exports.web_binding_space(binding, index) >>> 0;
        const samples = blend.samples.map(({ clip: name, x, y, speed }, i) => (
            { clip: this.#clipAt(this.#exports.web_binding_sample_clip(binding, index, i) >>> 0, name), x, y, speed }));
        const { kind: spaceKind, damping, matchSpeed } = blend;
        return new BlendSpace(asset, { kind: spaceKind, samples, damping, matchSpeed, address }, this);
    }

    // The clip at an address: the asset's, or one of its differences.
    #clipAt(address, name) {
        const { asset, [$clips]: clips } = this;
        if (asset[$clips].has(address)) return asset[$clips].get(address);
        if (!clips.has(address)) {
            const { duration, markers, channels } = asset[$clipNamed](name);
            const clip = { index: -1, additive: true, name, duration, markers, channels };
            clips.set(address, Object.defineProperties(clip, { [$address]: { value: address }, [$owner]: { value: asset } }));
        }
        return clips.get(address);
    }

    owns(source) {
        return source[$binding] === this || this[$clips].has(source[$address]);
    }

    release(animator) {
        this[$users].delete(animator);
        this[$freeIfUnused]();
    }

    [$freeIfUnused]() {
        if (this[$users].size > 0) return;
        for (const source of this.sources) if (source instanceof BlendSpace) source.disposed = true;
        this.#exports.sinew_graph_binding_destroy(this[$address]);
        this[$address] = 0;
        this.graph[$bindings].delete(this);
        this.graph[$freeIfUnused]();
    }
}
