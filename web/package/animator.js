// SPDX-License-Identifier: MIT
// Animators play a graph for one character. An animator drives a mixer. You can update, batch, save and foot-lock
// that mixer like any other.
import { setTransition } from './action.js';
import { Binding } from './binding.js';
import { GRAPH_EVENTS, MAX_GRAPH_EVENTS } from './constants.js';
import {
    $actionOf, $actions, $address, $binding, $freeIfUnused, $layers, $listeners, $module, $moveTo, $parameters,
    $readEvents, $rig, $states, $tags, $users,
} from './internal.js';
import { Listeners } from './listeners.js';
import { Mixer } from './mixer.js';
import { View, toFloat, toIndex, toSeconds } from './module.js';

const LAYERS = 4; // the most that a mixer has
const INT_MIN = -0x80000000, INT_MAX = 0x7fffffff;
const NEW_VERSION = 0.2; // seconds

function listOf(names) {
    return [...names].map((name) => `'${name}'`).join(', ') || 'none';
}

const isFloat = (value) => typeof value === 'number' && Number.isFinite(Math.fround(value));

// Checks numbers that the module takes as floats. Joins names only on failure, so a frame that sets them makes no
// garbage.
function checkFloats(value, count, name, part = '') {
    if (value?.length !== count) throw new TypeError(`${name}${part} must be ${count} numbers, not ${String(value)}`);
    for (let i = 0; i < count; i++) if (!isFloat(value[i])) toFloat(value[i], name + part);
}

function checkTransform(value, name) {
    if (!value?.position || !value.rotation) throw new TypeError(`${name} must be { position, rotation }, not ${String(value)}`);
    checkFloats(value.position, 3, name, ': position');
    checkFloats(value.rotation, 4, name, ': rotation');
}

function copyNumbers(to, numbers, first, count) {
    for (let i = 0; i < count; i++) to[i] = numbers[first + i];
    return to;
}

const isZero = (numbers, first, count) => (count === 0 || (numbers[first] === 0 && isZero(numbers, first + 1, count - 1)));

export class Animator {
    [$binding];
    /** @type {any | null} */
    [$rig];
    [$listeners];
    #exports;
    #address;
    #events;

    /**
      * `rig` is a character's rig, or null.
     * @param {any} asset
     * @param {any} graph
     * @param {import('./index.js').MixerOptions} [options]
     * @param {any} [rig]
     */
    constructor(asset, graph, options = {}, rig = null) {
        const binding = rig ? rig[$binding] : Binding.of(asset, graph), { layers = LAYERS } = options;
        this.asset = asset;
        this.graph = graph;
        this[$binding] = binding;
        this[$rig] = rig;
        this[$listeners] = new Listeners(GRAPH_EVENTS);
        this.#exports = asset[$module].exports;
        try {
            this.mixer = new Mixer(asset, { ...options, layers: Math.max(layers, graph.layers.length) }, this);
        } catch (error) {
            binding[$freeIfUnused]();
            throw error;
        }
        this.#use(binding);
    }

