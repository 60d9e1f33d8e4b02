// SPDX-License-Identifier: MIT
// The text of a graph's file, with edits, undo and redo. Edits keep the rest as it's written.
import { isParameterName } from './graph_conditions.js';
import { Outline } from './graph_outline.js';
import { consequencesOf, removalEdits, renamingEdits } from './graph_edits.js';
import { applyEdits, insertEdit, memberEdits, memberOf, moveEdits, styleOf, valueOf } from './json_text.js';

const MAX_STEPS = 200;

// Leaves the position out of the message.
function toError({ message, line = 0, column = 0 }) {
    const position = `:${line}:${column}: `, at = message.indexOf(position);
    return { message: at < 0 ? message : message.slice(at + position.length), line, column };
}

/**
 * A graph's text. It may be invalid while the user types. Targets identify its elements:
 *   { kind: 'state', path: 'Base/Move' }, { kind: 'machine', path: 'Base' }, { kind: 'layer', name: 'Base' },
 *   { kind: 'parameter', name: 'speed' }, { kind: 'graph' },
 *   { kind: 'transition', machine: 'Base', index: 2, source: 1 }; source is the index in `from`, if that's an array.
 * Edits throw an Error, and change nothing, if the target doesn't exist, the name is taken or invalid, or the text
 * isn't JSON. Each change sends the event 'changed'.
 */
export class GraphDocument extends EventTarget {
    #load;
    #steps = []; // texts
    #now = -1;
    #typing = null; // what is being typed in the last step
    #outline = null; // the text's; null if it isn't known

    /**
     * `load(text)` returns the graph of a valid text. For other texts it throws an Error with line and column. An
     * example is (text) => sinew.loadGraph(text). The document owns the graphs that it returns.
     */
    constructor(text, load) {
        super();
        this.#load = load;
        this.text = '';
        this.error = null; // an invalid text's { message, line, column }
        this.graph = null; // of the last valid text
        this.graphText = '';
        this.#step(text, null);
    }

    // ---- Reading ----

    /** Whether the text is JSON, so targets can be edited. */
    get canEdit() {
        return this.outline !== null;
    }

    /** The text's elements (graph_outline.js); null if it isn't JSON. */
    get outline() {
        if (this.#outline?.text !== this.text) this.#outline = null;
        try {
            this.#outline ??= new Outline(this.text);
        } catch (error) {
            if (!(error instanceof SyntaxError)) throw error;
        }
        return this.#outline;
    }

    /** The value of an element or of one of its keys, like JSON.parse returns it; undefined if there isn't one. */
    get(target, key) {
        const node = this.outline?.find(target)?.node;
        return valueOf(this.text, key === undefined ? node : memberOf(node, key)?.value);
    }

    /** Where an element or one of its keys' values is written: { start, end, line, column }, or null. */
    positionOf(target, key) {
        return this.outline?.positionOf(target, key) ?? null;
    }

    // ---- Steps ----

    get canUndo() {
        return this.#now > 0;
    }

    get canRedo() {
        return this.#now < this.#steps.length - 1;
    }

    /** Returns false if there's nothing to undo. */
    undo() {
        return this.#go(-1);
    }

    redo() {
        return this.#go(1);
    }

    #go(by) {
        const text = this.#steps[this.#now + by];
        if (text === undefined) return false;
        this.#now += by;
        this.#typing = null;
        this.#set(text);
        return true;
    }

    /** Ends typing in a field: the next edit is another step. */
    endTyping() {
        this.#typing = null;
    }

    // Adds a step. If the last step has the same `typing`, replaces it.
    #step(text, typing) {
        if (text === this.text && this.#now >= 0) return;
        this.#steps.splice(this.#now + 1);
        if (typing !== null && typing === this.#typing) this.#steps.pop();
        if (text !== this.#steps.at(-1)) this.#steps.push(text);
        if (this.#steps.length > MAX_STEPS) this.#steps.shift();
        this.#now = this.#steps.length - 1;
        this.#typing = typing;
        this.#set(text);
    }

    #set(text) {
        const { graph } = this;
        this.text = text;
        try {
            this.graph = this.#load(text);
            this.graphText = text;
            this.error = null;
        } catch (error) {
            this.error = toError(error);
        }
        this.dispatchEvent(new Event('changed'));
        if (graph !== this.graph) graph?.dispose?.(); // animators keep what they use
    }

    #need(target) {
        if (!this.canEdit) throw new Error(`the text isn't JSON: ${this.error?.message}`);
        const element = this.outline.find(target);
        if (element) return element;
        const { kind, path, name, machine, index } = target;
        throw new Error(`the graph has no ${kind} ${path ?? name ?? `${machine} ${index}`}`);
    }

    #apply(edits, typing = null) {
        this.#step(applyEdits(this.text, edits), typing);
    }

