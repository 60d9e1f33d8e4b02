// SPDX-License-Identifier: MIT
// A probe: a mixer that is not drawn, which samples clips at any time for curves, paths, speeds and ghosts.
import { LoopOnce, Mixer } from './sinew/index.js';
/** @import { Asset } from './sinew/index.js' */

export class Probe {
    #action = null;

    constructor(/** @type {Asset} */ asset) {
        this.mixer = new Mixer(asset, { maxActions: 1, layers: 1 });
    }

    /** Samples a clip alone. At the duration it is the end of the clip, not the start of the next cycle. */
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
