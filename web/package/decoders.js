// SPDX-License-Identifier: MIT
// Decoders for compressed files. The page passes them in: npm's meshoptimizer and draco3d. The module checks the data
// and calls them through its function table.
import { MESHOPT_FILTERS, MESHOPT_MODES } from './constants.js';
import { addFunction } from './module.js';

// A decoder that the module can call.
class Decoder {
    module;
    /** @type {any} */
    decoder = null;
    /** @type {unknown} */
    #fault = null;
    #function;

    constructor(module, argumentCount) {
        this.module = module;
        const decode = (...numbers) => this.#callDecode(numbers.map((number) => number >>> 0));
        this.#function = addFunction(module.exports, argumentCount, decode);
    }

    // Calls `load` with the decoder's index in the module's function table, and returns the result. The module
    // reports bad data. If the decoder lacks a function (a TypeError), throws `advice`.
    run(decoder, load, advice) {
        this.decoder = decoder;
        this.#fault = null;
        const result = load(this.#function);
        this.decoder = null;
        if (this.#fault instanceof TypeError) throw new Error(`${advice} (${this.#fault.message})`);
        return result;
    }

    // Calls the decoder. Subclasses override it.
    decode(..._numbers) {
        return false;
    }

    // Returns 1 on success. Catches exceptions: they can't pass through the module, which has memory to free.
    #callDecode(numbers) {
        try {
            return this.decode(...numbers) ? 1 : 0;
        } catch (error) {
            this.#fault = error;
            return 0;
        }
    }
}

// ---- meshopt: EXT_meshopt_compression and KHR_meshopt_compression -------------------------------------------------

export class Meshopt extends Decoder {
    constructor(module) {
        super(module, 8);
    }

    with(decoder, load) {
        return this.run(decoder, load, 'the meshopt decoder is not ready: await its `ready` first');
    }

    decode(out, count, stride, data, size, mode, filter) {
        const { buffer } = this.module.memory;
        this.decoder.decodeGltfBuffer(new Uint8Array(buffer, out, count * stride), count, stride,
            new Uint8Array(buffer, data, size), MESHOPT_MODES[mode], MESHOPT_FILTERS[filter]);
        return true;
    }
}

// ---- Draco: KHR_draco_mesh_compression ----------------------------------------------------------------------------

// draco3d's names for glTF's component types.
const TYPES = { 5120: 'DT_INT8', 5121: 'DT_UINT8', 5122: 'DT_INT16', 5123: 'DT_UINT16', 5125: 'DT_UINT32',
    5126: 'DT_FLOAT32' };
const SIZES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const METADATA = 0x8000; // flag: metadata comes before the counts

// Reads a varint: seven bits per byte, lowest first. Returns it and the offset after it.
function varint(bytes, at) {
    let value = 0, scale = 1;
    for (; at < bytes.length && scale <= 2 ** 28; at++, scale *= 128) {
        value += (bytes[at] & 127) * scale;
        if (bytes[at] < 128) return [value, at + 1];
    }
    return [NaN, at];
}

// Whether the data declares as many triangles as the file. draco3d allocates memory for what the data declares.
function hasTriangles(bytes, count) {
    const [, , , , , major, minor, kind, method] = bytes;
    if (bytes.length < 11 || major !== 2 || minor !== 2 || kind !== 1) return false;
    if ((bytes[9] | bytes[10] << 8) & METADATA) return true;
    const [first, next] = varint(bytes, method === 1 ? 12 : 11); // Edgebreaker: a byte, the vertices, the triangles
    return (method === 1 ? varint(bytes, next)[0] : first) === count;
}

export class Draco extends Decoder {
    constructor(module) {
        super(module, 2);
    }

    with(decoder, load) {
        return this.run(decoder, load,
            "the Draco decoder is not ready: pass what draco3d's createDecoderModule() resolves to");
    }

    decode(address) {
        const [data, size, vertexCount, attributeCount, attributes, indexCount, indices] =
            new Uint32Array(this.module.memory.buffer, address, 7); // sinew_draco_mesh
        const requested = Array.from({ length: attributeCount }, (_, i) => { // sinew_draco_attribute
            const [id, type, width, out] = new Uint32Array(this.module.memory.buffer, attributes + 16 * i, 4);
            return { id, type, width, out };
        });
        const bytes = new Uint8Array(this.module.memory.buffer, data, size);
        if (!hasTriangles(bytes, indexCount / 3)) return false;
        return this.#copy(bytes, { vertexCount, requested, indexCount, indices });
    }

    #copy(bytes, { vertexCount, requested, indexCount, indices }) {
        const draco = this.decoder, decoder = new draco.Decoder(), mesh = new draco.Mesh();
        try {
            if (!decoder.DecodeArrayToMesh(bytes, bytes.length, mesh).ok()) return false;
            if (mesh.num_points() !== vertexCount || 3 * mesh.num_faces() !== indexCount) return false;
            const hasIndices = this.#receive(indices, 4 * indexCount, (size, at) => (
                decoder.GetTrianglesUInt32Array(mesh, size, at)));
            return hasIndices && requested.every(({ id, type, width, out }) => {
                const attribute = decoder.GetAttributeByUniqueId(mesh, id);
                if (draco.getPointer(attribute) === 0 || attribute.num_components() !== width) return false;
                return this.#receive(out, vertexCount * width * SIZES[type], (size, at) => (
                    decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, draco[TYPES[type]], size, at)));
            });
        } finally {
            draco.destroy(mesh);
            draco.destroy(decoder);
        }
    }

    // Copies `fill`'s output from the decoder's memory to the module's.
    #receive(address, size, fill) {
        const draco = this.decoder, at = draco._malloc(size);
        try {
            if (!fill(size, at)) return false;
            new Uint8Array(this.module.memory.buffer, address, size).set(draco.HEAPU8.subarray(at, at + size));
            return true;
        } finally {
            draco._free(at);
        }
    }
}
