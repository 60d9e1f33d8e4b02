// SPDX-License-Identifier: MIT
// Feet: ground speeds of clips, legs with the contacts of clips, and foot locking.
import { View, toBytes, toFloat, toIndex, toNode, toStep } from './module.js';
import { Shared } from './shared.js';

const MAX_LEGS = 8;
const NO_NODE = -1;
const GAITS = ['none', 'stands', 'moves']; // by sinew_gait
const SOURCES = ['none', 'markers', 'motion']; // by sinew_foot_contact_source
const MAX_PLANTS = 8;
export const LONGEST_STEP = 1e30; // a long step times a large scale may be infinite as a float
const STATE_SIZE = 640; // of sinew_ik_foot_lock_state
export const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

// Calls `use` with the addresses of copies of arrays, which it then frees.
function withCopies(module, arrays, use) {
    const copies = arrays.map((array) => module.copyIn(toBytes(array)));
    try {
        return use(...copies);
    } finally {
        for (const address of copies) module.exports.free(address);
    }
}

// ---- Ground speeds ----------------------------------------------------------------------------------------------

// Feet for the module: indices of nodes, none to find them.
export function toFeet(asset, feet) {
    if (feet !== undefined && !Array.isArray(feet)) throw new TypeError('feet must be an array of nodes');
    return Int32Array.from(feet ?? [], (node) => toNode(asset, node));
}

function readPlants(words, start) {
    const count = Math.min(words.getInt32(start, true), MAX_PLANTS);
    return Array.from({ length: count }, (_, i) => ({ start: words.getFloat32(start + 4 + 8 * i, true),
        end: words.getFloat32(start + 8 + 8 * i, true) }));
}

// The fields of a sinew_clip_speed.
function readSpeed({ exports, memory }, address) {
    const words = new DataView(memory.buffer, address);
    const [x, y, z, speed, spread, yawRate, planted] = [4, 8, 12, 16, 20, 24, 28].map((at) => words.getFloat32(at, true));
    const feet = Array.from({ length: words.getInt32(32, true) }, (_, i) => (
        { node: exports.web_speed_foot_node(i), plants: readPlants(words, 36 + (4 + 8 * MAX_PLANTS) * i) }));
    return { gait: GAITS[words.getInt32(0, true)], velocity: [x, y, z], speed, spread, yawRate, planted, feet };
}

export function measureSpeed(asset, clip, feet) {
    const module = asset._live()._module, nodes = toFeet(asset, feet), { _address } = asset._clipOf(clip);
    return withCopies(module, [nodes], (copy) => {
        const address = module.exports.web_clip_measure_speed(asset._address, _address, copy, nodes.length) >>> 0;
        if (address === 0) throw module.error();
        return readSpeed(module, address);
    });
}

// ---- Legs -------------------------------------------------------------------------------------------------------

function isBelow({ nodes }, node, ancestor) {
    const { parent } = nodes[node];
    return parent === ancestor || (parent >= 0 && isBelow({ nodes }, parent, ancestor));
}

function toLeg(asset, { thigh, shin, foot, toes = null }) {
    const chain = [thigh, shin, foot].map((node) => toNode(asset, node));
    if (toes !== null) chain.push(toNode(asset, toes));
    for (let i = 1; i < chain.length; i++) {
        if (!isBelow(asset, chain[i], chain[i - 1])) {
            throw new Error(`leg: '${asset.nodes[chain[i]].name}' is not below '${asset.nodes[chain[i - 1]].name}'`);
        }
    }
    return toes === null ? [...chain, NO_NODE] : chain;
}

function toMarkers(markers, count) {
    if (markers === null) return [];
    const names = [...markers.down ?? [], ...markers.up ?? []];
    if (markers.down?.length === count && names.length === 2 * count && names.every((name) => typeof name === 'string')) return names;
    throw new TypeError('markers must be { down, up }: a marker name for each leg in both');
}

