// SPDX-License-Identifier: MIT
// The panel of an open graph: its file, layers, diagram, findings, and below them what the mode is for.
import { copyText } from '../clipboard.js';
import { download } from '../download.js';
import { Diagram } from '../graph_diagram.js';
import { GRAPH_LANGUAGES } from '../graph_code.js';
import { editorOf, MODES } from '../graph_editor.js';
import { rootNameOf } from '../locomotion.js';
import { sentence, show } from './controls.js';
import { graphFindings } from './graph_findings.js';
import { graphInspector } from './graph_inspector.js';
import { graphParameters } from './graph_parameters.js';
import { graphText } from './graph_text.js';
import { button, choice, element, iconButton, rowOf, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */
/** @import { Stage } from '../stage.js' */

const RECENT = 1.2; // seconds: a transition that was taken stays marked

// ---- The file ---------------------------------------------------------------------------------------------------

// The button that saves, and a group with the name of the file and what else is done with it.
function fileControls(/** @type {GraphEditor} */ editor, choose) {
    const { stage } = editor, name = element('strong'), mark = element('span', { className: 'hint' });
    const save = button('Save', () => {
        const { driver } = editor;
        download(new Blob([driver.document.text], { type: 'application/json' }), driver.name);
        driver.savedText = driver.document.text;
        stage.noteGraph();
    });
    const copyCode = ({ label, make }) => {
        const { driver, graph } = editor, { name: file, asset } = stage.character;
        copyText(stage, make({ file, graphFile: driver.name, graph, root: rootNameOf(asset) }), `Code for ${label}`);
    };
    const codes = Object.values(GRAPH_LANGUAGES).map((one) => button(`Copy for ${one.label}`, () => copyCode(one)));
    const group = element('details', { className: 'group' }, element('summary', {}, name, ' ', mark), stackOf(
        rowOf(button('Open another…', choose),
            button('Close graph', () => stage.closeGraph(), { className: 'danger' })),
        rowOf(...codes)));
    const refresh = () => {
        const { driver } = editor;
        show(name, driver.name);
        show(mark, driver.isEdited ? 'edited' : '');
        save.classList.toggle('primary', driver.isEdited);
        save.title = `Save ${driver.name}`;
        for (const one of codes) one.disabled = !editor.graph;
    };
    return { save, group, refresh };
}

// ---- Layers and machines ----------------------------------------------------------------------------------------

// A button for each layer, with its current state; and the machines around the shown one.
function placeRow(/** @type {GraphEditor} */ editor) {
    const layers = element('div', { className: 'layers', role: 'group', 'aria-label': 'Layers' });
    const crumbs = element('nav', { className: 'crumbs', 'aria-label': 'Machines' });
    let names = '', path = null, chips = [];
    function refresh() {
        const all = editor.outline?.layers.map(({ name }) => name) ?? [];
        if (names !== all.join('/')) {
            names = all.join('/');
            chips = all.map((name) => {
                const state = element('span', { className: 'hint' });
                return { name, state, node: button('', () => editor.open(name), { className: 'layer' }) };
            });
            for (const { node, name, state } of chips) node.append(element('strong', {}, name), state);
            layers.replaceChildren(...chips.map(({ node }) => node));
        }
        const [layer] = editor.machine.split('/');
        for (const { node, name } of chips) node.setAttribute('aria-pressed', String(name === layer));
        if (path === editor.machine) return;
        path = editor.machine;
        const words = path.split('/');
        crumbs.hidden = words.length < 2;
        crumbs.replaceChildren(...words.map((word, i) => {
            const to = words.slice(0, i + 1).join('/');
            if (i === words.length - 1) return element('span', { 'aria-current': 'page' }, word);
            return button(word, () => editor.open(to), { className: 'quiet' });
        }));
    }
    function live(animator) {
        chips.forEach(({ state, name }, layer) => {
            const leaf = animator && animator.graph.layers[layer]?.name === name ? animator.state(layer) : '';
            show(state, leaf.slice(name.length + 1));
        });
    }
    return { node: element('div', { className: 'stack tight' }, layers, crumbs), refresh, live };
}

// ---- What is active ---------------------------------------------------------------------------------------------

// What the diagram marks of the shown machine. Follows the transitions that were taken.
class Live {
    #taken = []; // { transition, time } by layer
    #seconds = 0;
    #last = performance.now();

    read({ driver, graph, machine }) {
        const now = performance.now(), { animator } = driver;
        this.#seconds += driver.drives ? Math.min((now - this.#last) / 1000, 0.25) : 0;
        this.#last = now;
        if (!animator || !driver.isPlaying(graph)) return { states: {}, running: null, recent: -1 };
        const layer = graph.layers.findIndex(({ name }) => name === machine.split('/')[0]);
        if (layer < 0) return { states: {}, running: null, recent: -1 };
        const transition = animator.transition(layer), index = transition ? animator.graph.transitions.indexOf(transition) : -1;
        if (index >= 0) this.#taken[layer] = { index, time: this.#seconds };
        const taken = this.#taken[layer], isRecent = taken && this.#seconds - taken.time < RECENT;
        const running = index < 0 ? null : { transition: index, part: animator.progress(layer) };
        return { states: this.#statesOf(animator, layer), running, recent: isRecent ? taken.index : -1 };
    }

    // The leaf of a layer and the states around it.
    #statesOf(animator, layer) {
        const leaf = animator.state(layer), states = {}, action = animator.action(layer);
        const duration = action?.clip?.duration ?? 0, part = duration > 0 ? Math.min(action.time / duration, 1) : 0;
        for (let path = leaf; path.includes('/'); path = path.slice(0, path.lastIndexOf('/'))) {
            states[path] = { seconds: animator.elapsed(path), part };
        }
        return states;
    }
}

// ---- The panel --------------------------------------------------------------------------------------------------

/** `choose` asks for another file. */
export function showGraph(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container, choose) {
    const editor = editorOf(stage), live = new Live();
    const diagram = new Diagram({
        pick: (target) => {
            if (editor.mode === 'play' && target?.kind === 'state') editor.driver.forceState(target.path);
            editor.select(target);
        },
        open: (machine) => editor.open(machine),
        leave: () => editor.leave(),
        remove: () => editor.remove(),
        connect: (from, to) => editor.addTransition(from, to),
        canConnect: () => editor.mode === 'edit',
        isActive: ({ path }) => editor.driver.isActive(path),
    });
    const tools = element('div', { className: 'diagram-tools' },
        iconButton('fit', 'Fit the diagram', () => diagram.fit()), iconButton('plus', 'Zoom in', () => diagram.zoomIn()),
        iconButton('minus', 'Zoom out', () => diagram.zoomOut()),
        iconButton('wide', 'Wide panel', () => stage.setView({ wide: !stage.view.wide })));
    const mode = choice('Mode', MODES, 'play', (value) => editor.setMode(value));
    const file = fileControls(editor, choose), row = placeRow(editor);
    const fault = element('p', { className: 'bad', role: 'status' });
    const parts = { play: graphParameters(editor), edit: graphInspector(editor), text: graphText(editor) };
    const findings = graphFindings(editor);
    const frame = element('div', { className: 'diagram-frame' }, diagram.node, tools);
    const picture = element('div', { className: 'graph-picture' }, row.node, frame);
    mode.node.firstElementChild.className = 'only-read';
    const head = element('div', { className: 'graph-head' }, mode.node, file.save);
    container.append(element('section', { className: 'panel' }, head, picture, fault,
        ...Object.values(parts).map(({ node }) => node), findings.node, file.group));
    let content = null;

    function faultOf() {
        const { error, driver, problem } = editor;
        if (problem) return sentence(problem);
        if (error && editor.mode !== 'text' && !parts.edit.showsError()) {
            const { line, column, message } = error;
            return `${sentence(`Line ${line}, column ${column}: ${message}`)} The last valid graph keeps playing.`;
        }
        if (driver.fault) return sentence(`The graph doesn't fit ${stage.character?.name}: ${driver.fault}`);
        return '';
    }
    function refresh() {
        if (!editor.driver) return;
        mode.set(editor.mode);
        file.refresh();
        row.refresh();
        for (const [key, part] of Object.entries(parts)) part.node.hidden = key !== editor.mode;
        picture.hidden = editor.mode === 'text';
        picture.classList.toggle('paused', !editor.driver.drives);
        parts[editor.mode].refresh();
        findings.refresh();
        const { graph, outline } = editor, { machine } = editor;
        if (content?.graph !== graph || content.machine !== machine || content.outline !== outline) {
            content = { graph, machine, outline };
            diagram.show(editor.shown);
        }
        diagram.select((target) => editor.isSelected(target));
        show(fault, faultOf());
        fault.hidden = fault.textContent === '';
    }
    function tick() {
        if (!editor.driver || container.clientWidth === 0) return;
        row.live(editor.driver.animator);
        if (editor.mode !== 'text') diagram.live(live.read(editor));
        if (editor.mode === 'play') parts.play.live();
    }
    editor.addEventListener('changed', refresh);
    editor.addEventListener('checked', refresh);
    stage.addEventListener('frame', tick);
    refresh();
}
