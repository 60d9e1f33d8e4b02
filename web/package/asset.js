// SPDX-License-Identifier: MIT
// Assets: a glTF file's content. Names and numbers are copied when it loads; arrays stay in the module's memory.
import { bind, combine, toBindOptions, unmatchedNames } from './bind.js';
import { CHANNEL_TARGETS } from './constants.js';
import { given } from './given.js';
import {
    $address, $aliases, $bonesOf, $clipNamed, $clipOf, $clips, $live, $madeClips, $module, $owner, $users,
} from './internal.js';
import { Module, View, checkMaker, defineArray, toFloat } from './module.js';
import { measureSpeed } from './speed.js';

// Describes an object of the module. If memory runs out, destroys the object and throws.
function describe(module, address, write, destroy) {
    const text = write(address) >>> 0;
    if (text === 0) {
        destroy(address);
        throw new Error('out of memory');
    }
    const description = JSON.parse(module.string(text));
    module.exports.free(text);
    return description;
}

// ---- Arrays -----------------------------------------------------------------------------------------------------

function makePrimitive(asset, from) {
    const { vertexCount, indexCount, influences, material } = from;
    const to = { vertexCount, indexCount, influences, material };
    const define = (name, Type, length) => defineArray(to, name, asset, Type, from[name], length);
    define('positions', Float32Array, 3 * vertexCount);
    define('normals', Float32Array, 3 * vertexCount);
    define('tangents', Float32Array, 4 * vertexCount);
    define('uvs', Float32Array, 2 * vertexCount);
    define('colors', Float32Array, 4 * vertexCount);
    define('joints', Uint16Array, influences * vertexCount);
    define('weights', Float32Array, influences * vertexCount);
    define('indices', Uint32Array, indexCount);
    to.targets = from.targetPositions.map((positions, i) => {
        const target = {};
        const addresses = { positions, normals: from.targetNormals[i], tangents: from.targetTangents[i] };
        for (const name in addresses) {
            defineArray(target, name, asset, Float32Array, addresses[name], 3 * vertexCount);
        }
        return target;
    });
    return to;
}

function makeSkin(asset, { name, jointCount, joints, inverseBinds }) {
    const skin = { name, jointCount };
    defineArray(skin, 'joints', asset, Int32Array, joints, jointCount);
    defineArray(skin, 'inverseBinds', asset, Float32Array, inverseBinds, 12 * jointCount);
    return skin;
}

function makeImage(asset, { name, mimeType, bytes, size }) {
    const image = { name, mimeType };
    defineArray(image, 'bytes', asset, Uint8Array, bytes, size);
    return image;
}

// Makes channels from pairs of a node and a target.
function makeChannels(numbers) {
    const channels = [];
    for (let i = 0; i < numbers.length; i += 2) channels.push({ node: numbers[i], target: CHANNEL_TARGETS[numbers[i + 1]] });
    return channels;
}

// ---- Arguments --------------------------------------------------------------------------------------------------

// Checks an asset that a page has passed.
export function toAsset(asset) {
    if (asset instanceof Asset) return asset[$live]();
    const isThree = asset?.isObject3D || asset?.scene;
    throw new TypeError(`asset must be an Asset, not ${given(asset)}: ${isThree
        ? "to drive three.js's objects, call drive(gltf, sinew) of 'sinew-animation/three'"
        : "call fetchAsset, loadAsset or makeAsset of a Sinew"}`);
}

// An object that isn't one of the asset's clips.
function strangeClip(clip) {
    const advice = clip?.tracks ? "It's a copy, or from another file, or not driven yet. Pass the clip's name or one of the driven gltf's animations"
        : "Pass a clip's name, one of the asset's clips, or what its bindClip returns for another asset's";
    return new TypeError(`this asset doesn't have ${given(clip)}. ${advice}`);
}

// ---- The asset --------------------------------------------------------------------------------------------------

