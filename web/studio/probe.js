// A character that nobody sees, to ask what any clip does at any time: for curves, paths, paces and ghosts.
import { LoopOnce, Mixer } from './sinew/index.js';

export class Probe {
    #action = null;

    constructor(asset) {
        this.mixer = new Mixer(asset, { maxActions: 1, layers: 1 });
    }

    /** Poses it as a clip says, alone; its end is its end, and not the start of the next round. */
    pose(clip, time) {
        const action = this.mixer.clipAction(clip);
        if (this.#action !== action) {
            this.#action?.stop();
            this.#action = action.setLoop(LoopOnce);
        }
        action.play();
        action.time = time;
        this.mixer.update(0);
        return this.mixer;
    }

    dispose() {
        this.mixer.dispose();
    }
}
