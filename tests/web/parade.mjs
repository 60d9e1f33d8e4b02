// SPDX-License-Identifier: MIT
// Writes a glTF file with all features of materials, meshes and skins that a renderer may get wrong, next to each
// other. They all move in its only clip, for a second.
import { deflateSync } from 'node:zlib';

const FLOAT = 5126;
const USHORT = 5123;
const UINT = 5125;
const UBYTE = 5121;
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const ARRAYS = { [FLOAT]: Float32Array, [USHORT]: Uint16Array, [UINT]: Uint32Array, [UBYTE]: Uint8Array };

// ---- PNG --------------------------------------------------------------------------------------------------------

function crc32(bytes) {
    let crc = ~0;
    for (const byte of bytes) {
        crc ^= byte;
        for (let i = 0; i < 8; i++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
}

function chunk(name, data) {
    const body = Buffer.concat([Buffer.from(name), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

// `pixel(x, y)` is [red, green, blue, alpha].
function png(size, pixel) {
    const rows = [];
    for (let y = 0; y < size; y++) {
        rows.push(0); // no filter
        for (let x = 0; x < size; x++) rows.push(...pixel(x, y));
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(size, 0);
    header.writeUInt32BE(size, 4);
    header.set([8, 6], 8); // 8 bits each of red, green, blue and alpha
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header),
        chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', Buffer.alloc(0))]);
}

// An arrow upward on the left half and rings on the right, with holes: no two corners alike.
function picture(x, y) {
    const ring = Math.hypot(x - 22, y - 16) % 6 < 3;
    if (x >= 16) return ring ? [240, 190, 40, 255] : [60, 60, 160, y < 16 ? 0 : 255];
    return Math.abs(x - 8) < y / 4 ? [200, 40, 60, 255] : [230, 230, 220, 255];
}

// ---- Shapes -----------------------------------------------------------------------------------------------------

// A ball of unit radius; `rings` of them from pole to pole, and twice as many segments.
function ball(rings) {
    const shape = { positions: [], normals: [], uvs: [], indices: [] };
    const across = 2 * rings + 1;
    for (let i = 0; i <= rings; i++) {
        for (let k = 0; k < across; k++) {
            const down = Math.PI * i / rings;
            const round = Math.PI * k / rings;
            const point = [Math.sin(down) * Math.sin(round), Math.cos(down), Math.sin(down) * Math.cos(round)];
            shape.positions.push(...point);
            shape.normals.push(...point);
            shape.uvs.push(2 * k / rings - 0.5, 2 * i / rings - 0.5);
            if (i === rings || k === across - 1) continue;
            const corner = i * across + k;
            shape.indices.push(corner, corner + across, corner + 1, corner + 1, corner + across, corner + across + 1);
        }
    }
    return shape;
}

// A tube from y = 0 to 2, bent by joints along it. A vertex uses the nearest `influences` joints.
function tube(jointCount, influences) {
    const shape = { positions: [], normals: [], indices: [], joints: [], weights: [] };
    const across = 17;
    for (let i = 0; i <= 16; i++) {
        for (let k = 0; k < across; k++) {
            const round = Math.PI * k / 8;
            const y = i / 8;
            shape.positions.push(0.35 * Math.sin(round), y, 0.35 * Math.cos(round));
            shape.normals.push(Math.sin(round), 0, Math.cos(round));
            const shares = Array.from({ length: jointCount }, (_, joint) => (
                { joint, weight: Math.exp(-6 * (y - 2 * joint / jointCount) ** 2) }));
            shares.sort((a, b) => b.weight - a.weight);
            const sum = shares.slice(0, influences).reduce((all, { weight }) => all + weight, 0);
            shape.joints.push(...shares.slice(0, influences).map(({ joint }) => joint));
            shape.weights.push(...shares.slice(0, influences).map(({ weight }) => weight / sum));
            if (i === 16 || k === across - 1) continue;
            const corner = i * across + k;
            shape.indices.push(corner, corner + 1, corner + across, corner + 1, corner + across + 1, corner + across);
        }
    }
    return shape;
}

// ---- The file ---------------------------------------------------------------------------------------------------

class File {
    constructor() {
        this.chunks = [];
        this.size = 0;
        this.json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [] }], nodes: [], meshes: [], skins: [],
            materials: [], textures: [], images: [], samplers: [], accessors: [], bufferViews: [], buffers: [],
            animations: [{ name: 'Parade', channels: [], samplers: [] }] };
    }

    view(bytes) {
        const byteOffset = this.size;
        const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
        padded.set(bytes);
        this.chunks.push(padded);
        this.size += padded.length;
        return this.json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length }) - 1;
    }

    accessor(type, componentType, values) {
        const array = ARRAYS[componentType].from(values);
        const bufferView = this.view(Buffer.from(array.buffer));
        const count = values.length / WIDTHS[type];
        const accessor = { bufferView, componentType, type, count };
        if (type === 'VEC3') {
            const axis = (i) => values.filter((_, k) => k % 3 === i);
            accessor.min = [0, 1, 2].map((i) => Math.fround(Math.min(...axis(i))));
            accessor.max = [0, 1, 2].map((i) => Math.fround(Math.max(...axis(i))));
        }
        if (type === 'SCALAR' && componentType === FLOAT) {
            accessor.min = [Math.min(...values)];
            accessor.max = [Math.max(...values)];
        }
        return this.json.accessors.push(accessor) - 1;
    }

    mesh({ positions, normals, uvs, colors, joints, weights, indices }, material, { targets, ...more } = {}) {
        const attributes = { POSITION: this.accessor('VEC3', FLOAT, positions) };
        if (normals) attributes.NORMAL = this.accessor('VEC3', FLOAT, normals);
        if (uvs) attributes.TEXCOORD_0 = this.accessor('VEC2', FLOAT, uvs);
        if (colors) attributes.COLOR_0 = this.accessor('VEC4', FLOAT, colors);
        const count = joints ? joints.length / (positions.length / 3) : 0;
        for (let set = 0; set < count / 4; set++) {
            const part = (values) => values.filter((_, i) => Math.floor(i % count / 4) === set);
            attributes[`JOINTS_${set}`] = this.accessor('VEC4', UBYTE, part(joints));
            attributes[`WEIGHTS_${set}`] = this.accessor('VEC4', FLOAT, part(weights));
        }
        const primitive = { attributes, material, ...(indices && { indices: this.accessor('SCALAR', UINT, indices) }) };
        primitive.targets = targets?.map((target) => Object.fromEntries(Object.entries(target).map(([name, values]) => (
            [name, this.accessor('VEC3', FLOAT, values)]))));
        return this.json.meshes.push({ primitives: [primitive], ...more }) - 1;
    }

    node(node, parent) {
        const index = this.json.nodes.push(node) - 1;
        if (parent === undefined) this.json.scenes[0].nodes.push(index);
        else (this.json.nodes[parent].children ??= []).push(index);
        return index;
    }

    material(material) {
        return this.json.materials.push(material) - 1;
    }

    texture(bytes, wrapS, wrapT) {
        const source = this.json.images.push({ mimeType: 'image/png', bufferView: this.view(bytes) }) - 1;
        const sampler = this.json.samplers.push({ wrapS, wrapT }) - 1;
        return { index: this.json.textures.push({ source, sampler }) - 1 };
    }

    animate(node, path, type, from, to) {
        const [animation] = this.json.animations;
        this.times ??= this.accessor('SCALAR', FLOAT, [0, 1]);
        const output = this.accessor(type, FLOAT, [...from, ...to]);
        const sampler = animation.samplers.push({ input: this.times, output, interpolation: 'LINEAR' }) - 1;
        animation.channels.push({ sampler, target: { node, path } });
    }

    // A tube that bends, on its own joints.
    bent(jointCount, influences, material, x, more) {
        let joint = this.node({ translation: [x, 0, 0] });
        const joints = [joint];
        for (let i = 1; i < jointCount; i++) {
            joints.push(joint = this.node({ translation: [0, 2 / jointCount, 0] }, joint));
        }
        const angle = 0.7 / jointCount;
        const bend = [0, 0, Math.sin(angle), Math.cos(angle)];
        for (const node of joints) this.animate(node, 'rotation', 'VEC4', [0, 0, 0, 1], bend);
        const binds = joints.flatMap((_, i) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2 * i / jointCount, 0, 1]);
        const skin = this.json.skins.push({ joints, inverseBindMatrices: this.accessor('MAT4', FLOAT, binds) }) - 1;
        const shape = tube(jointCount, influences);
        this.node({ mesh: this.mesh(shape, material, more?.(shape)), skin });
    }

    gltf() {
        const bytes = Buffer.concat(this.chunks);
        const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
        this.json.buffers = [{ byteLength: bytes.length, uri }];
        return JSON.stringify(this.json);
    }
}