export class Asset {
    [$module];
    [$address];
    [$users] = new Set();
    #made = new Map();
    /** @type {View[] | null} */
    /** @type {View[] | undefined} */
    #bones;
    #combined = new Map(); // results of combineClips
    #bindKeys = new WeakMap(); // other assets' clips; for each set of options, a key of #made
    [$aliases] = new WeakMap(); // by another library's object for a clip, such as an AnimationClip: returns the clip
    [$clips] = new Map(); // by address, including the clips that were made

    // Takes ownership of the asset at `address`.
    constructor(module, address) {
        checkMaker(module, Module, 'Asset', 'loadAsset, fetchAsset or makeAsset of a Sinew');
        const { exports } = module;
        const { nodes, curves, clips, skins, meshes, meshNodes, materials, textures, images, memory } =
            describe(module, address, exports.web_asset_describe, exports.sinew_asset_destroy);
        this[$module] = module;
        this[$address] = address;
        /** @type {import('./index.js').Node[]} */
        this.nodes = nodes;
        /** @type {import('./index.js').Asset['curves']} */
        this.curves = curves;
        /** @type {import('./index.js').Clip[]} */
        this.clips = clips;
        /** @type {import('./index.js').Asset['meshNodes']} */
        this.meshNodes = meshNodes;
        /** @type {import('./index.js').Material[]} */
        this.materials = materials;
        /** @type {import('./index.js').Texture[]} */
        this.textures = textures;
        /** @type {number} */
        this.memory = memory;
        clips.forEach((clip, index) => this.#addClip(clip, { index, additive: false }));
        this.skins = skins.map((skin) => makeSkin(this, skin));
        this.images = images.map((image) => makeImage(this, image));
        this.meshes = meshes.map(({ name, primitives }) => (
            { name, primitives: primitives.map((primitive) => makePrimitive(this, primitive)) }));
    }

    get disposed() {
        return this[$address] === 0;
    }

    [$live]() {
        if (this.disposed) throw new Error('this Asset is disposed');
        return this;
    }

    findClip(name) {
        return this.clips.find((clip) => clip.name === name) ?? null;
    }

    findNode(name) {
        return this.nodes.findIndex((node) => node.name === name);
    }

    findCurve(name) {
        return this.curves.findIndex((curve) => curve.name === name);
    }

    #addClip(clip, more) {
        const { address } = clip;
        delete clip.address;
        Object.assign(clip, more, { channels: makeChannels(clip.channels) });
        Object.defineProperties(clip, { [$address]: { value: address }, [$owner]: { value: this }, duration: { writable: false } });
        this[$clips].set(address, clip);
        return clip;
    }

    // Clips that were made, oldest first. Graphs can also play them by name.
    [$madeClips]() {
        return [...this.#made.values()].filter(({ additive }) => !additive);
    }

    // The clip that a graph's name stands for.
    [$clipNamed](name) {
        return this.findClip(name) ?? this[$madeClips]().find((clip) => clip.name === name);
    }

    // Returns this asset's clip for a name, a Clip or an alias. Throws if there isn't one.
    [$clipOf](clip) {
        const found = typeof clip === 'string' ? this[$live]().findClip(clip) : this[$aliases].get(clip)?.() ?? clip;
        if (found && this[$clips].get(found[$address]) === found) return found;
        if (typeof clip !== 'string') throw strangeClip(clip);
        const names = this.clips.map(({ name }) => `'${name}'`).join(', ') || 'none';
        throw new Error(`this asset has no clip '${clip}': its clips are ${names}`);
    }

    /** @param {import('./index.js').ClipSource} clip @param {NonNullable<Parameters<import('./index.js').Asset['measureSpeed']>[1]>} [options] */
    measureSpeed(clip, { feet } = {}) {
        return measureSpeed(this, clip, feet);
    }

    makeAdditive(clip, { reference = clip, time = 0 } = {}) {
        const of = this[$clipOf](clip), from = reference === null ? null : this[$clipOf](reference);
        const key = [this[$live]() && of[$address], from?.[$address], toFloat(time, 'a time')].join();
        const { exports } = this[$module];
        return this.#make(key, () => exports.web_clip_make_additive(of[$address], from?.[$address] ?? 0, time),
            { additive: true });
    }

