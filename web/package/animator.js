// SPDX-License-Identifier: MIT
// Animators: the playback of a graph by one character. An animator drives a mixer, which is updated, batched, saved and
// locked to the ground as any other.
import { setTransition } from './action.js';
import { Binding } from './graph.js';
import { Listeners } from './listeners.js';
import { Mixer } from './mixer.js';
import { View, toFloat, toIndex, toSeconds } from './module.js';

const EVENTS = ['stateEntered', 'stateLeft', 'transitionStarted', 'transitionEnded', 'cycle']; // by sinew_graph_event_type
const MAX_EVENTS = 64; // MAX_GRAPH_EVENTS of playing.c
const LAYERS = 4; // of a mixer
const INT_MIN = -0x80000000, INT_MAX = 0x7fffffff;
const NEW_VERSION = 0.2; // seconds

function listOf(names) {
    return [...names].map((name) => `'${name}'`).join(', ') || 'none';
}

export class Animator {
    constructor(asset, graph, options = {}) {
        const binding = Binding.of(asset, graph), { layers = LAYERS } = options;
        Object.assign(this, { asset, graph, _binding: binding, _listeners: new Listeners(EVENTS), _exports: asset._module.exports });
        try {
            this.mixer = new Mixer(asset, { ...options, layers: Math.max(layers, graph.layers.length) }, this);
        } catch (error) {
            binding._freeIfUnused();
            throw error;
        }
        this._use(binding);
    }

    // Reads the addresses of a new animator in the module, and makes the actions of its states.
    _use(binding) {
        const { _exports, mixer, asset } = this, { graph } = binding;
        Object.assign(this, { graph, _binding: binding });
        binding._users.add(this);
        this._address = _exports.web_mixer_animator(mixer._address) >>> 0;
        this._events = new View(asset._module, this, Int32Array, _exports.web_animator_events(this._address) >>> 0, 4 * MAX_EVENTS);
        binding.sources.forEach((source, i) => {
            if (source) mixer._actionOf(source, graph.states[i].layer);
        });
    }

    setGraph(graph, { duration = NEW_VERSION } = {}) {
        toSeconds(duration, 'a duration');
        const { mixer, asset, _binding: old, _exports } = this._live(), binding = Binding.of(asset, graph);
        const weights = mixer.layers.map(({ weight }) => weight);
        if (!_exports.web_mixer_set_graph(mixer._address, binding._address, duration)) {
            binding._freeIfUnused();
            throw asset._module.error();
        }
        mixer._moveTo(binding, weights);
        if (binding !== old) this._leave(old);
        this._use(binding);
        return this;
    }

    // Forgets the actions of what a binding owns, and frees it with its last animator.
    _leave(binding) {
        for (const { _actions } of this.mixer.layers) {
            for (const source of [..._actions.keys()]) if (binding.owns(source)) _actions.delete(source);
        }
        binding.release(this);
    }

    _live() {
        if (this.disposed) throw new Error('this Animator is disposed');
        return this;
    }

    update(deltaTime) {
        return this._live().mixer.update(deltaTime);
    }

    // ---- Parameters ----

    _parameterOf(name) {
        const { _parameters } = this._live().graph, parameter = _parameters.get(name);
        if (parameter) return parameter;
        throw new Error(`this graph has no parameter '${name}': its parameters are ${listOf(_parameters.keys())}`);
    }

