// SPDX-License-Identifier: MIT
// What the graph panel shows and edits: a machine, a selected element, and the check's findings.
import { checkGraph } from './graph_check.js';
import { Outline } from './graph_outline.js';
/** @import { GraphDriver } from './graph_driver.js' */
/** @import { Character, Stage } from './stage.js' */

const DELAY = 200; // milliseconds without a change before the check runs
export const MODES = { play: 'Play', edit: 'Edit', text: 'Text' };

const LOOPS = { repeat: '', once: 'once', pingPong: 'ping-pong' };

// Describes what a state plays.
function aboutOf(graph, state) {
    const { kind, clip, loop, blend } = state;
    if (kind === 'clip') return [clip, LOOPS[loop]].filter(Boolean).join(', ');
    if (kind === 'blend') return `${blend.samples.length} clips by ${[blend.x, blend.y].filter(Boolean).join(', ')}`;
    if (kind === 'empty') return 'empty';
    const count = graph.states.filter(({ machine }) => machine === state.submachine).length;
    return count === 1 ? '1 state' : `${count} states`;
}

const KINDS = { fade: 'fade', inertialize: 'inertialize', deadBlend: 'dead blend' };

/** Describes a transition: condition, kind and duration. */
export const describeTransition = ({ when, kind, duration }) => (
    `${when ?? 'always'} · ${KINDS[kind]} ${Number(duration.toFixed(3))} s`);

// The path of the machine that contains an element.
function machineOf(target) {
    if (target.kind === 'transition') return target.machine;
    if (target.kind === 'state') return target.path.slice(0, target.path.lastIndexOf('/'));
    return target.kind === 'machine' ? target.path : target.kind === 'layer' ? target.name : null;
}

const isSame = (a, b) => a && b && a.kind === b.kind && a.path === b.path && a.name === b.name && a.machine === b.machine &&
    a.index === b.index && (a.source === b.source || a.source === undefined || b.source === undefined);

/** Events: 'changed' after the document, the selection or the mode changed; 'checked' after a check. */
export class GraphEditor extends EventTarget {
    #waiting = 0;
    #checked = null; // the report's text and asset
    #asset = null; // what graphs are checked with: one object per character

    constructor(/** @type {Stage} */ stage) {
        super();
        this.stage = stage;
        this.#begin(null);
        stage.addEventListener('loaded', () => this.#follow());
        stage.addEventListener('changed', ({ detail }) => detail === 'graph' && this.#follow());
        this.#follow();
    }

    // Shows an opened graph, or none for null.
    #begin(/** @type {GraphDriver} */ driver) {
        this.driver = driver;
        this.mode = 'play';
        this.machine = '';
        this.target = null;
        this.report = null;
        this.outline = null;
        this.problem = '';
    }

    get document() {
        return this.driver?.document ?? null;
    }

    /** The last valid graph, or null. */
    get graph() {
        return this.document?.graph ?? null;
    }

    #changed() {
        this.dispatchEvent(new Event('changed'));
    }

    #follow() {
        const { graph: driver } = this.stage;
        if (driver !== this.driver) {
            this.#begin(driver);
            if (driver && !driver.document.graph) this.mode = 'text';
        }
        if (!driver) {
            clearTimeout(this.#waiting);
            this.#changed();
            return;
        }
        if (!this.document.error) this.outline = this.document.outline;
        this.#keepSelection();
        this.#plan();
        this.#changed();
    }