    get #style() {
        return styleOf(this.text, this.outline.root);
    }

    // ---- Edits ----

    /** Replaces the whole text. With `typing`, extends the last such step. */
    setText(text, { typing = false } = {}) {
        this.#step(text, typing ? 'text' : null);
    }

    /** Sets an element's key. An undefined value removes it. */
    set(target, key, value, options) {
        this.update(target, { [key]: value }, options);
    }

    /**
     * Sets several keys of an element in one step. Also removes keys that the element may not have then, such as
     * `blend` when a state gets a `clip`. With `typing`, further edits of the same keys extend the step.
     */
    update(target, changes, { typing = false } = {}) {
        const { node } = this.#need(target);
        const all = { ...consequencesOf(target.kind, valueOf(this.text, node), changes), ...changes };
        let { text, outline } = this;
        for (const [key, value] of Object.entries(all)) { // one at a time: removing neighbours would overlap
            outline = outline.text === text ? outline : new Outline(text);
            text = applyEdits(text, memberEdits(text, outline.find(target).node, key, value, styleOf(text, outline.root)));
        }
        this.#step(text, typing ? JSON.stringify([target, Object.keys(changes)]) : null);
    }

    /** Renames a state, a parameter or a layer everywhere, also in conditions. Returns its new target. */
    rename(target, name) {
        const element = this.#need(target);
        if (name === element.name) return target;
        this.#checkName(target, name, element);
        this.#apply(renamingEdits(this.outline, target, name));
        return this.#renamed(target, name);
    }

    #renamed({ kind, path }, name) {
        return kind === 'state' ? { kind, path: path.slice(0, path.lastIndexOf('/') + 1) + name } : { kind, name };
    }

    #checkName({ kind }, name, /** @type {{ machine?: number }} */ { machine } = {}) {
        const { parameters: parameter, layers: layer, states: state } = this.outline, list = { parameter, layer, state }[kind];
        if (!list) throw new Error(`a ${kind} has no name`);
        if (kind === 'parameter' && !isParameterName(name)) throw new Error(`"${name}" isn't a valid name for a parameter`);
        if (name === '' || name === '*' || name.includes('/')) throw new Error(`"${name}" isn't a valid name for a ${kind}`);
        const isTaken = list.some((one) => one.name === name && one.machine === machine);
        if (isTaken) throw new Error(`another ${kind} is named "${name}"`);
    }

    // Inserts a value into a node's container `key`. If it has none, adds `first`, a container with the value.
    #insert(node, key, value, first, /** @type {{ name?: string, index?: number }} */ options = {}) {
        const container = memberOf(node, key)?.value, kind = Array.isArray(first) ? 'array' : 'object', style = this.#style;
        if (node.kind !== 'object') throw new Error(`"${key}" must be in an object`);
        if (container && container.kind !== kind) throw new Error(`"${key}" must be an ${kind}`);
        if (container) this.#apply([insertEdit(this.text, container, value, style, options)]);
        else this.#apply([insertEdit(this.text, node, first, style, { name: key })]);
    }

    /** Adds a state to the machine of a layer or state, such as 'Base' or 'Upper/Combo'. Returns its target. */
    addState(machine, name, value = {}) {
        const element = this.#need({ kind: 'machine', path: machine }), { node } = element;
        this.#checkName({ kind: 'state' }, name, { machine: this.outline.machines.indexOf(element) });
        this.#insert(node, 'states', value, { [name]: value }, { name });
        return { kind: 'state', path: `${machine}/${name}` };
    }

    /** Adds a transition { from, to, ... } at an index, or at the end. Returns its target. */
    addTransition(machine, value, index = Infinity) {
        const { node } = this.#need({ kind: 'machine', path: machine });
        const count = memberOf(node, 'transitions')?.value.parts?.length ?? 0, at = Math.min(index, count);
        this.#insert(node, 'transitions', value, [value], { index: at });
        return { kind: 'transition', machine, index: at };
    }

    /** Adds a parameter { type, ... }. Returns its target. */
    addParameter(name, value) {
        this.#need({ kind: 'graph' });
        this.#checkName({ kind: 'parameter' }, name);
        this.#insert(this.outline.root, 'parameters', value, { [name]: value }, { name });
        return { kind: 'parameter', name };
    }

    /** Adds a layer { states, ... } at the end. Returns its target. */
    addLayer(name, value) {
        this.#need({ kind: 'graph' });
        this.#checkName({ kind: 'layer' }, name);
        this.#insert(this.outline.root, 'layers', { name, ...value }, [{ name, ...value }]);
        return { kind: 'layer', name };
    }

    /**
     * Removes an element. Removing a state also removes its transitions, but conditions that name it stay. For a
     * transition with a `source`, removes only that name from `from`.
     */
    remove(target) {
        this.#need(target);
        this.#apply(removalEdits(this.outline, target));
    }

    /** Moves a transition to another index in its machine: earlier ones are tried first. Returns its target. */
    moveTransition(target, index) {
        this.#need(target);
        const { node } = this.outline.find({ kind: 'machine', path: target.machine });
        const list = memberOf(node, 'transitions').value, to = Math.min(Math.max(index, 0), list.parts.length - 1);
        this.#apply(moveEdits(this.text, list, target.index, to));
        return { ...target, index: to };
    }
}
