// Onion skin: where the clip has been, and where it goes, as faint poses of the one that plays.
import { Probe } from './probe.js';

const STEPS = [-2, -1, 1, 2]; // before and after
const SECONDS = 0.12; // from one to the next
const BEFORE = [0.25, 0.55, 1], AFTER = [1, 0.55, 0.2];

// The time in a clip that goes round and round.
const around = (time, duration) => (duration > 0 ? ((time % duration) + duration) % duration : 0);

export class Onion {
    #ghosts = [];

    constructor(stage) {
        this.stage = stage;
        stage.addEventListener('loaded', () => this.#clear());
    }

    #clear() {
        for (const { probe } of this.#ghosts) probe.dispose();
        this.#ghosts = [];
    }

    #make(asset) {
        this.#ghosts = STEPS.map((step) => {
            const probe = new Probe(asset);
            const ghost = { opacity: 0.5 / Math.abs(step) ** 0.7, tint: step < 0 ? BEFORE : AFTER };
            return { step, probe, mixer: probe.mixer, place: null, ghost };
        });
    }

    /** Posed now: [{ mixer, place, ghost }], or none. They show the clip alone, without layers and others. */
    ghosts() {
        const { stage } = this;
        const clip = stage.shownClip;
        if (!stage.view.onion || !clip || !stage.character) {
            this.#clear();
            return this.#ghosts;
        }
        if (this.#ghosts.length === 0) this.#make(stage.character.asset);
        for (const ghost of this.#ghosts) {
            ghost.probe.pose(clip, around(stage.time + SECONDS * ghost.step, clip.duration));
            ghost.place = stage.character.place;
        }
        return this.#ghosts;
    }
}
