// SPDX-License-Identifier: MIT
// Reads and writes the JSON and the numbers of a glTF file, for what the package does not tell: which key or joint an
// index of the file is.
const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

const BAKED = [0x53, 0x6e, 0x77, 0x41, 0x73, 0x74, 0x1a, 0x0a]; // "SnwAst" and two control characters

/** Whether a file is a baked asset, which has no JSON. */
export const isBaked = (bytes) => BAKED.every((byte, i) => bytes[i] === byte);

/**
 * The JSON of a .glb or .gltf, and the binary chunk of a .glb. The file has been loaded before, so that it is valid. A baked
 * asset has an empty JSON.
 */
export function readGltf(bytes) {
    if (isBaked(bytes)) return { json: {}, binary: null };
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isGlb = bytes.length >= 20 && words.getUint32(0, true) === GLB;
    const end = isGlb ? 20 + words.getUint32(12, true) : bytes.length;
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(isGlb ? 20 : 0, end)));
    if (!isGlb || end + 8 > bytes.length) return { json, binary: null };
    return { json, binary: bytes.subarray(end + 8, end + 8 + words.getUint32(end, true)) };
}

/** Whether the character of a file faces -Z: those of VRM 0.x do. */
export function facesBack(bytes) {
    const { VRM: older, VRMC_vrm: newer } = readGltf(bytes).json.extensions ?? {};
    return Boolean(older && !newer);
}

/** The .glb of a JSON and a binary chunk, which may be null. */
export function writeGlb({ json, binary }) {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const padded = (length) => Math.ceil(length / 4) * 4;
    const second = 20 + padded(text.length), size = second + (binary ? 8 + padded(binary.length) : 0);
    const file = new Uint8Array(size), words = new DataView(file.buffer);
    [GLB, 2, size, padded(text.length), JSON_CHUNK].forEach((word, i) => words.setUint32(4 * i, word, true));
    file.fill(0x20, 20, second); // JSON ends with spaces
    file.set(text, 20);
    if (!binary) return file;
    words.setUint32(second, padded(binary.length), true);
    words.setUint32(second + 4, BINARY_CHUNK, true);
    file.set(binary, second + 8);
    return file;
}

// The bytes of a buffer; null where they are not in the file or its sidecar files.
function bufferOf({ json, binary }, index, files) {
    const { uri } = json.buffers?.[index] ?? {};
    if (uri === undefined) return binary;
    if (!uri.startsWith('data:')) return files[decodeURIComponent(uri)] ?? null;
    const text = atob(uri.slice(uri.indexOf(',') + 1));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The numbers of an accessor of floats; null for others, and for compressed ones. */
export function readFloats(gltf, index, files) {
    const { bufferView, byteOffset = 0, componentType, count, type, sparse } = gltf.json.accessors?.[index] ?? {};
    const view = gltf.json.bufferViews?.[bufferView];
    if (!view || view.extensions || sparse || componentType !== FLOAT || !(type in SIZES)) return null;
    const bytes = bufferOf(gltf, view.buffer, files);
    if (!bytes) return null;
    const size = SIZES[type], stride = view.byteStride ?? 4 * size, first = (view.byteOffset ?? 0) + byteOffset;
    if (first + stride * (count - 1) + 4 * size > bytes.length) return null;
    const words = new DataView(bytes.buffer, bytes.byteOffset + first);
    return Float32Array.from({ length: count * size }, (_, i) => (
        words.getFloat32(stride * Math.floor(i / size) + 4 * (i % size), true)));
}
