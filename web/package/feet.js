// SPDX-License-Identifier: MIT
// Legs, their clips' foot contacts, and foot locking.
import { toAsset } from './asset.js';
import { CONTACT_SOURCES, FOOT_CONTACT, FOOT_LOCK_SETTINGS, FOOT_LOCK_STATE, MAX_FEET, NO_NODE } from './constants.js';
import { $addUser, $address, $clipOf, $footLock, $live, $locks, $module, $release, $state } from './internal.js';
import { IDENTITY, LONGEST_STEP, View, toFloat, toIndex, toNode, toStep } from './module.js';
import { Shared } from './shared.js';
import { withCopies } from './speed.js';

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
    [$locks] = new Set();

    constructor(asset, { legs, clips = asset.clips, markers = null }) {
        const module = toAsset(asset)[$module];
        if (!Array.isArray(legs) || legs.length < 1 || legs.length > MAX_FEET) {
            throw new TypeError(`legs must be an array of 1 to ${MAX_FEET} legs, { thigh, shin, foot, toes }`);
        }
        const nodes = Int32Array.from(legs.flatMap((leg) => toLeg(asset, leg)));
        const found = clips.map((clip) => asset[$clipOf](clip)), names = toMarkers(markers, legs.length);
        const bytes = new TextEncoder().encode(names.map((name) => `${name}\0`).join(''));
        const addresses = Uint32Array.from(found, ({ [$address]: address }) => address);
        const address = withCopies(module, [nodes, addresses, bytes], (...copies) => module.exports.web_legs_create(
            asset[$address], copies[0], legs.length, copies[1], found.length, copies[2], Number(markers !== null)) >>> 0);
        if (address === 0) throw module.error();
        super(asset, address, module.exports.web_legs_destroy);
        this.count = legs.length;
    }

    contacts(clip) {
        const { exports, memory } = this[$live]()[$module];
        const address = exports.web_legs_contacts(this[$address], this.asset[$clipOf](clip)[$address]) >>> 0;
        if (address === 0) return { source: CONTACT_SOURCES[0], contacts: [] };
        const [, source, count, list] = new Uint32Array(memory.buffer, address, 4);
        const words = new DataView(memory.buffer, list, FOOT_CONTACT.size * count);
        return { source: CONTACT_SOURCES[source], contacts: Array.from({ length: count }, (_, i) => {
            const at = FOOT_CONTACT.size * i;
            return { leg: words.getInt32(at + FOOT_CONTACT.foot, true), start: words.getFloat32(at + FOOT_CONTACT.start, true),
                end: words.getFloat32(at + FOOT_CONTACT.end, true) };
        }) };
    }

    [$release]() {
        for (const lock of [...this[$locks]]) lock.dispose();
    }
}

// ---- Foot locking -----------------------------------------------------------------------------------------------

export class FootLock {
    #exports;
    #address;
    #module;
    #settings;
    [$state];

    constructor(mixer, legs, settings = {}) {
        if (!(legs instanceof Legs)) throw new TypeError("legs must be Legs of the mixer's asset");
        if (mixer[$live]()[$footLock]) throw new Error('this Mixer has a FootLock: dispose it first');
        const { [$module]: module } = legs[$addUser](mixer);
        const address = module.exports.web_foot_lock_create(mixer[$address], legs[$address]) >>> 0;
        if (address === 0) throw module.error();
        this.mixer = mixer;
        this.legs = legs;
        this.#exports = module.exports;
        this.#address = address;
        this.#module = module;
        const view = (Type, name, length) => new View(module, this, Type, module.exports[name](address) >>> 0, length);
        this.#settings = view(Float32Array, 'web_foot_lock_settings', FOOT_LOCK_SETTINGS.length);
        this[$state] = view(Uint8Array, 'web_foot_lock_state', FOOT_LOCK_STATE.size);
        mixer[$footLock] = this;
        legs[$locks].add(this);
        for (const [name, value] of Object.entries(settings)) this.#set(FOOT_LOCK_SETTINGS.indexOf(name), name, value);
    }

    #set(index, name, value) {
        if (index < 0) throw new TypeError(`no setting '${name}': the settings are ${FOOT_LOCK_SETTINGS.join(', ')}`);
        this.#settings.array[index] = toFloat(value, name);
    }

    get weight() {
        return this.#settings.array[FOOT_LOCK_SETTINGS.indexOf('weight')];
    }

    set weight(weight) {
        this.#set(FOOT_LOCK_SETTINGS.indexOf('weight'), 'weight', weight);
    }

    update(deltaTime, world = IDENTITY) {
        const step = toStep(deltaTime);
        this.#live().#module.numbers.set(world);
        this.#exports.web_foot_lock_solve(this.#address, Math.min(step * this.mixer.timeScale, LONGEST_STEP));
    }

    isLocked(leg) {
        return this.#live().#exports.web_foot_lock_is_locked(this.#address, toIndex(leg, this.legs.count, 'leg')) !== 0;
    }

    release() {
        this.#live().#exports.web_foot_lock_release(this.#address);
    }

    reset() {
        this[$state].array.fill(0);
    }

    #live() {
        if (this.disposed) throw new Error('this FootLock is disposed');
        return this;
    }

    get disposed() {
        return this.#address === 0;
    }

    dispose() {
        if (this.disposed) return;
        this.#exports.web_foot_lock_destroy(this.#address);
        this.#address = 0;
        this.mixer[$footLock] = null;
        this.legs[$locks].delete(this);
    }
}