    /** @param {import('./index.js').ClipSource} clip @param {NonNullable<Parameters<import('./index.js').Asset['subclip']>[1]>} [part] */
    subclip(clip, { start = 0, end, name } = {}) {
        const of = this[$clipOf](clip), { [$module]: module } = this[$live]();
        const from = toFloat(start, 'start'), to = toFloat(end ?? of.duration, 'end'), named = String(name ?? of.name);
        return this.#make(['part', of[$address], from, to, named].join(), () => {
            const text = module.copyStrings([named]);
            try {
                return module.exports.web_clip_subclip(of[$address], from, to, text);
            } finally {
                module.exports.free(text);
            }
        }, { additive: of.additive });
    }

    combineClips(clips = this.clips) {
        const given = Array.from(clips, (clip) => this[$live]()[$clipOf](clip));
        const key = given.map(({ [$address]: address }) => address).join();
        if (!this.#combined.has(key)) this.#combined.set(key, this.#combine(given));
        return this.#combined.get(key);
    }

    #combine(given) {
        const { addresses, isLeftOut } = combine(this[$live]()[$module], given), clips = [];
        try {
            for (const address of addresses) {
                clips.push(this.#make(`one of all, ${address}`, () => address, { additive: clips.length > 0 }));
            }
        } catch (error) { // the clip that could not be described is freed
            for (const address of addresses.slice(clips.length + 1)) this[$module].exports.sinew_clip_destroy(address);
            throw error;
        }
        return { clips, leftOut: given.filter((_, i) => isLeftOut[i]) };
    }

    bindClip(clip, options) {
        const owner = clip?.[$owner]?.[$live]();
        if (owner?.[$module] !== this[$live]()[$module]) throw new TypeError('clip must be a Clip from an asset of the same Sinew');
        if (owner === this) return this[$clipOf](clip);
        const from = owner[$clipOf](clip), by = toBindOptions(options);
        const keys = this.#bindKeys.get(from) ?? {}, key = keys[JSON.stringify(by)] ??= {};
        this.#bindKeys.set(from, keys);
        /** @type {number[]} */
        let nodes = [];
        const bound = this.#make(key, () => {
            const made = bind(this, from, by);
            ({ nodes } = made);
            return made.address;
        }, { additive: from.additive });
        bound.unmatched ??= unmatchedNames(from, nodes, by);
        return bound;
    }

    // Makes a clip with one of the module's functions, once for each key.
    #make(key, make, more) {
        if (this.#made.has(key)) return this.#made.get(key);
        const address = make() >>> 0, { exports } = this[$module];
        if (address === 0) throw this[$module].error();
        const described = describe(this[$module], address, exports.web_clip_describe, exports.sinew_clip_destroy);
        const made = this.#addClip(described, { index: -1, ...more });
        this.#made.set(key, made);
        return made;
    }

    // Memory for a skin's bone matrices. All mixers share it: they copy the matrices out immediately.
    [$bonesOf](skin) {
        const bones = this.#bones ??= this.#makeBones();
        return bones[skin];
    }

    #makeBones() {
        const counts = this.skins.map(({ jointCount }) => 16 * jointCount);
        const address = this[$module].allocate(4 * Math.max(...counts));
        return counts.map((count) => new View(this[$module], this, Float32Array, address, count));
    }

    dispose() {
        if (this.disposed) return;
        for (const user of [...this[$users]]) user.dispose(); // may throw
        if (this.#bones) this[$module].exports.free(this.#bones[0].address);
        for (const { [$address]: address } of this.#made.values()) this[$module].exports.sinew_clip_destroy(address);
        this[$module].exports.sinew_asset_destroy(this[$address]);
        this[$address] = 0;
    }
}
