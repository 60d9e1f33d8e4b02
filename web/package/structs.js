// SPDX-License-Identifier: MIT
// Structs for the solvers' module.
import * as layouts from './layouts.js';
import { toFloat } from './module.js';

// Field sizes in bytes. Vectors and quaternions are arrays of floats.
const SIZES = { int: 4, bool: 1, float: 4, vec3: 12, quat: 16 };
const ALIGNMENTS = { int: 4, bool: 1, float: 4, vec3: 4, quat: 4 };

const alignUp = (offset, alignment) => Math.ceil(offset / alignment) * alignment;

export class Layout {
    // `text` has the names and types of the fields, such as 'node:int radius:float'.
    constructor(text) {
        this.fields = new Map();
        let end = 0;
        for (const field of text.split(' ')) {
            const [name, type] = field.split(':'), at = alignUp(end, ALIGNMENTS[type]);
            this.fields.set(name, { at, type });
            end = at + SIZES[type];
        }
        this.size = alignUp(end, 4);
    }

    // A field's offset in bytes.
    at(name) {
        return this.fields.get(name).at;
    }

    // Packs an array of structs. Each is a copy of the template, with an object's values written over it.
    pack(template, objects) {
        const bytes = new Uint8Array(this.size * objects.length);
        objects.forEach((object, i) => {
            bytes.set(template, this.size * i);
            this.#write(new DataView(bytes.buffer, this.size * i), object);
        });
        return bytes;
    }

    #write(view, object) {
        for (const [name, value] of Object.entries(object)) {
            const { at, type } = this.fields.get(name);
            if (type === 'int') view.setInt32(at, value, true);
            else if (type === 'bool') view.setUint8(at, value ? 1 : 0);
            else [value].flat().forEach((number, i) => view.setFloat32(at + 4 * i, number, true));
        }
    }

    // A template of zeros.
    get zeros() {
        return new Uint8Array(this.size);
    }
}

export const NODE = new Layout(layouts.NODE);
export const COLLIDER = new Layout(layouts.COLLIDER);
export const SPRING_JOINT = new Layout(layouts.SPRING_JOINT);
export const SPRING_CHAIN = new Layout(layouts.SPRING_CHAIN);
export const SPRINGS = new Layout(layouts.SPRINGS);
export const VRM_COLLIDER = new Layout(layouts.VRM_COLLIDER);
export const VRM_GROUP = new Layout(layouts.VRM_GROUP);
export const VRM_JOINT = new Layout(layouts.VRM_JOINT);
export const VRM_SPRING = new Layout(layouts.VRM_SPRING);
export const VRM_SPRINGS = new Layout(layouts.VRM_SPRINGS);
export const IK_LIMIT = new Layout(layouts.IK_LIMIT);
export const CHAIN = new Layout(layouts.CHAIN);
export const EFFECTOR = new Layout(layouts.EFFECTOR);
export const BODY = new Layout(layouts.BODY);

// Memory of the module that's freed as a whole.
export class Copies {
    #module;
    #addresses = [];

    constructor(module) {
        this.#module = module;
    }

    allocate(size) {
        this.#addresses.push(this.#module.allocate(size));
        return this.#addresses.at(-1);
    }

    add(bytes) {
        this.#addresses.push(this.#module.copyIn(bytes));
        return this.#addresses.at(-1);
    }

    free() {
        for (const address of this.#addresses) this.#module.exports.free(address);
        this.#addresses = [];
    }
}

// ---- Checks -----------------------------------------------------------------------------------------------------

export function toVector(value, length, what) {
    if (value?.length !== length) throw new TypeError(`${what} must be ${length} numbers`);
    return Array.from(value, (number) => toFloat(number, what));
}

export function toWord(value, words, what) {
    const index = words.indexOf(value);
    if (index < 0) throw new TypeError(`${what} must be ${words.join(', ')}, not '${String(value)}'`);
    return index;
}

// Throws if the object has a name that isn't among the fields.
export function checkNames(object, names, what) {
    if (typeof object !== 'object' || object === null) throw new TypeError(`${what} must be an object`);
    for (const name of Object.keys(object)) {
        if (!names.includes(name)) throw new TypeError(`${what} has no '${name}': it has ${names.join(', ')}`);
    }
}
