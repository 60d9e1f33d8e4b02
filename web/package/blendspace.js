// SPDX-License-Identifier: MIT
// Blend spaces: clips at points of a line or a plane, with weights from a parameter.
import { toFeet } from './feet.js';
import { Shared } from './shared.js';
import { toBytes, toFloat, toSeconds } from './module.js';

const KINDS = ['line', 'triangles', 'directional']; // by sinew_blend_space_kind
const MAX_NAMES = 64;
const RATES = [0.8, 1.25];

// The limits of the playback rate; null without matchSpeed.
function toRates(matchSpeed) {
    if (typeof matchSpeed === 'boolean') return matchSpeed ? RATES : null;
    const [min, max] = Array.isArray(matchSpeed) ? matchSpeed : [];
    if (toFloat(min, 'matchSpeed') > 0 && min <= 1 && toFloat(max, 'matchSpeed') >= 1) return [min, max];
    throw new RangeError(`matchSpeed must be [above 0 to 1, 1 or more], not [${matchSpeed}]`);
}

export function toNames(names) {
    if (!Array.isArray(names) || names.length > MAX_NAMES || !names.every((name) => typeof name === 'string')) {
        throw new TypeError(`syncNames must be an array of at most ${MAX_NAMES} marker names`);
    }
    return names;
}

// Samples in the module's layout: an address and three floats each.
function pack(samples) {
    const words = new DataView(new ArrayBuffer(16 * samples.length));
    samples.forEach(({ clip, x, y, speed }, i) => {
        words.setUint32(16 * i, clip._address, true);
        [x, y, speed].forEach((number, n) => words.setFloat32(16 * i + 4 + 4 * n, number, true));
    });
    return toBytes(words);
}

function toSample(asset, { clip, x, y = 0, speed = 1 }) {
    const found = asset._clipOf(clip);
    if (found.additive) throw new TypeError('a blend space cannot have additive clips');
    return { clip: found, x: x === undefined ? x : toFloat(x, 'x'), y: toFloat(y, 'y'), speed: toFloat(speed, 'a speed') };
}

// Sets the positions of samples without one to the ground velocities of their clips.
function measure(asset, kind, samples, feet) {
    const { _module: module, _address } = asset, { exports, memory } = module;
    const missing = samples.filter(({ x }) => x === undefined), nodes = toFeet(asset, feet);
    if (missing.length === 0) return;
    const copies = [module.copyIn(pack(missing.map((sample) => ({ ...sample, x: 0 })))), module.copyIn(toBytes(nodes))];
    try {
        if (!exports.web_space_measure(_address, kind, copies[0], missing.length, copies[1], nodes.length)) throw module.error();
        const words = new DataView(memory.buffer, copies[0]);
        missing.forEach((sample, i) => {
            sample.x = words.getFloat32(16 * i + 4, true);
            sample.y = words.getFloat32(16 * i + 8, true);
        });
    } finally {
        for (const address of copies) exports.free(address);
    }
}

function create(asset, kind, samples, names, damping, rates) {
    const { _module: module, _address } = asset;
    const { exports } = module;
    const copies = [];
    try {
        copies.push(module.copyIn(pack(samples)));
        copies.push(module.copyStrings(names));
        const address = exports.web_space_create(_address, kind, copies[0], samples.length, copies[1], names.length,
            damping, Number(rates !== null), ...(rates ?? RATES)) >>> 0;
        if (address === 0) throw module.error();
        return address;
    } finally {
        for (const address of copies) exports.free(address);
    }
}

function make(asset, { kind = 'line', samples, syncNames = [], damping = 0.1, matchSpeed = false, feet }) {
    asset._live();
    if (!KINDS.includes(kind)) throw new TypeError(`kind is one of ${KINDS.join(', ')}, not '${kind}'`);
    if (!Array.isArray(samples)) throw new TypeError('samples must be an array of { clip, x, y, speed }');
    const given = samples.map((sample) => toSample(asset, sample));
    measure(asset, KINDS.indexOf(kind), given, feet);
    const address = create(asset, KINDS.indexOf(kind), given, toNames(syncNames), toSeconds(damping, 'a damping'),
        toRates(matchSpeed));
    return { kind, samples: given, damping, matchSpeed, address };
}

export class BlendSpace extends Shared {
    // With a binding, whose blend space it is, the options are the result of `make`.
    constructor(asset, options, binding = null) {
        const { address, ...fields } = binding ? options : make(asset, options);
        super(asset, address, binding ? null : asset._module.exports.sinew_blend_space_destroy);
        Object.assign(this, fields, { triangles: this._readTriangles(), _binding: binding });
    }

    _addUser(mixer) {
        const isOwn = this._binding && mixer.animator?._binding === this._binding;
        return isOwn ? this._live() : super._addUser(mixer);
    }

    _readTriangles() {
        const { exports, memory } = this._module;
        const corners = new Int32Array(memory.buffer, exports.web_space_triangles(this._address) >>> 0,
            3 * exports.web_space_triangle_count(this._address));
        return Array.from({ length: corners.length / 3 }, (_, i) => [...corners.subarray(3 * i, 3 * i + 3)]);
    }

    weights(x, y = 0) {
        const { exports, memory } = this._live()._module;
        const at = exports.web_space_weights(this._address, toFloat(x, 'x'), toFloat(y, 'y')) >>> 0;
        const pairs = new DataView(memory.buffer, at, 8 * exports.web_space_weight_count());
        return Array.from({ length: pairs.byteLength / 8 }, (_, i) => (
            { sample: pairs.getInt32(8 * i, true), weight: pairs.getFloat32(8 * i + 4, true) }));
    }

    stride(x, y = 0) {
        const { exports, numbers } = this._live()._module;
        exports.web_space_stride(this._address, toFloat(x, 'x'), toFloat(y, 'y'));
        return { speed: numbers[0], rate: numbers[1], length: numbers[2] };
    }

    _release() {
        for (const mixer of this._mixers) {
            for (const layer of mixer.layers) layer._actions.get(this)?.stop();
        }
    }
}
