// SPDX-License-Identifier: MIT
// The animation graph of a stage: its text, the animator that drives the character, and that of a compared character.
import { Animator, BlendSpace } from './sinew/index.js';
import { GraphDocument } from './graph_document.js';
import { GraphKeys } from './graph_keys.js';
import { withKind } from './graph_variant.js';
/** @import { Character, Stage } from './stage.js' */

const MAX_ACTIONS = 64;
const UNLIMITED = 20; // the width of a parameter's control without a limit
const BASE = 0; // the layer whose clip is in the timeline

/** The least and the largest value of a parameter's control. */
export function rangeOf({ min, max }) {
    const least = Number.isFinite(min) ? min : Number.isFinite(max) ? max - UNLIMITED : -UNLIMITED / 2;
    return { least, most: Number.isFinite(max) ? max : least + UNLIMITED };
}

const isVector = (value, count) => Array.isArray(value) && value.length === count && value.every(Number.isFinite);

const isValueOf = ({ type }, value) => {
    if (type === 'bool') return typeof value === 'boolean';
    if (type === 'vector2') return isVector(value, 2);
    if (type === 'vector3') return isVector(value, 3);
    if (type === 'transform') return isVector(value?.position, 3) && isVector(value.rotation, 4) && value.rotation.some(Math.fround);
    return Number.isFinite(value) && (type === 'float' || Number.isInteger(value));
};

function clamped({ type, min, max }, value) {
    if (type === 'vector2' || type === 'vector3') return value.map((one) => Math.min(Math.max(one, min), max));
    return typeof value === 'number' ? Math.min(Math.max(value, min), max) : value;
}

// Animators take the coordinates of a vector2 one by one.
function setIn(animator, { name, type }, value) {
    if (type === 'vector2') animator.set(name, value[0], value[1]);
    else animator.set(name, value);
}

export class GraphDriver {
    /** @type {Character | null} */ #character = null;
    #second = null; // { compare, graph, animator }: a compared character
    #playing = new Set(); // actions of the base that have been current
    #cycle = ''; // the state of the last one that was told
    #values = new Map(); // set by the user, by the name of the parameter

    /** Opens a text, which may be invalid. */
    constructor(/** @type {Stage} */ stage, name, text) {
        this.stage = stage;
        this.name = name;
        this.savedText = text;
        this.drives = false;
        this.wanted = true;
        /** @type {Animator | null} */ this.animator = null;
        this.fault = ''; // why the graph cannot drive the character
        this.weights = []; // of the clips in the base
        this.keys = new GraphKeys(this);
        this.document = new GraphDocument(text, (source) => stage.sinew.loadGraph(source));
        this.document.addEventListener('changed', () => this.#take());
        if (stage.character) this.bindTo(stage.character);
    }

    get isEdited() {
        return this.document.text !== this.savedText;
    }

    /** Replaces the text by that of the file, which has changed. */
    load(text) {
        this.savedText = text;
        this.document.setText(text);
    }

    // ---- Characters ----

    // Plays the document's graph from the current states on. A graph that does not fit leaves the old one.
    #take() {
        const { graph } = this.document;
        this.#cycle = '';
        if (graph && graph !== this.animator?.graph && this.#character) this.#bind(graph);
        this.stage.noteGraph();
    }

    #bind(graph) {
        try {
            if (this.animator) this.animator.setGraph(graph);
            else this.animator = this.#listen(new Animator(this.#character.asset, graph, { maxActions: MAX_ACTIONS }));
            this.fault = '';
        } catch (error) {
            this.fault = error.message;
            return;
        }
        this.#playing.clear();
        this.#pass();
        this.#bindSecond();
        if (this.wanted) this.drive(true);
    }

    #listen(animator) {
        animator.addEventListener('cycle', ({ state }) => {
            if (this.#cycle === state) return;
            this.#cycle = state;
            this.stage.tell('note', `${state} takes too many transitions in one frame. The check shows the cycle.`);
        });
        return animator;
    }

    /** Binds the graph to a new character. It drives it if it fits. */
    bindTo(/** @type {Character} */ character) {
        this.#character = character;
        if (this.document.graph) this.#bind(this.document.graph);
    }

    /** Before the character is disposed, with the mixer of the animator. */
    unbind() {
        this.#character = this.animator = null;
        this.drives = false;
        this.fault = '';
        this.weights = [];
        this.#playing.clear();
        this.keys.release();
    }

