// SPDX-License-Identifier: MIT
// Editing the shown layer, and the parameters of a graph.
import { Fields, showOptions } from './graph_fields.js';
import { number, show } from './controls.js';
import { button, element, pairOf, rowOf, select, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

const MODES = [['override', 'Override'], ['additive', 'Additive']];
const TYPES = ['float', 'int', 'bool', 'trigger', 'vector2', 'vector3', 'transform'].map((type) => [type, type]);
const SPACES = [['world', 'World'], ['model', 'Model']];

// ---- The layer --------------------------------------------------------------------------------------------------

export function layerInspector(/** @type {GraphEditor} */ editor) {
    const nameOf = () => editor.machine.split('/')[0], target = () => ({ kind: 'layer', name: nameOf() });
    const fields = new Fields(editor, target);
    const machine = () => ({ kind: 'machine', path: editor.machine });
    const entry = select('Entry', [], '', (value) => editor.edit((document) => document.set(machine(), 'entry', value)));
    const upper = pairOf(fields.select('Mode', 'mode', MODES, 'override'), fields.number('Weight', 'weight', { min: 0 }, 1));
    const remove = button('Remove layer', () => editor.edit((document) => document.remove(target())),
        { className: 'danger' });
    const title = element('summary');
    const node = element('details', { className: 'group' }, title, element('div', { className: 'stack' },
        pairOf(fields.name(nameOf, ({ name }) => editor.open(name)), entry.node), upper,
        rowOf(button('Add layer', () => editor.addLayer()), remove)));
    function refresh() {
        const { outline, document, machine: path } = editor, index = outline.layers.findIndex(({ name }) => name === nameOf());
        const inside = outline.states.filter((one) => outline.machines[one.machine].path === path);
        const states = inside.map(({ name }) => name);
        show(title, `Layer ${nameOf()}`);
        fields.refresh(document.get(target()));
        showOptions(entry, states.map((name) => [name, name]), document.get(machine(), 'entry') ?? states[0] ?? '');
        upper.hidden = index === 0;
        remove.disabled = outline.layers.length < 2;
    }
    return { node, refresh };
}

// ---- Parameters -------------------------------------------------------------------------------------------------

// The lower and the upper limit of a range, which has both or none.
function rangeFields(/** @type {GraphEditor} */ editor, target) {
    const values = () => editor.document.get(target(), 'range') ?? [];
    const fields = ['Min', 'Max'].map((label, i) => number(label, {}, (value) => {
        const [least = value, most = value] = values();
        const range = i === 0 ? [value, Math.max(value, most)] : [Math.min(least, value), value];
        editor.edit((document) => document.set(target(), 'range', range, { typing: true }));
    }));
    const node = pairOf(...fields.map((one) => one.node));
    const refresh = () => fields.forEach((field, i) => {
        const value = values()[i];
        if (document.activeElement === field.input) return;
        if (value === undefined) field.input.value = '';
        else field.set(value);
    });
    return { node, refresh };
}

function parameterRow(/** @type {GraphEditor} */ editor, index) {
    const parameter = () => editor.outline.parameters[index], target = () => parameter().target;
    const fields = new Fields(editor, target), summary = element('summary'), limits = rangeFields(editor, target);
    const type = fields.select('Type', 'type', TYPES, 'float'), initial = fields.number('Default', 'default', {}, 0);
    const damping = fields.number('Damping, s', 'damping', { min: 0 }, 0);
    const hold = fields.number('Hold, s', 'hold', { min: 0 }, 0);
    const space = fields.select('Space', 'space', SPACES, 'world');
    const switched = fields.check('On at the start', 'default');
    const node = element('details', { className: 'group' }, summary, element('div', { className: 'stack' },
        pairOf(fields.name(() => parameter().name, () => {}), type), limits.node,
        pairOf(initial, damping, hold, space), switched,
        rowOf(button('Remove parameter', () => editor.edit((document) => document.remove(target())),
            { className: 'danger' }))));
    function refresh() {
        const value = editor.document.get(target()) ?? {}, { type: kind } = value;
        const isNumber = kind === 'float' || kind === 'int';
        show(summary, `${parameter().name} · ${kind}`);
        fields.refresh(typeof value.default === 'object' ? { ...value, default: 0 } : value);
        limits.refresh();
        limits.node.hidden = !isNumber && kind !== 'vector2' && kind !== 'vector3';
        initial.hidden = !isNumber;
        damping.hidden = kind === 'int' || kind === 'bool' || kind === 'trigger';
        space.hidden = kind !== 'vector3' && kind !== 'transform';
        hold.hidden = kind !== 'trigger';
        switched.hidden = kind !== 'bool';
    }
    return { node, refresh };
}

export function parametersInspector(/** @type {GraphEditor} */ editor) {
    const list = element('div', { className: 'stack tight' });
    const node = element('details', { className: 'group' }, element('summary', {}, 'Parameters'), stackOf(list,
        rowOf(button('Add parameter', () => {
            if (editor.addParameter()) rows.at(-1).node.open = true;
        }))));
    let rows = [];
    function refresh() {
        const { parameters } = editor.outline;
        if (rows.length !== parameters.length) {
            rows = parameters.map((_, index) => parameterRow(editor, index));
            list.replaceChildren(...rows.map((one) => one.node));
        }
        for (const row of rows) row.refresh();
    }
    return { node, refresh };
}
