// SPDX-License-Identifier: MIT
// The list of roles in groups, each with its node in the source and in the target. A click selects a role.
import { isRequired, labelOf, ROLE_GROUPS } from '../retarget_roles.js';
import { nodeName, nodeSelect, show } from './controls.js';
import { button, element } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SIDES = ['source', 'target'];
const shorten = (name) => name.replace(/^.*[:|]/, ''); // without the prefix of an exporter

// The selects of the nodes of the selected role. They are moved to its row.
function makeSelects(/** @type {Stage} */ stage) {
    const selects = SIDES.map((side) => {
        const label = side === 'source' ? 'Node in the source' : 'Node in the target';
        return { side, ...nodeSelect(label, 'No node', (node) => stage.retarget.assign(side, stage.retarget.role, node)) };
    });
    const node = element('div', { className: 'stack role-selects' }, ...selects.map((one) => one.node));
    let filled = null;
    function refresh() {
        const { retarget } = stage;
        if (filled !== retarget) for (const { side, fill } of selects) fill(retarget[side]);
        filled = retarget;
        for (const { side, set } of selects) set(retarget.nodeOf(side, retarget.role));
    }
    return { node, refresh };
}

function makeRow(/** @type {Stage} */ stage, role) {
    const cells = SIDES.map(() => element('span'));
    const head = button('', () => {
        const { retarget } = stage, isOpen = retarget.role === role && retarget.isAssigning;
        retarget.select(isOpen ? null : role, true);
    }, { className: 'role' });
    head.append(element('span', { className: 'label' }, labelOf(role)), ...cells);
    const node = element('div', {}, head);
    function refresh(selects) {
        const { retarget } = stage, at = SIDES.map((side) => retarget.nodeOf(side, role));
        const isMissing = at.map((one) => one < 0 && isRequired(role));
        SIDES.forEach((side, i) => {
            const name = at[i] < 0 ? '' : nodeName(retarget[side], at[i]);
            show(cells[i], name ? shorten(name) : isMissing[i] ? 'missing' : '–');
            cells[i].className = isMissing[i] ? 'bad' : at[i] < 0 ? 'hint' : '';
            cells[i].title = name;
        });
        head.setAttribute('aria-pressed', String(retarget.role === role));
        if (retarget.role === role && selects.parentElement !== node) node.append(selects);
        return { count: at.filter((one) => one >= 0).length === 2 ? 1 : 0, missing: isMissing.filter(Boolean).length };
    }
    return { node, refresh };
}

function makeGroup(/** @type {Stage} */ stage, { name, roles }, isOpen) {
    const count = element('span', { className: 'hint' }), missing = element('span', { className: 'bad' });
    const rows = roles.map((role) => makeRow(stage, role));
    const head = element('div', { className: 'role head', 'aria-hidden': 'true' },
        ...['Role', 'Source', 'Target'].map((words) => element('span', {}, words)));
    const node = element('details', { className: 'group', open: isOpen },
        element('summary', {}, name, ' ', count, ' ', missing),
        element('div', { className: 'stack tight' }, head, ...rows.map((row) => row.node)));
    function refresh(selects) {
        const states = rows.map((row) => row.refresh(selects));
        const sum = (key) => states.reduce((total, state) => total + state[key], 0);
        show(count, `${sum('count')} of ${roles.length} paired`);
        show(missing, sum('missing') > 0 ? `${sum('missing')} missing` : '');
        if (roles.includes(stage.retarget.role)) node.open = true;
    }
    return { node, refresh };
}

export function retargetRoles(/** @type {Stage} */ stage) {
    const groups = ROLE_GROUPS.map((group, i) => makeGroup(stage, group, i === 0));
    const node = element('div', { className: 'stack', role: 'group', 'aria-label': 'Roles' }, ...groups.map((group) => group.node));
    const selects = makeSelects(stage);
    function refresh() {
        const { role } = stage.retarget;
        if (role === null) selects.node.remove();
        else selects.refresh();
        for (const group of groups) group.refresh(selects.node);
    }
    return { node, refresh };
}
