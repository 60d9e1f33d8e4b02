// SPDX-License-Identifier: MIT
// Editing a graph: the fields of the selected transition or state, or of the layer and the parameters.
import { describeTransition } from '../graph_editor.js';
import { blendFields, parametersOf } from './graph_blend.js';
import { conditionField, Fields, showOptions } from './graph_fields.js';
import { layerInspector, parametersInspector } from './graph_inspector_layer.js';
import { show } from './controls.js';
import { button, element, hint, iconButton, pairOf, rowOf, select, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

const KINDS = [['fade', 'Cross-fade'], ['inertialize', 'Inertialize'], ['deadBlend', 'Dead blend']];
const EASINGS = [['auto', 'Automatic'], ['linear', 'Linear'], ['smoothstep', 'Smoothstep']];
const INTERRUPTS = [['always', 'Any transition'], ['anyState', 'Transitions from any state'], ['never', 'Nothing']];
const LOOPS = [['repeat', 'Loop'], ['once', 'Once'], ['pingPong', 'Ping-pong']];
const EMPTY = { clip: undefined, blend: undefined, states: undefined };
const NOTHING = '', BLEND = '/blend', MACHINE = '/machine'; // of what a state plays; clips have other names

// The states of a machine, with the first one.
const namesIn = ({ outline }, machine) => {
    const index = outline.machines.findIndex(({ path }) => path === machine);
    return outline.states.filter((one) => one.machine === index).map(({ name }) => name);
};

// ---- Transitions ------------------------------------------------------------------------------------------------

function transitionInspector(/** @type {GraphEditor} */ editor) {
    const target = () => editor.target, fields = new Fields(editor, target), condition = conditionField(editor, target);
    const states = () => namesIn(editor, editor.machine).map((name) => [name, name]);
    const title = element('h3'), shared = hint(), order = element('span');
    const from = fields.select('From', 'from', (value) => [...states(), ['*', 'Any state'],
        ...(Array.isArray(value.from) ? [[String(value.from), value.from.join(', ')]] : [])], '');
    const move = (by) => editor.edit((document) => editor.select(document.moveTransition(target(), target().index + by)));
    const up = iconButton('up', 'Try earlier', () => move(-1)), down = iconButton('down', 'Try later', () => move(1));
    const node = stackOf(title, condition.node, shared,
        pairOf(fields.number('Duration, s', 'duration', { min: 0, step: 'any' }, 0.2),
            fields.select('Kind', 'kind', KINDS, 'fade')),
        pairOf(fields.select('Easing', 'easing', EASINGS, 'auto'),
            fields.number('Start offset, 0 to 1', 'offset', { min: 0, max: 1 }, 0)),
        pairOf(from, fields.select('To', 'to', states, '')),
        fields.select('Interrupted by', 'interrupt', INTERRUPTS, 'always'),
        fields.check('Match playback rates', 'matchRate', ({ kind = 'fade' }) => kind === 'fade'),
        fields.check('Also to itself (toSelf)', 'toSelf', (value) => value.from === '*'),
        rowOf(order, up, down, button('Remove transition', () => editor.remove(), { className: 'danger' })));
    function refresh() {
        const { document, machine: path } = editor, value = document.get(target()) ?? {};
        const count = document.get({ kind: 'machine', path }, 'transitions')?.length ?? 0;
        fields.refresh(value);
        condition.refresh(value);
        const names = [value.from].flat().map((name) => (name === '*' ? 'Any state' : name)).join(', ');
        show(title, `${names} → ${value.to}`);
        show(shared, Array.isArray(value.from) ? `From ${value.from.length} states, with the same values.` : '');
        shared.hidden = shared.textContent === '';
        show(order, `Tried ${target().index + 1} of ${count}`);
        up.disabled = target().index === 0;
        down.disabled = target().index >= count - 1;
    }
    return { node, refresh, showsError: condition.showsError };
}

// ---- States -----------------------------------------------------------------------------------------------------

// A blend space of the first clip, by the first parameter that can be its coordinate; null without one.
function newBlend({ outline, document, stage }) {
    const typeOf = ({ target }) => document.get(target)?.type, all = outline.parameters;
    const x = all.find((one) => typeOf(one) === 'float') ?? all.find((one) => typeOf(one) === 'vector2');
    const [clip] = stage.character?.asset.clips ?? [];
    if (!x || !clip) return null;
    return { x: x.name, ...(typeOf(x) === 'vector2' ? { kind: 'triangles' } : {}), samples: [{ clip: clip.name }] };
}

// What a state plays: nothing, a clip, or the blend space or machine that it has.
function contentField(/** @type {GraphEditor} */ editor) {
    const clips = () => editor.stage.character?.asset.clips.map(({ name }) => name) ?? [];
    const field = select('Plays', [], '', (value) => {
        const { target, document } = editor;
        const content = { [NOTHING]: EMPTY, [BLEND]: { blend: newBlend(editor) }, [MACHINE]: { states: { First: {} } } };
        editor.edit(() => document.update(target, content[value] ?? { clip: value }));
    });
    const refresh = (value) => {
        const chosen = value.states ? MACHINE : value.blend ? BLEND : value.clip ?? NOTHING, names = [...new Set(clips())];
        const canBlend = value.blend || newBlend(editor), isMissing = value.clip && !names.includes(value.clip);
        const list = [[NOTHING, 'Nothing (empty)'], [MACHINE, 'Its own states'],
            ...(canBlend ? [[BLEND, 'A blend space']] : []), ...names.map((name) => [name, name]),
            ...(isMissing ? [[value.clip, `${value.clip} (missing)`]] : [])];
        showOptions(field, list, chosen);
    };
    return { node: field.node, refresh };
}

// The transitions that leave a state, in the order in which they are tried.
function transitionList(/** @type {GraphEditor} */ editor) {
    const list = element('ul', { className: 'list' }), to = select('Add a transition to', [], '', (name) => {
        if (name) editor.addTransition(editor.target, { kind: 'state', path: `${editor.machine}/${name}` });
    });
    const node = stackOf(list, to.node);
    const refresh = () => {
        const { graph, outline, target } = editor, state = outline.states.findIndex(({ path }) => path === target.path);
        const found = (graph?.transitions ?? []).map((one, i) => ({ ...one, target: outline.transitions[i]?.target }))
            .filter(({ from }) => from === state);
        list.replaceChildren(...found.map((one) => {
            const go = button('', () => editor.select(one.target), { className: 'finding-row' });
            go.append(element('strong', {}, `→ ${graph.states[one.to].name} `),
                element('span', { className: 'hint' }, describeTransition(one)));
            return element('li', {}, go);
        }));
        showOptions(to, [['', 'Choose a state'], ...namesIn(editor, editor.machine).map((name) => [name, name])], '');
    };
    return { node, refresh };
}

function stateInspector(/** @type {GraphEditor} */ editor) {
    const target = () => editor.target, fields = new Fields(editor, target), nameOf = () => target().path.split('/').at(-1);
    const content = contentField(editor), list = transitionList(editor), blend = blendFields(editor);
    const open = button('Open its states', () => editor.open(target().path));
    const entry = button('Make it the entry', () => editor.edit((document) => (
        document.set({ kind: 'machine', path: editor.machine }, 'entry', nameOf()))));
    const enter = button('Enter it now', () => editor.driver.forceState(target().path));
    const speed = fields.number('Speed', 'speed', {}, 1), loop = fields.select('Loop', 'loop', LOOPS, 'repeat');
    const parameter = select('Speed times', [], '', (value) => fields.write('speedParameter', value || undefined));
    const playing = pairOf(speed, parameter.node), looping = pairOf(loop, fields.text('Sync group', 'sync'));
    const name = fields.name(nameOf, (renamed) => editor.select(renamed));
    const node = stackOf(pairOf(name, content.node), blend.node,
        playing, looping, fields.words('Tags', 'tags'), rowOf(enter, open, entry), list.node,
        rowOf(button('Remove state', () => editor.remove(), { className: 'danger' })));
    function refresh() {
        const value = editor.document.get(target()) ?? {}, plays = value.clip !== undefined || value.blend !== undefined;
        fields.refresh(value);
        content.refresh(value);
        list.refresh();
        showOptions(parameter, [['', 'None'], ...parametersOf(editor, ['float'])], value.speedParameter ?? '');
        playing.hidden = looping.hidden = !plays;
        loop.hidden = value.clip === undefined;
        open.hidden = value.states === undefined;
        const { graph, outline } = editor, machine = outline.machines.findIndex(({ path }) => path === editor.machine);
        entry.hidden = graph?.states[graph.machines[machine]?.entry]?.path === target().path;
        blend.refresh(value.blend);
    }
    return { node, refresh };
}

// ---- The inspector ----------------------------------------------------------------------------------------------

export function graphInspector(/** @type {GraphEditor} */ editor) {
    const add = button('Add state', () => editor.addState());
    const none = button('Select nothing', () => editor.select(null), { className: 'quiet' }), tools = rowOf(add, none);
    const about = hint('Drag from one state to another to add a transition.');
    const made = { transition: transitionInspector(editor), state: stateInspector(editor), layer: layerInspector(editor) };
    const parameters = parametersInspector(editor);
    const node = stackOf(tools, about, ...Object.values(made).map((one) => one.node), parameters.node);
    function refresh() {
        const { target, outline } = editor, isBroken = !outline || !editor.document.canEdit;
        const kind = isBroken ? '' : target?.kind === 'transition' || target?.kind === 'state' ? target.kind : 'layer';
        for (const [key, one] of Object.entries(made)) one.node.hidden = key !== kind;
        none.hidden = !target;
        about.hidden = target !== null;
        add.disabled = isBroken;
        parameters.node.hidden = kind !== 'layer';
        if (kind) made[kind].refresh();
        if (kind === 'layer') parameters.refresh();
    }
    const showsError = () => editor.mode === 'edit' && editor.target?.kind === 'transition' && made.transition.showsError();
    return { node, refresh, showsError };
}
