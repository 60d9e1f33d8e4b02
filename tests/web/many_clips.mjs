// SPDX-License-Identifier: MIT
// A glTF file with clips of given names. Clip i only moves node i: from x = 0 at the start to x = i + 1 after 1 s.
// nodeName(i) is the node's name.

const FLOAT = 5126;

export function manyClips(names, nodeName = (i) => `node ${i}`) {
    const numbers = [0, 1, ...names.flatMap((_, i) => [0, 0, 0, i + 1, 0, 0])];
    const data = Buffer.from(Float32Array.from(numbers).buffer);
    const views = [{ buffer: 0, byteOffset: 0, byteLength: 8 }];
    const accessors = [{ bufferView: 0, componentType: FLOAT, count: 2, type: 'SCALAR', min: [0], max: [1] }];
    names.forEach((_, i) => {
        views.push({ buffer: 0, byteOffset: 8 + 24 * i, byteLength: 24 });
        accessors.push({ bufferView: i + 1, componentType: FLOAT, count: 2, type: 'VEC3' });
    });
    return Buffer.from(JSON.stringify({
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: names.map((_, i) => i) }],
        nodes: names.map((_, i) => ({ name: nodeName(i) })),
        animations: names.map((name, i) => ({ name, samplers: [{ input: 0, output: i + 1 }],
            channels: [{ sampler: 0, target: { node: i, path: 'translation' } }] })),
        buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
        bufferViews: views, accessors,
    }));
}

// The same, with a triangle textured by the image file `uri`.
export function withImage(names, { name, uri }) {
    const { buffers, bufferViews, accessors, nodes, ...rest } = JSON.parse(manyClips(names));
    const points = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1).buffer);
    buffers.push({ byteLength: 60, uri: `data:application/octet-stream;base64,${points.toString('base64')}` });
    const buffer = buffers.length - 1, view = bufferViews.length, first = accessors.length;
    bufferViews.push({ buffer, byteLength: 36 }, { buffer, byteOffset: 36, byteLength: 24 });
    accessors.push({ bufferView: view, componentType: FLOAT, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
        { bufferView: view + 1, componentType: FLOAT, count: 3, type: 'VEC2' });
    nodes[0].mesh = 0;
    return Buffer.from(JSON.stringify({
        ...rest, buffers, bufferViews, accessors, nodes,
        meshes: [{ primitives: [{ attributes: { POSITION: first, TEXCOORD_0: first + 1 }, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
        textures: [{ source: 0 }], images: [{ name, uri }],
    }));
}
