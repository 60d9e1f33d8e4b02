// SPDX-License-Identifier: MIT
// A stage's animation graph: its text, the animator that drives the character, and a compared character's animator.
// For a graph with a rig, the animator is a Character of the package.
import { BlendSpace } from './sinew/index.js';
import { fromTransform, IDENTITY } from './affine.js';
import { GraphDocument } from './graph_document.js';
import { GraphKeys } from './graph_keys.js';
import { Outline } from './graph_outline.js';
import { isCharacter, playGraph } from './graph_player.js';
import { withSwitches } from './graph_switches.js';
import { withKind } from './graph_variant.js';
import { windOf } from './wind.js';
/** @import { Animator, Graph } from './sinew/index.js' */
/** @import { Character, Stage } from './stage.js' */

const UNLIMITED = 20; // width of a parameter's control without a limit
const BASE = 0; // the layer whose clip the timeline shows
const ORIGIN = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** The limits of a parameter's control. */
export function rangeOf({ min, max }) {
    const least = Number.isFinite(min) ? min : Number.isFinite(max) ? max - UNLIMITED : -UNLIMITED / 2;
    return { least, most: Number.isFinite(max) ? max : least + UNLIMITED };
}

const matrixOf = ({ position, rotation, scale }) => fromTransform({ translation: position, rotation, scale: [scale, scale, scale] });

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

// Animators take a vector2's coordinates one by one.
function setIn(animator, { name, type }, value) {
    if (type === 'vector2') animator.set(name, value[0], value[1]);
    else animator.set(name, value);
}

export class GraphDriver {
    /** @type {Character | null} */ #character = null;
    #second = null; // { compare, animator }: the compared character
    /** @type {Graph | null} */ #played = null; // the graph that the animator plays: the document's, with switches
    #text = ''; // the text of the graph with switches
    #switches = []; // the animators' switch parameters, by step
    #off = new Set(); // names of steps that are off
    #clip = null; // the action under a rig without layers
    #moves = false; // the animator moves the character
    #isStale = true; // an input changed since the last update
    #wind = new Float32Array(3);
    #playing = new Set(); // actions of the base that have been current
    #cycle = ''; // the state of the last cycle that was reported
    #values = new Map(); // what the user has set, by parameter name

    /** Opens a text. It may be invalid. */
    constructor(/** @type {Stage} */ stage, name, text) {
        this.stage = stage;
        this.name = name;
        this.savedText = text;
        this.drives = false;
        this.wanted = true;
        /** @type {Animator | null} */ this.animator = null;
        /** @type {Outline | null} */ this.outline = null; // of the graph that the animator plays
        this.fault = ''; // why the graph cannot drive the character
        this.weights = []; // clips in the base
        this.keys = new GraphKeys(this);
        this.document = new GraphDocument(text, (source) => stage.sinew.loadGraph(source));
        this.document.addEventListener('changed', () => this.#take());
        if (stage.character) this.bindTo(stage.character);
    }

    get isEdited() {
        return this.document.text !== this.savedText;
    }

    /** Replaces the text by the changed file's. */
    load(text) {
        this.savedText = text;
        this.document.setText(text);
    }

    // ---- Characters ----

    // Plays the document's graph, continuing from the current states. If it doesn't fit, the old one goes on.
    #take() {
        const { graph } = this.document;
        this.#cycle = '';
        if (graph && graph !== this.#played && this.#character) this.#bind(graph);
        this.stage.noteGraph();
    }

    #bind(graph) {
        const before = this.animator;
        try {
            const outline = new Outline(this.document.graphText), { text, switches } = withSwitches(outline);
            this.animator = this.#play(this.#character.asset, text, before);
            Object.assign(this, { outline, fault: '' });
            this.#text = text;
            this.#switches = switches;
        } catch (error) {
            this.fault = error.message;
            return;
        }
        this.#played = graph;
        if (this.animator !== before) this.#listen(this.animator);
        this.#playing.clear();
        this.#pass();
        this.#playClip();
        this.#bindSecond();
        if (this.wanted) this.drive(true);
    }

