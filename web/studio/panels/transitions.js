// How one clip goes over to the next.
import { MOST_TRANSITION } from '../defaults.js';
import { check, choice, hint, panel, slider } from './parts.js';

const KINDS = { 'fade': 'Cross-fade', 'inertialize': 'Inertialize', 'dead-blend': 'Dead blend' };
const HINTS = {
    'fade': 'Both clips play, and are blended.',
    'inertialize': 'The new clip plays alone at once; what the pose differed by dies away over it.',
    'dead-blend': 'The new clip fades in over the old pose, which goes on by its own velocity.',
};

export function transitions(stage, place) {
    const about = hint();
    const kind = choice('When you choose another clip', KINDS, stage.transition.kind, (value) => (
        stage.setTransition({ kind: value })));
    const duration = slider({ label: 'Seconds', max: MOST_TRANSITION, step: 0.05, value: stage.transition.duration,
        say: (seconds) => `${seconds.toFixed(2)} s`, oninput: (value) => stage.setTransition({ duration: value }) });
    const warp = check('Warp: bring the speeds together', false, (value) => stage.setTransition({ warp: value }));
    panel(place, 'Transition', kind.node, about, duration.node, warp.node);

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
