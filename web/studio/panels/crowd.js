// Many of the character at once.
import { MOST_CROWD } from '../defaults.js';
import { follow, number, show } from './controls.js';
import { element, hint, panel, slider } from './parts.js';

const SETTLE = 120; // milliseconds after the last movement of the slider: making a thousand takes a while
const TOLD = 500; // milliseconds from one figure to the next

// Clocks of browsers go in steps of up to 0.1 ms: what is less is nothing to them.
function describe(mean, count) {
    if (mean < 0.05) return 'Less than 0.1 ms for an update of all';
    return `${mean.toFixed(2)} ms for an update of all, ${(1000 * mean / count).toFixed(1)} µs for each`;
}

export function crowd(stage, place) {
    let waiting = 0, told = 0, sum = 0, updates = 0;
    const set = (count) => {
        clearTimeout(waiting);
        waiting = setTimeout(() => stage.setCrowd(count), SETTLE);
    };
    const many = slider({ label: 'How many', max: MOST_CROWD, step: 1, say: (value) => value.toLocaleString('en'),
        oninput: (value) => {
            exact.set(value);
            set(value);
        } });
    const exact = number('Exactly', { min: 0, max: MOST_CROWD, step: 1 }, (value) => {
        many.set(value);
        set(value);
    });
    const cost = element('p', { className: 'cost' });
    const about = 'Each plays a pace of the file, at a moment and a speed of its own; one call moves all on.';
    panel(place, 'Crowd', hint(about), many.node, exact.node, cost);

    function tell() {
        const now = performance.now();
        sum += stage.crowd.milliseconds;
        updates++;
        if (now - told < TOLD) return;
        show(cost, stage.crowd.count === 0 ? '' : describe(sum / updates, stage.crowd.count));
        told = now;
        sum = updates = 0;
    }
    follow(stage, ['crowd'], () => {}, () => {
        many.set(stage.crowd.count);
        exact.set(stage.crowd.count);
    });
    stage.addEventListener('frame', tell);
}
