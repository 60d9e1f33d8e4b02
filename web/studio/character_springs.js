// SPDX-License-Identifier: MIT
// The springs of one character of the stage, which are turned on and off without a jump.
import { Springs } from './sinew/solvers.js';
/** @import { SpringBones, Solvers } from './sinew/solvers.js' */
/** @import { Placed } from './stage.js' */

const FADE = 0.25; // seconds in which springs are turned on and off

// A row-major 3x4 matrix as a column-major 4x4.
function toColumns(rows, target) {
    for (let i = 0; i < 12; i++) target[4 * (i % 4) + (i >> 2)] = rows[i];
    target[15] = 1;
    return target;
}

export class CharacterSprings {
    #springs = null; // of the current mixer
    #world = new Float32Array(16);

    /**
     * @param {Solvers} solvers
     * @param {Placed} character its mixer may change
     * @param {SpringBones} bones the springs of its file
     */
    constructor(solvers, character, bones) {
        this.solvers = solvers;
        this.character = character;
        this.bones = bones;
    }

    /** Whether they change the pose in each frame. */
    get isActive() {
        return this.#springs !== null;
    }

    /** Whether they are turned on or off now. */
    isFading(on) {
        return on ? !(this.#springs?.weight === 1) : this.isActive;
    }

    /** The colliders; [] while they are off. */
    get colliders() {
        return this.#springs?.colliders ?? [];
    }

    // The graph has a mixer of its own.
    #make() {
        const { mixer } = this.character;
        if (this.#springs?.mixer === mixer) return;
        this.#drop();
        this.#springs = new Springs(this.solvers, mixer, this.bones, { weight: 0 });
    }

    #drop() {
        this.#springs?.dispose();
        this.#springs = null;
    }

    /** `step` is the time of the clips, `seconds` that of the page. `wind` is the velocity of the air. */
    update(step, seconds, on, wind) {
        if (on) this.#make();
        else if (this.#springs?.mixer !== this.character.mixer) this.#drop();
        const springs = this.#springs;
        if (!springs) return;
        springs.weight = Math.min(Math.max(springs.weight + (on ? seconds : -seconds) / FADE, 0), 1);
        springs.update(step, toColumns(this.character.world, this.#world), wind);
        if (!on && springs.weight === 0) this.#drop();
    }

    /** Starts at rest: after a seek. */
    reset() {
        this.#springs?.reset();
    }
}
