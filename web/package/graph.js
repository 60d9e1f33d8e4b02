// SPDX-License-Identifier: MIT
// Graphs: the states, transitions and parameters of an animation graph, and their bindings to assets.
import {
    $address, $binding, $bindings, $clipNamed, $clips, $freeIfUnused, $layers, $live, $madeClips, $module, $owner,
    $parameters, $states, $tags, $users,
} from './internal.js';
import { BlendSpace } from './blendspace.js';
import { toBytes } from './module.js';

// ---- Text -------------------------------------------------------------------------------------------------------

// The bytes of a graph's file, given as text, bytes or the object that JSON.parse returns.
function toText(source) {
    if (typeof source === 'string') return new TextEncoder().encode(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return toBytes(source);
    if (typeof source !== 'object' || source === null) throw new TypeError('a graph must be text, bytes or an object');
    return new TextEncoder().encode(JSON.stringify(source, null, 2));
}

// The column in UTF-16 units, as editors count, of one in bytes.
function toColumn(bytes, line, column) {
    let start = 0;
    for (let i = 1; i < line; i++) start = bytes.indexOf(10, start) + 1;
    return new TextDecoder().decode(bytes.subarray(start, start + column - 1)).length + 1;
}

// The module's error, with the name of the file and the location in it.
function toError(module, bytes, name) {
    const { message } = module.error(), found = /^(\d+):(\d+): (.*)$/.exec(message);
    if (!found) return new Error(`${name}: ${message}`);
    const line = Number(found[1]), column = toColumn(bytes, line, Number(found[2]));
    return Object.assign(new Error(`${name}:${line}:${column}: ${found[3]}`), { line, column });
}

function load(module, bytes, name) {
    const copy = module.copyIn(bytes);
    try {
        const address = module.exports.web_graph_load(copy, bytes.length) >>> 0;
        if (address === 0) throw toError(module, bytes, name);
        return address;
    } finally {
        module.exports.free(copy);
    }
}

function describe(module, address) {
    const text = module.exports.web_graph_describe(address) >>> 0;
    if (text === 0) {
        module.exports.sinew_graph_destroy(address);
        throw new Error('out of memory');
    }
    const description = JSON.parse(module.string(text));
    module.exports.free(text);
    return description;
}

// ---- Graphs -----------------------------------------------------------------------------------------------------

// JSON has no infinity: a range without a limit has null.
function toParameter(parameter, index) {
    const { min, max } = parameter;
    return { ...parameter, min: min ?? -Infinity, max: max ?? Infinity, index };
}

// The path of a state: the names of its layer, of the states that contain it, and its own.
function pathOf({ layers, machines, states }, { name, machine, layer }) {
    const { state } = machines[machine];
    return `${state < 0 ? layers[layer].name : pathOf({ layers, machines, states }, states[state])}/${name}`;
}

// Two animators of one graph and asset share a binding. So the memory of a disposed graph is freed with the last of them.
export class Graph {
    [$module];
    [$address];
    [$bindings] = new Set();
    [$parameters];
    [$states];
    [$layers];
    [$tags];

    constructor(module, source, name) {
        const bytes = toText(source), address = load(module, bytes, name);
        const { parameters, layers, machines, states, transitions, tags, memory } = describe(module, address);
        this[$module] = module;
        this[$address] = address;
        this.disposed = false;
        /** @type {import('./index.js').GraphParameter[]} */
        this.parameters = parameters.map(toParameter);
        /** @type {import('./index.js').GraphLayer[]} */
        this.layers = layers;
        /** @type {import('./index.js').GraphMachine[]} */
        this.machines = machines;
        /** @type {import('./index.js').GraphTransition[]} */
        this.transitions = transitions;
        /** @type {string[]} */
        this.tags = tags;
        /** @type {number} */
        this.memory = memory;
        this.states = states.map((state, index) => (
            { ...state, index, path: pathOf({ layers, machines, states }, state), loopCount: state.loopCount < 0 ? Infinity : state.loopCount }));
        this[$parameters] = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
        this[$states] = new Map(this.states.map((state) => [state.path, state]));
        this[$layers] = new Map(layers.map((layer, index) => [layer.name, index]));
        this[$tags] = new Map(tags.map((tag, index) => [tag, index]));
    }

    [$live]() {
        if (this.disposed) throw new Error('this Graph is disposed');
        return this;
    }

    findState(path) {
        return this[$states].get(path) ?? null;
    }

    findParameter(name) {
        return this[$parameters].get(name) ?? null;
    }

    dispose() {
        this.disposed = true;
        this[$freeIfUnused]();
    }

    [$freeIfUnused]() {
        if (!this.disposed || this[$bindings].size > 0 || this[$address] === 0) return;
        this[$module].exports.sinew_graph_destroy(this[$address]);
        this[$address] = 0;
    }
}

// ---- Bindings ---------------------------------------------------------------------------------------------------

function bind(asset, graph) {
    const { [$module]: module } = asset;
    const bound = asset[$madeClips]();
    const copy = module.copyIn(toBytes(Uint32Array.from(bound, ({ [$address]: address }) => address)));
    try {
        const address = module.exports.web_graph_bind(graph[$address], asset[$address], copy, bound.length) >>> 0;
        if (address === 0) throw module.error();
        return address;
    } finally {
        module.exports.free(copy);
    }
}

// A graph with the clips of an asset. Its animators share it, and it is freed with the last of them. It owns the blend
// spaces of the graph, the masks of its layers, and the differences that additive layers play.
export class Binding {
    #exports;
    [$address];
    [$users] = new Set();
    [$clips] = new Map(); // differences, by address

    static of(asset, graph) {
        if (!(graph instanceof Graph)) throw new TypeError('a Graph is needed: call loadGraph or fetchGraph of the Sinew');
        if (asset[$live]()[$module] !== graph[$live]()[$module]) throw new TypeError('the graph and the asset must be of one Sinew');
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

    // The clip at an address: one of the asset, or a difference of it.
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
