// SPDX-License-Identifier: MIT
// Animation graphs: states, transitions and parameters.
import { $address, $bindings, $freeIfUnused, $layers, $live, $module, $parameters, $states, $tags } from './internal.js';
import { Module, checkMaker, toBytes } from './module.js';

// ---- Text -------------------------------------------------------------------------------------------------------

// Converts a graph's source to bytes: text, bytes or an object from JSON.parse.
function toText(source) {
    if (typeof source === 'string') return new TextEncoder().encode(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return toBytes(source);
    if (typeof source !== 'object' || source === null) throw new TypeError('a graph must be text, bytes or an object');
    return new TextEncoder().encode(JSON.stringify(source, null, 2));
}

// Converts a column from bytes to UTF-16 units, which editors count.
function toColumn(bytes, line, column) {
    let start = 0;
    for (let i = 1; i < line; i++) start = bytes.indexOf(10, start) + 1;
    return new TextDecoder().decode(bytes.subarray(start, start + column - 1)).length + 1;
}

// Makes the module's error, with the file's name and the location.
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

// A state's path: the names of its layer, of the states that contain it, and its own.
function pathOf({ layers, machines, states }, { name, machine, layer }) {
    const { state } = machines[machine];
    return `${state < 0 ? layers[layer].name : pathOf({ layers, machines, states }, states[state])}/${name}`;
}

// Animators with the same graph and asset share a binding. A disposed graph's memory is freed with the last of them.
export class Graph {
    [$module];
    [$address];
    [$bindings] = new Set();
    [$parameters];
    [$states];
    [$layers];
    [$tags];

    constructor(module, source, name) {
        checkMaker(module, Module, 'Graph', 'loadGraph or fetchGraph of a Sinew');
        const bytes = toText(source), address = load(module, bytes, name);
        const { parameters, layers, machines, states, transitions, steps, tags, memory } = describe(module, address);
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
        /** @type {import('./index.js').GraphStep[]} */
        this.steps = steps;
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
