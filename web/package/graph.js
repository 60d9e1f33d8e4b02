// SPDX-License-Identifier: MIT
// Graphs: the states, transitions and parameters of an animation graph, and their bindings to assets.
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
    constructor(module, source, name) {
        const bytes = toText(source), address = load(module, bytes, name);
        const { parameters, layers, machines, states, transitions, tags, memory } = describe(module, address);
        Object.assign(this, { _module: module, _address: address, _bindings: new Set(), disposed: false });
        Object.assign(this, { parameters: parameters.map(toParameter), layers, machines, transitions, tags, memory });
        this.states = states.map((state, index) => (
            { ...state, index, path: pathOf({ layers, machines, states }, state), loopCount: state.loopCount < 0 ? Infinity : state.loopCount }));
        this._parameters = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
        this._states = new Map(this.states.map((state) => [state.path, state]));
        this._layers = new Map(layers.map((layer, index) => [layer.name, index]));
        this._tags = new Map(tags.map((tag, index) => [tag, index]));
    }

    _live() {
        if (this.disposed) throw new Error('this Graph is disposed');
        return this;
    }

    findState(path) {
        return this._states.get(path) ?? null;
    }

    findParameter(name) {
        return this._parameters.get(name) ?? null;
    }

    dispose() {
        this.disposed = true;
        this._freeIfUnused();
    }

    _freeIfUnused() {
        if (!this.disposed || this._bindings.size > 0 || this._address === 0) return;
        this._module.exports.sinew_graph_destroy(this._address);
        this._address = 0;
    }
}

// ---- Bindings ---------------------------------------------------------------------------------------------------

function bind(asset, graph) {
    const { _module: module } = asset;
    const bound = asset._madeClips();
    const copy = module.copyIn(toBytes(Uint32Array.from(bound, ({ _address }) => _address)));
    try {
        const address = module.exports.web_graph_bind(graph._address, asset._address, copy, bound.length) >>> 0;
        if (address === 0) throw module.error();
        return address;
    } finally {
        module.exports.free(copy);
    }
}

// A graph with the clips of an asset. Its animators share it, and it is freed with the last of them. It owns the blend
// spaces of the graph, the masks of its layers, and the differences that additive layers play.
export class Binding {
    static of(asset, graph) {
        if (!(graph instanceof Graph)) throw new TypeError('a Graph is needed: call loadGraph or fetchGraph of the Sinew');
        if (asset._live()._module !== graph._live()._module) throw new TypeError('the graph and the asset must be of one Sinew');
        for (const binding of graph._bindings) if (binding.asset === asset) return binding;
        return new Binding(asset, graph);
    }

    constructor(asset, graph) {
        Object.assign(this, { asset, graph, _exports: asset._module.exports, _address: bind(asset, graph), _users: new Set() });
        this._clips = new Map(); // differences, by address
        this.sources = graph.states.map((state) => this._sourceOf(state)); // clips and blend spaces; null for none
        this.masks = graph.layers.map((_, i) => this._exports.web_binding_mask(this._address, i) >>> 0);
        graph._bindings.add(this);
    }

    _sourceOf({ index, kind, clip, blend }) {
        const { _exports, _address, asset } = this;
        if (kind === 'clip') return this._clipAt(_exports.web_binding_clip(_address, index) >>> 0, clip);
        if (kind !== 'blend') return null;
        const address = _exports.web_binding_space(_address, index) >>> 0;
        const samples = blend.samples.map(({ clip: name, x, y, speed }, i) => (
            { clip: this._clipAt(_exports.web_binding_sample_clip(_address, index, i) >>> 0, name), x, y, speed }));
        const { kind: spaceKind, damping, matchSpeed } = blend;
        return new BlendSpace(asset, { kind: spaceKind, samples, damping, matchSpeed, address }, this);
    }

    // The clip at an address: one of the asset, or a difference of it.
    _clipAt(address, name) {
        const { asset, _clips } = this;
        if (asset._clips.has(address)) return asset._clips.get(address);
        if (!_clips.has(address)) {
            const { duration, markers, channels } = asset._clipNamed(name);
            const clip = { index: -1, additive: true, name, duration, markers, channels };
            _clips.set(address, Object.defineProperties(clip, { _address: { value: address }, _owner: { value: asset } }));
        }
        return _clips.get(address);
    }

    owns(source) {
        return source._binding === this || this._clips.has(source._address);
    }

    release(animator) {
        this._users.delete(animator);
        this._freeIfUnused();
    }

    _freeIfUnused() {
        if (this._users.size > 0) return;
        for (const source of this.sources) if (source instanceof BlendSpace) source.disposed = true;
        this._exports.sinew_graph_binding_destroy(this._address);
        this._address = 0;
        this.graph._bindings.delete(this);
        this.graph._freeIfUnused();
    }
}
