// SPDX-License-Identifier: MIT
// The panel of transitions between clips.
import { MAX_TRANSITION } from '../defaults.js';
import { check, choice, hint, panel, slider } from './parts.js';

const KINDS = { 'fade': 'Cross-fade', 'inertialize': 'Inertialize', 'dead-blend': 'Dead blend' };
const HINTS = {
    'fade': 'Plays and blends both clips.',
    'inertialize': 'Plays only the new clip. The difference to the old pose decays.',
    'dead-blend': 'Fades the new clip in over the old pose, which is extrapolated by its velocity.',
};

export function transitions(stage, container) {
    const about = hint();
    const kind = choice('Kind of transition', KINDS, stage.transition.kind, (value) => (
        stage.setTransition({ kind: value })));
    const duration = slider({ label: 'Duration', max: MAX_TRANSITION, step: 0.05, value: stage.transition.duration,
        say: (seconds) => `${seconds.toFixed(2)} s`, oninput: (value) => stage.setTransition({ duration: value }) });
    const warp = check('Warp: match the playback rates', false, (value) => stage.setTransition({ warp: value }));
    panel(container, 'Transition', kind.node, about, duration.node, warp.node);

    function show() {
        const { transition } = stage;
        kind.set(transition.kind);
        about.textContent = HINTS[transition.kind];
        duration.set(transition.duration);
        warp.set(transition.warp);
        warp.input.disabled = transition.kind !== 'fade';
    }
    stage.addEventListener('changed', show);
    show();
}
