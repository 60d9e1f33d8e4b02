// SPDX-License-Identifier: MIT
// Onion skin: the clip's earlier and later poses, drawn as ghosts.
import { Probe } from './probe.js';
/** @import { Asset } from './sinew/index.js' */
/** @import { Stage } from './stage.js' */

const STEPS = [-2, 2, -1, 1]; // before and after, farthest first: the order in which ghosts are drawn
const SECONDS = 0.12; // between two steps
const BEFORE = [0.36, 0.13, 0.04, 0.6], AFTER = [0.04, 0.24, 0.3, 0.6]; // tints: linear colour and strength
const OPACITY = [0, 0.5, 0.28]; // by distance in steps

// Wraps the time into a repeating clip.
const wrap = (time, duration) => (duration > 0 ? ((time % duration) + duration) % duration : 0);

export class Onion {
    #ghosts = [];

    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
        stage.addEventListener('loaded', () => this.#clear());
    }

    #clear() {
        for (const { probe } of this.#ghosts) probe.dispose();
        this.#ghosts = [];
    }

    #make(/** @type {Asset} */ asset) {
        this.#ghosts = STEPS.map((step) => {
            const probe = new Probe(asset);
            const ghost = { opacity: OPACITY[Math.abs(step)], tint: step < 0 ? BEFORE : AFTER };
            return { step, probe, mixer: probe.mixer, model: null, world: null, ghost };
        });
    }

    /** The ghosts at the current time: [{ model, mixer, world, ghost }]. They show the clip without layers. */
    ghosts(model) {
        const { stage } = this;
        const clip = stage.shownClip;
        if (!stage.view.onion || !clip || !model) {
            this.#clear();
            return this.#ghosts;
        }
        if (this.#ghosts.length === 0) this.#make(stage.character.asset);
        for (const ghost of this.#ghosts) {
            const time = wrap(stage.time + SECONDS * ghost.step, clip.duration);
            ghost.probe.pose(clip, time);
            Object.assign(ghost, { model, world: stage.warping.worldAt(time) });
        }
        return this.#ghosts;
    }
}
