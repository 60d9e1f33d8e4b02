// SPDX-License-Identifier: MIT
// The structs that the module of solvers takes: words of 4 bytes, in the order of their fields. web/solvers.c checks their
// sizes.
import { toBytes, toFloat } from './module.js';

// Types of fields: an integer or an address, a bool, a float, and arrays of floats.
const WIDTHS = { int: 1, bool: 1, float: 1, vec3: 3, quat: 4 };

export class Layout {
    // `text` has the names of the fields with their types, such as 'node:int radius:float'.
    constructor(text) {
        this.fields = new Map();
        this.length = 0; // words
        for (const field of text.split(' ')) {
            const [name, type] = field.split(':');
            this.fields.set(name, { at: this.length, type });
            this.length += WIDTHS[type];
        }
    }

    // Bytes of an array of structs: copies of the words of a template, with the values of each object written over them.
    pack(template, objects) {
        const words = new Uint32Array(this.length * objects.length);
        objects.forEach((object, i) => {
            words.set(template, i * this.length);
            this._write(new DataView(words.buffer, 4 * i * this.length), object);
        });
        return toBytes(words);
    }

    _write(view, object) {
        for (const [name, value] of Object.entries(object)) {
            const { at, type } = this.fields.get(name);
            if (type === 'int') view.setInt32(4 * at, value, true);
            else if (type === 'bool') view.setUint8(4 * at, value ? 1 : 0);
            else [value].flat().forEach((number, i) => view.setFloat32(4 * (at + i), number, true));
        }
    }

    // The words of zeros, as a template.
    get zeros() {
        return new Uint32Array(this.length);
    }
}

export const NODE = new Layout('name:int parent:int translation:vec3 rotation:quat scale:vec3 weightCount:int restWeights:int shear:int excluded:bool');

export const COLLIDER = new Layout('shape:int node:int inside:bool offset:vec3 tail:vec3 normal:vec3 radius:float cookie:int');
export const SPRING_JOINT = new Layout('node:int stiffness:float damping:float drag:float gravity:vec3 wind:float limit:float radius:float cookie:int');
// `flags` are two bools: from_rest and vrm.
export const SPRING_CHAIN = new Layout('joints:int jointCount:int tail:vec3 center:int colliders:int colliderCount:int weight:float flags:int cookie:int');
export const SPRINGS = new Layout('skeleton:int chains:int chainCount:int colliders:int colliderCount:int step:float maxSteps:int teleportDistance:float allocate:int release:int user:int cookie:int');

export const VRM_COLLIDER = new Layout('node:int shape:int inside:bool offset:vec3 tail:vec3 normal:vec3 radius:float');
export const VRM_GROUP = new Layout('name:int colliderCount:int colliders:int');
export const VRM_JOINT = new Layout('node:int hitRadius:float stiffness:float gravityPower:float gravityDir:vec3 dragForce:float');
export const VRM_SPRING = new Layout('name:int subtrees:bool center:int jointCount:int groupCount:int joints:int groups:int');
export const VRM_SPRINGS = new Layout('colliderCount:int groupCount:int springCount:int colliders:int groups:int springs:int');

export const IK_JOINT = new Layout('node:int kind:int axis:vec3 rest:quat cone:float angleMin:float angleMax:float stiffness:float cookie:int');
export const CHAIN = new Layout('root:int tip:int joints:int jointCount:int method:int target:vec3 pole:vec3 poleWeight:float softness:float weight:float restarts:int cookie:int');
export const EFFECTOR = new Layout('node:int target:vec3 positionWeight:float rotation:quat rotationWeight:float pull:float pin:bool cookie:int');
export const BODY = new Layout('root:int effectors:int effectorCount:int joints:int jointCount:int rootStiffness:float restBias:float weight:float cookie:int');

// Memory of the module that is freed as a whole.
export class Copies {
    constructor(module) {
        Object.assign(this, { _module: module, _addresses: [] });
    }

    allocate(size) {
        this._addresses.push(this._module.allocate(size));
        return this._addresses.at(-1);
    }

    add(bytes) {
        this._addresses.push(this._module.copyIn(bytes));
        return this._addresses.at(-1);
    }

    free() {
        for (const address of this._addresses) this._module.exports.free(address);
        this._addresses = [];
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

// Throws for a name that is not among the fields.
export function checkNames(object, names, what) {
    if (typeof object !== 'object' || object === null) throw new TypeError(`${what} must be an object`);
    for (const name of Object.keys(object)) {
        if (!names.includes(name)) throw new TypeError(`${what} has no '${name}': it has ${names.join(', ')}`);
    }
}
