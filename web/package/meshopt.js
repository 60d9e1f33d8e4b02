// Files compressed by EXT_meshopt_compression or KHR_meshopt_compression: the module checks what they say, and calls
// npm's meshoptimizer to decode.
import { addFunction } from './module.js';

const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES']; // by sinew_meshopt_mode
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR']; // by sinew_meshopt_filter

export class Meshopt {
    constructor(module) {
        Object.assign(this, { _module: module, _decoder: null, _fault: null });
        const decode = (...numbers) => this._decode(...numbers.map((number) => number >>> 0));
        this._function = addFunction(module.exports, 8, decode);
    }

    // What `load` gives, to which it gives the decoder as a function of the module's.
    with(decoder, load) {
        Object.assign(this, { _decoder: decoder, _fault: null });
        const result = load(this._function);
        this._decoder = null;
        // What is wrong with the data, the module says; a decoder that is not there yet is no object inside.
        if (this._fault instanceof TypeError) {
            throw new Error(`the meshopt decoder is not ready: await its \`ready\` before (${this._fault.message})`);
        }
        return result;
    }

    // An error must not pass through the module, which has something to give back.
    _decode(out, count, stride, data, size, mode, filter) {
        const { buffer } = this._module.memory;
        try {
            this._decoder.decodeGltfBuffer(new Uint8Array(buffer, out, count * stride), count, stride,
                new Uint8Array(buffer, data, size), MODES[mode], FILTERS[filter]);
            return 1;
        } catch (error) {
            this._fault = error;
            return 0;
        }
    }
}
