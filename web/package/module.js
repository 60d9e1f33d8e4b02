// SPDX-License-Identifier: MIT
// The WebAssembly module and its memory.
import { $module } from './internal.js';

// Reads a whole file. Node's fetch doesn't read file: URLs, so those come from the disk.
export async function readBytes(url) {
    if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
        const disk = 'node:fs/promises'; // a variable, so bundlers don't follow it
        return (await import(/* webpackIgnore: true */ /* @vite-ignore */ disk)).readFile(url);
    }
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
}

export function toBytes(data, what) {
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    throw new TypeError(`${what} must be an ArrayBuffer or a view of one`);
}

// Checks a number that the module takes as a float. The module doesn't check.
export function toFloat(value, what) {
    if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
    throw new TypeError(`${what} must be a finite number, not ${String(value)}`);
}

export function toSeconds(value, what) {
    if (toFloat(value, what) >= 0) return value;
    throw new RangeError(`${what} must be 0 or more seconds, not ${value}`);
}

export const LONGEST_STEP = 1e30; // a longer step times a large scale might be infinite as a float
export const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

// Checks an update's step. Browser timers may start with negative steps, such as THREE.Timer's first delta.
export function toStep(value) {
    return Math.max(toFloat(value, 'a step'), 0);
}

export function toIndex(value, count, what) {
    if (Number.isInteger(value) && value >= 0 && value < count) return value;
    throw new RangeError(`no ${what} ${String(value)}: it must be an integer from 0 to ${count - 1}`);
}

// Edit distance: the fewest characters to insert, delete or replace. Ignores case.
function distance(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, k) => k);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let k = 1; k <= b.length; k++) {
            const replaced = row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1);
            next.push(Math.min(replaced, row[k] + 1, next[k - 1] + 1));
        }
        row = next;
    }
    return row[b.length];
}

// Ends an error about a misspelled name: "; did you mean 'Head'?", or "".
export function hint(name, names) {
    const most = 96, text = String(name).toLowerCase();
    let best = '', least = Infinity;
    for (const other of typeof name !== 'string' || text.length > most ? [] : names) {
        if (!other || other.length > most) continue;
        const d = distance(text, other.toLowerCase());
        if (d < least && 3 * d <= Math.max(text.length, other.length)) [best, least] = [other, d];
    }
    return best ? `; did you mean '${best}'?` : '';
}

// Returns a node's index from its index or name.
export function toNode(asset, node) {
    const index = typeof node === 'string' ? asset.findNode(node) : node;
    if (asset.nodes[index]) return index;
    throw new Error(`this asset has no node '${String(node)}'${hint(node, asset.nodes.map((n) => n.name))}`);
}

// Adds a function to the module's function table and returns its index. It takes `count` integers and returns one.
// Tables only take WebAssembly functions, so this makes a module that imports `call` and exports it.
export function addFunction(exports, count, call) {
    const wrapper = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0,
        1, 5 + count, 1, 96, count, ...Array(count).fill(127), 1, 127, // type 0: count × i32 to i32
        2, 7, 1, 1, 109, 1, 102, 0, 0, // import "m" "f", of type 0
        7, 5, 1, 1, 102, 0, 0); // export it as "f"
    const instance = new WebAssembly.Instance(new WebAssembly.Module(wrapper), { m: { f: call } });
    const table = exports.__indirect_function_table, index = table.grow(1);
    table.set(index, instance.exports.f);
    return index;
}

// Checks the module that a class's maker passes to its constructor. Pages don't have it.
export function checkMaker(module, Kind, name, maker) {
    if (!(module instanceof Kind)) throw new TypeError(`use ${maker} instead of new ${name}()`);
}

export class Module {
    /** @type {View | null} */
    #numbers = null;

    /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
    static async instantiate(module, imports) {
        const instance = await WebAssembly.instantiate(module, imports);
        const exports = /** @type {any} */ (instance.exports);
        exports._initialize();
        return new this(exports);
    }

    constructor(exports) {
        this.exports = exports;
        this.memory = exports.memory;
        /** @type {any} */
        this.meshopt = null; // decoders, created for the first file that needs them
        /** @type {any} */
        this.draco = null;
        /** @type {any} */
        this.grounds = null; // the characters', created for the first of them
    }

    // Results of functions that return several numbers.
    get numbers() {
        this.#numbers ??= new View(this, this, Float32Array, this.exports.web_numbers() >>> 0, 16);
        return this.#numbers.array;
    }

    // Reads a C string, up to its 0.
    string(address) {
        const bytes = new Uint8Array(this.memory.buffer, address);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    error() {
        return new Error(this.string(this.exports.web_error()));
    }

    // Like `error`. If the message is about a missing meshopt decoder, names the package's `option` for it.
    loadError(option) {
        const error = this.error();
        if (!/no meshopt_decode is set in the options$/.test(error.message)) return error;
        return new Error(`${error.message}: pass npm's MeshoptDecoder as \`${option}\``);
    }

    // Allocates memory of the module. Free it with exports.free.
    allocate(size) {
        const address = this.exports.malloc(size) >>> 0;
        if (address === 0) throw new Error('out of memory');
        return address;
    }

    // Copies bytes to the module's memory. Free the copy with exports.free.
    copyIn(bytes) {
        const address = this.allocate(bytes.length + 1);
        new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
        return address;
    }

    // Copies consecutive strings, each with a 0 at its end.
    copyStrings(strings) {
        return this.copyIn(new TextEncoder().encode(strings.map((string) => `${string}\0`).join('')));
    }
}

// A typed array in the module's memory. When that memory grows, its typed arrays are detached. `array` makes a new
// one then, and only then.
export class View {
    constructor(module, owner, Type, address, length) {
        this.memory = module.memory;
        this.owner = owner;
        this.Type = Type;
        this.address = address;
        this.length = length;
        /** @type {any} */
        this.made = null;
    }

    get array() {
        if (this.owner.disposed) throw new Error(`this ${this.owner.constructor.name} is disposed`);
        if (this.made === null || this.made.buffer !== this.memory.buffer) {
            this.made = new this.Type(this.memory.buffer, this.address, this.length);
        }
        return this.made;
    }
}

// Defines object[name] as an asset's array at an address. It's null if the address is 0.
export function defineArray(object, name, asset, Type, address, length) {
    const view = address === 0 ? null : new View(asset[$module], asset, Type, address, length);
    Object.defineProperty(object, name, { get: () => view && view.array, enumerable: true });
}
