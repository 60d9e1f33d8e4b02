// SPDX-License-Identifier: MIT
// The panel of the root warp: on or off, its window, and by how much it misses the goal.
import { follow, show } from './controls.js';
import { button, check, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const ABOUT = 'The clip ends at the ring on the ground. Drag the ring, and drag the time. The pose doesn’t change.';
const NO_CLIP = 'This needs a clip that plays alone, without a graph or a blend space.';

const metres = (distance) => (distance < 0.0005 ? 'The goal is reached' : `The goal is missed by ${distance.toFixed(2)} m`);

function describe({ warp, warping }) {
    if (!warp.on) return '';
    if (!warping.acts) return NO_CLIP;
    const { start, end, names } = warping.window;
    const say = (time, name) => `${time.toFixed(2)} s${name ? ` (${name})` : ''}`;
    return `${metres(warping.missedDistance)}, from ${say(start, names[0])} to ${say(end, names[1])}.`;
}

export function warp(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const on = check('Warp the root to a goal', false, (checked) => stage.setWarp({ on: checked }));
    const state = hint(), reset = button('Reset the goal', () => stage.setGoal(null));
    panel(container, 'Root warp', hint(ABOUT), on.node, state, reset);
    const refresh = () => {
        on.set(stage.warp.on);
        show(state, describe(stage));
        state.hidden = !stage.warp.on;
        reset.hidden = !stage.warp.on || stage.warp.goal === null;
    };
    stage.addEventListener('frame', refresh);
    follow(stage, ['warp', 'goal', 'playing'], () => {}, refresh);
}
