// The WebAssembly module and its memory.

// Whole files: by fetch, and in Node, whose fetch reads no files, from the disk.
export async function readBytes(url) {
    if (url.protocol === 'file:') {
        const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
        return readFile(url);
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

// What the module takes as a float without a check of its own.
export function toFloat(value, what) {
    if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
    throw new TypeError(`${what} must be a finite number, not ${String(value)}`);
}

export function toSeconds(value, what) {
    if (toFloat(value, what) >= 0) return value;
    throw new RangeError(`${what} must be 0 or more seconds, not ${value}`);
}

export function toIndex(value, count, what) {
    if (Number.isInteger(value) && value >= 0 && value < count) return value;
    throw new RangeError(`there is no ${what} ${String(value)}, of ${count}`);
}

// Puts a function of `count` integers, which gives one, into the module's table; gives its place there. Only a function
// of WebAssembly may stand in a table: a module that imports `call` and exports it makes it one.
export function addFunction(exports, count, call) {
    const passing = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0,
        1, 5 + count, 1, 96, count, ...Array(count).fill(127), 1, 127, // type 0: count × i32 to i32
        2, 7, 1, 1, 109, 1, 102, 0, 0, // import "m" "f", of type 0
        7, 5, 1, 1, 102, 0, 0); // export it as "f"
    const instance = new WebAssembly.Instance(new WebAssembly.Module(passing), { m: { f: call } });
    const table = exports.__indirect_function_table, place = table.grow(1);
    table.set(place, instance.exports.f);
    return place;
}

export class Module {
    static async instantiate(module) {
        const instance = await WebAssembly.instantiate(module);
        instance.exports._initialize();
        return new Module(instance.exports);
    }

    constructor(exports) {
        this.exports = exports;
        this.memory = exports.memory;
        this.meshopt = this.draco = null; // once there is a decoder
        this._numbers = new View(this, this, Float32Array, exports.web_numbers() >>> 0, 16);
    }

    // Where calls that answer more than one number leave them.
    get numbers() {
        return this._numbers.array;
    }

    // As C strings are, up to a 0.
    string(address) {
        const bytes = new Uint8Array(this.memory.buffer, address);
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    }

    error() {
        return new Error(this.string(this.exports.web_error()));
    }

    // To be given back with free.
    allocate(size) {
        const address = this.exports.malloc(size) >>> 0;
        if (address === 0) throw new Error('out of memory');
        return address;
    }

    // A copy in the module's memory, to be given back with free.
    copyIn(bytes) {
        const address = this.allocate(bytes.length + 1);
        new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
        return address;
    }

    // The same of strings, one behind the other, each with a 0 at its end.
    copyStrings(strings) {
        return this.copyIn(new TextEncoder().encode(strings.map((string) => `${string}\0`).join('')));
    }
}

// An array in the module's memory. When that grows, all that JavaScript has of it is detached; so it is made anew then,
// and only then.
export class View {
    constructor(module, owner, Type, address, length) {
        Object.assign(this, { memory: module.memory, owner, Type, address, length, made: null });
    }

    get array() {
        if (this.owner.disposed) throw new Error(`this ${this.owner.constructor.name} is disposed of`);
        if (this.made === null || this.made.buffer !== this.memory.buffer) {
            this.made = new this.Type(this.memory.buffer, this.address, this.length);
        }
        return this.made;
    }
}

// Makes object[name] the array at an address; null where that is 0.
export function lend(object, name, module, owner, Type, address, length) {
    const view = address === 0 ? null : new View(module, owner, Type, address, length);
    Object.defineProperty(object, name, { get: () => view && view.array, enumerable: true });
}
