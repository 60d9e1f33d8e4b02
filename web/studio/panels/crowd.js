// SPDX-License-Identifier: MIT
// The panel of the crowd.
import { MAX_CROWD } from '../defaults.js';
import { follow, number, show } from './controls.js';
import { element, hint, panel, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */

const DELAY = 120; // milliseconds after the last movement of the slider: making a thousand characters takes time
const INTERVAL = 500; // milliseconds between updates of the cost

// The clocks of browsers have a resolution of up to 0.1 ms.
function describe(mean, count) {
    if (mean < 0.05) return 'Update: less than 0.1 ms';
    return `Update: ${mean.toFixed(2)} ms, ${(1000 * mean / count).toFixed(1)} µs per character`;
}

export function crowd(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    let waiting = 0, shownAt = 0, sum = 0, updates = 0;
    const set = (count) => {
        clearTimeout(waiting);
        waiting = setTimeout(() => stage.setCrowd(count), DELAY);
    };
    const many = slider({ label: 'Count', max: MAX_CROWD, step: 1, say: (value) => value.toLocaleString('en'),
        oninput: (value) => {
            exact.set(value);
            set(value);
        } });
    const exact = number('Exact count', { min: 0, max: MAX_CROWD, step: 1 }, (value) => {
        many.set(value);
        set(value);
    });
    const cost = element('p', { className: 'cost' });
    const about = 'Each character plays a locomotion clip with its own time and speed. One call updates all.';
    panel(container, 'Crowd', hint(about), many.node, exact.node, cost);

    function tell() {
        const now = performance.now();
        sum += stage.crowd.milliseconds;
        updates++;
        if (now - shownAt < INTERVAL) return;
        show(cost, stage.crowd.count === 0 ? '' : describe(sum / updates, stage.crowd.count));
        shownAt = now;
        sum = updates = 0;
    }
    follow(stage, ['crowd'], () => {}, () => {
        many.set(stage.crowd.count);
        exact.set(stage.crowd.count);
    });
    stage.addEventListener('frame', tell);
}