const color = (...baseColorFactor) => ({ pbrMetallicRoughness: { baseColorFactor } });
const REPEAT = 10497;
const CLAMP = 33071;
const MIRROR = 33648;

export function parade() {
    const file = new File();
    const round = ball(12);
    const half = { ...round, indices: round.indices.slice(0, round.indices.length / 2) };
    const turned = [Math.sin(-0.7), 0, 0, Math.cos(-0.7)]; // its open side toward +Z
    const image = png(32, picture);
    const spin = (node) => file.animate(node, 'rotation', 'VEC4', [0, 0, 0, 1], [0, Math.sin(0.8), 0, Math.cos(0.8)]);

    // Grows upward, and another one sideways, by morph targets with normals and without.
    const up = round.positions.map((value, i) => (i % 3 === 1 && value > 0 ? 0.9 * value : 0));
    const tilt = round.normals.map((value, i) => (i % 3 === 1 && value > 0 ? -0.4 * value : 0));
    const aside = round.positions.map((value, i) => (i % 3 === 0 ? 0.5 * value * value : 0));
    const morphing = file.mesh(round, file.material(color(0.3, 0.6, 0.4, 1)),
        { targets: [{ POSITION: up, NORMAL: tilt }, { POSITION: aside }], weights: [0, 0] });
    file.animate(file.node({ mesh: morphing, translation: [-6, 1, 0] }), 'weights', 'SCALAR', [0, 0], [1, 0.8]);

    // Flat, with three vertices per triangle: no normals, no indices, its own colours.
    const low = ball(4);
    const corners = low.indices.flatMap((i) => low.positions.slice(3 * i, 3 * i + 3));
    const colors = low.indices.flatMap((_, i) => [i % 7 / 7, i % 5 / 5, i % 3 / 3, 1]);
    spin(file.node({ mesh: file.mesh({ positions: corners, colors }, file.material({})), translation: [-3.5, 1, 0] }));

    // Textures: with holes, repeated and mirrored; the same on a mirrored node; clamped, and seen from both sides.
    const holes = file.mesh(round, file.material({ alphaMode: 'MASK', alphaCutoff: 0.5,
        pbrMetallicRoughness: { baseColorTexture: file.texture(image, REPEAT, MIRROR) } }));
    spin(file.node({ mesh: holes, translation: [-1, 1, 0] }));
    file.node({ mesh: holes, translation: [1.5, 1, 0], scale: [-1, 1, 0.8] });
    file.node({ translation: [4, 1, 0], rotation: turned, mesh: file.mesh(half, file.material({ doubleSided: true,
        pbrMetallicRoughness: { baseColorTexture: file.texture(image, CLAMP, CLAMP) } })) });

    // What is behind shows through; and light does not matter.
    file.node({ mesh: file.mesh(round, file.material({ alphaMode: 'BLEND', ...color(0.9, 0.3, 0.2, 0.5) })),
        translation: [4.6, 0.8, 2], scale: [0.8, 0.8, 0.8] });
    file.json.extensionsUsed = ['KHR_materials_unlit'];
    const unlit = file.material({ extensions: { KHR_materials_unlit: {} }, ...color(0.1, 0.5, 0.8, 1) });
    file.node({ mesh: file.mesh(low, unlit), translation: [0.3, 0.6, 1.4], scale: [0.6, 0.6, 0.6] });

    // Two skins: of four joints a vertex; and of eight, with a morph target.
    file.bent(4, 4, file.material({ doubleSided: true, ...color(0.7, 0.5, 0.2, 1) }), -8);
    file.bent(8, 8, file.material({ doubleSided: true, ...color(0.4, 0.3, 0.7, 1) }), 6.5, ({ positions }) => (
        { targets: [{ POSITION: positions.map((value, i) => (i % 3 === 1 ? 0 : 0.8 * value)) }], weights: [0.7] }));
    return file.gltf();
}