export class Legs extends Shared {
    constructor(asset, { legs, clips = asset.clips, markers = null }) {
        const module = asset._live()._module;
        if (!Array.isArray(legs) || legs.length < 1 || legs.length > MAX_LEGS) {
            throw new TypeError(`legs must be an array of 1 to ${MAX_LEGS} legs, { thigh, shin, foot, toes }`);
        }
        const nodes = Int32Array.from(legs.flatMap((leg) => toLeg(asset, leg)));
        const found = clips.map((clip) => asset._clipOf(clip)), names = toMarkers(markers, legs.length);
        const bytes = new TextEncoder().encode(names.map((name) => `${name}\0`).join(''));
        const addresses = Uint32Array.from(found, ({ _address }) => _address);
        const address = withCopies(module, [nodes, addresses, bytes], (...copies) => module.exports.web_legs_create(
            asset._address, copies[0], legs.length, copies[1], found.length, copies[2], Number(markers !== null)) >>> 0);
        if (address === 0) throw module.error();
        super(asset, address, module.exports.web_legs_destroy);
        this.count = legs.length;
        this._locks = new Set();
    }

    contacts(clip) {
        const { exports, memory } = this._live()._module;
        const address = exports.web_legs_contacts(this._address, this.asset._clipOf(clip)._address) >>> 0;
        if (address === 0) return { source: 'none', contacts: [] };
        const [, source, count, list] = new Uint32Array(memory.buffer, address, 4);
        const words = new DataView(memory.buffer, list, 12 * count);
        return { source: SOURCES[source], contacts: Array.from({ length: count }, (_, i) => ({
            leg: words.getInt32(12 * i, true), start: words.getFloat32(12 * i + 4, true), end: words.getFloat32(12 * i + 8, true),
        })) };
    }

    _release() {
        for (const lock of [...this._locks]) lock.dispose();
    }
}

// ---- Foot locking -----------------------------------------------------------------------------------------------

// In the order of sinew_ik_foot_lock, from contact_on on.
const SETTINGS = ['contactOn', 'contactOff', 'distance', 'turn', 'stretch', 'roll', 'stepHeight', 'releaseTime', 'weight', 'height'];

export class FootLock {
    constructor(mixer, legs, settings = {}) {
        if (!(legs instanceof Legs)) throw new TypeError('Legs of the asset of the mixer are needed');
        if (mixer._live()._footLock) throw new Error('this Mixer has a FootLock: dispose it first');
        const { _module: module } = legs._addUser(mixer);
        const address = module.exports.web_foot_lock_create(mixer._address, legs._address) >>> 0;
        if (address === 0) throw module.error();
        Object.assign(this, { mixer, legs, _exports: module.exports, _address: address, _module: module });
        const view = (Type, name, length) => new View(module, this, Type, module.exports[name](address) >>> 0, length);
        this._settings = view(Float32Array, 'web_foot_lock_settings', SETTINGS.length);
        this._state = view(Uint8Array, 'web_foot_lock_state', STATE_SIZE);
        mixer._footLock = this;
        legs._locks.add(this);
        for (const [name, value] of Object.entries(settings)) this._set(SETTINGS.indexOf(name), name, value);
    }

    _set(index, name, value) {
        if (index < 0) throw new TypeError(`no setting '${name}': they are ${SETTINGS.join(', ')}`);
        this._settings.array[index] = toFloat(value, name);
    }

    get weight() {
        return this._settings.array[SETTINGS.indexOf('weight')];
    }

    set weight(weight) {
        this._set(SETTINGS.indexOf('weight'), 'weight', weight);
    }

    update(deltaTime, world = IDENTITY) {
        const step = toStep(deltaTime);
        this._live()._module.numbers.set(world);
        this._exports.web_foot_lock_solve(this._address, Math.min(step * this.mixer.timeScale, LONGEST_STEP));
    }

    isLocked(leg) {
        return this._live()._exports.web_foot_lock_is_locked(this._address, toIndex(leg, this.legs.count, 'leg')) !== 0;
    }

    release() {
        this._live()._exports.web_foot_lock_release(this._address);
    }

    reset() {
        this._state.array.fill(0);
    }

    _live() {
        if (this.disposed) throw new Error('this FootLock is disposed');
        return this;
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        this._exports.web_foot_lock_destroy(this._address);
        this._address = 0;
        this.mixer._footLock = null;
        this.legs._locks.delete(this);
    }
}
