// SPDX-License-Identifier: MIT
// The panel of attachments: other files on a joint of the character or on the ground.
import { fromAngles, toAngles } from '../angles.js';
import { fetchBuiltIn, onChosen, openFiles } from '../files.js';
import { attachTo, useFile } from '../uses.js';
import { nodeName, nodeSelect, number, follow, show } from './controls.js';
import { button, element, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const NO_JOINT = 'World (no joint)';
const AXES = ['x', 'y', 'z'];

// A labelled row of three number fields.
function triple(legend, unit, onchange) {
    let values = [0, 0, 0];
    const fields = AXES.map((axis, i) => number(`${axis}, ${unit}`, {}, (value) => {
        values = values.with(i, value);
        onchange(values);
    }));
    const node = element('fieldset', { className: 'triple' }, element('legend', {}, legend),
        element('div', { className: 'row' }, ...fields.map(({ node }) => node)));
    const set = (next) => {
        values = [...next];
        fields.forEach((field, i) => field.set(values[i]));
    };
    return { node, set };
}

// The controls of one attachment: its joint and local transform.
function row(/** @type {Stage} */ stage, attachment) {
    const index = () => stage.attachments.indexOf(attachment);
    const offset = (changes) => stage.setAttachment(index(), { offset: changes });
    const summary = element('span', { className: 'hint' });
    const joint = nodeSelect('Attach to', NO_JOINT, (node) => stage.setAttachment(index(), { joint: node }));
    const position = triple('Position', 'm', (translation) => offset({ translation }));
    const angles = triple('Rotation', '°', (degrees) => offset({ rotation: fromAngles(degrees) }));
    const scale = number('Scale', { min: 0.001, max: 1000 }, (value) => offset({ scale: [value, value, value] }));
    const node = element('details', { className: 'group' }, element('summary', {}, `${attachment.name} `, summary),
        element('div', { className: 'stack' }, joint.node, position.node, angles.node, scale.node,
            element('div', { className: 'row' }, button('Remove', () => stage.removeAttachment(index()),
                { className: 'danger', 'aria-label': `Remove ${attachment.name}` }))));
    joint.fill(stage.character.asset);
    node.addEventListener('toggle', () => { // the last one that was opened has the handles
        if (node.open) stage.setGizmo(attachment);
        else if (stage.gizmo === attachment) stage.setGizmo(null);
    });
    const refresh = () => {
        const { asset } = stage.character, { translation, rotation, scale: [factor] } = attachment.offset;
        show(summary, attachment.joint < 0 ? 'in the world' : `on ${nodeName(asset, attachment.joint)}`);
        if (stage.gizmo === attachment) node.open = true;
        joint.set(attachment.joint);
        position.set(translation);
        // Not while a field is edited: different angles may be the same rotation.
        if (!node.contains(document.activeElement)) angles.set(toAngles(rotation));
        scale.set(factor);
    };
    return { node, attachment, refresh };
}

export function attach(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const file = element('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files to add' });
    const list = element('div', { className: 'stack' });
    let rows = [];

    // Adds a file. A file that cannot be loaded gets a message, and nothing is added.
    async function add(found) {
        try {
            await useFile(stage, await found, attachTo);
        } catch (error) {
            stage.tell('error', error.message);
        }
    }
    async function sword() {
        return { name: 'sword.glb', bytes: await fetchBuiltIn('sword.glb'), files: {} };
    }
    onChosen(file, (chosen) => add(openFiles(chosen)));
    panel(container, 'Attachments', hint('Attach other files to a joint or to the world. Open one to drag its handles in the picture.'),
        element('div', { className: 'row' }, button('Add file…', () => file.click()), file,
            button('Add sword', () => add(sword()))), list);

    function refresh() {
        rows = stage.attachments.map((attachment) => (
            rows.find((row) => row.attachment === attachment) ?? row(stage, attachment)));
        const isShown = rows.length === list.children.length && rows.every(({ node }, i) => node === list.children[i]);
        if (!isShown) list.replaceChildren(...rows.map(({ node }) => node));
        for (const { refresh } of rows) refresh();
    }
    follow(stage, ['attachments', 'gizmo'], () => {}, refresh);
}
