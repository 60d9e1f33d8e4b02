// SPDX-License-Identifier: MIT
// Checks and lays out graphs with the command's code, in a WebAssembly module that's fetched for the first graph.
import { Meshopt } from './sinew/decoders.js';
import { readBytes, toBytes } from './sinew/module.js';
import { Outline } from './graph_outline.js';
import { positionAt } from './json_text.js';

class Checker {
    constructor({ exports }) {
        const meshopt = new Meshopt({ exports, memory: exports.memory });
        this.exports = exports;
        this.meshopt = meshopt;
        this.asset = null;
        this.assetError = '';
    }

    // Copies data to the module's memory, each with a 0 at its end, and calls `use` with the addresses.
    #withCopies(list, use) {
        const { exports } = this, addresses = [];
        try {
            for (const bytes of list) {
                const address = exports.malloc(bytes.length + 1) >>> 0;
                if (address === 0) throw new Error('out of memory');
                addresses.push(address);
                const to = new Uint8Array(exports.memory.buffer, address, bytes.length + 1);
                to.set(bytes);
                to[bytes.length] = 0;
            }
            return use(addresses);
        } finally {
            for (const address of addresses) exports.free(address);
        }
    }

    #textAt(address) {
        const bytes = new Uint8Array(this.exports.memory.buffer, address);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    // Calls a function for a graph's text, and returns its JSON.
    #describe(name, text) {
        const { exports } = this, bytes = new TextEncoder().encode(text);
        const address = this.#withCopies([bytes], ([copy]) => exports[name](copy, bytes.length) >>> 0);
        if (address === 0) throw new Error('out of memory');
        try {
            return JSON.parse(this.#textAt(address));
        } finally {
            exports.free(address);
        }
    }

    // Loads the asset to check graphs against, unless it's already loaded.
    #use(asset) {
        if (asset === this.asset) return;
        const { exports, meshopt } = this;
        exports.web_check_unload();
        Object.assign(this, { asset, assetError: '' });
        if (!asset) return;
        const { bytes, files = {}, decoder = null } = asset;
        const main = toBytes(bytes);
        const entries = Object.entries(files).map(([name, data]) => [new TextEncoder().encode(name), toBytes(data, name)]);
        const load = (decode) => this.#withCopies([main, ...entries.flat()], ([data, ...rest]) => {
            const words = entries.flatMap(([, { length }], i) => [rest[2 * i], rest[2 * i + 1], length]); // web_file
            const list = new Uint8Array(Uint32Array.from(words).buffer);
            const loaded = this.#withCopies([list], ([address]) => (
                exports.web_check_load(data, main.length, address, entries.length, decode)));
            if (!loaded) this.assetError = this.#textAt(exports.web_error() >>> 0);
        });
        if (decoder) meshopt.with(decoder, load);
        else load(0);
    }

    check(text, asset) {
        this.#use(asset);
        return { ...this.#describe('web_check_graph', text), assetError: this.assetError };
    }

    layout(text) {
        return this.#describe('web_layout_graph', text);
    }
}

// ---- Loading ----------------------------------------------------------------------------------------------------

async function instantiate() {
    const { instance } = await WebAssembly.instantiate(await readBytes(new URL('./sinew-graph.wasm', import.meta.url)));
    /** @type {() => void} */ (instance.exports._initialize)();
    return new Checker(instance);
}

let loaded = null; // a promise; null after a failure, so the next check tries again

function load() {
    loaded ??= instantiate().catch((error) => {
        loaded = null;
        throw error;
    });
    return loaded;
}

// ---- Results ----------------------------------------------------------------------------------------------------

// Makes the error for a text that isn't a graph. Its column is in bytes.
function toError(text, message) {
    const found = /^(\d+):(\d+): (.*)$/s.exec(message);
    if (!found) return { message, line: 0, column: 0 };
    const line = Number(found[1]), bytes = new TextEncoder().encode(text.split('\n')[line - 1] ?? '');
    const before = new TextDecoder().decode(bytes.subarray(0, Number(found[2]) - 1));
    return { message: found[3], line, column: before.length + 1 };
}

// The element that a finding is about.
function elementOf({ states, transitions, parameters, layers, steps }, { state, transition, parameter, layer, step }) {
    if (step >= 0) return steps[step];
    if (transition >= 0) return transitions[transition];
    if (state >= 0) return states[state];
    return parameter >= 0 ? parameters[parameter] : layers[layer];
}

function toFinding(/** @type {Outline} */ outline, { state, transition, parameter, layer, step, ...finding }) {
    const element = elementOf(outline, { state, transition, parameter, layer, step });
    if (!element) return { ...finding, column: 0, target: null };
    return { ...finding, column: positionAt(outline.text, element.start).column, target: element.target };
}

/**
 * Checks a graph like `sinew graph check`, with an asset like --asset:
 *   { error, errors, warnings, notes, approximateLayers, assetError, findings }
 * A finding is { rule, title, severity, line, column, location, message, advice, target }. If the text isn't a graph,
 * `error` is { message, line, column } and there are no findings; else it's null. If the asset can't be read,
 * `assetError` says why and the graph is checked without it; else it's ''.
 * @param {string} text
 * @param {{ bytes, files?, decoder? } | null} asset a .glb or .gltf with its sidecar files by name, and npm's
 *     MeshoptDecoder. Parsed only once, unless another object is given
 */
export async function checkGraph(text, asset = null) {
    const report = (await load()).check(text, asset), { error, findings = [] } = report;
    const counts = { errors: 1, warnings: 0, notes: 0, approximateLayers: [] };
    if (error !== undefined) return { ...counts, ...report, error: toError(text, error), findings };
    const outline = new Outline(text);
    return { error: null, ...report, findings: findings.map((finding) => toFinding(outline, finding)) };
}

/**
 * Lays out a graph like `sinew graph plot`: { error, machines }. `error` is as for checkGraph; if there is one, there
 * are no machines. Positions are in pixels, y down, from the machine's upper left corner:
 *   machine: { path, layer, state, width, height, nodes, edges }; state is the path of the state that contains it, or null
 *   node:    { kind: 'state' | 'machine' | 'any', target, x, y, width, height, lines, isEntry, machine, inner }
 *            machine is the index of the machine in it, which is at inner { x, y }, or -1
 *   edge:    { target, transition, from, to, isAny, label: { x, y, width, height }, points: [{ x, y }], lines }
 *            from and to are node indices; transition is an index in the loaded graph
 * A line joins two points with the same x or y. Other points are joined by a curve that's horizontal at both ends.
 */
export async function layoutGraph(text) {
    const { error, machines = [] } = (await load()).layout(text);
    if (error !== undefined) return { error: toError(text, error), machines: [] };
    const outline = new Outline(text), { states, transitions, layers } = outline;
    const toNode = ({ state, machine, ...box }, index) => ({ ...box, machine, isEntry: index === 0,
        kind: state < 0 ? 'any' : machine < 0 ? 'state' : 'machine', target: states[state]?.target ?? null });
    const toEdge = ({ transition, ...edge }) => ({ ...edge, transition, isAny: transitions[transition].isAny,
        target: transitions[transition].target });
    const toMachine = ({ nodes, edges, ...size }, i) => {
        const { path, layer, state } = outline.machines[i];
        const owner = { path, layer: layers[layer].name, state: states[state]?.path ?? null };
        return { ...owner, ...size, nodes: nodes.map(toNode), edges: edges.map(toEdge) };
    };
    return { error: null, machines: machines.map(toMachine) };
}
