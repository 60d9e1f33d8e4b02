// SPDX-License-Identifier: MIT
// Reads and writes a glTF file's JSON and numbers. The package doesn't tell which key or joint an index of the file
// is.
const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;
const FLOAT = 5126;
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

const BAKED = [0x53, 0x6e, 0x77, 0x41, 0x73, 0x74, 0x1a, 0x0a]; // "SnwAst" and two control characters

/** Whether a file is a baked asset. These have no JSON. */
export const isBaked = (bytes) => BAKED.every((byte, i) => bytes[i] === byte);

/**
 * The JSON of a .glb or .gltf, and a .glb's binary chunk. The file must be valid: it was loaded before. A baked asset
 * has empty JSON.
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

/** Whether a file's character faces -Z. VRM 0.x characters do. */
export function facesBack(bytes) {
    const { VRM: older, VRMC_vrm: newer } = readGltf(bytes).json.extensions ?? {};
    return Boolean(older && !newer);
}

/** Makes a .glb from JSON and a binary chunk, which may be null. */
export function writeGlb({ json, binary }) {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const padded = (length) => Math.ceil(length / 4) * 4;
    const second = 20 + padded(text.length), size = second + (binary ? 8 + padded(binary.length) : 0);
    const file = new Uint8Array(size), words = new DataView(file.buffer);
    [GLB, 2, size, padded(text.length), JSON_CHUNK].forEach((word, i) => words.setUint32(4 * i, word, true));
    file.fill(0x20, 20, second); // padded with spaces
    file.set(text, 20);
    if (!binary) return file;
    words.setUint32(second, padded(binary.length), true);
    words.setUint32(second + 4, BINARY_CHUNK, true);
    file.set(binary, second + 8);
    return file;
}

// A buffer's bytes, or null if neither the file nor its sidecar files have them.
function bufferOf({ json, binary }, index, files) {
    const { uri } = json.buffers?.[index] ?? {};
    if (uri === undefined) return binary;
    if (!uri.startsWith('data:')) return files[decodeURIComponent(uri)] ?? null;
    const text = atob(uri.slice(uri.indexOf(',') + 1));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** An accessor's numbers, if they're uncompressed floats; else null. */
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
