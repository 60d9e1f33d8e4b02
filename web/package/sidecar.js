// SPDX-License-Identifier: MIT
// Sidecar files: the buffers and images of a glTF file.
import { toBytes } from './module.js';

const GLB = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a; // "JSON"

// The JSON of a .glb or .gltf file, or {} if it can't be read. The module's loader reports the error.
export function jsonOf(bytes) {
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = bytes;
    if (bytes.length >= 20 && words.getUint32(0, true) === GLB) {
        if (words.getUint32(16, true) !== JSON_CHUNK) return {};
        text = bytes.subarray(20, 20 + words.getUint32(12, true));
    }
    try {
        return JSON.parse(new TextDecoder().decode(text)) ?? {};
    } catch {
        return {};
    }
}

// The files of `buffers` or `images` in the file's own folder or below. Ignores others.
function filesOf(list, kind) {
    const files = new Map();
    for (const one of Array.isArray(list) ? list : []) {
        const uri = one?.uri;
        if (typeof uri !== 'string' || /^([a-z][a-z0-9+.-]*:|[/\\])/i.test(uri)) continue;
        try {
            const name = decodeURIComponent(uri);
            if (!name.split(/[/\\]/).includes('..')) files.set(name, { name, uri, kind });
        } catch {
            // Not a URI. The module's loader reports it.
        }
    }
    return [...files.values()];
}

// The path for the file with markers and curves: Fox.markers.json for Fox.glb.
export const markersName = (path) => `${path.replace(/\.[^./]*$/, '')}.markers.json`;

export function extensionsUsed(bytes) {
    const { extensionsUsed: names } = jsonOf(toBytes(bytes, 'a glTF file'));
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

export function sidecarFiles(bytes) {
    const { buffers, images } = jsonOf(toBytes(bytes, 'a glTF file'));
    return [...filesOf(buffers, 'buffer'), ...filesOf(images, 'image')];
}
