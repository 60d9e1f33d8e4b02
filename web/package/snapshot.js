// SPDX-License-Identifier: MIT
// Snapshots: a mixer's state, for rollback and replay.
import { DEFAULTS } from './action.js';
import {
    $actions, $address, $block, $exports, $footLock, $isTimed, $live, $mode, $module, $restore, $save, $settings, $springs, $state,
    $time, $timed, $version,
} from './internal.js';
import { View } from './module.js';

// Copies the settings in DEFAULTS one by one. A loop over names would box the numbers and make garbage.
function copySettings(to, from) {
    to.time = from.time;
    to.timeScale = from.timeScale;
    to.weight = from.weight;
    to.fade = from.fade;
    to.loop = from.loop;
    to.loopCount = from.loopCount;
    to.sync = from.sync;
    to.x = from.x;
    to.y = from.y;
    to.enabled = from.enabled;
    to.pausedBefore = from.pausedBefore;
    to.startTime = from.startTime;
    to.warpStart = from.warpStart;
    to.warpEnd = from.warpEnd;
    to.warpFrom = from.warpFrom;
    to.warpTo = from.warpTo;
}

// Copies the state of foot locking or springs, or null.
function saveState(saved, owner) {
    saved.owner = owner;
    if (!owner) return;
    if (saved.bytes?.length !== owner[$state].length) saved.bytes = new Uint8Array(owner[$state].length);
    saved.bytes.set(owner[$state].array);
}

// Restores a state. An owner that was made later starts over.
function restoreState(saved, owner) {
    if (owner && owner === saved.owner) owner[$state].array.set(saved.bytes);
    else owner?.reset();
}

// A snapshot is only valid for its mixer, because it holds addresses. Its bytes are outside the module's memory. All
// snapshots of a mixer share one block there, which the module writes to and reads from.
export class Snapshot {
    [$version];
    #bytes;
    #time = 0;
    #timeScale = 1;
    #actions = new Map();
    #layers;
    #feet;
    #springs;

    constructor(mixer) {
        const { [$exports]: exports, [$address]: address, asset: { [$module]: module } } = mixer[$live]();
        const size = exports.web_mixer_snapshot_size(address);
        mixer[$block] ??= new View(module, mixer, Uint8Array, module.allocate(size), size);
        this.mixer = mixer;
        this[$version] = mixer[$version];
        this.#bytes = new Uint8Array(size);
        this.#layers = mixer.layers.map(() => ({ mask: null, mode: '' }));
        this.#feet = { owner: null, bytes: null };
        this.#springs = { owner: null, bytes: null };
    }

    [$save]() {
        const { mixer } = this;
        mixer[$exports].web_mixer_save(mixer[$address], mixer[$block].address);
        this.#bytes.set(mixer[$block].array);
        this.#time = mixer[$time];
        this.#timeScale = mixer.timeScale;
        saveState(this.#feet, mixer[$footLock]);
        saveState(this.#springs, mixer[$springs]);
        for (const layer of mixer.layers) {
            const saved = this.#layers[layer.index];
            saved.mask = layer.mask;
            saved.mode = layer.mode;
            for (const action of layer[$actions].values()) {
                if (!this.#actions.has(action)) this.#actions.set(action, { ...DEFAULTS });
                copySettings(this.#actions.get(action), action[$settings]);
            }
        }
        return this;
    }

    // Doesn't restore masks and blend spaces that were disposed since.
    [$restore]() {
        const { mixer } = this;
        mixer[$block].array.set(this.#bytes);
        mixer[$exports].web_mixer_restore(mixer[$address], mixer[$block].address, this.#bytes.length);
        mixer[$time] = this.#time;
        mixer.timeScale = this.#timeScale;
        restoreState(this.#feet, mixer[$footLock]);
        restoreState(this.#springs, mixer[$springs]);
        if (mixer[$timed].size > 0) mixer[$timed].clear(); // clear always makes a new table
        for (const layer of mixer.layers) {
            const { mask, mode } = this.#layers[layer.index];
            layer[$mode] = mode;
            if (mask?.disposed) layer.mask = null;
            else if (layer.mask !== mask) layer.mask = mask;
            for (const action of layer[$actions].values()) {
                copySettings(action[$settings], this.#actions.get(action) ?? DEFAULTS);
                if (action[$isTimed]()) mixer[$timed].add(action);
                if (action.space?.disposed) action.stop();
            }
        }
    }
}
