// SPDX-License-Identifier: MIT
// One stage character's springs. They turn on and off without a jump.
import { Springs } from './sinew/solvers.js';
/** @import { SpringBones, Solvers } from './sinew/solvers.js' */
/** @import { Placed } from './stage.js' */

const FADE = 0.25; // seconds to turn springs on or off

// Converts a row-major 3x4 matrix to a column-major 4x4.
function toColumns(rows, target) {
    for (let i = 0; i < 12; i++) target[4 * (i % 4) + (i >> 2)] = rows[i];
    target[15] = 1;
    return target;
}

export class CharacterSprings {
    #springs = null; // the current mixer's
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

    /** Whether the springs change the pose in each frame. */
    get isActive() {
        return this.#springs !== null;
    }

    /** Whether the springs are turning on or off now. */
    isFading(on) {
        return on ? !(this.#springs?.weight === 1) : this.isActive;
    }

    /** The colliders; [] while the springs are off. */
    get colliders() {
        return this.#springs?.colliders ?? [];
    }

    // Graphs have their own mixer.
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

    /** `step` is the clips' time, `seconds` the page's. `wind` is the air's velocity. */
    update(step, seconds, on, wind) {
        if (on) this.#make();
        else if (this.#springs?.mixer !== this.character.mixer) this.#drop();
        const springs = this.#springs;
        if (!springs) return;
        springs.weight = Math.min(Math.max(springs.weight + (on ? seconds : -seconds) / FADE, 0), 1);
        springs.update(step, toColumns(this.character.world, this.#world), wind);
        if (!on && springs.weight === 0) this.#drop();
    }

    /** Starts at rest, such as after a seek. */
    reset() {
        this.#springs?.reset();
    }
}
