// SPDX-License-Identifier: MIT
// The crowd: copies of the main character around it, each with its own time and speed. One call updates them all.
import { Batch, Mixer } from './sinew/index.js';
import { locomotionOf } from './locomotion.js';
/** @import { Asset } from './sinew/index.js' */

const SPREAD = 1.1; // spacing, relative to one character's width

// mulberry32: random numbers from 0 to 1 in a fixed sequence, so the crowd is always the same.
function makeRandom(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

// The smallest odd side of a square grid that has a cell for each, and leaves the center free.
function sideOf(count) {
    let side = 1;
    while (side * side < count + 1) side += 2;
    return side;
}

// Writes a grid cell's world transform, with a random offset and rotation.
function setWorld(world, cell, side, spacing, random) {
    const x = cell % side - (side - 1) / 2 + 0.25 * (random() - 0.5);
    const z = (side - 1) / 2 - Math.floor(cell / side) + 0.25 * (random() - 0.5);
    const angle = 2.4 * (random() - 0.5);
    const sine = Math.sin(angle), cosine = Math.cos(angle);
    world.set([cosine, 0, sine, spacing * x, 0, 1, 0, 0, -sine, 0, cosine, spacing * z]);
}

export class Crowd {
    /**
     * @param {Asset} asset
     * @param {number} count
     * @param {number} [width] of one character in metres
     */
    constructor(/** @type {Asset} */ asset, count, width) {
        this.count = count;
        this.width = width;
        this.seconds = 0; // played so far
        this.milliseconds = 0; // the last update's
        this.worlds = new Float32Array(12 * count);
        this.mixers = [];
        this.batch = null;
        if (count === 0) return;
        const random = makeRandom(9), side = sideOf(count), center = (side * side - 1) / 2;
        const locomotion = locomotionOf(asset.clips);
        const clips = locomotion.length > 0 ? locomotion : asset.clips;
        try {
            for (let i = 0; i < count; i++) {
                const world = this.worlds.subarray(12 * i, 12 * i + 12);
                setWorld(world, i < center ? i : i + 1, side, SPREAD * width, random);
                this.mixers.push(new Mixer(asset, { maxActions: 1, layers: 1 }));
                if (clips.length > 0) this.#start(this.mixers[i], clips[Math.floor(random() * clips.length)], random);
            }
            this.batch = new Batch(this.mixers);
            this.batch.update(0); // they need a pose even while the stage is paused
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    #start(/** @type {Mixer} */ mixer, clip, random) {
        const action = mixer.clipAction(clip);
        action.time = clip.duration * random();
        action.timeScale = 0.9 + 0.2 * random();
        action.play();
    }

    /** Each one's { mixer, world }. */
    get characters() {
        return this.mixers.map((mixer, i) => ({ mixer, world: this.worlds.subarray(12 * i, 12 * i + 12) }));
    }

    /** Calls `solve` to edit the poses after the update. */
    update(seconds, solve = () => {}) {
        const start = performance.now();
        this.batch?.update(seconds);
        solve();
        this.seconds += seconds;
        this.milliseconds = performance.now() - start;
    }

    dispose() {
        for (const mixer of this.mixers) mixer.dispose();
        this.mixers = [];
        this.count = 0;
        this.batch = null;
    }
}