    /** Drives the character, if the graph fits it, or not. */
    drive(drives) {
        this.wanted = drives;
        this.drives = drives && this.animator !== null;
        const { compare } = this.stage;
        if (this.#character) this.#character.mixer = this.drives ? this.animator.mixer : this.#character.clipMixer;
        if (compare && !this.#second) this.#bindSecond();
        if (compare) compare.mixer = this.drives && this.#second ? this.#second.animator.mixer : compare.clipMixer;
        if (this.drives) this.weigh();
        else this.keys.release();
    }

    dispose() {
        this.keys.release();
        this.unbindSecond();
        this.animator?.dispose();
        this.document.graph?.dispose();
        this.animator = null;
    }

    // ---- The second character ----

    // A compared character plays the same graph with its own kind of transition; one that the graph does not fit plays
    // clips.
    #bindSecond() {
        const { compare } = this.stage, { graph } = this.animator ?? {};
        if (!compare || !graph || graph !== this.document.graph) return;
        const other = this.stage.sinew.loadGraph(withKind(this.document.text, compare.kind));
        try {
            if (this.#second?.compare === compare) this.#second.animator.setGraph(other);
            else this.#second = { compare, animator: new Animator(compare.asset, other, { maxActions: MAX_ACTIONS }) };
            this.#second.graph?.dispose();
            this.#second.graph = other;
            this.#pass();
        } catch {
            other.dispose();
            this.unbindSecond();
        }
    }

    /** After the kind of transition of the compared character has changed, or before it is disposed. */
    changeSecond() {
        this.#bindSecond();
    }

    unbindSecond() {
        if (!this.#second) return;
        this.#second.animator.dispose();
        this.#second.graph.dispose();
        this.#second.compare.mixer = this.#second.compare.clipMixer;
        this.#second = null;
    }

    get #animators() {
        return [this.animator, this.#second?.animator].filter(Boolean);
    }

    // ---- Parameters ----

    /** The value that was set, before damping. */
    target(parameter) {
        const value = this.#values.get(parameter.name) ?? parameter.default;
        return clamped(parameter, isValueOf(parameter, value) ? value : parameter.default);
    }

    // Passes all values to the animators.
    #pass() {
        for (const animator of this.#animators) {
            for (const parameter of animator.graph.parameters) {
                if (parameter.type !== 'trigger') setIn(animator, parameter, this.target(parameter));
            }
        }
    }

    set(name, value) {
        this.#values.set(name, value);
        for (const animator of this.#animators) setIn(animator, animator.graph.findParameter(name), value);
        this.stage.noteGraph();
    }

    fire(name) {
        for (const animator of this.#animators) animator.fire(name);
    }

    setDefaults() {
        this.#values.clear();
        this.#pass();
        this.stage.noteGraph();
    }

    // ---- States ----

    forceState(path) {
        for (const animator of this.#animators) animator.forceState(path);
    }

    isActive(path) {
        return this.animator?.graph.findState(path) ? this.animator.isActive(path) : false;
    }

    /** Enters the entry state of each layer. */
    restart() {
        const { graph: { layers, machines, states } = { layers: [] } } = this.animator ?? {};
        for (const { machine } of layers) this.forceState(states[machines[machine].entry].path);
    }

    get shownAction() {
        return this.animator.action(BASE);
    }

    // ---- Weights ----

    // The clips of an action with their weights in it.
    #clipsOf(action) {
        if (!(action.space instanceof BlendSpace)) return [{ clip: action.clip, weight: 1 }];
        const { space, x, y } = action;
        return space.weights(x, y).map(({ sample, weight }) => ({ clip: space.samples[sample].clip, weight }));
    }

    /** Measures the weights of clips in the base, once in a frame. */
    weigh() {
        const { shownAction } = this, { weights } = this;
        if (shownAction) this.#playing.add(shownAction);
        weights.length = 0;
        for (const action of this.#playing) {
            const whole = action.getEffectiveWeight();
            if (whole === 0 && action !== shownAction) this.#playing.delete(action);
            for (const { clip, weight } of whole > 0 ? this.#clipsOf(action) : []) {
                weights[clip.index] = (weights[clip.index] ?? 0) + whole * weight;
            }
        }
    }

    /** The clips that play in the base: [{ clip, weight, time }]. */
    get playing() {
        const { shownAction } = this, { clips } = this.#character.asset;
        const phase = shownAction && shownAction.clip.duration > 0 ? shownAction.time / shownAction.clip.duration : 0;
        return clips.filter(({ index }) => this.weights[index] > 0)
            .map((clip) => ({ clip, weight: this.weights[clip.index], time: phase * clip.duration }));
    }

    /** The largest factor by which a layer above the base affects a node: unknown. */
    coverOf(_node) {
        return 0;
    }

    // ---- Saving ----

    save() {
        const { name, document: { text }, wanted, animator, savedText } = this;
        return { name, text, savedText, drives: wanted, parameters: Object.fromEntries(this.#values),
            states: animator ? animator.graph.layers.map((_, layer) => animator.state(layer)) : [] };
    }

    /** Restores what save() has returned. Values that are left out stay. */
    restore({ text, savedText, drives, parameters, states }) {
        if (typeof savedText === 'string') this.savedText = savedText;
        if (text !== this.document.text) this.document.setText(text);
        if (parameters && typeof parameters === 'object') {
            this.#values = new Map(Object.entries(parameters));
            this.#pass();
        }
        for (const path of Array.isArray(states) ? states : []) {
            if (!this.animator?.graph.findState(path)) continue;
            for (const one of this.#animators) one.forceState(path, { duration: 0 });
        }
        this.stage.driveByGraph(drives !== false);
    }
}