    // Plays a text, continuing from `before`. The animator frees the graph.
    #play(asset, text, before) {
        const graph = this.stage.sinew.loadGraph(text);
        try {
            return playGraph(asset, graph, before);
        } finally {
            graph.dispose();
        }
    }

    // A rig without layers edits the clip that was last played by hand.
    #playClip() {
        const { graph: { layers }, mixer } = this.animator, { clips } = this.#character.asset;
        const clip = this.#clip?.clip ?? this.stage.shownClip ?? clips[0];
        this.#clip = layers.length === 0 && clip ? mixer.clipAction(clip).play() : null;
    }

    #listen(/** @type {Animator} */ animator) {
        animator.addEventListener('cycle', ({ state }) => {
            if (this.#cycle === state) return;
            this.#cycle = state;
            this.stage.tell('note', `${state} takes too many transitions in one frame. The check shows the cycle.`);
        });
    }

    /** Binds the graph to a new character, and drives the character if the graph fits. */
    bindTo(/** @type {Character} */ character) {
        this.#character = character;
        if (this.document.graph) this.#bind(this.document.graph);
    }

    /** Whether the character plays one of the document's graphs. */
    isPlaying(graph) {
        return graph !== null && graph === this.#played;
    }

    /** Call before the character is disposed, while the animator's mixer still exists. */
    unbind() {
        this.#character = this.animator = this.#played = this.#clip = null;
        this.drives = false;
        this.fault = '';
        this.weights = [];
        this.#moves = false;
        this.#playing.clear();
        this.keys.release();
    }

    /** Starts driving the character, if the graph fits, or stops. */
    drive(drives) {
        this.wanted = drives;
        this.drives = drives && this.animator !== null;
        const { compare } = this.stage;
        if (this.#character) this.#character.mixer = this.drives ? this.animator.mixer : this.#character.clipMixer;
        if (this.#character) this.#place();
        if (compare && !this.#second) this.#bindSecond();
        this.#giveSecond();
        this.#isStale = true;
        if (this.drives) this.weigh();
        else this.keys.release();
    }

    dispose() {
        this.keys.release();
        this.unbindSecond();
        this.animator?.dispose();
        this.document.graph?.dispose();
        this.animator = this.#played = null;
        this.drives = false;
    }

    // ---- Time ----

    /** Advances the character while the graph drives it. Returns false if no pose changed. */
    update(step) {
        const { animator } = this;
        if (!isCharacter(animator)) return animator.update(step);
        if (step === 0 && !this.#isStale && !this.stage.solving?.reach.isActive) return false; // a character would do all of its work
        this.#isStale = false;
        windOf(this.stage.springs, this.#wind);
        for (const one of this.#animators) if (isCharacter(one)) one.setWind(this.#wind);
        animator.update(step);
        this.#place();
        return true;
    }

    // Only root warps move a character.
    #place() {
        const { world } = this.#character, mover = this.drives && isCharacter(this.animator) ? this.animator : null;
        if (mover) world.set(matrixOf(mover.world()));
        else if (this.#moves) world.set(IDENTITY);
        this.#moves = mover !== null;
    }

    /** Resets feet and springs to rest, after a seek. */
    rest() {
        for (const animator of this.#animators) if (isCharacter(animator)) animator.teleport({});
        this.#isStale = true;
    }

    // ---- The rig ----

    /** The active rig's steps; [] without one. */
    get steps() {
        return this.animator?.graph.steps ?? [];
    }

    /** Whether a step replaces the file's springs. */
    get swings() {
        return this.drives && this.steps.some(({ kind }) => kind === 'springs');
    }

    /** How much the step of this name applied in the last update, 0 to 1. */
    weightOf(step) {
        return isCharacter(this.animator) ? this.animator.stepWeight(step) : 0;
    }

    isOff(step) {
        return this.#off.has(step);
    }

    /** Switches a step on or off until the page is closed. Doesn't change the text. */
    switchStep(name, isOn) {
        if (isOn) this.#off.delete(name);
        else this.#off.add(name);
        this.#passSwitches();
        this.stage.noteGraph();
    }

    #passSwitches() {
        for (const animator of this.#animators) {
            animator.graph.steps.forEach(({ name }, i) => {
                if (animator.graph.findParameter(this.#switches[i])) animator.set(this.#switches[i], !this.#off.has(name));
            });
        }
        this.#isStale = true;
    }

    // ---- The second character ----

    // A compared character plays the same graph with its own kind of transition. If the graph doesn't fit, it plays
    // clips.
    #bindSecond() {
        const { compare } = this.stage;
        if (!compare || !this.animator || this.#played !== this.document.graph) return;
        const before = this.#second?.compare === compare ? this.#second.animator : null;
        try {
            this.#second = { compare, animator: this.#play(compare.asset, withKind(this.#text, compare.kind), before) };
            this.#pass();
            this.#giveSecond();
        } catch {
            this.unbindSecond();
        }
    }

    #giveSecond() {
        const { compare } = this.stage;
        if (compare) compare.mixer = this.drives && this.#second ? this.#second.animator.mixer : compare.clipMixer;
    }

    /** Call after the compared character's kind of transition changed, or before it's disposed. */
    changeSecond() {
        this.#bindSecond();
    }

    unbindSecond() {
        if (!this.#second) return;
        this.#second.animator.dispose();
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
        this.#passSwitches();
    }

    set(name, value) {
        this.#values.set(name, value);
        for (const animator of this.#animators) setIn(animator, animator.graph.findParameter(name), value);
        this.#isStale = true;
        this.stage.noteGraph();
    }

    fire(name) {
        for (const animator of this.#animators) animator.fire(name);
        this.#isStale = true;
    }

    setDefaults() {
        this.#values.clear();
        this.#pass();
        this.stage.noteGraph();
    }

    // ---- States ----

    forceState(path) {
        for (const animator of this.#animators) animator.forceState(path);
        this.#isStale = true;
    }

    isActive(path) {
        return this.animator?.graph.findState(path) ? this.animator.isActive(path) : false;
    }

    /** Enters each layer's entry state, and puts a character at the origin. */
    restart() {
        const { graph: { layers, machines, states } = { layers: [] } } = this.animator ?? {};
        for (const { machine } of layers) this.forceState(states[machines[machine].entry].path);
        for (const animator of this.#animators) if (isCharacter(animator)) animator.teleport(ORIGIN);
    }

    get shownAction() {
        return this.animator.graph.layers.length > 0 ? this.animator.action(BASE) : this.#clip;
    }

    // ---- Weights ----

    // An action's clips and their weights in it.
    #clipsOf(action) {
        if (!(action.space instanceof BlendSpace)) return [{ clip: action.clip, weight: 1 }];
        const { space, x, y } = action;
        return space.weights(x, y).map(({ sample, weight }) => ({ clip: space.samples[sample].clip, weight }));
    }

    /** Measures the weights of the base's clips, once per frame. */
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

    /** How much layers above the base affect a node. It isn't known for graphs. */
    coverOf(_node) {
        return 0;
    }

    // ---- Saving ----

    save() {
        const { name, document: { text }, wanted, animator, savedText } = this;
        return { name, text, savedText, drives: wanted, parameters: Object.fromEntries(this.#values), off: [...this.#off],
            states: animator ? animator.graph.layers.map((_, layer) => animator.state(layer)) : [] };
    }

    /** Restores what save() returned. Missing values stay unchanged. */
    restore({ text, savedText, drives, parameters, off, states }) {
        if (Array.isArray(off)) this.#off = new Set(off);
        if (typeof savedText === 'string') this.savedText = savedText;
        if (text !== this.document.text) this.document.setText(text);
        if (parameters && typeof parameters === 'object') this.#values = new Map(Object.entries(parameters));
        this.#pass();
        for (const path of Array.isArray(states) ? states : []) {
            if (!this.animator?.graph.findState(path)) continue;
            for (const one of this.#animators) one.forceState(path, { duration: 0 });
        }
        this.stage.driveByGraph(drives !== false);
    }
}