    // Reads a new animator's addresses from the module, and makes the actions of its states.
    #use(binding) {
        const { mixer, asset } = this, { graph } = binding;
        this.graph = graph;
        this[$binding] = binding;
        binding[$users].add(this);
        this.#address = this.#exports.web_mixer_animator(mixer[$address]) >>> 0;
        this.#events = new View(asset[$module], this, Int32Array, this.#exports.web_animator_events(this.#address) >>> 0, 4 * MAX_GRAPH_EVENTS);
        binding.sources.forEach((source, i) => {
            if (source) mixer[$actionOf](source, graph.states[i].layer);
        });
    }

    setGraph(graph, { duration = NEW_VERSION } = {}) {
        toSeconds(duration, 'a duration');
        const { mixer, asset, [$binding]: old } = this.#live(), binding = Binding.of(asset, graph);
        const weights = mixer.layers.map(({ weight }) => weight);
        if (!this.#exports.web_mixer_set_graph(mixer[$address], binding[$address], duration)) {
            binding[$freeIfUnused]();
            throw asset[$module].error();
        }
        mixer[$moveTo](binding, weights);
        if (binding !== old) this.#leave(old);
        this.#use(binding);
        return this;
    }

    // Forgets the actions of a binding's clips and spaces, and frees the binding with its last animator.
    #leave(binding) {
        for (const { [$actions]: actions } of this.mixer.layers) {
            for (const source of [...actions.keys()]) if (binding.owns(source)) actions.delete(source);
        }
        binding.release(this);
    }

    #live() {
        if (this.disposed) throw new Error(`this ${this.constructor.name} is disposed`);
        return this;
    }

    update(deltaTime) {
        return this.#live().mixer.update(deltaTime);
    }

    // ---- Parameters ----

    #parameterOf(name) {
        const { [$parameters]: parameters } = this.#live().graph, parameter = parameters.get(name);
        if (parameter) return parameter;
        throw new Error(`this graph has no parameter '${name}': its parameters are ${listOf(parameters.keys())}`);
    }

    set(name, value, y) {
        const { type, index } = this.#parameterOf(name);
        if (type === 'float') {
            this.#exports.sinew_animator_set_float(this.#address, index, toFloat(value, name));
        } else if (type === 'vector2') {
            this.#exports.sinew_animator_set_vector2(this.#address, index, toFloat(value, name), toFloat(y, name));
        } else if (type === 'vector3') {
            checkFloats(value, 3, name);
            this.#exports.web_animator_set_vector3(this.#address, index, value[0], value[1], value[2]);
        } else if (type === 'transform') {
            this.#setTransform(name, index, value);
        } else if (type === 'trigger') {
            throw new TypeError(`${name} is a trigger: call fire('${name}')`);
        } else if (type === 'bool') {
            if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${String(value)}`);
            this.#exports.sinew_animator_set_bool(this.#address, index, Number(value));
        } else {
            if (!Number.isInteger(value)) throw new TypeError(`${name} must be an integer, not ${String(value)}`);
            this.#exports.sinew_animator_set_int(this.#address, index, Math.min(Math.max(value, INT_MIN), INT_MAX));
        }
        return this;
    }

    #setTransform(name, index, value) {
        checkTransform(value, name);
        const { numbers } = this.asset[$module], { position, rotation } = value;
        for (let i = 0; i < 3; i++) numbers[i] = position[i];
        for (let i = 0; i < 4; i++) numbers[3 + i] = rotation[i];
        if (isZero(numbers, 3, 4)) throw new RangeError(`${name}: rotation must be a quaternion x, y, z, w, not all zeros`);
        this.#exports.web_animator_set_transform(this.#address, index);
    }

    get(name, target = null) {
        const { type, index } = this.#parameterOf(name);
        if (type === 'float') return this.#exports.sinew_animator_float(this.#address, index);
        if (type === 'int') return this.#exports.sinew_animator_int(this.#address, index);
        if (type === 'bool') return this.#exports.sinew_animator_bool(this.#address, index) !== 0;
        if (type === 'trigger') return this.#exports.sinew_animator_trigger(this.#address, index) !== 0;
        const { numbers } = this.asset[$module];
        if (type === 'vector2') {
            this.#exports.web_animator_vector2(this.#address, index);
            return copyNumbers(target ?? new Float32Array(2), numbers, 0, 2);
        }
        if (type === 'vector3') {
            this.#exports.web_animator_vector3(this.#address, index);
            return copyNumbers(target ?? new Float32Array(3), numbers, 0, 3);
        }
        this.#exports.web_animator_transform(this.#address, index);
        const to = target ?? { position: new Float32Array(3), rotation: new Float32Array(4) };
        copyNumbers(to.position, numbers, 0, 3);
        copyNumbers(to.rotation, numbers, 3, 4);
        return to;
    }

    #triggerOf(name) {
        const parameter = this.#parameterOf(name);
        if (parameter.type === 'trigger') return parameter.index;
        throw new TypeError(`${name} is a ${parameter.type}, not a trigger: call set('${name}', value)`);
    }

    fire(name) {
        this.#exports.sinew_animator_fire(this.#live().#address, this.#triggerOf(name));
        return this;
    }

    cancel(name) {
        this.#exports.sinew_animator_cancel(this.#live().#address, this.#triggerOf(name));
        return this;
    }

    // ---- States ----

    // Returns a layer's index from its index or name.
    #layerOf(layer) {
        const { layers, [$layers]: byName } = this.#live().graph;
        if (typeof layer !== 'string') return toIndex(layer, layers.length, 'layer');
        const index = byName.get(layer);
        if (index !== undefined) return index;
        throw new Error(`this graph has no layer '${layer}': its layers are ${listOf(byName.keys())}`);
    }

    #stateOf(path) {
        const { [$states]: states } = this.#live().graph, state = states.get(path);
        if (state) return state;
        throw new Error(`this graph has no state '${path}': its states are ${listOf(states.keys())}`);
    }

    #leafOf(layer) {
        const index = this.#layerOf(layer);
        return this.graph.states[this.#exports.sinew_animator_state(this.#address, index)];
    }

    state(layer = 0) {
        return this.#leafOf(layer).path;
    }

    isActive(path) {
        const { index } = this.#stateOf(path);
        return this.#exports.sinew_animator_is_active(this.#address, index) !== 0;
    }

    hasTag(tag) {
        const { [$tags]: tags } = this.#live().graph, index = tags.get(tag);
        if (index === undefined) throw new Error(`this graph has no tag '${tag}': its tags are ${listOf(tags.keys())}`);
        return this.#exports.sinew_animator_has_tag(this.#address, index) !== 0;
    }

    elapsed(path) {
        const { index } = this.#stateOf(path);
        return this.#exports.sinew_animator_elapsed(this.#address, index);
    }

    transition(layer = 0) {
        const index = this.#layerOf(layer);
        return this.graph.transitions[this.#exports.sinew_animator_transition(this.#address, index)] ?? null;
    }

    progress(layer = 0) {
        const index = this.#layerOf(layer);
        return this.#exports.sinew_animator_progress(this.#address, index);
    }

    action(layer = 0) {
        const leaf = this.#leafOf(layer), source = this[$binding].sources[leaf.index];
        return source && this.mixer[$actionOf](source, leaf.layer);
    }

    forceState(path, transition) {
        const { index } = this.#stateOf(path);
        setTransition(this.#exports, transition);
        const first = this.#exports.web_animator_event_count(this.#address);
        this.#exports.web_animator_force_state(this.#address, index);
        if (this[$listeners].count > 0) this[$listeners].dispatch(this[$readEvents](first));
        return this;
    }

    adopt(other, { duration = NEW_VERSION } = {}) {
        if (!(other instanceof Animator)) throw new TypeError('adopt: the argument must be an Animator');
        toSeconds(duration, 'a duration');
        if (other.#live().asset !== this.#live().asset) throw new TypeError('adopt: both animators must have the same asset');
        if (other === this) throw new TypeError("adopt: an animator can't adopt itself");
        this.#exports.sinew_animator_adopt(this.#address, other.#address, duration);
        return this;
    }

    // ---- Events ----

    addEventListener(type, listener) {
        this[$listeners].add(type, listener);
    }

    removeEventListener(type, listener) {
        this[$listeners].remove(type, listener);
    }

    // The events of the last step and of states forced since then, from index `first`.
    [$readEvents](first) {
        const count = this.#exports.web_animator_event_count(this.#address) - first;
        return Array.from({ length: count }, (_, i) => this.#readEvent(first + i));
    }

    #readEvent(i) {
        const { graph } = this, { array } = this.#events;
        const type = GRAPH_EVENTS[array[4 * i]], layer = array[4 * i + 1], state = graph.states[array[4 * i + 2]].path;
        return { type, layer, state, transition: graph.transitions[array[4 * i + 3]] ?? null, target: this };
    }

    // ---- Snapshots ----

    save(snapshot) {
        return this.#live().mixer.save(snapshot);
    }

    restore(snapshot) {
        this.#live().mixer.restore(snapshot);
        return this;
    }

    get hash() {
        return BigInt.asUintN(64, this.#exports.sinew_animator_hash(this.#live().#address));
    }

    get disposed() {
        return this.mixer.disposed;
    }

    dispose() {
        this.mixer.dispose();
    }
}

/**
  * Makes the mixer to drive: a character's, an animator's if a graph is given, or a plain one.
 * @param {any} asset
 * @param {any} [options]
 */
export function makeMixer(asset, { graph = null, character = null, ...options } = {}) {
    if (character && character.asset !== asset) throw new TypeError('the character must have the same asset');
    if (character) return character.mixer;
    return graph ? new Animator(asset, graph, options).mixer : new Mixer(asset, options);
}
