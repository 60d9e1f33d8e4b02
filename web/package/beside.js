// The files that a glTF file names to stand beside it.
import { toBytes } from './module.js';

const GLB = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a; // "JSON"

// The JSON of a .glb or .gltf file; {} where there is none to be read: the module says what is wrong with such a file.
function jsonOf(bytes) {
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

// Those of one list, in the file's own folder and below; other places are not asked.
function listed(list, kind) {
    const files = new Map();
    for (const one of Array.isArray(list) ? list : []) {
        const uri = one?.uri;
        if (typeof uri !== 'string' || /^([a-z][a-z0-9+.-]*:|[/\\])/i.test(uri)) continue;
        try {
            const name = decodeURIComponent(uri);
            if (!name.split(/[/\\]/).includes('..')) files.set(name, { name, uri, kind });
        } catch {
            // No URI: the module says so.
        }
    }
    return [...files.values()];
}

export function extensionsUsed(bytes) {
    const { extensionsUsed: names } = jsonOf(toBytes(bytes, 'a glTF file'));
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

export function filesBeside(bytes) {
    const { buffers, images } = jsonOf(toBytes(bytes, 'a glTF file'));
    return [...listed(buffers, 'buffer'), ...listed(images, 'image')];
}
