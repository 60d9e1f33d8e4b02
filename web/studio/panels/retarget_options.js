// SPDX-License-Identifier: MIT
// The options of a retargeting.
import { RATES } from '../retarget_options.js';
import { clipName, show } from './controls.js';
import { button, check, element, rowOf, select, stackOf } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SWITCHES = {
    feet: 'Put the feet where the source has them', hands: 'Do the same for the hands, for grips and contacts',
    fixedLengths: 'Keep bone lengths, even if the source stretches bones', only: 'Leave out the character’s own clips',
};

// A checkbox for each clip of the source.
function clipList(/** @type {Stage} */ stage) {
    const summary = element('span', { className: 'hint' }), list = element('div', { className: 'stack tight scrolls clip-checks' });
    const all = button('All clips', () => stage.retarget.setOptions({ clips: null }));
    const none = button('No clips', () => stage.retarget.setOptions({ clips: [] }));
    const node = element('details', { className: 'group' }, element('summary', {}, 'Clips ', summary),
        stackOf(rowOf(all, none), list));
    let filled = null, checks = [];
    const chosen = ({ options, source }) => options.clips ?? [...source.clips.keys()];
    function set(clip, isChosen) {
        const { retarget } = stage, rest = chosen(retarget).filter((one) => one !== clip);
        const next = isChosen ? [...rest, clip].sort((a, b) => a - b) : rest;
        retarget.setOptions({ clips: next.length === retarget.source.clips.length ? null : next });
    }
    function refresh() {
        const { retarget } = stage, { clips } = retarget.source;
        if (filled !== retarget) {
            filled = retarget;
            checks = clips.map((_, clip) => check(clipName(retarget.source, clip), true, (isChosen) => set(clip, isChosen)));
            list.replaceChildren(...checks.map((one) => one.node));
        }
        const now = new Set(chosen(retarget));
        checks.forEach((one, clip) => one.set(now.has(clip)));
        show(summary, now.size === clips.length ? `all ${clips.length}` : `${now.size} of ${clips.length}`);
    }
    return { node, refresh };
}

export function retargetOptions(/** @type {Stage} */ stage) {
    const clips = clipList(stage);
    const switches = Object.entries(SWITCHES).map(([name, label]) => (
        { name, ...check(label, false, (checked) => stage.retarget.setOptions({ [name]: checked })) }));
    const rate = select('Keys per second', RATES.map((value) => [value, value]), 30, (value) => (
        stage.retarget.setOptions({ rate: Number(value) })));
    const node = stackOf(clips.node, element('details', { className: 'group' }, element('summary', {}, 'Options'),
        stackOf(...switches.map((one) => one.node), rate.node)));
    function refresh() {
        const { options } = stage.retarget;
        clips.refresh();
        switches.forEach(({ name, set }) => set(options[name]));
        rate.set(String(options.rate));
    }
    return { node, refresh };
}
