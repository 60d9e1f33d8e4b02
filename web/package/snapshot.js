// What a mixer plays at a moment, to come back to: for rollback, replays, and trying something out.
import { DEFAULTS } from './action.js';
import { View } from './module.js';

const SETTINGS = Object.keys(DEFAULTS);

function copySettings(to, from) {
    for (let i = 0; i < SETTINGS.length; i++) to[SETTINGS[i]] = from[SETTINGS[i]];
    return to;
}

// Made by a mixer, and for it alone: what is in it are addresses. It lies outside the module, which writes into a block
// that all snapshots of a mixer share, and reads from there.
export class Snapshot {
    constructor(mixer) {
        const { _exports, _mixer, asset: { _module } } = mixer._live();
        const size = _exports.sinew_mixer_snapshot_size(_mixer);
        mixer._block ??= new View(_module, mixer, Uint8Array, _module.allocate(size), size);
        Object.assign(this, { mixer, _bytes: new Uint8Array(size), _timeScale: 1, _actions: new Map() });
        this._layers = mixer.layers.map(() => ({ mask: null, mode: '' }));
    }

    _save() {
        const { mixer } = this;
        mixer._exports.sinew_mixer_save(mixer._mixer, mixer._block.address);
        this._bytes.set(mixer._block.array);
        this._timeScale = mixer.timeScale;
        for (const layer of mixer.layers) {
            const saved = this._layers[layer.index];
            saved.mask = layer.mask;
            saved.mode = layer.mode;
            for (const action of layer._actions.values()) {
                this._actions.set(action, copySettings(this._actions.get(action) ?? {}, action));
            }
        }
        return this;
    }

    // What has been disposed of since stays gone.
    _restore() {
        const { mixer } = this;
        mixer._block.array.set(this._bytes);
        mixer._exports.sinew_mixer_restore(mixer._mixer, mixer._block.address);
        mixer.timeScale = this._timeScale;
        for (const layer of mixer.layers) {
            const { mask, mode } = this._layers[layer.index];
            layer._mode = mode;
            if (layer.index > 0) layer.mask = mask?.disposed ? null : mask;
            for (const action of layer._actions.values()) {
                copySettings(action, this._actions.get(action) ?? DEFAULTS);
                if (action.space?.disposed) action.stop();
            }
        }
    }
}
