// SPDX-License-Identifier: MIT
// The panel of code for what plays now.
import { LANGUAGES, playingOf } from '../code.js';
import { rootNameOf } from '../locomotion.js';
import { show } from './controls.js';
import { button, choice, element, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

// The code of the graph that drives the character; '' in a language without it.
async function graphCode({ graph, character }, language) {
    const { GRAPH_LANGUAGES } = await import('../graph_code.js');
    return GRAPH_LANGUAGES[language]?.make({ file: character.name, graphFile: graph.name, graph: graph.document.graph,
        root: rootNameOf(character.asset) }) ?? '';
}

export function code(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
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
            stage.tell('note', 'The code can’t be copied here. Select it and copy it.');
        }
    }, { className: 'primary' });
    const about = hint();
    panel(container, 'Code', about, chosen.node, text, element('div', { className: 'row' }, copy));
    async function refresh() {
        if (!stage.character || stage.view.tab !== 'Save') return;
        const { isDriven } = stage;
        show(about, isDriven ? 'Plays the graph. Save its file next to the model.'
            : 'Plays the current clips, weights, layers, blend space and transition.');
        if (!isDriven) text.textContent = LANGUAGES[language].make(playingOf(stage));
        const made = isDriven ? await graphCode(stage, language) : '';
        if (isDriven && stage.isDriven) show(text, made || `There's no graph code for ${labels[language]} yet.`);
        copy.disabled = isDriven && made === '';
    }
    stage.addEventListener('changed', refresh);
}
