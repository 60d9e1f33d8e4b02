// SPDX-License-Identifier: MIT
// Reads the accessors of a glTF file from its buffers (glTF 2.0, section 3.6).
import { toBytes } from './module.js';

const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const LARGEST = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 }; // for normalized integers
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

// Returns an element of one of the file's arrays.
export function elementOf(list, index, name) {
    const found = Array.isArray(list) && Number.isInteger(index) ? list[index] : undefined;
    if (typeof found === 'object' && found !== null) return found;
    throw new RangeError(`the file has no ${name}[${String(index)}]`);
}

// A copy of `count` elements of a buffer view, tightly packed.
function readView({ json, buffers }, { bufferView, byteOffset = 0 }, Type, count, width) {
    const { buffer, byteOffset: start = 0, byteLength, byteStride, extensions } =
        elementOf(json.bufferViews, bufferView, 'bufferViews');
    const size = width * Type.BYTES_PER_ELEMENT, stride = byteStride ?? size;
    if (Object.keys(extensions ?? {}).some((name) => name.endsWith('meshopt_compression'))) {
        throw new Error(`bufferViews[${bufferView}] is compressed: pass decompressed buffers`);
    }
    const bytes = toBytes(buffers[buffer], `buffers[${buffer}]`).subarray(start, start + byteLength);
    if (!(byteOffset >= 0 && stride >= size && byteOffset + (count - 1) * stride + size <= bytes.length)) {
        throw new RangeError(`bufferViews[${bufferView}] has ${bytes.length} bytes, too few for its accessor`);
    }
    const packed = new Uint8Array(count * size);
    if (stride === size) packed.set(bytes.subarray(byteOffset, byteOffset + count * size));
    else for (let i = 0; i < count; i++) packed.set(bytes.subarray(byteOffset + i * stride, byteOffset + i * stride + size), i * size);
    return new Type(packed.buffer);
}

// Replaces the elements listed by a sparse accessor (section 3.6.2.3).
function applySparse(file, { count, indices, values }, numbers, width) {
    const Indices = ARRAYS[indices.componentType];
    const at = readView(file, indices, Indices, count, 1);
    const replacements = readView(file, values, numbers.constructor, count, width);
    at.forEach((index, i) => {
        if (index >= numbers.length / width) throw new RangeError(`a sparse accessor has no element ${index}`);
        numbers.set(replacements.subarray(i * width, (i + 1) * width), index * width);
    });
}

// Reads an accessor into an array of its own component type.
export function readAccessor(file, index, type) {
    const accessor = elementOf(file.json.accessors, index, 'accessors');
    const { componentType, count, bufferView, sparse } = accessor, Type = ARRAYS[componentType], width = WIDTHS[type];
    if (!Type || accessor.type !== type || !Number.isInteger(count) || count < 0) {
        throw new TypeError(`accessors[${index}] must have numbers of type ${type}`);
    }
    const numbers = bufferView === undefined || count === 0
        ? new Type(count * width)
        : readView(file, accessor, Type, count, width);
    if (sparse) applySparse(file, sparse, numbers, width);
    return numbers;
}

// Reads an accessor as floats. Normalized integers become fractions (section 3.11).
export function readFloats(file, index, type) {
    const { normalized, componentType } = elementOf(file.json.accessors, index, 'accessors');
    const numbers = readAccessor(file, index, type);
    if (numbers instanceof Float32Array) return numbers;
    const largest = normalized ? LARGEST[componentType] ?? 1 : 1;
    return Float32Array.from(numbers, (number) => (normalized ? Math.max(number / largest, -1) : number));
}
