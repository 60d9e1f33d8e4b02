// SPDX-License-Identifier: MIT
// Makes assets from the JSON and the buffers of a glTF file that another library has parsed: its nodes, skins, clips
// and bounds. `file` is { json, buffers }. Structs use the module's layout, in 32-bit words (web.h).
import { elementOf, readAccessor, readFloats } from './accessors.js';
import { CHANNEL_TARGETS, INTERPOLATIONS } from './constants.js';
import { toBytes, toFloat } from './module.js';

const DRACO = 'KHR_draco_mesh_compression';
const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' }; // key types, by target
const NONE = 0; // address of an absent array

const bits = (float) => new Uint32Array(Float32Array.of(float).buffer)[0];
const bitsOf = (floats) => [...floats].map(bits);
const indexIn = (list, index, name) => elementOf(list, index, name) && index;

function toFloats(list, count, fallback, what) {
    if (list === undefined) return fallback;
    if (!Array.isArray(list) || list.length !== count) throw new TypeError(`${what} must be ${count} numbers`);
    return list.map((number) => toFloat(number, what));
}

// Copies of a file's content in the module's memory, which are freed together. Each accessor is copied once.
class Copies {
    constructor(module, file) {
        this.module = module;
        this.file = file;
        this.addresses = [];
        this.accessors = new Map();
    }

    bytes(array) {
        this.addresses.push(this.module.copyIn(toBytes(array)));
        return this.addresses.at(-1);
    }

    string(text) {
        return this.bytes(new TextEncoder().encode(`${typeof text === 'string' ? text : ''}\0`));
    }

    words(rows) {
        return this.bytes(Uint32Array.from(rows.flat()));
    }

    // Returns { numbers, address } for an accessor, converted by `read`.
    accessor(read, index, type) {
        const key = `${read.name} ${type} ${index}`;
        if (!this.accessors.has(key)) {
            const numbers = read(this.file, index, type);
            this.accessors.set(key, { numbers, address: this.bytes(numbers) });
        }
        return this.accessors.get(key);
    }

    floats(index, type) {
        return this.accessor(readFloats, index, type);
    }

    free() {
        for (const address of this.addresses) this.module.exports.free(address);
    }
}

// ---- Nodes ------------------------------------------------------------------------------------------------------

function parentsOf({ nodes }) {
    const parents = nodes.map(() => -1);
    nodes.forEach(({ children = [] }, node) => {
        for (const child of children) {
            if (parents[indexIn(nodes, child, 'nodes')] >= 0) throw new Error(`nodes[${child}] is a child of two nodes`);
            parents[child] = node;
        }
    });
    return parents;
}

const targetCountOf = (mesh) => mesh?.primitives?.[0]?.targets?.length ?? 0;

// A node's rest weights for its morph targets. Cuts them, or pads them with 0.
function weightsOf({ weights }, mesh) {
    const given = weights ?? mesh?.weights ?? [];
    return Float32Array.from({ length: targetCountOf(mesh) }, (_, i) => toFloat(given[i] ?? 0, 'weights'));
}

function nodesOf({ json }, copies) {
    const parents = parentsOf(json);
    return json.nodes.map((node, i) => {
        const mesh = node.mesh === undefined ? null : elementOf(json.meshes, node.mesh, 'meshes');
        const weights = weightsOf(node, mesh);
        const matrix = toFloats(node.matrix, 16, null, `nodes[${i}].matrix`);
        return [copies.string(node.name), parents[i],
            ...bitsOf(toFloats(node.translation, 3, [0, 0, 0], `nodes[${i}].translation`)),
            ...bitsOf(toFloats(node.rotation, 4, [0, 0, 0, 1], `nodes[${i}].rotation`)),
            ...bitsOf(toFloats(node.scale, 3, [1, 1, 1], `nodes[${i}].scale`)),
            matrix ? copies.bytes(Float32Array.from(matrix)) : NONE, weights.length, copies.bytes(weights)];
    });
}

// ---- Skins ------------------------------------------------------------------------------------------------------

function skinsOf({ json }, copies) {
    return (json.skins ?? []).map(({ name, joints, inverseBindMatrices: accessor }, i) => {
        const matrices = accessor === undefined ? null : copies.floats(accessor, 'MAT4');
        if (matrices && matrices.numbers.length < 16 * joints.length) {
            throw new Error(`skins[${i}]: accessors[${accessor}] has fewer matrices than the skin has joints`);
        }
        return [copies.string(name), joints.length, copies.words(joints.map((joint) => indexIn(json.nodes, joint, 'nodes'))),
            matrices?.address ?? NONE];
    });
}

