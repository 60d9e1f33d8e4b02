// SPDX-License-Identifier: MIT
// The panel of the comparison: a second character in sync, its kind of transition, and the largest jump of both.
import { follow, show } from './controls.js';
import { button, choice, element, hint, panel } from './parts.js';
import { KINDS } from './transitions.js';
/** @import { Stage } from '../stage.js' */

const INTERVAL = 250; // milliseconds between updates of the meters

export function compare(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const start = button('Compare transitions', () => {
        const { name, bytes, files } = stage.character;
        stage.startCompare(name, bytes, files);
    });
    const stop = button('Stop comparing', () => stage.stopCompare(), { className: 'danger' });
    const kind = choice('Transition of the second character', KINDS, 'inertialize', (value) => (
        stage.setCompare({ kind: value })));
    const name = hint(), table = element('table', { className: 'table' },
        element('caption', { className: 'only-read' }, 'Largest jump'));
    const cells = ['First', 'Second'].map((words) => {
        const about = element('td'), value = element('td', { className: 'number' });
        table.append(element('tr', {}, element('th', { scope: 'row' }, words), about, value));
        return { about, value };
    });
    const body = element('div', { className: 'stack' }, name, kind.node, table,
        hint('A joint’s largest jump off its course since the last transition, in percent of the height.'),
        element('div', { className: 'row' }, stop));
    panel(container, 'Compare', hint('A second character next to the first, in sync, with its own transition.'),
        element('div', { className: 'row' }, start), body);
    let shownAt = 0;

    function refresh() {
        const on = stage.compare;
        body.hidden = !on;
        start.hidden = Boolean(on);
        if (!on) return;
        show(name, `Second: ${on.name}`);
        kind.set(on.kind);
        [stage.transition.kind, on.kind].forEach((which, i) => show(cells[i].about, KINDS[which]));
    }
    function tell() {
        const now = performance.now();
        if (!stage.compare || now - shownAt < INTERVAL) return;
        shownAt = now;
        stage.compare.meters.forEach(({ largest }, i) => show(cells[i].value, `${(100 * largest).toFixed(1)} %`));
    }
    follow(stage, ['compare', 'playing'], () => {}, refresh);
    stage.addEventListener('frame', tell);
}