    // Leaves a machine or element that no longer exists.
    #keepSelection() {
        const { outline } = this;
        if (!outline) return;
        while (this.machine && !outline.find({ kind: 'machine', path: this.machine })) {
            const at = this.machine.lastIndexOf('/');
            this.machine = at < 0 ? '' : this.machine.slice(0, at);
        }
        this.machine ||= outline.machines[0]?.path ?? '';
        if (this.target && !outline.find(this.target)) this.target = null;
    }

    // ---- The selection ----

    setMode(mode) {
        this.mode = mode;
        this.document.endTyping();
        this.#changed();
    }

    /** Shows a machine by its path. */
    open(machine) {
        Object.assign(this, { machine, target: null });
        this.document.endTyping();
        this.#changed();
    }

    /** Shows the machine around the current one. */
    leave() {
        const at = this.machine.lastIndexOf('/');
        if (at < 0) return;
        const target = { kind: 'state', path: this.machine };
        this.machine = this.machine.slice(0, at);
        this.select(target);
    }

    select(target) {
        this.target = target;
        const machine = target && machineOf(target);
        if (machine !== null && machine !== undefined) this.machine = machine;
        this.problem = '';
        this.document.endTyping();
        this.#changed();
    }

    isSelected(target) {
        return isSame(this.target, target);
    }

    /** The machine in the diagram's form. */
    get shown() {
        const { graph, outline, machine: path } = this;
        const index = outline?.machines.findIndex((one) => one.path === path) ?? -1;
        if (!graph || index < 0) return { path, label: '', nodes: [], edges: [] };
        const { entry } = graph.machines[index], order = new Map(), nodes = [];
        const members = graph.states.filter(({ machine }) => machine === index);
        for (const state of [graph.states[entry], ...members.filter((one) => one.index !== entry)]) {
            order.set(state.index, nodes.length);
            nodes.push({ name: state.name, about: aboutOf(graph, state), kind: state.kind === 'machine' ? 'machine' : 'state',
                target: outline.states[state.index].target, isEntry: state.index === entry });
        }
        const edges = graph.transitions.map((one, transition) => ({ ...one, transition }))
            .filter(({ machine }) => machine === index);
        if (edges.some(({ from }) => from < 0)) {
            order.set(-1, nodes.length);
            nodes.push({ name: 'Any state', about: '', kind: 'any', target: null, isEntry: false });
        }
        const toEdge = (one) => ({ from: order.get(one.from), to: order.get(one.to), transition: one.transition,
            target: outline.transitions[one.transition].target, isAny: one.from < 0, text: describeTransition(one) });
        return { path, label: `States of ${path}`, nodes, edges: edges.map(toEdge) };
    }

    // ---- Edits ----

    /** Runs an edit of the document. Shows errors in the panel. Returns the result, or null. */
    edit(action) {
        this.problem = '';
        try {
            return action(this.document) ?? null;
        } catch (error) {
            this.problem = error.message;
            this.#changed();
            return null;
        }
    }

    // An unused name: "State", "State 2"...
    #freeName(stem, names, separator = ' ') {
        for (let i = 1; ; i++) {
            const name = i === 1 ? stem : `${stem}${separator}${i}`;
            if (!names.includes(name)) return name;
        }
    }

    addState() {
        const { outline, machine } = this, index = outline.machines.findIndex(({ path }) => path === machine);
        const names = outline.states.filter((one) => one.machine === index).map(({ name }) => name);
        const target = this.edit((document) => document.addState(machine, this.#freeName('State', names)));
        if (target) this.select(target);
    }

    addTransition(from, to) {
        const nameOf = ({ path }) => path.slice(path.lastIndexOf('/') + 1);
        const value = { from: nameOf(from), to: nameOf(to), ...(from.path === to.path ? { when: 'finished' } : {}) };
        const target = this.edit((document) => document.addTransition(this.machine, value));
        if (target) this.select(target);
    }

    addParameter() {
        const names = this.outline.parameters.map(({ name }) => name);
        return this.edit((document) => document.addParameter(this.#freeName('parameter', names, '_'), { type: 'float' }));
    }

    addLayer() {
        const name = this.#freeName('Layer', this.outline.layers.map((one) => one.name));
        const target = this.edit((document) => document.addLayer(name, { states: { None: {} } }));
        if (target) this.select(target);
    }

    remove() {
        const { target } = this;
        if (!target || this.mode !== 'edit') return;
        this.target = null;
        this.edit((document) => document.remove(target));
    }

    // ---- The check ----

    #plan() {
        const { text } = this.document, { character } = this.stage;
        if (this.#checked?.text === text && this.#checked.character === character) return;
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(() => this.#check(text, character), DELAY);
    }

    async #check(text, /** @type {Character} */ character) {
        this.#checked = { text, character };
        if (this.#asset?.character !== character) {
            const { bytes, files } = character ?? {};
            this.#asset = character && { character, bytes, files, decoder: this.stage.meshopt };
        }
        const report = await checkGraph(text, this.#asset)
            .catch(({ message }) => ({ error: null, findings: [], assetError: message }));
        if (this.document?.text !== text || this.stage.character !== character) return;
        this.report = report;
        this.dispatchEvent(new Event('checked'));
    }

    /** The text's error: { message, line, column }, or null. */
    get error() {
        const { error } = this.document ?? {};
        return error ? { ...error, message: error.message.replace(/^graph:(\d+:\d+: )?/, '') } : null;
    }

    /** The current text's outline. The text may not be a valid graph. */
    outlineNow() {
        return this.document.canEdit ? this.document.outline : new Outline('{}');
    }
}

const editors = new WeakMap(); // by stage

/** A stage's editor. Its panels share it. */
export function editorOf(/** @type {Stage} */ stage) {
    if (!editors.has(stage)) editors.set(stage, new GraphEditor(stage));
    return editors.get(stage);
}
