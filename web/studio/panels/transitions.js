// SPDX-License-Identifier: MIT
// The panel of transitions between clips, and of what a clip does at its end. It stays visible below the clips.
import { MAX_TRANSITION } from '../defaults.js';
import { show } from './controls.js';
import { check, choice, element, hint, slider } from './parts.js';
/** @import { Stage } from '../stage.js' */

export const KINDS = { 'fade': 'Cross-fade', 'inertialize': 'Inertialize', 'dead-blend': 'Dead blend' };
const HINTS = {
    'fade': 'Plays and blends both clips.',
    'inertialize': 'Plays only the new clip. The difference from the old pose decays.',
    'dead-blend': 'Fades the new clip in over the old pose, which is extrapolated with its velocity.',
};
const LOOPS = { 'repeat': 'Loop', 'once': 'Once', 'ping-pong': 'Ping-pong' };
const MIN_WIDTH = 800, MIN_HEIGHT = 600; // CSS pixels: smaller windows have no room for it next to the list

const seconds = (value) => `${value.toFixed(2)} s`;

export function transitions(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const about = hint(), summary = element('summary');
    const kind = choice('Transition', KINDS, stage.transition.kind, (value) => stage.setTransition({ kind: value }));
    const duration = slider({ label: 'Duration', max: MAX_TRANSITION, step: 0.05, value: stage.transition.duration,
        say: seconds, oninput: (value) => stage.setTransition({ duration: value }) });
    const matchRate = check('Match playback rates', false, (value) => stage.setTransition({ matchRate: value }));
    const loops = choice('When a clip ends', LOOPS, stage.loop, (loop) => stage.setLoop(loop));
    container.append(element('details', { className: 'pinned', open: innerWidth > MIN_WIDTH && innerHeight > MIN_HEIGHT },
        summary, element('div', { className: 'stack' }, kind.node, about, duration.node, matchRate.node, loops.node)));

    function refresh() {
        const { transition, loop } = stage;
        show(summary, `Transition: ${KINDS[transition.kind]}, ${seconds(transition.duration)} · ${LOOPS[loop]}`);
        kind.set(transition.kind);
        show(about, HINTS[transition.kind]);
        duration.set(transition.duration);
        matchRate.set(transition.matchRate);
        matchRate.input.disabled = transition.kind !== 'fade';
        loops.set(loop);
    }
    stage.addEventListener('changed', refresh);
    refresh();
}
