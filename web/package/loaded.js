// SPDX-License-Identifier: MIT
// Assets from what GLTFLoader of three.js has read, without a second request.

// The extensions of what is read again: meshes, skins and clips.
const DRACO = 'KHR_draco_mesh_compression';
const EXTENSIONS = [DRACO, 'KHR_mesh_quantization'];
const ownExtensions = (names) => names?.filter((name) => EXTENSIONS.includes(name));

// The buffer views of accessors and of Draco's meshes.
function viewsOf({ accessors = [], meshes = [] }) {
    const used = accessors.flatMap(({ bufferView, sparse }) => (
        [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView]));
    const primitives = meshes.flatMap((mesh) => mesh.primitives);
    return new Set([...used, ...primitives.map(({ extensions }) => extensions?.[DRACO]?.bufferView)]);
}

// The file that a loader has read, as a .gltf without materials, with each buffer view in a file of its own: the loader
// keeps the views, decompressed by meshopt.
async function fileOf(parser) {
    const { json } = parser, used = viewsOf(json), files = {};
    const buffers = [], bufferViews = [];
    for (const [i, { byteStride }] of (json.bufferViews ?? []).entries()) {
        const uri = `view${i}`;
        files[uri] = used.has(i) ? await parser.getDependency('bufferView', i) : new ArrayBuffer(1);
        const { byteLength } = files[uri];
        buffers.push({ uri, byteLength });
        bufferViews.push({ buffer: i, byteLength, byteStride });
    }
    const file = { ...json, buffers, bufferViews, materials: json.materials?.map(() => ({})), images: undefined,
        textures: undefined, samplers: undefined, extensionsUsed: ownExtensions(json.extensionsUsed),
        extensionsRequired: ownExtensions(json.extensionsRequired) };
    return [new TextEncoder().encode(JSON.stringify(file)), files];
}

const loads = new WeakMap(); // by parser: promises of assets, by Sinew

// The asset of what a loader has read. It is loaded once, and again after it was disposed.
export async function assetOf({ parser }, sinew) {
    if (!loads.has(parser)) loads.set(parser, new WeakMap());
    const assets = loads.get(parser), earlier = assets.get(sinew);
    const isUsable = earlier && !(await earlier).disposed;
    if (!isUsable && assets.get(sinew) === earlier) { // and no other call has loaded it meanwhile
        assets.set(sinew, fileOf(parser).then(([bytes, files]) => sinew.loadAsset(bytes, files)));
    }
    return assets.get(sinew);
}
