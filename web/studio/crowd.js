// Many more of the main character around it, each at a moment and a pace of its own, all updated in one call.
import { Batch, Mixer } from './sinew/index.js';

const PACES = /^(idle|walk|jog|run|sprint)$/i;
const SPREAD = 1.1; // metres between them, for each metre that one is wide

// mulberry32, a small generator of evenly spread numbers from 0 to 1: the same crowd each time.
function chances(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

// The least odd side of a square that has a place for each, and one in the middle that stays free.
function sideOf(count) {
    let side = 1;
    while (side * side < count + 1) side += 2;
    return side;
}

function stand(place, slot, side, spacing, chance) {
    const x = slot % side - (side - 1) / 2 + 0.25 * (chance() - 0.5);
    const z = (side - 1) / 2 - Math.floor(slot / side) + 0.25 * (chance() - 0.5);
    const turn = 2.4 * (chance() - 0.5);
    const sine = Math.sin(turn), cosine = Math.cos(turn);
    place.set([cosine, 0, sine, spacing * x, 0, 1, 0, 0, -sine, 0, cosine, spacing * z]);
}

export class Crowd {
    // `width` is how much ground one of them takes.
    constructor(asset, count, width) {
        Object.assign(this, { count, width, seconds: 0 }); // that it has played
        this.milliseconds = 0; // that the last update took
        this.places = new Float32Array(12 * count);
        this.mixers = [];
        this.batch = null;
        if (count === 0) return;
        const chance = chances(9), side = sideOf(count), middle = (side * side - 1) / 2;
        const paces = asset.clips.filter(({ name }) => PACES.test(name));
        const clips = paces.length > 0 ? paces : asset.clips;
        try {
            for (let i = 0; i < count; i++) {
                stand(this.places.subarray(12 * i, 12 * i + 12), i < middle ? i : i + 1, side, SPREAD * width, chance);
                this.mixers.push(new Mixer(asset, { maxActions: 1, layers: 1 }));
                if (clips.length > 0) this.#start(this.mixers[i], clips[Math.floor(chance() * clips.length)], chance);
            }
            this.batch = new Batch(this.mixers);
            this.batch.update(0); // so that they stand in a pose also where time stands still
        } catch (error) {
            this.dispose();
            throw error;
        }
    }

    #start(mixer, clip, chance) {
        const action = mixer.clipAction(clip);
        action.time = clip.duration * chance();
        action.timeScale = 0.9 + 0.2 * chance();
        action.play();
    }

    update(seconds) {
        const start = performance.now();
        this.batch?.update(seconds);
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
