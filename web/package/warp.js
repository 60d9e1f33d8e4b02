// SPDX-License-Identifier: MIT
// Root motion warping: the root motion of a clip that ends at a goal.
import { Mixer } from './mixer.js';
import { View, toFloat } from './module.js';

const STATE_LENGTH = 150; // floats of sinew_warp
const MISSED_DISTANCE = 8; // of these floats
const MISSED_TURN = 9;
const NOW = 0; // in the module's numbers
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
    constructor(mixer, clip, { window, ...settings } = {}) {
        if (!(mixer instanceof Mixer)) throw new TypeError('a Mixer is needed');
        const { asset } = mixer._live(), { _module: module } = asset, { exports } = module;
        const found = asset._clipOf(clip), address = exports.web_warp_create(mixer._address, found._address) >>> 0;
        if (address === 0) throw module.error();
        Object.assign(this, { asset, clip: found, _module: module, _exports: exports, _address: address });
        const view = (name, length) => new View(module, this, Float32Array, exports[name](address) >>> 0, length);
        this._settings = view('web_warp_settings', SETTINGS.length);
        this._state = view('web_warp_state', STATE_LENGTH);
        asset._users.add(this);
        try {
            this._setWindow(window);
            for (const [name, value] of Object.entries(settings)) this._set(name, value);
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    _setWindow(window) {
        if (typeof window === 'string') return this._findWindow(window);
        if (window?.length !== 2) throw new TypeError('window must be the name of a marker, or [start, end] in seconds');
        [this._settings.array[0], this._settings.array[1]] = Array.from(window, (time) => toFloat(time, 'window'));
    }

    _findWindow(name) {
        const { _module: { exports }, clip } = this, copy = this._module.copyStrings([name]);
        const isFound = exports.web_warp_find_window(this._address, copy) !== 0;
        exports.free(copy);
        if (isFound) return;
        const names = clip.markers.map((marker) => `'${marker.name}'`).join(', ') || 'none';
        throw new Error(`'${clip.name}' has no markers '${name}' and later '${name}.end': its markers are ${names}`);
    }

    _set(name, value) {
        const index = SETTINGS.indexOf(name, 2);
        if (index < 0) throw new TypeError(`no option '${name}': they are window, ${SETTINGS.slice(2).join(', ')}`);
        this._settings.array[index] = toFloat(value, name);
    }

    get start() {
        return this._settings.array[0];
    }

    get end() {
        return this._settings.array[1];
    }

    begin(start, goal, time = 0) {
        const { numbers } = this._live()._module, from = toFloat(time, 'a time');
        writeTransform(numbers, NOW, start);
        writeTransform(numbers, GOAL, goal);
        if (this._exports.web_warp_begin(this._address, from) === 0) throw this._module.error();
        return this;
    }

    get missedDistance() {
        return this._state.array[MISSED_DISTANCE];
    }

    get missedTurn() {
        return this._state.array[MISSED_TURN];
    }

    retarget(time, goal, now = null) {
        const { numbers } = this._live()._module, at = toFloat(time, 'a time');
        if (now) writeTransform(numbers, NOW, now);
        writeTransform(numbers, GOAL, goal);
        this._exports.web_warp_retarget(this._address, at, Number(now !== null));
        return this;
    }

    at(time, target = { position: new Float32Array(3), facing: new Float32Array(4) }) {
        const { numbers } = this._live()._module;
        this._exports.web_warp_at(this._address, toFloat(time, 'a time'));
        for (let i = 0; i < 3; i++) target.position[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.facing[i] = numbers[3 + i];
        return target;
    }

    rootDelta(from, to, target = { translation: new Float32Array(3), rotation: new Float32Array(4), yaw: 0 }) {
        const { numbers } = this._live()._module;
        this._exports.web_warp_root(this._address, toFloat(from, 'a time'), toFloat(to, 'a time'));
        for (let i = 0; i < 3; i++) target.translation[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.rotation[i] = numbers[3 + i];
        target.yaw = numbers[7];
        return target;
    }

    save(saved = new Float32Array(STATE_LENGTH)) {
        saved.set(this._live()._state.array);
        return saved;
    }

    restore(saved) {
        if (saved?.length !== STATE_LENGTH) throw new TypeError('an array of save() is needed');
        toFloat(saved[0], 'the time of the warp'); // which selects a part of the path
        this._live()._state.array.set(saved);
        return this;
    }

    _live() {
        if (this.disposed) throw new Error('this RootWarp is disposed');
        return this;
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        this._exports.web_warp_destroy(this._address);
        this._address = 0;
        this.asset._users.delete(this);
    }
}
