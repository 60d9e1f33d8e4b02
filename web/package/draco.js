// Meshes compressed by KHR_draco_mesh_compression: the module says what it wants of them, and npm's draco3d decodes them.
import { addFunction } from './module.js';

// By glTF's component types: draco3d's name for the type.
const TYPES = { 5120: 'DT_INT8', 5121: 'DT_UINT8', 5122: 'DT_INT16', 5123: 'DT_UINT16', 5125: 'DT_UINT32',
    5126: 'DT_FLOAT32' };
const SIZES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const METADATA = 0x8000; // a flag: metadata stand before the counts

// A whole number of seven bits a byte, the lowest first, and the place behind it.
function varint(bytes, at) {
    let value = 0, scale = 1;
    for (; at < bytes.length && scale <= 2 ** 28; at++, scale *= 128) {
        value += (bytes[at] & 127) * scale;
        if (bytes[at] < 128) return [value, at + 1];
    }
    return [NaN, at];
}

// draco3d takes memory by what the data say: they must say as many triangles as the file does.
function hasTriangles(bytes, count) {
    const [, , , , , major, minor, kind, method] = bytes;
    if (bytes.length < 11 || major !== 2 || minor !== 2 || kind !== 1) return false;
    if ((bytes[9] | bytes[10] << 8) & METADATA) return true;
    const [first, next] = varint(bytes, method === 1 ? 12 : 11); // Edgebreaker: a byte, the vertices, the triangles
    return (method === 1 ? varint(bytes, next)[0] : first) === count;
}

export class Draco {
    constructor(module) {
        Object.assign(this, { _module: module, _decoder: null, _fault: null });
        this._function = addFunction(module.exports, 2, (mesh) => this._decode(mesh >>> 0));
    }

    // What `load` gives, to which it gives the decoder as a function of the module's.
    with(decoder, load) {
        Object.assign(this, { _decoder: decoder, _fault: null });
        const result = load(this._function);
        this._decoder = null;
        // What is wrong with the data, the module says; a decoder that is none has no functions.
        if (this._fault instanceof TypeError) {
            throw new Error("the Draco decoder is not ready: give what draco3d's createDecoderModule() resolves to " +
                `(${this._fault.message})`);
        }
        return result;
    }

    // An error must not pass through the module, which has something to give back.
    _decode(address) {
        const [data, size, vertexCount, attributeCount, attributes, indexCount, indices] =
            new Uint32Array(this._module.memory.buffer, address, 7); // sinew_draco_mesh
        const wanted = Array.from({ length: attributeCount }, (_, i) => { // sinew_draco_attribute
            const [id, type, width, out] = new Uint32Array(this._module.memory.buffer, attributes + 16 * i, 4);
            return { id, type, width, out };
        });
        try {
            const bytes = new Uint8Array(this._module.memory.buffer, data, size);
            if (!hasTriangles(bytes, indexCount / 3)) return 0;
            return this._copy(bytes, { vertexCount, wanted, indexCount, indices }) ? 1 : 0;
        } catch (error) {
            this._fault = error;
            return 0;
        }
    }

    _copy(bytes, { vertexCount, wanted, indexCount, indices }) {
        const draco = this._decoder, decoder = new draco.Decoder(), mesh = new draco.Mesh();
        try {
            if (!decoder.DecodeArrayToMesh(bytes, bytes.length, mesh).ok()) return false;
            if (mesh.num_points() !== vertexCount || 3 * mesh.num_faces() !== indexCount) return false;
            const hasIndices = this._receive(indices, 4 * indexCount, (size, at) => (
                decoder.GetTrianglesUInt32Array(mesh, size, at)));
            return hasIndices && wanted.every(({ id, type, width, out }) => {
                const attribute = decoder.GetAttributeByUniqueId(mesh, id);
                if (draco.getPointer(attribute) === 0 || attribute.num_components() !== width) return false;
                return this._receive(out, vertexCount * width * SIZES[type], (size, at) => (
                    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[TYPES[type]], size, at)));
            });
        } finally {
            draco.destroy(mesh);
            draco.destroy(decoder);
        }
    }

    // Copies what `fill` leaves in the decoder's memory to the module's.
    _receive(address, size, fill) {
        const draco = this._decoder, at = draco._malloc(size);
        try {
            if (!fill(size, at)) return false;
            new Uint8Array(this._module.memory.buffer, address, size).set(draco.HEAPU8.subarray(at, at + size));
            return true;
        } finally {
            draco._free(at);
        }
    }
}
