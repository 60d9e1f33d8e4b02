// SPDX-License-Identifier: MIT
// What is solved after the mixer of the main character: effectors that are dragged, and the springs of its file. The stage
// calls it in each frame.
import { Reach } from './reach.js';
import { Solvers, Springs, springsOf } from './sinew/solvers.js';

const FADE = 0.25; // seconds in which springs are turned on and off

// A row-major 3x4 matrix as a column-major 4x4.
function toColumns(rows, target) {
    for (let i = 0; i < 12; i++) target[4 * (i % 4) + (i >> 2)] = rows[i];
    target[15] = 1;
    return target;
}

export class Solving {
    #springs = null; // of the current mixer
    #world = new Float32Array(16);
    #wind = new Float32Array(3);

    static async load(stage) {
        return new this(stage, await Solvers.load());
    }

    constructor(stage, solvers) {
        Object.assign(this, { stage, solvers, bones: null, reach: new Reach(stage, solvers) });
        this.begin();
    }

    /** Reads the springs of the main character. */
    begin() {
        this.#springs = null; // disposed with its mixer
        this.bones = this.stage.character && springsOf(this.stage.character.bytes);
        this.reach.begin();
    }

    /** Whether it changes the pose in each frame. */
    get isActive() {
        return this.#springs !== null || this.reach.isActive;
    }

    /** The colliders of the springs; [] while they are off. */
    get colliders() {
        return this.#springs?.colliders ?? [];
    }

    // The graph has a mixer of its own.
    #makeSprings() {
        const { character: { mixer } } = this.stage;
        if (this.#springs?.mixer === mixer) return;
        this.#dropSprings();
        this.#springs = new Springs(this.solvers, mixer, this.bones, { weight: 0 });
    }

    #dropSprings() {
        this.#springs?.dispose();
        this.#springs = null;
    }

    /** `step` is the time of the clips, `seconds` that of the page. */
    update(step, seconds) {
        this.reach.update(seconds);
        const { character, compare, springs } = this.stage, on = springs.on && !compare; // only one of two would swing
        if (this.bones && on) this.#makeSprings();
        const solved = this.#springs;
        if (!solved) return;
        solved.weight = Math.min(Math.max(solved.weight + (on ? seconds : -seconds) / FADE, 0), 1);
        if (step > 0) this.#setWind();
        solved.update(step, toColumns(character.world, this.#world), this.#wind);
        if (!on && solved.weight === 0) this.#dropSprings();
    }

    #setWind() {
        const { speed, angle } = this.stage.springs, turn = angle * Math.PI / 180;
        this.#wind[0] = speed * Math.sin(turn);
        this.#wind[2] = speed * Math.cos(turn);
    }

    /** Starts the springs at rest: after a seek. */
    reset() {
        this.#springs?.reset();
    }
}
