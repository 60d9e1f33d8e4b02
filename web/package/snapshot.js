// SPDX-License-Identifier: MIT
// Snapshots: the state of a mixer, for rollback and replay.
import { DEFAULTS } from './action.js';
import { View } from './module.js';

// Copies all settings of DEFAULTS, one by one: a loop over names would box the numbers, which is garbage.
function copySettings(to, from) {
    to._time = from._time;
    to._timeScale = from._timeScale;
    to._weight = from._weight;
    to._fade = from._fade;
    to._loop = from._loop;
    to._loopCount = from._loopCount;
    to._sync = from._sync;
    to._x = from._x;
    to._y = from._y;
    to._enabled = from._enabled;
    to._pausedBefore = from._pausedBefore;
    to._startTime = from._startTime;
    to._warpStart = from._warpStart;
    to._warpEnd = from._warpEnd;
    to._warpFrom = from._warpFrom;
    to._warpTo = from._warpTo;
}

// Copies the state of a FootLock or Springs, or null.
function saveState(saved, owner) {
    saved.owner = owner;
    if (!owner) return;
    if (saved.bytes?.length !== owner._state.length) saved.bytes = new Uint8Array(owner._state.length);
    saved.bytes.set(owner._state.array);
}

// One that was made since starts anew.
function restoreState(saved, owner) {
    if (owner && owner === saved.owner) owner._state.array.set(saved.bytes);
    else owner?.reset();
}

// A snapshot of one mixer, and valid for it alone, since it holds addresses. Its bytes are outside the module's
// memory. The module writes to and reads from one block, which all snapshots of the mixer share.
export class Snapshot {
    constructor(mixer) {
        const { _exports, _address, asset: { _module } } = mixer._live();
        const size = _exports.web_mixer_snapshot_size(_address);
        mixer._block ??= new View(_module, mixer, Uint8Array, _module.allocate(size), size);
        Object.assign(this, { mixer, _version: mixer._version, _bytes: new Uint8Array(size), _time: 0, _timeScale: 1, _actions: new Map() });
        this._layers = mixer.layers.map(() => ({ mask: null, mode: '' }));
        this._feet = { owner: null, bytes: null };
        this._springs = { owner: null, bytes: null };
    }

    _save() {
        const { mixer } = this;
        mixer._exports.web_mixer_save(mixer._address, mixer._block.address);
        this._bytes.set(mixer._block.array);
        this._time = mixer._time;
        this._timeScale = mixer.timeScale;
        saveState(this._feet, mixer._footLock);
        saveState(this._springs, mixer._springs);
        for (const layer of mixer.layers) {
            const saved = this._layers[layer.index];
            saved.mask = layer.mask;
            saved.mode = layer.mode;
            for (const action of layer._actions.values()) {
                if (!this._actions.has(action)) this._actions.set(action, { ...DEFAULTS });
                copySettings(this._actions.get(action), action);
            }
        }
        return this;
    }

    // Masks and blend spaces that have been disposed since are not restored.
    _restore() {
        const { mixer } = this;
        mixer._block.array.set(this._bytes);
        mixer._exports.web_mixer_restore(mixer._address, mixer._block.address, this._bytes.length);
        mixer._time = this._time;
        mixer.timeScale = this._timeScale;
        restoreState(this._feet, mixer._footLock);
        restoreState(this._springs, mixer._springs);
        if (mixer._timed.size > 0) mixer._timed.clear(); // clear makes a new table
        for (const layer of mixer.layers) {
            const { mask, mode } = this._layers[layer.index];
            layer._mode = mode;
            if (mask?.disposed) layer.mask = null;
            else if (layer.mask !== mask) layer.mask = mask;
            for (const action of layer._actions.values()) {
                copySettings(action, this._actions.get(action) ?? DEFAULTS);
                if (action._isTimed()) mixer._timed.add(action);
                if (action.space?.disposed) action.stop();
            }
        }
    }
}
