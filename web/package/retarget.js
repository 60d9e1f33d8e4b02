// SPDX-License-Identifier: MIT
// Retargets clips from one character to another. Runs the code of `sinew retarget` in a separate WebAssembly module.
// retarget.d.ts documents every name.
import { RETARGET, RETARGET_FEET, RETARGET_FIXED_LENGTHS, RETARGET_HANDS, RETARGET_ONLY } from './constants.js';
import { Meshopt } from './decoders.js';
import { $address, $clipIndex, $decoder, $describe, $instance } from './internal.js';
import { Module, checkMaker, readBytes, toBytes, toFloat, toSeconds } from './module.js';
import { sidecarFiles } from './sidecar.js';

// The module's C library imports stream functions. They return "bad file descriptor": there are no streams.
const BADF = 8;
const IMPORTS = { wasi_snapshot_preview1: { fd_close: () => BADF, fd_seek: () => BADF, fd_write: () => BADF } };

const encode = (text) => new TextEncoder().encode(text);

// ---- The module -------------------------------------------------------------------------------------------------

// An instance of the module. If it traps, its state is unknown, so it isn't called again.
class Instance extends Module {
    constructor(exports) {
        super(exports);
        this.trapped = false;
        this.meshopt = new Meshopt(this);
    }

    // Calls a function that returns an address.
    call(name, ...numbers) {
        if (this.trapped) throw new Error('the module has failed on another file: open this file again');
        try {
            return this.exports[name](...numbers) >>> 0;
        } catch (error) {
            this.trapped = true;
            throw new Error(`the module failed: ${error.message}`, { cause: error });
        }
    }

    // Calls use(decode) with the index of the decoder in the function table, or 0.
    withDecoder(decoder, use) {
        return decoder ? this.meshopt.with(decoder, use) : use(0);
    }

    // Calls use(address, ...) with copies of arrays, and frees them.
    withCopies(arrays, use) {
        const copies = [];
        try {
            for (const array of arrays) copies.push(this.copyIn(array));
            return use(...copies);
        } finally {
            this.release(copies);
        }
    }

    release(addresses) {
        if (!this.trapped) for (const address of addresses) this.exports.free(address);
    }

    // Reads JSON at an address and frees it.
    takeJson(address) {
        if (address === 0) throw new Error('out of memory');
        try {
            return JSON.parse(this.string(address));
        } finally {
            this.exports.free(address);
        }
    }
}

// ---- Characters -------------------------------------------------------------------------------------------------

const startsWith = (bytes, text) => encode(text).every((byte, i) => bytes[i] === byte);

function toName(name, bytes) {
    if (name === undefined) return startsWith(bytes, 'HIERARCHY') ? 'motion.bvh' : 'character.glb';
    if (typeof name === 'string' && name !== '' && !name.includes('\0')) return name;
    throw new TypeError("name must be the file's name");
}

// [name, bytes] of a file and its sidecar files, which are in its folder or below.
function filesOf(name, bytes, sidecars) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const others = Object.entries(sidecars).map(([uri, data]) => [`${folder}${uri}`, toBytes(data, uri)]);
    return [[name, bytes], ...others];
}

// Loads a character and returns its address. It owns the copies of the files.
function loadCharacter(instance, files, decoder) {
    const copies = [];
    const copy = (bytes) => {
        copies.push(instance.copyIn(bytes));
        return copies.at(-1);
    };
    let list;
    try {
        const words = files.flatMap(([name, bytes]) => [copy(encode(`${name}\0`)), copy(bytes), bytes.length]);
        list = copy(toBytes(Uint32Array.from(words))); // web_file of web.h
    } catch (error) {
        instance.release(copies);
        throw error;
    }
    const address = instance.withDecoder(decoder, (decode) => (
        instance.call('web_character_load', list, files.length, decode)));
    if (address === 0) throw instance.loadError('decoder');
    return address;
}

export class Character {
    [$instance];
    [$address];
    [$decoder];

