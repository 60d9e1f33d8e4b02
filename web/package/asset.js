// What a glTF file holds. Names and numbers are copied when it is loaded; arrays stay in the module's memory.
import { Draco } from './draco.js';
import { Meshopt } from './meshopt.js';
import { lend, toBytes, toFloat } from './module.js';

// ---- Loading ----------------------------------------------------------------------------------------------------

// Copies the file and those beside it into the module, loads it, and gives the copies back.
function load(module, bytes, files, decode, draco) {
    const { exports } = module;
    const lent = [];
    const lend = (data) => {
        lent.push(module.copyIn(data));
        return lent.at(-1);
    };
    try {
        const table = [];
        for (const [name, data] of Object.entries(files)) {
            const content = toBytes(data, name);
            table.push(lend(new TextEncoder().encode(`${name}\0`)), lend(content), content.length);
        }
        const places = lend(toBytes(Uint32Array.from(table)));
        return exports.web_asset_load(lend(bytes), bytes.length, places, table.length / 3, decode,
            draco) >>> 0;
    } finally {
        for (const address of lent) exports.free(address);
    }
}

// The same of a file that meshopt and Draco may have compressed.
function loadWith({ meshopt, draco }, module, bytes, files) {
    if (meshopt) module.meshopt ??= new Meshopt(module);
    if (draco) module.draco ??= new Draco(module);
    const withMeshopt = (use) => (meshopt ? module.meshopt.with(meshopt, use) : use(0));
    const withDraco = (use) => (draco ? module.draco.with(draco, use) : use(0));
    return withMeshopt((decode) => withDraco((decodeMesh) => load(module, bytes, files, decode, decodeMesh)));
}

// Says what the page can do about it, too.
function toError(module, decoder) {
    const error = module.error();
    if (decoder || !/meshopt_decode$/.test(error.message)) return error;
    return new Error(`${error.message}: give it npm's MeshoptDecoder as \`meshopt\``);
}

function describe(module, address) {
    const text = module.exports.web_asset_describe(address) >>> 0;
    if (text === 0) {
        module.exports.sinew_asset_destroy(address);
        throw new Error('out of memory');
    }
    const description = JSON.parse(module.string(text));
    module.exports.free(text);
    return description;
}

// ---- Arrays -----------------------------------------------------------------------------------------------------

function lendPrimitive(asset, from) {
    const { vertexCount, indexCount, influences, material } = from;
    const to = { vertexCount, indexCount, influences, material };
    const lendAs = (name, Type, length) => lend(to, name, asset._module, asset, Type, from[name], length);
    lendAs('positions', Float32Array, 3 * vertexCount);
    lendAs('normals', Float32Array, 3 * vertexCount);
    lendAs('tangents', Float32Array, 4 * vertexCount);
    lendAs('uvs', Float32Array, 2 * vertexCount);
    lendAs('colors', Float32Array, 4 * vertexCount);
    lendAs('joints', Uint16Array, influences * vertexCount);
    lendAs('weights', Float32Array, influences * vertexCount);
    lendAs('indices', Uint32Array, indexCount);
    to.targets = from.targetPositions.map((positions, i) => {
        const target = {};
        const addresses = { positions, normals: from.targetNormals[i], tangents: from.targetTangents[i] };
        for (const name in addresses) {
            lend(target, name, asset._module, asset, Float32Array, addresses[name], 3 * vertexCount);
        }
        return target;
    });
    return to;
}

function lendSkin(asset, { name, jointCount, joints, inverseBinds }) {
    const skin = { name, jointCount };
    lend(skin, 'joints', asset._module, asset, Int32Array, joints, jointCount);
    lend(skin, 'inverseBinds', asset._module, asset, Float32Array, inverseBinds, 12 * jointCount);
    return skin;
}

function lendImage(asset, { name, mimeType, bytes, size }) {
    const image = { name, mimeType };
    lend(image, 'bytes', asset._module, asset, Uint8Array, bytes, size);
    return image;
}

const PATHS = ['translation', 'rotation', 'scale', 'weights']; // by sinew_channel_target

// They come as a node and a path in turn.
function channelsOf(numbers) {
    const channels = [];
    for (let i = 0; i < numbers.length; i += 2) channels.push({ node: numbers[i], path: PATHS[numbers[i + 1]] });
    return channels;
}

// ---- The asset --------------------------------------------------------------------------------------------------

export class Asset {
    constructor(module, bytes, files, decoders) {
        const address = loadWith(decoders, module, toBytes(bytes, 'a glTF file'), files);
        if (address === 0) throw toError(module, decoders.meshopt);
        const { nodes, clips, skins, meshes, instances, materials, textures, images, memory } =
            describe(module, address);
        Object.assign(this, { _module: module, _address: address, _users: new Set(), _additive: new Map() });
        Object.assign(this, { nodes, clips, instances, materials, textures, memory });
        this._clips = new Map(); // by their addresses, additive ones too
        clips.forEach((clip, index) => this._addClip(clip, { index, additive: false,
            channels: channelsOf(clip.channels) }));
        this.skins = skins.map((skin) => lendSkin(this, skin));
        this.images = images.map((image) => lendImage(this, image));
        this.meshes = meshes.map(({ name, primitives }) => (
            { name, primitives: primitives.map((primitive) => lendPrimitive(this, primitive)) }));
    }

    get disposed() {
        return this._address === 0;
    }

    _live() {
        if (this.disposed) throw new Error('this Asset is disposed of');
        return this;
    }

    findClip(name) {
        return this.clips.find((clip) => clip.name === name) ?? null;
    }

    findNode(name) {
        return this.nodes.findIndex((node) => node.name === name);
    }

    _addClip(clip, { address = clip.address, ...more }) {
        delete clip.address;
        Object.defineProperty(clip, '_address', { value: address });
        this._clips.set(address, Object.assign(clip, more));
        return clip;
    }

    // A clip of this asset, by name or itself.
    _clipOf(clip) {
        const found = typeof clip === 'string' ? this._live().findClip(clip) : clip;
        if (found && this._clips.get(found._address) === found) return found;
        const names = this.clips.map(({ name }) => `'${name}'`).join(', ') || 'none';
        throw new Error(`there is no clip '${clip?.name ?? clip}' in this asset; its clips: ${names}`);
    }

    makeAdditive(clip, { reference = clip, time = 0 } = {}) {
        const of = this._clipOf(clip), from = reference === null ? null : this._clipOf(reference);
        const key = [this._live() && of._address, from?._address, toFloat(time, 'a time')].join();
        if (this._additive.has(key)) return this._additive.get(key);
        const address = this._module.exports.web_clip_make_additive(of._address, from?._address ?? 0, time) >>> 0;
        if (address === 0) throw this._module.error();
        const { name, duration, markers, channels } = of;
        const made = this._addClip({ name, duration, markers, channels }, { address, index: -1, additive: true });
        this._additive.set(key, made);
        return made;
    }

    dispose() {
        if (this.disposed) return;
        for (const user of [...this._users]) user.dispose();
        for (const { _address } of this._additive.values()) this._module.exports.sinew_clip_destroy(_address);
        this._module.exports.sinew_asset_destroy(this._address);
        this._address = 0;
    }
}
