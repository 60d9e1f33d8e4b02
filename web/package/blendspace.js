// SPDX-License-Identifier: MIT
// Blend spaces: clips at points on a line or a plane. A parameter gives their weights.
import { toAsset } from './asset.js';
import { BLEND_SAMPLE, BLEND_SPACE_KINDS, BLEND_WEIGHT } from './constants.js';
import { $actions, $addUser, $address, $binding, $clipOf, $live, $mixers, $module, $release } from './internal.js';
import { toBytes, toFloat, toSeconds } from './module.js';
import { Shared } from './shared.js';
import { toFeet } from './speed.js';

const MAX_NAMES = 64;
const RATES = [0.8, 1.25];

// Limits for the playback rate; null without matchSpeed.
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

// Packs samples into the module's layout.
function pack(samples) {
    const words = new DataView(new ArrayBuffer(BLEND_SAMPLE.size * samples.length));
    samples.forEach(({ clip, x, y, speed }, i) => {
        const at = BLEND_SAMPLE.size * i;
        words.setUint32(at + BLEND_SAMPLE.clip, clip[$address], true);
        words.setFloat32(at + BLEND_SAMPLE.x, x, true);
        words.setFloat32(at + BLEND_SAMPLE.y, y, true);
        words.setFloat32(at + BLEND_SAMPLE.speed, speed, true);
    });
    return toBytes(words);
}

function toSample(asset, { clip, x, y = 0, speed = 1 }) {
    const found = asset[$clipOf](clip);
    if (found.additive) throw new TypeError('a blend space cannot have additive clips');
    return { clip: found, x: x === undefined ? x : toFloat(x, 'x'), y: toFloat(y, 'y'), speed: toFloat(speed, 'a speed') };
}

// Puts samples without a position at their clips' ground velocities.
function measure(asset, kind, samples, feet) {
    const { [$module]: module } = asset, { exports, memory } = module;
    const missing = samples.filter(({ x }) => x === undefined), nodes = toFeet(asset, feet);
    if (missing.length === 0) return;
    const copies = [module.copyIn(pack(missing.map((sample) => ({ ...sample, x: 0 })))), module.copyIn(toBytes(nodes))];
    try {
        if (!exports.web_space_measure(asset[$address], kind, copies[0], missing.length, copies[1], nodes.length)) throw module.error();
        const words = new DataView(memory.buffer, copies[0]);
        missing.forEach((sample, i) => {
            sample.x = words.getFloat32(BLEND_SAMPLE.size * i + BLEND_SAMPLE.x, true);
            sample.y = words.getFloat32(BLEND_SAMPLE.size * i + BLEND_SAMPLE.y, true);
        });
    } finally {
        for (const address of copies) exports.free(address);
    }
}

function create(asset, kind, samples, names, damping, rates) {
    const { [$module]: module } = asset, { exports } = module;
    const copies = [];
    try {
        copies.push(module.copyIn(pack(samples)));
        copies.push(module.copyStrings(names));
        const address = exports.web_space_create(asset[$address], kind, copies[0], samples.length, copies[1], names.length,
            damping, Number(rates !== null), ...(rates ?? RATES)) >>> 0;
        if (address === 0) throw module.error();
        return address;
    } finally {
        for (const address of copies) exports.free(address);
    }
}

/** @param {any} asset @param {any} space */
function make(asset, { kind = 'line', samples, syncNames = [], damping = 0.1, matchSpeed = false, feet }) {
    toAsset(asset);
    if (!BLEND_SPACE_KINDS.includes(kind)) throw new TypeError(`kind must be one of ${BLEND_SPACE_KINDS.join(', ')}, not '${kind}'`);
    if (!Array.isArray(samples)) throw new TypeError('samples must be an array of { clip, x, y, speed }');
    const given = samples.map((sample) => toSample(asset, sample));
    measure(asset, BLEND_SPACE_KINDS.indexOf(kind), given, feet);
    const address = create(asset, BLEND_SPACE_KINDS.indexOf(kind), given, toNames(syncNames), toSeconds(damping, 'a damping'),
        toRates(matchSpeed));
    return { kind, samples: given, damping, matchSpeed, address };
}

export class BlendSpace extends Shared {
    [$binding];

    /**
          * With a binding, which then owns the space, the options are what `make` returned.
     * @param {any} asset
     * @param {any} options
     * @param {any} [binding]
     */
    constructor(asset, options, binding = null) {
        const { address, kind, samples, damping, matchSpeed } = binding ? options : make(asset, options);
        super(asset, address, binding ? null : asset[$module].exports.sinew_blend_space_destroy);
        this.kind = kind;
        this.samples = samples;
        this.damping = damping;
        this.matchSpeed = matchSpeed;
        this.triangles = this.#readTriangles();
        this[$binding] = binding;
    }

    [$addUser](mixer) {
        const isOwn = this[$binding] && mixer.animator?.[$binding] === this[$binding];
        return isOwn ? this[$live]() : super[$addUser](mixer);
    }

    /** @returns {[number, number, number][]} */
    #readTriangles() {
        const { exports, memory } = this[$module];
        const corners = new Int32Array(memory.buffer, exports.web_space_triangles(this[$address]) >>> 0,
            3 * exports.web_space_triangle_count(this[$address]));
        return Array.from({ length: corners.length / 3 }, (_, i) => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]]);
    }

    weights(x, y = 0) {
        const { exports, memory } = this[$live]()[$module];
        const at = exports.web_space_weights(this[$address], toFloat(x, 'x'), toFloat(y, 'y')) >>> 0;
        const count = exports.web_space_weight_count(), { size, sample, weight } = BLEND_WEIGHT;
        const pairs = new DataView(memory.buffer, at, size * count);
        return Array.from({ length: count }, (_, i) => (
            { sample: pairs.getInt32(size * i + sample, true), weight: pairs.getFloat32(size * i + weight, true) }));
    }

    stride(x, y = 0) {
        const { exports, numbers } = this[$live]()[$module];
        exports.web_space_stride(this[$address], toFloat(x, 'x'), toFloat(y, 'y'));
        return { speed: numbers[0], rate: numbers[1], length: numbers[2] };
    }

    [$release]() {
        for (const mixer of this[$mixers]) {
            for (const layer of mixer.layers) layer[$actions].get(this)?.stop();
        }
    }
}
