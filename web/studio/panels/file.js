// SPDX-License-Identifier: MIT
// The panel of the numbers of the file.
import { statisticsOf } from '../statistics.js';
import { follow } from './controls.js';
import { element, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

export function file(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const rows = element('tbody');
    const node = panel(container, 'File', element('table', { className: 'table statistics' },
        element('caption', { className: 'only-read' }, 'Statistics of the file'), rows));
    follow(stage, [], () => {
        const { character } = stage;
        if (!character) return;
        node.querySelector('h2').textContent = character.name;
        rows.replaceChildren(...statisticsOf(character).map(([name, value]) => element('tr', {},
            element('th', { scope: 'row' }, name), element('td', { className: 'number' }, value))));
    }, () => {});
}