// ---- Clips ------------------------------------------------------------------------------------------------------

// Returns a channel and the time of its last key, or null for a channel without an effect.
function channelOf({ json }, copies, { samplers }, { sampler, target: { node, path } }) {
    if (node === undefined || !Object.hasOwn(TYPES, path)) return null;
    const target = CHANNEL_TARGETS.indexOf(path);
    const { mesh } = elementOf(json.nodes, node, 'nodes');
    const width = path === 'weights' ? targetCountOf(json.meshes?.[mesh]) : Number(TYPES[path].at(-1));
    if (width === 0) return null;
    const { input, output, interpolation = 'LINEAR' } = elementOf(samplers, sampler, 'samplers');
    const times = copies.floats(input, 'SCALAR'), values = copies.floats(output, TYPES[path]);
    const keys = times.numbers.length, isSpline = interpolation === 'CUBICSPLINE';
    if (values.numbers.length !== keys * width * (isSpline ? 3 : 1)) {
        throw new Error(`accessors[${output}] must have values for ${keys} keys`);
    }
    if (!INTERPOLATIONS.includes(interpolation)) throw new Error(`unknown interpolation '${interpolation}'`);
    return { end: times.numbers.at(-1), name: `${node} ${target}`,
        words: [node, target, INTERPOLATIONS.indexOf(interpolation), keys, times.address, values.address] };
}

function markersOf({ extras }, copies, duration) {
    const markers = Array.isArray(extras?.markers) ? extras.markers : [];
    const isMarker = (one) => typeof one?.time === 'number' && one.time >= 0 && Math.fround(one.time) <= duration
        && ['string', 'undefined'].includes(typeof one.name);
    return markers.filter(isMarker).map(({ name, time }) => [copies.string(name), bits(time)]);
}

function clipsOf(file, copies) {
    return (file.json.animations ?? []).map((animation) => {
        const channels = new Map(); // the first channel of each target
        for (const given of animation.channels) {
            const channel = channelOf(file, copies, animation, given);
            if (channel && !channels.has(channel.name)) channels.set(channel.name, channel);
        }
        const list = [...channels.values()];
        const markers = markersOf(animation, copies, Math.max(0, ...list.map(({ end }) => end)));
        return [copies.string(animation.name), list.length, copies.words(list.map(({ words }) => words)),
            markers.length, copies.words(markers)];
    });
}

// ---- Mesh nodes --------------------------------------------------------------------------------------------------

// Finds the default scene's visible nodes, including descendants.
function drawnNodes({ scene = 0, scenes, nodes }) {
    const drawn = new Set();
    const add = (index) => {
        const { children = [], extensions } = elementOf(nodes, index, 'nodes');
        if (extensions?.KHR_node_visibility?.visible === false || drawn.has(index)) return;
        drawn.add(index);
        pending.push(...children);
    };
    const children = new Set(nodes.flatMap((node) => node.children ?? []));
    const roots = [...nodes.keys()].filter((node) => !children.has(node));
    const pending = [...scenes?.length > 0 ? elementOf(scenes, scene, 'scenes').nodes ?? [] : roots];
    while (pending.length > 0) add(pending.pop());
    return drawn;
}

function meshNodesOf({ json }) {
    const drawn = drawnNodes(json);
    return [...json.nodes.entries()].filter(([, { mesh }]) => mesh !== undefined).map(([node, { mesh, skin }]) => ({
        node, mesh, skin: skin === undefined ? -1 : indexIn(json.skins, skin, 'skins'), drawn: drawn.has(node) }));
}

// ---- Vertices ---------------------------------------------------------------------------------------------------

// Normalizes a vertex's weights like the importer. A vertex without weights gets weight 1 for joint 0.
function repairVertex(joints, weights, first, end) {
    let sum = 0;
    for (let i = first; i < end; i++) sum += weights[i] > 0 || !Number.isFinite(weights[i]) ? weights[i] : 0;
    for (let i = first; i < end; i++) {
        weights[i] = sum > 0 && sum < Infinity && weights[i] > 0 ? weights[i] / sum : 0;
        if (weights[i] === 0) joints[i] = 0;
    }
    if (!(sum > 0 && sum < Infinity)) weights[first] = 1;
}

