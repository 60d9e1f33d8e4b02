// SPDX-License-Identifier: MIT
// Makes assets from what three.js's GLTFLoader has read, without a second request.
import { given } from './given.js';

// The buffer views of the accessors.
function viewsOf({ accessors = [] }) {
    return new Set(accessors.flatMap(({ bufferView, sparse }) => (
        [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView])));
}

// Makes a file from what a loader has read. Each buffer view gets a buffer of its own, because the loader keeps
// views, with meshopt already decompressed.
async function fileOf(parser) {
    const { json } = parser, used = viewsOf(json);
    const buffers = await Promise.all((json.bufferViews ?? []).map((_, i) => (
        used.has(i) ? parser.getDependency('bufferView', i) : new ArrayBuffer(0))));
    const bufferViews = json.bufferViews?.map(({ byteStride }, buffer) => (
        { buffer, byteLength: buffers[buffer].byteLength, byteStride }));
    return { json: { ...json, bufferViews }, buffers };
}

const loads = new WeakMap(); // by parser: promises of assets, by Sinew

export function checkGltf(gltf) {
    if (gltf?.parser?.associations) return;
    throw new TypeError(`gltf must be what GLTFLoader has loaded, not ${given(gltf)}${gltf?.isObject3D ? ': pass gltf, not gltf.scene' : ''}`);
}

// Makes the asset of what a loader has read, once. Makes it again if it was disposed.
export async function assetOf(gltf, sinew) {
    checkGltf(gltf);
    const { parser } = gltf;
    if (!loads.has(parser)) loads.set(parser, new WeakMap());
    const assets = loads.get(parser), earlier = assets.get(sinew);
    const isUsable = earlier && !(await earlier).disposed;
    if (!isUsable && assets.get(sinew) === earlier) { // no other call has made it meanwhile
        assets.set(sinew, fileOf(parser).then((file) => sinew.makeAsset(file)));
    }
    return assets.get(sinew);
}