    constructor(instance, address, name, decoder) {
        /** @type {import('./retarget.js').Character['clips']} */
        this.clips = [];
        this.name = name;
        this.disposed = false;
        this[$instance] = instance;
        this[$address] = address;
        this[$decoder] = decoder;
    }

    // Reads the file's content and its roles.
    [$describe]() {
        Object.assign(this, this[$instance].takeJson(this.#call('web_character_describe')));
        const refusal = this.#call('web_character_refusal');
        this.refusal = refusal === 0 ? null : this[$instance].string(refusal);
    }

    #call(name, ...numbers) {
        if (this.disposed) throw new Error('this Character is disposed');
        return this[$instance].call(name, this[$address], ...numbers);
    }

    get map() {
        return this[$instance].takeJson(this.#call('web_character_map'));
    }

    setMap(map) {
        const text = encode(typeof map === 'string' ? map : JSON.stringify(map, null, 2) ?? '');
        const isSet = this[$instance].withCopies([text], (copy) => this.#call('web_character_set_map', copy, text.length));
        if (!isSet) throw new Error(`${this.name}: ${this[$instance].error().message}`);
        this[$describe]();
    }

    [$clipIndex](clip) {
        const index = typeof clip === 'string' ? this.clips.findIndex(({ name }) => name === clip) : clip;
        if (this.clips[index]) return index;
        const names = this.clips.map(({ name }) => `'${name}'`).join(', ') || 'none';
        throw new Error(`${this.name} has no clip '${String(clip)}': its clips are ${names}`);
    }

    dispose() {
        if (this.disposed) return;
        if (!this[$instance].trapped) this.#call('web_character_destroy');
        this.disposed = true;
    }
}

// ---- Retargeting ------------------------------------------------------------------------------------------------

const FLAGS = { only: RETARGET_ONLY, feet: RETARGET_FEET, hands: RETARGET_HANDS, fixedLengths: RETARGET_FIXED_LENGTHS };
const MAX_TIME = 1e6; // seconds

function toNumberIn(value, least, largest, what) {
    if (toFloat(value, what) >= least && value <= largest) return value;
    throw new RangeError(`${what} must be from ${least} to ${largest}, not ${value}`);
}

// A reference pose's clip and time; -1 chooses one.
function toReference(character, pose, what) {
    if (!pose) return [-1, 0];
    const { clip, time = 0 } = pose;
    return [character[$clipIndex](clip), toNumberIn(toSeconds(time, `${what}.time`), 0, MAX_TIME, `${what}.time`)];
}

// Checks the options. Returns the fields of web_retarget_def.
/** @param {any} source @param {any} target @param {import('./retarget.js').RetargetOptions} options */
function toDefinition(source, target, { clips = source.clips.map((_, i) => i), only = false, rate = 30, feet = true,
    hands = false, fixedLengths = false, scale, sourcePose, targetPose }) {
    if (!Array.isArray(clips)) throw new TypeError('clips must be an array of names');
    const flags = { only, feet, hands, fixedLengths };
    return {
        clips: Int32Array.from(clips, (clip) => source[$clipIndex](clip)),
        references: [toReference(source, sourcePose, 'sourcePose'), toReference(target, targetPose, 'targetPose')],
        flags: Object.keys(FLAGS).reduce((sum, name) => sum | (flags[name] ? FLAGS[name] : 0), 0),
        rate: toNumberIn(rate, 1, 1000, 'rate'),
        scale: scale === undefined ? 0 : toNumberIn(scale, 1e-6, 1e6, 'scale'),
    };
}

// Packs the definition into the module's layout.
function pack(source, target, { clips, references, flags, rate, scale }, clipsAddress) {
    const words = new DataView(new ArrayBuffer(RETARGET.size)), [ofSource, ofTarget] = references;
    words.setUint32(RETARGET.source, source[$address], true);
    words.setUint32(RETARGET.target, target[$address], true);
    words.setInt32(RETARGET.sourceReferenceClip, ofSource[0], true);
    words.setFloat32(RETARGET.sourceReferenceTime, ofSource[1], true);
    words.setInt32(RETARGET.targetReferenceClip, ofTarget[0], true);
    words.setFloat32(RETARGET.targetReferenceTime, ofTarget[1], true);
    words.setUint32(RETARGET.flags, flags, true);
    words.setFloat32(RETARGET.rate, rate, true);
    words.setFloat32(RETARGET.scale, scale, true);
    words.setInt32(RETARGET.clipCount, clips.length, true);
    words.setUint32(RETARGET.clips, clipsAddress, true);
    return toBytes(words);
}

// Copies the result (web_retargeted).
function takeResult(instance, address) {
    if (address === 0) throw instance.error();
    const [glb, size, report] = new Uint32Array(instance.memory.buffer, address, 3);
    const result = { glb: new Uint8Array(instance.memory.buffer, glb, size).slice(), report: JSON.parse(instance.string(report)) };
    instance.call('web_retarget_end');
    return { ...result, clips: result.report.clips.map(({ name }) => name) };
}

function toCharacter(value, what) {
    if (!(value instanceof Character)) throw new TypeError(`${what} must be a Character that \`open\` returned`);
    if (value.disposed) throw new Error(`${what} is disposed`);
    return value;
}

// Two characters without roles are paired by chains and names. If only one has roles, throws.
function checkRoles(source, target) {
    if ((source.refusal === null) === (target.refusal === null)) return;
    const { name, refusal } = source.refusal === null ? target : source;
    throw new Error(`${name}: ${refusal}; pass a map to open or setMap`);
}

export class Retargeter {
    #module;
    /** @type {any | null} */
    [$instance] = null;

    /** @param {{ wasm?: BufferSource | WebAssembly.Module }} [options] */
    static async load({ wasm } = {}) {
        const code = wasm ?? await readBytes(new URL('./sinew-retarget.wasm', import.meta.url));
        const retargeter = new Retargeter(code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code));
        await retargeter.#ready();
        return retargeter;
    }

    constructor(module) {
        checkMaker(module, WebAssembly.Module, 'Retargeter', 'await Retargeter.load()');
        this.#module = module;
    }

    // The instance for new characters. After a trap it's a new one.
    async #ready() {
        if (!this[$instance] || this[$instance].trapped) {
            this[$instance] = await Instance.instantiate(this.#module, IMPORTS);
        }
        return this[$instance];
    }

    /** @param {BufferSource} bytes @param {NonNullable<Parameters<import('./retarget.js').Retargeter['open']>[1]>} [options] */
    async open(bytes, { name, sidecars = {}, map, decoder = null } = {}) {
        const main = toBytes(bytes, 'a file'), path = toName(name, main), files = filesOf(path, main, sidecars);
        await decoder?.ready;
        const instance = await this.#ready();
        const character = new Character(instance, loadCharacter(instance, files, decoder), path, decoder);
        try {
            character[$describe]();
            if (map !== undefined) character.setMap(map);
        } catch (error) {
            character.dispose();
            throw error;
        }
        return character;
    }

    async fetch(url, options) {
        const base = new URL(url, globalThis.location?.href), bytes = await readBytes(base), sidecars = {};
        for (const { name, uri, kind } of sidecarFiles(bytes)) {
            if (kind === 'buffer') sidecars[name] = await readBytes(new URL(uri, base));
        }
        return this.open(bytes, { ...options, name: decodeURIComponent(base.pathname.split('/').at(-1) ?? ''), sidecars });
    }

    /** @param {any} source @param {any} target @param {import('./retarget.js').RetargetOptions} [options] */
    retarget(source, target, options = {}) {
        const from = toCharacter(source, 'source'), to = toCharacter(target, 'target'), { [$instance]: instance } = from;
        if (to[$instance] !== instance) throw new Error('source and target must be opened by the same Retargeter, after its last failure');
        checkRoles(from, to);
        const definition = toDefinition(from, to, options);
        return instance.withCopies([toBytes(definition.clips)], (clips) => (
            instance.withCopies([pack(from, to, definition, clips)], (def) => (
                instance.withDecoder(to[$decoder], () => takeResult(instance, instance.call('web_retarget', def)))))));
    }
}
