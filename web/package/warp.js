// SPDX-License-Identifier: MIT
// Root motion warping: bends a clip's root motion so it ends at a goal.
import { WARP } from './constants.js';
import { $address, $clipOf, $live, $module, $users } from './internal.js';
import { Mixer } from './mixer.js';
import { View, toFloat } from './module.js';

const STATE_LENGTH = WARP.size / 4; // floats
const NOW = 0; // offsets into the module's numbers
const GOAL = 7;
const SETTINGS = ['start', 'end', 'maxSpeed', 'addedSpeed', 'maxTurnRate'];
const UNTURNED = [0, 0, 0, 1];

// Writes a transform to the module's numbers.
function writeTransform(numbers, at, transform) {
    const position = transform?.position, facing = transform?.facing ?? UNTURNED;
    if (!position) throw new TypeError('a start and a goal must be { position, facing }');
    for (let i = 0; i < 3; i++) numbers[at + i] = toFloat(position[i], 'each number of a position');
    for (let i = 0; i < 4; i++) numbers[at + 3 + i] = toFloat(facing[i], 'each number of a facing');
}

export class RootWarp {
    #module;
    #exports;
    #address;
    #settings;
    #state;

    /** @param {any} mixer @param {import('./index.js').ClipSource} clip @param {Partial<import('./index.js').RootWarpOptions>} [options] */
    constructor(mixer, clip, { window, ...settings } = {}) {
        if (!(mixer instanceof Mixer)) throw new TypeError('mixer must be a Mixer');
        const { asset } = mixer[$live](), { [$module]: module } = asset, { exports } = module;
        const found = asset[$clipOf](clip), address = exports.web_warp_create(mixer[$address], found[$address]) >>> 0;
        if (address === 0) throw module.error();
        this.asset = asset;
        this.clip = found;
        this.#module = module;
        this.#exports = exports;
        this.#address = address;
        const view = (name, length) => new View(module, this, Float32Array, exports[name](address) >>> 0, length);
        this.#settings = view('web_warp_settings', SETTINGS.length);
        this.#state = view('web_warp_state', STATE_LENGTH);
        asset[$users].add(this);
        try {
            this.#setWindow(window);
            for (const [name, value] of Object.entries(settings)) this.#set(name, value);
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    #setWindow(window) {
        if (typeof window === 'string') return this.#findWindow(window);
        if (window?.length !== 2) throw new TypeError('window must be the name of a marker, or [start, end] in seconds');
        [this.#settings.array[0], this.#settings.array[1]] = Array.from(window, (time) => toFloat(time, 'window'));
    }

    #findWindow(name) {
        const { clip } = this, copy = this.#module.copyStrings([name]);
        const isFound = this.#exports.web_warp_find_window(this.#address, copy) !== 0;
        this.#exports.free(copy);
        if (isFound) return;
        const names = clip.markers.map((marker) => `'${marker.name}'`).join(', ') || 'none';
        throw new Error(`'${clip.name}' has no markers '${name}' and later '${name}.end': its markers are ${names}`);
    }

    #set(name, value) {
        const index = SETTINGS.indexOf(name, 2);
        if (index < 0) throw new TypeError(`no option '${name}': the options are window, ${SETTINGS.slice(2).join(', ')}`);
        this.#settings.array[index] = toFloat(value, name);
    }

    get start() {
        return this.#settings.array[0];
    }

    get end() {
        return this.#settings.array[1];
    }

    begin(start, goal, time = 0) {
        const { numbers } = this.#live().#module, from = toFloat(time, 'a time');
        writeTransform(numbers, NOW, start);
        writeTransform(numbers, GOAL, goal);
        if (this.#exports.web_warp_begin(this.#address, from) === 0) throw this.#module.error();
        return this;
    }

    get missedDistance() {
        return this.#state.array[WARP.missedDistance / 4];
    }

    get missedTurn() {
        return this.#state.array[WARP.missedTurn / 4];
    }

    retarget(time, goal, now = null) {
        const { numbers } = this.#live().#module, at = toFloat(time, 'a time');
        if (now) writeTransform(numbers, NOW, now);
        writeTransform(numbers, GOAL, goal);
        this.#exports.web_warp_set_goal(this.#address, at, Number(now !== null));
        return this;
    }

    at(time, target = { position: new Float32Array(3), facing: new Float32Array(4) }) {
        const { numbers } = this.#live().#module;
        this.#exports.web_warp_at(this.#address, toFloat(time, 'a time'));
        for (let i = 0; i < 3; i++) target.position[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.facing[i] = numbers[3 + i];
        return target;
    }

    rootDelta(from, to, target = { translation: new Float32Array(3), rotation: new Float32Array(4), yaw: 0 }) {
        const { numbers } = this.#live().#module;
        this.#exports.web_warp_root(this.#address, toFloat(from, 'a time'), toFloat(to, 'a time'));
        for (let i = 0; i < 3; i++) target.translation[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.rotation[i] = numbers[3 + i];
        target.yaw = numbers[7];
        return target;
    }

    save(saved = new Float32Array(STATE_LENGTH)) {
        saved.set(this.#live().#state.array);
        return saved;
    }

    restore(saved) {
        if (saved?.length !== STATE_LENGTH) throw new TypeError('saved must be an array from save()');
        toFloat(saved[0], 'the time of the warp'); // it selects a part of the path
        this.#live().#state.array.set(saved);
        return this;
    }

    #live() {
        if (this.disposed) throw new Error('this RootWarp is disposed');
        return this;
    }

    get disposed() {
        return this.#address === 0;
    }

    dispose() {
        if (this.disposed) return;
        this.#exports.web_warp_destroy(this.#address);
        this.#address = 0;
        this.asset[$users].delete(this);
    }
}
