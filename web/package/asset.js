// SPDX-License-Identifier: MIT
// Assets: the content of a glTF file. Names and numbers are copied at load; arrays stay in the module's memory.
import { bind, combine, toBindOptions, unmatchedNames } from './bind.js';
import { measureSpeed } from './feet.js';
import { View, defineArray, toFloat } from './module.js';

// What the module says of an object, which is freed without memory for that.
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

const TARGETS = ['translation', 'rotation', 'scale', 'weights']; // by sinew_channel_target

// Channels from pairs of a node and a target.
function makeChannels(numbers) {
    const channels = [];
    for (let i = 0; i < numbers.length; i += 2) channels.push({ node: numbers[i], target: TARGETS[numbers[i + 1]] });
    return channels;
}

// ---- The asset --------------------------------------------------------------------------------------------------

export class Asset {
    // `address` is of an asset in the module, which it owns.
    constructor(module, address) {
        const { exports } = module;
        const { nodes, curves, clips, skins, meshes, instances, materials, textures, images, memory } =
            describe(module, address, exports.web_asset_describe, exports.sinew_asset_destroy);
        Object.assign(this, { _module: module, _address: address, _users: new Set(), _made: new Map(), _bones: null });
        Object.assign(this, { nodes, curves, clips, instances, materials, textures, memory });
        this._combined = new Map(); // the results of combineClips
        this._bindKeys = new WeakMap(); // clips of other assets, with a key of _made for each set of options
        this._aliases = new WeakMap(); // clips by their object in another library, such as an AnimationClip
        this._clips = new Map(); // by address, with those that were made
        clips.forEach((clip, index) => this._addClip(clip, { index, additive: false }));
        this.skins = skins.map((skin) => makeSkin(this, skin));
        this.images = images.map((image) => makeImage(this, image));
        this.meshes = meshes.map(({ name, primitives }) => (
            { name, primitives: primitives.map((primitive) => makePrimitive(this, primitive)) }));
    }

    get disposed() {
        return this._address === 0;
    }

    _live() {
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

    _addClip(clip, more) {
        const { address } = clip;
        delete clip.address;
        Object.assign(clip, more, { channels: makeChannels(clip.channels) });
        Object.defineProperties(clip, { _address: { value: address }, _owner: { value: this } });
        this._clips.set(address, clip);
        return clip;
    }

    // The clips that were made, which graphs also play by name, in the order of the calls.
    _madeClips() {
        return [...this._made.values()].filter(({ additive }) => !additive);
    }

    // The clip that a graph means by a name.
    _clipNamed(name) {
        return this.findClip(name) ?? this._madeClips().find((clip) => clip.name === name);
    }

    // The clip of this asset that is given by name, as a Clip or as an alias. Throws where the asset does not have it.
    _clipOf(clip) {
        const found = typeof clip === 'string' ? this._live().findClip(clip) : this._aliases.get(clip) ?? clip;
        if (found && this._clips.get(found._address) === found) return found;
        const names = this.clips.map(({ name }) => `'${name}'`).join(', ') || 'none';
        throw new Error(`this asset has no clip '${clip?.name ?? clip}': its clips are ${names}`);
    }

    measureSpeed(clip, { feet } = {}) {
        return measureSpeed(this, clip, feet);
    }

    makeAdditive(clip, { reference = clip, time = 0 } = {}) {
        const of = this._clipOf(clip), from = reference === null ? null : this._clipOf(reference);
        const key = [this._live() && of._address, from?._address, toFloat(time, 'a time')].join();
        const { exports } = this._module;
        return this._make(key, () => exports.web_clip_make_additive(of._address, from?._address ?? 0, time),
            { additive: true });
    }

    subclip(clip, { start = 0, end, name } = {}) {
        const of = this._clipOf(clip), { _module: module } = this._live();
        const from = toFloat(start, 'start'), to = toFloat(end ?? of.duration, 'end'), named = String(name ?? of.name);
        return this._make(['part', of._address, from, to, named].join(), () => {
            const text = module.copyStrings([named]);
            try {
                return module.exports.web_clip_subclip(of._address, from, to, text);
            } finally {
                module.exports.free(text);
            }
        }, { additive: of.additive });
    }

    combineClips(clips = this.clips) {
        const given = Array.from(clips, (clip) => this._live()._clipOf(clip));
        const key = given.map(({ _address }) => _address).join();
        if (!this._combined.has(key)) this._combined.set(key, this._combine(given));
        return this._combined.get(key);
    }

    _combine(given) {
        const { addresses, isLeftOut } = combine(this._live()._module, given), clips = [];
        try {
            for (const address of addresses) {
                clips.push(this._make(`one of all, ${address}`, () => address, { additive: clips.length > 0 }));
            }
        } catch (error) { // the clip that could not be described is freed
            for (const address of addresses.slice(clips.length + 1)) this._module.exports.sinew_clip_destroy(address);
            throw error;
        }
        return { clips, leftOut: given.filter((_, i) => isLeftOut[i]) };
    }

    bindClip(clip, options) {
        const owner = clip?._owner?._live();
        if (owner?._module !== this._live()._module) throw new TypeError('a Clip of an asset of the same Sinew is needed');
        if (owner === this) return this._clipOf(clip);
        const from = owner._clipOf(clip), by = toBindOptions(options);
        const keys = this._bindKeys.get(from) ?? {}, key = keys[JSON.stringify(by)] ??= {};
        this._bindKeys.set(from, keys);
        let nodes = null;
        const bound = this._make(key, () => {
            const made = bind(this, from, by);
            ({ nodes } = made);
            return made.address;
        }, { additive: from.additive });
        bound.unmatched ??= unmatchedNames(from, nodes, by);
        return bound;
    }

    // Makes a clip by a function of the module, once for each key.
    _make(key, make, more) {
        if (this._made.has(key)) return this._made.get(key);
        const address = make() >>> 0, { exports } = this._module;
        if (address === 0) throw this._module.error();
        const described = describe(this._module, address, exports.web_clip_describe, exports.sinew_clip_destroy);
        const made = this._addClip(described, { index: -1, ...more });
        this._made.set(key, made);
        return made;
    }

    // Memory for the bone matrices of a skin, which all mixers share: they are copied at once.
    _bonesOf(skin) {
        this._bones ??= this._makeBones();
        return this._bones[skin];
    }

    _makeBones() {
        const counts = this.skins.map(({ jointCount }) => 16 * jointCount);
        const address = this._module.allocate(4 * Math.max(...counts));
        return counts.map((count) => new View(this._module, this, Float32Array, address, count));
    }

    dispose() {
        if (this.disposed) return;
        if (this._bones) this._module.exports.free(this._bones[0].address);
        for (const user of [...this._users]) user.dispose();
        for (const { _address } of this._made.values()) this._module.exports.sinew_clip_destroy(_address);
        this._module.exports.sinew_asset_destroy(this._address);
        this._address = 0;
    }
}