    set(name, value, y) {
        const { type, index } = this._parameterOf(name), { _exports, _address } = this;
        if (type === 'float') {
            _exports.sinew_animator_set_float(_address, index, toFloat(value, name));
        } else if (type === 'vector2') {
            _exports.sinew_animator_set_vector2(_address, index, toFloat(value, name), toFloat(y, name));
        } else if (type === 'trigger') {
            throw new TypeError(`${name} is a trigger: call fire('${name}')`);
        } else if (type === 'bool') {
            if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, not ${String(value)}`);
            _exports.sinew_animator_set_bool(_address, index, Number(value));
        } else {
            if (!Number.isInteger(value)) throw new TypeError(`${name} must be an integer, not ${String(value)}`);
            _exports.sinew_animator_set_int(_address, index, Math.min(Math.max(value, INT_MIN), INT_MAX));
        }
        return this;
    }

    get(name, target = null) {
        const { type, index } = this._parameterOf(name), { _exports, _address } = this;
        if (type === 'float') return _exports.sinew_animator_float(_address, index);
        if (type === 'int') return _exports.sinew_animator_int(_address, index);
        if (type === 'bool') return _exports.sinew_animator_bool(_address, index) !== 0;
        if (type === 'trigger') return _exports.sinew_animator_trigger(_address, index) !== 0;
        _exports.web_animator_vector2(_address, index);
        const { numbers } = this.asset._module, to = target ?? new Float32Array(2);
        to[0] = numbers[0];
        to[1] = numbers[1];
        return to;
    }

    _triggerOf(name) {
        const parameter = this._parameterOf(name);
        if (parameter.type === 'trigger') return parameter.index;
        throw new TypeError(`${name} is a ${parameter.type}, not a trigger: call set('${name}', value)`);
    }

    fire(name) {
        this._exports.sinew_animator_fire(this._live()._address, this._triggerOf(name));
        return this;
    }

    cancel(name) {
        this._exports.sinew_animator_cancel(this._live()._address, this._triggerOf(name));
        return this;
    }

    // ---- States ----

    // The index of a layer of the graph that is given by index or name.
    _layerOf(layer) {
        const { layers, _layers } = this._live().graph;
        if (typeof layer !== 'string') return toIndex(layer, layers.length, 'layer');
        const index = _layers.get(layer);
        if (index !== undefined) return index;
        throw new Error(`this graph has no layer '${layer}': its layers are ${listOf(_layers.keys())}`);
    }

    _stateOf(path) {
        const { _states } = this._live().graph, state = _states.get(path);
        if (state) return state;
        throw new Error(`this graph has no state '${path}': its states are ${listOf(_states.keys())}`);
    }

    _leafOf(layer) {
        const index = this._layerOf(layer);
        return this.graph.states[this._exports.sinew_animator_state(this._address, index)];
    }

    state(layer = 0) {
        return this._leafOf(layer).path;
    }

    isActive(path) {
        const { index } = this._stateOf(path);
        return this._exports.sinew_animator_is_active(this._address, index) !== 0;
    }

    hasTag(tag) {
        const { _tags } = this._live().graph, index = _tags.get(tag);
        if (index === undefined) throw new Error(`this graph has no tag '${tag}': its tags are ${listOf(_tags.keys())}`);
        return this._exports.sinew_animator_has_tag(this._address, index) !== 0;
    }

    elapsed(path) {
        const { index } = this._stateOf(path);
        return this._exports.sinew_animator_elapsed(this._address, index);
    }

    transition(layer = 0) {
        const index = this._layerOf(layer);
        return this.graph.transitions[this._exports.sinew_animator_transition(this._address, index)] ?? null;
    }

    progress(layer = 0) {
        const index = this._layerOf(layer);
        return this._exports.sinew_animator_progress(this._address, index);
    }

    action(layer = 0) {
        const leaf = this._leafOf(layer), source = this._binding.sources[leaf.index];
        return source && this.mixer._actionOf(source, leaf.layer);
    }

    forceState(path, transition) {
        const { index } = this._stateOf(path), { _exports, _address } = this;
        setTransition(_exports, transition);
        const first = _exports.web_animator_event_count(_address);
        _exports.web_animator_force_state(_address, index);
        if (this._listeners.count > 0) this._listeners.dispatch(this._readEvents(first));
        return this;
    }

    adopt(other, { duration = NEW_VERSION } = {}) {
        if (!(other instanceof Animator)) throw new TypeError('an Animator is needed');
        toSeconds(duration, 'a duration');
        if (other._live().asset !== this._live().asset) throw new TypeError('adopt: both animators must be of one asset');
        if (other === this) throw new TypeError('adopt: another animator is needed');
        this._exports.sinew_animator_adopt(this._address, other._address, duration);
        return this;
    }

    // ---- Events ----

    addEventListener(type, listener) {
        this._listeners.add(type, listener);
    }

    removeEventListener(type, listener) {
        this._listeners.remove(type, listener);
    }

    // The events of the last step, and of the forced states since then, from an index on.
    _readEvents(first) {
        const count = this._exports.web_animator_event_count(this._address) - first;
        return Array.from({ length: count }, (_, i) => this._readEvent(first + i));
    }

    _readEvent(i) {
        const { graph, _events: { array } } = this;
        const type = EVENTS[array[4 * i]], layer = array[4 * i + 1], state = graph.states[array[4 * i + 2]].path;
        return { type, layer, state, transition: graph.transitions[array[4 * i + 3]] ?? null, target: this };
    }

    // ---- Snapshots ----

    save(snapshot) {
        return this._live().mixer.save(snapshot);
    }

    restore(snapshot) {
        this._live().mixer.restore(snapshot);
        return this;
    }

    get hash() {
        return BigInt.asUintN(64, this._exports.sinew_animator_hash(this._live()._address));
    }

    get disposed() {
        return this.mixer.disposed;
    }

    dispose() {
        this.mixer.dispose();
    }
}

// The mixer of a character: that of an animator where a graph is given.
export function makeMixer(asset, { graph = null, ...options } = {}) {
    return graph ? new Animator(asset, graph, options).mixer : new Mixer(asset, options);
}
