// SPDX-License-Identifier: MIT
// A probe is an invisible mixer. It samples clips at any time, for curves, paths, speeds and ghosts.
import { LoopOnce, Mixer } from './sinew/index.js';
/** @import { Asset } from './sinew/index.js' */

export class Probe {
    #action = null;

    constructor(/** @type {Asset} */ asset) {
        this.mixer = new Mixer(asset, { maxActions: 1, layers: 1 });
    }

    /** Samples a single clip. At the duration, that's the clip's end, not the next cycle's start. */
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
