// SPDX-License-Identifier: MIT
// A file's numbers, counted like in `sinew info`.
import { sizeOf } from './download.js';
import { isBaked, readGltf } from './gltf.js';

const NUMBERS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const most = (list, of) => list.reduce((largest, one) => Math.max(largest, of(one)), 0);

// Bytes of all clips' keys in the file. Counts each accessor once, and compressed ones as uncompressed.
function animationBytes({ animations = [], accessors = [] }) {
    const used = new Set(animations.flatMap(({ samplers }) => samplers.flatMap(({ input, output }) => [input, output])));
    return sum([...used].map((index) => accessors[index]).filter(Boolean),
        ({ count, type, componentType }) => count * (NUMBERS[type] ?? 0) * (BYTES[componentType] ?? 0));
}

/** Each number's [name, value]. */
export function statisticsOf({ bytes, files, asset }) {
    const { json } = readGltf(bytes), { nodes, clips, skins, meshes, materials, images, memory } = asset;
    const primitives = meshes.flatMap((mesh) => mesh.primitives), number = (value) => value.toLocaleString('en');
    const joints = new Set(skins.flatMap((skin) => [...skin.joints]));
    const rows = [
        ['File', sizeOf(sum(Object.values(files), (file) => file.length) + bytes.length)],
        ['Memory once loaded', sizeOf(memory)],
        ['Nodes', number(nodes.length)], ['Joints', number(joints.size)], ['Skins', number(skins.length)],
        ['Meshes', number(meshes.length)],
        ['Triangles', number(sum(primitives, ({ indexCount, vertexCount }) => Math.floor((indexCount || vertexCount) / 3)))],
        ['Vertices', number(sum(primitives, ({ vertexCount }) => vertexCount))],
        ['Influences per vertex', number(most(primitives, ({ influences }) => influences))],
        ['Morph targets', number(most(primitives, ({ targets }) => targets.length))],
        ['Clips', number(clips.length)], ['Channels', number(sum(clips, ({ channels }) => channels.length))],
        ...isBaked(bytes) ? [] : [['Animation data', sizeOf(animationBytes(json))]],
        ['Materials', number(materials.length)], ['Images', number(images.length)],
    ];
    if (isBaked(bytes)) rows.push(['Format', 'Baked asset']);
    if (json.asset?.generator) rows.push(['Exporter', String(json.asset.generator)]);
    if (json.extensionsUsed?.length > 0) rows.push(['Extensions', json.extensionsUsed.join(', ')]);
    return rows;
}
