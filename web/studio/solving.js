// SPDX-License-Identifier: MIT
// What is solved after the mixers of the stage: effectors that are dragged, and the springs of the main character, of a
// second one and of the crowd. The stage calls it in each frame.
import { CharacterSprings } from './character_springs.js';
import { Reach } from './reach.js';
import { Solvers, springsOf } from './sinew/solvers.js';
import { windOf } from './wind.js';
/** @import { Placed, Stage } from './stage.js' */

export class Solving {
    #main = null; // CharacterSprings; null for a file without springs
    #second = null; // of the compared character
    #compare = null; // the Compare that they are for
    #many = []; // of the crowd
    #crowd = null; // the Crowd that they are for
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

    // Of a character, whose mixer disposes them.
    #springsOf(/** @type {Placed} */ character, bones) {
        return bones && new CharacterSprings(this.solvers, character, bones);
    }

    /** Reads the springs of the main character. */
    begin() {
        const { character } = this.stage;
        this.bones = character && springsOf(character.bytes);
        this.#main = this.#springsOf(character, this.bones);
        this.#crowd = null; // disposed with the character before
        this.reach.begin();
    }

    // Reads those of a compared character that is new.
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

    /** Whether it changes poses in each frame. */
    get isActive() {
        return Boolean(this.#main?.isActive || this.#second?.isActive) || this.reach.isActive;
    }

    /** Whether the springs of the crowd are turned on or off now. */
    get crowdFades() {
        this.#followCrowd();
        return this.#many.some((springs) => springs.isFading(this.stage.springs.on));
    }

    /** The colliders of the main character's springs; [] while they are off. */
    get colliders() {
        return this.#main?.colliders ?? [];
    }

    /** `step` is the time of the clips, `seconds` that of the page. */
    update(step, seconds) {
        const on = this.stage.springs.on && !this.stage.rigSwings;
        this.reach.update(seconds);
        this.#followCompare();
        if (step > 0) windOf(this.stage.springs, this.#wind);
        this.#main?.update(step, seconds, on, this.#wind);
        this.#second?.update(step, seconds, on, this.#wind);
    }

    /** The same for the crowd, after its update. */
    updateCrowd(step, seconds) {
        this.#followCrowd();
        for (const springs of this.#many) springs.update(step, seconds, this.stage.springs.on, this.#wind);
    }

    /** Starts the springs at rest: after a seek. */
    reset() {
        this.#followCompare();
        this.#main?.reset();
        this.#second?.reset();
    }
}
