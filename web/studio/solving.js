// SPDX-License-Identifier: MIT
// What's solved after the stage's mixers: dragged effectors, and springs of the main character, the second one and
// the crowd. The stage calls it each frame.
import { CharacterSprings } from './character_springs.js';
import { Reach } from './reach.js';
import { Solvers, springsOf } from './sinew/solvers.js';
import { windOf } from './wind.js';
/** @import { Placed, Stage } from './stage.js' */

export class Solving {
    #main = null; // CharacterSprings; null if the file has no springs
    #second = null; // the compared character's
    #compare = null; // the Compare that #second is for
    #many = []; // the crowd's
    #crowd = null; // the Crowd that #many is for
    #wind = new Float32Array(3);

    static async load(/** @type {Stage} */ stage) {
        return new this(stage, await Solvers.load());
    }

    constructor(/** @type {Stage} */ stage, solvers) {
        this.stage = stage;
        this.solvers = solvers;
        this.bones = null;
        this.reach = new Reach(stage, solvers);
        this.begin();
    }

    // A character's springs. Its mixer disposes them.
    #springsOf(/** @type {Placed} */ character, bones) {
        return bones && new CharacterSprings(this.solvers, character, bones);
    }

    /** Reads the main character's springs. */
    begin() {
        const { character } = this.stage;
        this.bones = character && springsOf(character.bytes);
        this.#main = this.#springsOf(character, this.bones);
        this.#crowd = null; // disposed with the previous character
        this.reach.begin();
    }

    // Reads a new compared character's springs.
    #followCompare() {
        const { compare } = this.stage;
        if (compare === this.#compare) return;
        this.#compare = compare;
        this.#second = compare && this.#springsOf(compare, springsOf(compare.bytes));
    }

    #followCrowd() {
        const { crowd } = this.stage;
        if (crowd === this.#crowd) return;
        this.#crowd = crowd;
        this.#many = this.bones ? crowd.characters.map((one) => this.#springsOf(one, this.bones)) : [];
    }

    /** Whether it changes poses each frame. */
    get isActive() {
        return Boolean(this.#main?.isActive || this.#second?.isActive) || this.reach.isActive;
    }

    /** Whether the crowd's springs are turning on or off now. */
    get crowdFades() {
        this.#followCrowd();
        return this.#many.some((springs) => springs.isFading(this.stage.springs.on));
    }

    /** The colliders of the main character's springs; [] while they're off. */
    get colliders() {
        return this.#main?.colliders ?? [];
    }

    /** `step` is the clips' time, `seconds` the page's. */
    update(step, seconds) {
        const on = this.stage.springs.on && !this.stage.rigSwings;
        this.reach.update(seconds);
        this.#followCompare();
        if (step > 0) windOf(this.stage.springs, this.#wind);
        this.#main?.update(step, seconds, on, this.#wind);
        this.#second?.update(step, seconds, on, this.#wind);
    }

    /** Does the same for the crowd, after its update. */
    updateCrowd(step, seconds) {
        this.#followCrowd();
        for (const springs of this.#many) springs.update(step, seconds, this.stage.springs.on, this.#wind);
    }

    /** Resets the springs to rest, after a seek. */
    reset() {
        this.#followCompare();
        this.#main?.reset();
        this.#second?.reset();
    }
}
