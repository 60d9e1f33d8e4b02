// SPDX-License-Identifier: MIT
// The panel of code for what plays now.
import { LANGUAGES, playingOf } from '../code.js';
import { button, choice, element, hint, panel } from './parts.js';

export function code(stage, container) {
    let language = 'three';
    const labels = Object.fromEntries(Object.entries(LANGUAGES).map(([key, { label }]) => [key, label]));
    const chosen = choice('For', labels, language, (value) => {
        language = value;
        refresh();
    });
    const text = element('pre', { className: 'code', tabIndex: 0, 'aria-label': 'Code' });
    const copy = button('Copy as code', async () => {
        try {
            await navigator.clipboard.writeText(text.textContent);
            stage.tell('note', 'Code copied.');
        } catch {
            stage.tell('note', 'The code cannot be copied here. Select it and copy it.');
        }
    }, { className: 'primary' });
    panel(container, 'Code', hint('Plays what plays now: clips, weights, layers, blend space and transition.'),
        chosen.node, text, element('div', { className: 'row' }, copy));
    function refresh() {
        if (stage.character && stage.view.tab === 'Save') text.textContent = LANGUAGES[language].make(playingOf(stage));
    }
    stage.addEventListener('changed', refresh);
}
