// SPDX-License-Identifier: MIT
// Assets from what GLTFLoader of three.js has read, without a second request.

// The buffer views of accessors.
function viewsOf({ accessors = [] }) {
    return new Set(accessors.flatMap(({ bufferView, sparse }) => (
        [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView])));
}

// The file that a loader has read, with each buffer view in a buffer of its own: the loader keeps the views,
// decompressed by meshopt.
async function fileOf(parser) {
    const { json } = parser, used = viewsOf(json);
    const buffers = await Promise.all((json.bufferViews ?? []).map((_, i) => (
        used.has(i) ? parser.getDependency('bufferView', i) : new ArrayBuffer(0))));
    const bufferViews = json.bufferViews?.map(({ byteStride }, buffer) => (
        { buffer, byteLength: buffers[buffer].byteLength, byteStride }));
    return { json: { ...json, bufferViews }, buffers };
}

const loads = new WeakMap(); // by parser: promises of assets, by Sinew

// The asset of what a loader has read. It is made once, and again after it was disposed.
export async function assetOf({ parser }, sinew) {
    if (!loads.has(parser)) loads.set(parser, new WeakMap());
    const assets = loads.get(parser), earlier = assets.get(sinew);
    const isUsable = earlier && !(await earlier).disposed;
    if (!isUsable && assets.get(sinew) === earlier) { // and no other call has made it meanwhile
        assets.set(sinew, fileOf(parser).then((file) => sinew.makeAsset(file)));
    }
    return assets.get(sinew);
}