// Joints and weights from one or two sets, interleaved.
function influencesOf(file, copies, attributes, vertexCount) {
    const sets = [0, 1].filter((set) => attributes[`JOINTS_${set}`] !== undefined), width = 4 * sets.length;
    if (width === 0) return [0, NONE, NONE];
    const joints = new Uint16Array(width * vertexCount), weights = new Float32Array(width * vertexCount);
    for (const set of sets) {
        const from = readAccessor(file, attributes[`JOINTS_${set}`], 'VEC4');
        const by = readFloats(file, attributes[`WEIGHTS_${set}`], 'VEC4');
        if (from.length !== 4 * vertexCount || by.length !== from.length) {
            throw new Error('joints and weights must have as many vertices as their primitive');
        }
        for (let i = 0; i < from.length; i++) {
            const to = width * (i >> 2) + 4 * set + i % 4;
            joints[to] = from[i];
            weights[to] = by[i];
        }
    }
    for (let first = 0; first < joints.length; first += width) repairVertex(joints, weights, first, first + width);
    return [width, copies.bytes(joints), copies.bytes(weights)];
}

const readIndices = (...accessor) => Uint32Array.from(readAccessor(...accessor));

// Returns a primitive's triangle indices if there are fewer of them than vertices. Else [0, NONE], for all vertices.
function indicesOf({ indices, mode = 4 }, copies, vertexCount) {
    if (indices === undefined) return [0, NONE];
    const { numbers, address } = copies.accessor(readIndices, indices, 'SCALAR');
    const count = mode === 4 ? numbers.length - numbers.length % 3 : numbers.length;
    return count < vertexCount ? [count, address] : [0, NONE];
}

// Whether a primitive has uncompressed triangles.
function hasTriangles({ attributes, mode = 4, extensions }, accessors) {
    if (mode < 4 || attributes?.POSITION === undefined) return false;
    const { bufferView, count } = elementOf(accessors, attributes.POSITION, 'accessors');
    return count > 0 && !(extensions?.[DRACO] && bufferView === undefined);
}

function boundedOf(file, copies, primitive, nodes, skin) {
    const { attributes, targets = [] } = primitive;
    const positions = copies.floats(attributes.POSITION, 'VEC3'), vertexCount = positions.numbers.length / 3;
    const moves = targets.map(({ POSITION }) => (POSITION === undefined ? NONE : copies.floats(POSITION, 'VEC3')));
    if (moves.some((one) => one !== NONE && one.numbers.length !== 3 * vertexCount)) {
        throw new Error('a morph target must have as many vertices as its primitive');
    }
    return [nodes.length, copies.words(nodes), skin, vertexCount, positions.address,
        ...indicesOf(primitive, copies, vertexCount), ...influencesOf(file, copies, attributes, vertexCount),
        targets.length, copies.words(moves.map((one) => one.address ?? NONE))];
}

// The primitives of all drawn mesh nodes. Nodes with the same mesh and skin share theirs.
function allBounded(file, copies, meshNodes) {
    const groups = new Map();
    for (const { node, mesh, skin } of meshNodes.filter(({ drawn }) => drawn)) {
        const key = `${mesh} ${skin}`;
        if (!groups.has(key)) groups.set(key, { mesh, skin, nodes: [] });
        groups.get(key).nodes.push(node);
    }
    const { accessors, meshes } = file.json;
    return [...groups.values()].flatMap(({ mesh, skin, nodes }) => meshes[mesh].primitives
        .filter((primitive) => hasTriangles(primitive, accessors))
        .map((primitive) => boundedOf(file, copies, primitive, nodes, skin)));
}

// ---- The asset --------------------------------------------------------------------------------------------------

function contentOf(file, copies) {
    const { meshes = [] } = file.json, meshNodes = meshNodesOf(file);
    const lists = [nodesOf(file, copies), skinsOf(file, copies), clipsOf(file, copies),
        meshes.map(({ name }) => copies.string(name)),
        meshNodes.map(({ node, mesh, skin, drawn }) => [node, mesh, skin, Number(drawn)]),
        allBounded(file, copies, meshNodes)];
    return copies.words(lists.flatMap((rows) => [rows.length, copies.words(rows)]));
}

// Makes an asset and returns its address.
export function assemble(module, { json, buffers }) {
    const file = { json: { ...json, nodes: json.nodes ?? [] }, buffers };
    const copies = new Copies(module, file);
    try {
        const address = module.exports.web_asset_assemble(contentOf(file, copies)) >>> 0;
        if (address === 0) throw module.error();
        return address;
    } finally {
        copies.free();
    }
}
