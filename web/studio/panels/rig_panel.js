// SPDX-License-Identifier: MIT
// The panel of a rig: its steps in order, each with a switch, its current weight and the fields of its weight.
import { goalsOf } from '../rig_goals.js';
import { editorOf } from '../graph_editor.js';
import { conditionField, Fields } from './graph_fields.js';
import { sentence, show } from './controls.js';
import { button, element, hint, pairOf, rowOf, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */
/** @import { Stage } from '../stage.js' */

const KINDS = {
    rootWarp: 'root warp', aimOffset: 'aim offset', orientationWarp: 'orientation warp', strideWarp: 'stride warp',
    footLock: 'foot lock', footPlacement: 'foot placement', limb: 'limb', chain: 'chain', body: 'body', aim: 'aim',
    springs: 'springs', callback: 'callback',
};
const ABOUT = 'Steps run from the top to the bottom. Switches are for trying things: they aren’t saved. Drag a goal’s ring in the picture.';

// The fields of what a step's weight is.
function weightFields(/** @type {GraphEditor} */ editor, index) {
    const target = () => ({ kind: 'step', index }), fields = new Fields(editor, target), condition = conditionField(editor, target);
    const toText = button('Show in the text', () => {
        editor.setMode('text');
        editor.select(target());
        editor.stage.setView({ tab: 'Graph' });
    });
    const node = stackOf(condition.node, pairOf(fields.number('Weight', 'weight', { min: 0, max: 1 }, 1),
        fields.number('Damping, s', 'damping', { min: 0 }, 0.1)), rowOf(toText));
    const refresh = () => {
        const value = editor.document.get(target()) ?? {};
        fields.refresh(value);
        condition.refresh(value);
    };
    return { node, refresh, showsError: condition.showsError };
}

// A row of a step, with its fields inside.
function stepRow(/** @type {GraphEditor} */ editor, { name, kind }, index) {
    const on = element('input', { type: 'checkbox', role: 'switch', 'aria-label': `${name} is on` });
    const words = element('span', { className: 'hint' }), weight = element('output', { className: 'number' });
    const meter = element('progress', { max: 1, value: 0, 'aria-label': `${name}: weight` });
    const fields = weightFields(editor, index), goals = hint();
    const summary = element('summary', {}, element('span', {}, element('strong', {}, name), ' ', words), meter, weight);
    const details = element('details', { className: 'group' }, summary, stackOf(goals, fields.node));
    const node = element('li', { className: 'rig-step' }, element('label', {}, on), details);
    on.addEventListener('change', () => editor.driver.switchStep(name, on.checked));
    details.addEventListener('toggle', () => details.open && fields.refresh());

    function refresh() {
        const { driver, outline } = editor, step = outline?.steps[index], names = step ? goalsOf(outline.text, step) : [];
        on.checked = !driver.isOff(name);
        show(words, KINDS[kind] === name ? '' : KINDS[kind]);
        show(goals, names.length > 0 ? `Goal: ${names.join(', ')}` : '');
        goals.hidden = names.length === 0;
        node.classList.toggle('selected', editor.isSelected({ kind: 'step', index }));
        if (details.open) fields.refresh();
    }
    function live() {
        const { driver } = editor, value = driver.weightOf(name);
        meter.value = value;
        show(weight, driver.isOff(name) && value === 0 ? 'off' : value.toFixed(2));
        node.classList.toggle('idle', value === 0);
    }
    const open = () => {
        details.open = true;
        node.scrollIntoView({ block: 'nearest' });
    };
    return { node, refresh, live, open, showsError: fields.showsError };
}

export function showRig(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const editor = editorOf(stage), list = element('ol', { className: 'list' });
    const fault = element('p', { className: 'bad', role: 'status' });
    const paused = button('Resume graph', () => stage.driveByGraph(true), { className: 'primary' });
    container.append(element('section', { className: 'panel' }, element('h2', {}, 'Rig'), hint(ABOUT), fault, rowOf(paused), list));
    let rows = [], made = '', selected = null;

    // The rows stay while one edits, unless steps are added, removed or renamed.
    function make() {
        const { graph } = editor, steps = graph?.steps ?? [], words = JSON.stringify(steps.map(({ name, kind }) => [name, kind]));
        if (words === made) return;
        made = words;
        rows = steps.map((step, index) => stepRow(editor, step, index));
        list.replaceChildren(...rows.map(({ node }) => node));
    }
    function faultOf() {
        const { error, driver, problem } = editor;
        if (problem) return sentence(problem);
        if (error && !rows.some((row) => row.showsError())) return sentence(`Line ${error.line}, column ${error.column}: ${error.message}`);
        return driver.fault ? sentence(`The rig doesn't fit ${stage.character?.name}: ${driver.fault}`) : '';
    }
    function refresh() {
        if (!editor.driver) return;
        make();
        for (const row of rows) row.refresh();
        paused.hidden = !editor.driver.animator || editor.driver.drives;
        show(fault, faultOf());
        fault.hidden = fault.textContent === '';
        if (editor.target === selected) return;
        selected = editor.target;
        if (selected?.kind === 'step') rows[selected.index]?.open();
    }
    function tick() {
        const { driver, graph } = editor;
        if (container.clientWidth > 0 && driver?.isPlaying(graph)) for (const row of rows) row.live();
    }
    editor.addEventListener('changed', refresh);
    stage.addEventListener('frame', tick);
    refresh();
    tick();
}
