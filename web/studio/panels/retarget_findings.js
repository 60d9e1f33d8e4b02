// SPDX-License-Identifier: MIT
// What the roles of source and target rest on, and the findings of their checks. A click selects the role.
import { findingsOf, summaryOf } from '../retarget_findings.js';
import { withSidesSwapped } from '../retarget_map.js';
import { show } from './controls.js';
import { button, element, rowOf } from './parts.js';
/** @import { Stage } from '../stage.js' */

const NAMES = { source: 'Source', target: 'Target' };

function sideOf(/** @type {Stage} */ stage, side) {
    const summary = element('p'), list = element('div', { className: 'stack tight' });
    const accept = button('Use these roles', () => stage.retarget.accept(side));
    const swap = button('Swap left and right', () => stage.retarget.setMap(side, withSidesSwapped(stage.retarget.maps[side])));
    const actions = rowOf(accept, swap);
    const node = element('div', { className: 'stack tight', role: 'group', 'aria-label': `Findings in the ${side}` },
        summary, list, actions);
    let shown = null;
    function refresh() {
        const { retarget } = stage, { humanoid, refusal, nodes } = retarget[side], map = retarget.maps[side];
        const { text, isGood } = summaryOf({ humanoid, map }, retarget.isMapped(side));
        show(summary, `${NAMES[side]}: ${text}`);
        summary.className = isGood ? 'hint' : 'bad';
        if (humanoid === shown) return;
        shown = humanoid;
        const findings = findingsOf({ nodes, humanoid }).filter(({ kind }) => kind !== 'missing');
        list.replaceChildren(...findings.map(({ role }) => button('', () => retarget.select(role, true),
            { className: 'finding-row' })).map((row, i) => {
            row.append(element('span', {}, findings[i].text), ' ', element('span', { className: 'hint' }, findings[i].advice));
            return row;
        }));
        accept.hidden = !refusal || summaryOf({ humanoid, map }).isIncomplete;
        swap.hidden = !findings.some(({ kind }) => kind === 'side' || kind === 'swapped');
        actions.hidden = accept.hidden && swap.hidden;
        list.hidden = findings.length === 0;
    }
    return { node, refresh };
}

export function retargetFindings(/** @type {Stage} */ stage) {
    const sides = ['source', 'target'].map((side) => sideOf(stage, side));
    const node = element('div', { className: 'stack tight' }, ...sides.map((side) => side.node));
    return { node, refresh: () => sides.forEach(({ refresh }) => refresh()) };
}
