// SPDX-License-Identifier: MIT
// A second character next to the main one, in sync with it but with its own kind of transition, and meters of the
// largest jump for both. Meanwhile, the stage's steps are at most MAX_STEP: otherwise the jump would depend on the
// frame rate.
import { growBox, IDENTITY, newBox } from './affine.js';
/** @import { ClipAction, Mixer } from './sinew/index.js' */
/** @import { Character, Opened } from './stage.js' */

export const MAX_STEP = 1 / 60; // seconds
const GAP = 1.15; // distance between the two, relative to where they touch

/** A character's bounding box in model space, 6 floats. Without meshes, it's the nodes' box. */
export function boundsOf(/** @type {Mixer} */ mixer, target = new Float32Array(6)) {
    mixer.bounds(target);
    if (target[0] <= target[3]) return target;
    target.fill(Infinity, 0, 3).fill(-Infinity, 3);
    const rows = mixer.modelMatrices;
    for (let i = 3; i < rows.length; i += 4) {
        const axis = (i % 12 - 3) / 4;
        target[axis] = Math.min(target[axis], rows[i]);
        target[3 + axis] = Math.max(target[3 + axis], rows[i]);
    }
    return target;
}

// A character's center along x, and the larger of its width and depth, because it may turn.
function spanOf({ mixer, world }) {
    const box = newBox();
    growBox(box, boundsOf(mixer), world);
    const [x0, , z0] = box.least, [x1, , z1] = box.most;
    return { center: (x0 + x1) / 2, width: Math.max(x1 - x0, z1 - z0, 1e-3) };
}

/**
 * Measures how far joints are from where their velocity leads: the largest distance since `reset`, relative to the
 * character's height. A pop of the pose is a large jump; steady motion has small ones.
 */
export class JumpMeter {
    /** `character` is { mixer }, which may change. */
    constructor(/** @type {{ mixer: Mixer }} */ character) {
        this.character = character;
        this.largest = 0;
        this.known = 0;
        const { mixer } = character, [, low, , , high] = boundsOf(mixer);
        this.height = high > low ? high - low : 1;
        const count = 3 * mixer.asset.nodes.length;
        this.now = new Float32Array(count);
        this.last = new Float32Array(count);
        this.velocity = new Float32Array(count);
    }

    reset() {
        this.largest = 0;
    }

    // Forgets the positions, after a seek.
    restart() {
        this.known = 0;
        this.largest = 0;
    }

    update(seconds) {
        if (!(seconds > 0)) return;
        const { now, last, velocity } = this, rows = this.character.mixer.modelMatrices;
        for (let i = 0; i < now.length; i++) now[i] = rows[12 * Math.floor(i / 3) + 4 * (i % 3) + 3];
        for (let i = 0; this.known > 1 && i < now.length; i += 3) {
            const jump = Math.hypot(...[0, 1, 2].map((k) => now[i + k] - last[i + k] - seconds * velocity[i + k]));
            this.largest = Math.max(this.largest, jump / this.height);
        }
        for (let i = 0; i < now.length; i++) velocity[i] = (now[i] - last[i]) / seconds;
        last.set(now);
        this.known++;
    }
}

export class Compare {
    /** @type {ClipAction | null} */ #action = null;

    /** `opened` is { name, bytes, files, asset, mixer }, `main` the character of the stage, `fit` its world transform. */
    constructor(/** @type {Opened} */ opened, /** @type {Character} */ main, kind, fit = IDENTITY) {
        this.name = opened.name;
        this.bytes = opened.bytes;
        this.files = opened.files;
        this.asset = opened.asset;
        this.mixer = opened.mixer;
        this.kind = kind;
        this.fit = fit;
        this.world = fit.slice();
        this.clipMixer = this.mixer; // `mixer` is the graph's while the graph drives
        this.meters = [new JumpMeter(main), new JumpMeter(this)];
    }

    /** Moves it next to the main character, based on their current poses. */
    moveNextTo(/** @type {Character} */ character) {
        this.mixer.update(0);
        const main = spanOf(character), own = spanOf(this);
        this.world[3] += main.center - own.center + GAP * (main.width + own.width) / 2;
    }

    // The clip with the same name, else the first one.
    #clipLike({ name }) {
        return this.asset.findClip(name) ?? this.asset.clips[0] ?? null;
    }

    play(clip, loop, { kind, duration, matchRate }) {
        const found = clip && this.#clipLike(clip);
        if (!found) return;
        const action = this.clipMixer.clipAction(found), restart = action.isFinished();
        action.setLoop(loop).timeScale = clip.duration > 0 ? found.duration / clip.duration : 1; // both end together
        this.clipMixer.transitionTo(action, { kind, duration, matchRate }, { restart });
        this.#action = action;
        for (const meter of this.meters) meter.reset();
    }

    setLoop(loop) {
        this.#action?.setLoop(loop);
    }

    /** Seeks to the same part of its clip as the main character. */
    seek(time, duration) {
        for (const meter of this.meters) meter.restart();
        if (this.mixer.animator) return;
        if (this.#action && duration > 0) this.#action.time = Math.min(time / duration, 1) * this.#action.clip.duration;
    }

    update(step) {
        const moved = this.mixer.update(step);
        for (const meter of this.meters) meter.update(step);
        return moved;
    }
}
