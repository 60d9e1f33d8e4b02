// SPDX-License-Identifier: MIT
// The panel of an open retargeting: its files, the diagram, the selected role, the findings, the roles, the options, and what
// is saved.
import { download } from '../download.js';
import { RetargetDiagram } from '../retarget_diagram.js';
import { groupOf, labelOf } from '../retarget_roles.js';
import { outputName } from '../retarget_text.js';
import { sentence, show } from './controls.js';
import { button, choice, element, iconButton, rowOf } from './parts.js';
import { retargetFiles } from './retarget_files.js';
import { retargetFindings } from './retarget_findings.js';
import { retargetOptions } from './retarget_options.js';
import { retargetRoles } from './retarget_roles.js';
/** @import { Stage } from '../stage.js' */

const SIDES = ['source', 'target'];
const VIEWS = { body: 'Body', leftHand: 'Left hand', rightHand: 'Right hand' };

// The line under the diagram: the node under the pointer, or what a click does for the selected role.
function captionOf(/** @type {Stage} */ stage) {
    const text = element('p', { className: 'hint' });
    const clear = button('Clear', () => SIDES.forEach((side) => stage.retarget.assign(side, stage.retarget.role, -1)));
    const done = button('Done', () => stage.retarget.select(null));
    const node = element('div', { className: 'row spread pairing-row' }, text, rowOf(clear, done));
    let hovered = '';
    function refresh() {
        const { role, isAssigning } = stage.retarget;
        let what = 'Click a node or a role to see its pair.';
        if (isAssigning) what = `${labelOf(role)}: click its node in either skeleton.`;
        else if (role !== null) what = `${labelOf(role)}. To change it, click it in the list.`;
        show(text, hovered || what);
        clear.parentElement.hidden = role === null;
    }
    const hover = (words) => {
        hovered = words;
        if (stage.retarget) refresh();
    };
    return { node, refresh, hover };
}

// ---- The panel --------------------------------------------------------------------------------------------------

function resultOf({ report, fault, isSlow, source, target }) {
    if (isSlow) return 'Retargeting…';
    const refused = [source, target].filter(({ refusal }) => refusal);
    if (refused.length > 0) return `No motion yet. Choose the roles of ${refused.map(({ name }) => name).join(' and ')}.`;
    if (fault) return sentence(fault);
    if (!report) return '';
    const { clips, pairs, scale, dropped } = report, count = clips.length === 1 ? '1 clip' : `${clips.length} clips`;
    const without = dropped.length > 0 ? `, without ${dropped.join(', ')}` : '';
    return `${count}, ${pairs.length} pairs of nodes, motion scaled by ${scale.toFixed(2)}${without}`;
}

/** `choose` asks for another file. */
export function showRetarget(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container, choose) {
    let view = 'body', role = null;
    const caption = captionOf(stage), result = element('p', { role: 'status' });
    const progress = element('progress', { 'aria-label': 'Retargeting' });
    const pick = (side, node) => stage.retarget.pick(side, node);
    const diagram = new RetargetDiagram({ pick, hover: caption.hover });
    const names = SIDES.map((side) => ({ side, node: element('span') }));
    const save = button('Save .glb', () => {
        const { glb, base, motion } = stage.retarget;
        download(new Blob([glb], { type: 'model/gltf-binary' }), outputName(base.name, motion.name));
    }, { className: 'primary' });
    const part = choice('Part of the skeletons', VIEWS, view, (value) => {
        view = value;
        refresh();
    });
    part.node.firstElementChild.className = 'only-read';
    const wide = iconButton('wide', 'Wide panel', () => stage.setView({ wide: !stage.view.wide }));
    const findings = retargetFindings(stage), roles = retargetRoles(stage);
    const options = retargetOptions(stage), files = retargetFiles(stage, choose);
    const parts = [caption, findings, roles, options, files];
    const titles = element('div', { className: 'pairing-names' }, ...names.map(({ node }) => node));
    const picture = element('div', { className: 'pairing-picture' },
        element('div', { className: 'graph-head' }, part.node, wide), titles, diagram.node, caption.node);
    const head = element('div', { className: 'stack tight' },
        element('div', { className: 'row spread pairing-row' }, result, save), progress);
    container.append(element('section', { className: 'panel' }, head, picture,
        ...[findings, roles, options, files].map(({ node }) => node)));
    container.className = 'graph-body';

    function refresh() {
        const { retarget } = stage;
        if (!retarget) return;
        if (retarget.role !== role && retarget.role !== null) {
            view = groupOf(retarget.role).view;
            if (retarget.isAssigning) picture.scrollIntoView({ block: 'nearest' });
        }
        role = retarget.role;
        part.set(view);
        names.forEach(({ side, node }) => show(node, `${side === 'source' ? 'Source' : 'Target'}: ${retarget[side].name}`));
        show(result, resultOf(retarget));
        result.className = retarget.fault && !retarget.isSlow ? 'bad' : '';
        progress.hidden = !retarget.isSlow;
        save.disabled = !retarget.glb;
        for (const one of parts) one.refresh();
        diagram.show(retarget, view);
    }
    stage.addEventListener('changed', ({ detail }) => {
        if (detail === 'retarget' || detail === 'compare') refresh();
    });
    stage.addEventListener('loaded', refresh);
    refresh();
}
