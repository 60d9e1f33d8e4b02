// Playing: a mixer for each character, an action for each clip that it plays.
import { View, toFloat, toSeconds } from './module.js';

// The numbers that three.js has for them, so that its constants may be used as well.
export const LoopOnce = 2200;
export const LoopRepeat = 2201;
export const LoopPingPong = 2202;

const LOOPS = [LoopOnce, LoopRepeat, LoopPingPong]; // by sinew_loop
const EVENTS = ['loop', 'finished', 'marker']; // by sinew_event_type
const TRANSITIONS = ['fade', 'inertialize', 'deadBlend']; // by sinew_transition_kind
const FOREVER = -1;
const MOST_LOOPS = 0x7fffffff;
const MAX_ACTIONS = 64;
const TIME_AUTO = -1; // the start, or the end when the speed is negative

// ---- Actions ----------------------------------------------------------------------------------------------------

// One clip on one mixer. The module's handle is of one playing: 0 before the first, and stale after each. The module
// answers 0 to what it is asked about such a handle, and does nothing to it.
class Action {
    constructor(mixer, clip) {
        Object.assign(this, { mixer, clip, _handle: 0, _playedIn: -1 });
        Object.assign(this, { _time: TIME_AUTO, _timeScale: 1, _weight: 1, _fade: 0, _loop: 1, _loopCount: FOREVER });
    }

    // Played since the last update: nobody has seen it yet.
    get _isUnseen() {
        return this.isActive() && this._playedIn === this.mixer._frame;
    }

    _started(handle) {
        if (!this.isActive() && handle !== this._handle) this._playedIn = this.mixer._frame;
        this._handle = handle;
        this._time = TIME_AUTO;
        this._fade = 0;
        return this;
    }

    // ---- Playing and fading ----

    play() {
        const { _exports, _address } = this.mixer._live();
        if (this.isActive() && !this.isFinished()) return this;
        return this._started(_exports.web_mixer_play(_address, this.clip.index, this._time, this._timeScale,
            this._weight, this._fade, this._loop, this._loopCount));
    }

    stop() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_action_stop(_mixer, this._handle);
        this._time = TIME_AUTO;
        this._fade = 0;
        return this;
    }

    reset() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_action_reset(_mixer, this._handle);
        _exports.sinew_action_resume(_mixer, this._handle);
        this._time = TIME_AUTO;
        return this;
    }

    fadeIn(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer } = this.mixer._live();
        if (!this.isActive()) {
            this._fade = duration; // once it is played
            return this;
        }
        if (this._isUnseen) _exports.sinew_action_set_weight(_mixer, this._handle, 0);
        _exports.sinew_action_fade_to(_mixer, this._handle, this._weight, duration);
        return this;
    }

    fadeOut(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_action_fade_out(_mixer, this._handle, duration);
        return this;
    }

    crossFadeTo(action, duration) {
        this.mixer._own(action);
        this.fadeOut(duration);
        action.fadeIn(duration);
        if (!action.isActive()) action.play();
        return this;
    }

    crossFadeFrom(action, duration) {
        this.mixer._own(action).crossFadeTo(this, duration);
        return this;
    }

    // ---- How it plays ----

    get weight() {
        return this._weight;
    }

    set weight(weight) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_action_set_weight(_mixer, this._handle, weight);
        this._weight = weight;
    }

    setEffectiveWeight(weight) {
        this.weight = weight;
        return this;
    }

    getEffectiveWeight() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_action_weight(_mixer, this._handle);
    }

    get timeScale() {
        return this._timeScale;
    }

    set timeScale(timeScale) {
        const { _exports, _mixer } = this.mixer._live();
        _exports.sinew_action_set_speed(_mixer, this._handle, toFloat(timeScale, 'a time scale'));
        this._timeScale = timeScale;
    }

    setEffectiveTimeScale(timeScale) {
        this.timeScale = timeScale;
        return this;
    }

    getEffectiveTimeScale() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_action_speed(_mixer, this._handle);
    }

    get time() {
        const { _exports, _mixer } = this.mixer._live();
        return this.isActive() ? _exports.sinew_action_time(_mixer, this._handle) : Math.max(this._time, 0);
    }

    set time(time) {
        const { _exports, _mixer } = this.mixer._live();
        const within = Math.min(Math.max(toFloat(time, 'a time'), 0), this.clip.duration);
        if (this.isActive()) _exports.sinew_action_set_time(_mixer, this._handle, within);
        else this._time = within; // once it is played
    }

    get paused() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_action_is_paused(_mixer, this._handle) !== 0;
    }

    set paused(paused) {
        const { _exports, _mixer } = this.mixer._live();
        if (paused) _exports.sinew_action_pause(_mixer, this._handle);
        else _exports.sinew_action_resume(_mixer, this._handle);
    }

    get loop() {
        return LOOPS[this._loop];
    }

    set loop(loop) {
        this.setLoop(loop, Infinity);
    }

    get repetitions() {
        return this._loopCount === FOREVER ? Infinity : this._loopCount;
    }

    setLoop(loop, repetitions = Infinity) {
        if (!LOOPS.includes(loop)) throw new TypeError('a loop is LoopOnce, LoopRepeat or LoopPingPong');
        if (!(repetitions >= 1)) throw new RangeError(`repetitions must be 1 or more, not ${repetitions}`);
        const { _exports, _mixer } = this.mixer._live();
        this._loop = LOOPS.indexOf(loop);
        this._loopCount = repetitions > MOST_LOOPS ? FOREVER : Math.floor(repetitions);
        _exports.sinew_action_set_loop(_mixer, this._handle, this._loop, this._loopCount);
        return this;
    }

    // ---- How it is ----

    isActive() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_action_is_active(_mixer, this._handle) !== 0;
    }

    isFinished() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.sinew_action_is_finished(_mixer, this._handle) !== 0;
    }

    isRunning() {
        return this.isActive() && !this.paused && !this.isFinished() && this.getEffectiveTimeScale() !== 0;
    }
}

// ---- Mixers -----------------------------------------------------------------------------------------------------

export class Mixer {
    constructor(asset, { maxActions = 16 } = {}) {
        if (asset.disposed) throw new Error('this Asset is disposed of');
        if (!Number.isInteger(maxActions) || maxActions < 1 || maxActions > MAX_ACTIONS) {
            throw new RangeError(`maxActions must be 1 to ${MAX_ACTIONS}, not ${maxActions}`);
        }
        const module = asset._module;
        const _exports = module.exports;
        const address = _exports.web_mixer_create(asset._address, maxActions) >>> 0;
        if (address === 0) throw module.error();
        Object.assign(this, { asset, _exports, _address: address, _frame: 0 });
        this._mixer = _exports.web_mixer_mixer(address);
        this._actions = asset.clips.map(() => null);
        this._listeners = new Map(EVENTS.map((type) => [type, new Set()]));
        this._listenerCount = 0;
        this._batches = new Set();
        this._makeViews(module);
        asset._users.add(this);
    }

    _makeViews(module) {
        const { _exports, asset } = this;
        const nodeCount = asset.nodes.length;
        const floats = (address, length) => new View(module, this, Float32Array, address >>> 0, length);
        this._matrices = floats(_exports.sinew_mixer_model_matrices(this._mixer), 12 * nodeCount);
        const weights = _exports.sinew_mixer_weights(this._mixer) >>> 0;
        this._weights = asset.nodes.map((node) => floats(weights + 4 * node.firstWeight, node.weightCount));
        this._planes = Array.from({ length: 10 }, (_, component) => (
            floats(_exports.web_mixer_plane(this._address, component), nodeCount)));
        let palette = _exports.web_mixer_palettes(this._address) >>> 0;
        this._palettes = asset.skins.map(({ jointCount }) => {
            const view = floats(palette, 12 * jointCount);
            palette += 48 * jointCount;
            return view;
        });
    }

    _live() {
        if (this.disposed) throw new Error('this Mixer is disposed of');
        return this;
    }

    _own(action) {
        if (action instanceof Action && action.mixer === this) return action;
        throw new TypeError('an action of this mixer is needed: what clipAction gives');
    }

    // ---- Playing ----

    clipAction(clip) {
        const found = typeof clip === 'string' ? this.asset.findClip(clip) : clip;
        if (!found || this.asset.clips[found.index] !== found) {
            const names = this.asset.clips.map(({ name }) => `'${name}'`).join(', ') || 'none';
            throw new Error(`there is no clip '${clip?.name ?? clip}' in this asset; its clips: ${names}`);
        }
        this._actions[found.index] ??= new Action(this, found);
        return this._actions[found.index];
    }

    crossFadeTo(action, duration, { kind = 'fade', warp = false } = {}) {
        const { _weight, _timeScale, _loop, _loopCount, clip } = this._own(action);
        if (!TRANSITIONS.includes(kind)) throw new TypeError(`kind is one of ${TRANSITIONS.join(', ')}, not '${kind}'`);
        toSeconds(duration, 'a duration');
        return action._started(this._live()._exports.web_mixer_transition_to(this._address, clip.index,
            TRANSITIONS.indexOf(kind), duration, warp, _timeScale, _weight, _loop, _loopCount));
    }

    stopAllAction() {
        this._live()._exports.sinew_mixer_stop_all(this._mixer);
        return this;
    }

    update(deltaTime) {
        toSeconds(deltaTime, 'a step');
        const changed = this._live()._exports.web_mixer_update(this._address, deltaTime) !== 0;
        this._updated();
        return changed;
    }

    _updated() {
        this._frame++;
        if (this._listenerCount > 0) this._tellEvents();
    }

    // ---- Events ----

    addEventListener(type, listener) {
        this._listenersOf(type).add(listener);
        this._countListeners();
    }

    removeEventListener(type, listener) {
        this._listenersOf(type).delete(listener);
        this._countListeners();
    }

    _listenersOf(type) {
        const listeners = this._listeners.get(type);
        if (!listeners) throw new TypeError(`an event is one of ${EVENTS.join(', ')}, not '${type}'`);
        return listeners;
    }

    _countListeners() {
        this._listenerCount = 0;
        for (const listeners of this._listeners.values()) this._listenerCount += listeners.size;
    }

    // All are read before anybody is told: a listener may play, update or dispose.
    _tellEvents() {
        const { _exports, _address, asset } = this;
        const events = [];
        for (let i = 0; i < _exports.web_mixer_event_count(_address); i++) {
            const type = EVENTS[_exports.web_mixer_event_type(_address, i)];
            const clip = asset.clips[_exports.web_mixer_event_clip(_address, i)];
            const marker = clip.markers[_exports.web_mixer_event_marker(_address, i)] ?? null;
            events.push({ type, action: this.clipAction(clip), marker, target: this });
        }
        for (const event of events) {
            for (const listener of [...this._listeners.get(event.type)]) listener(event);
        }
    }

    // ---- What comes out ----

    get modelMatrices() {
        return this._matrices.array;
    }

    palette(skin = 0) {
        return this._viewOf(this._palettes, skin, 'skin').array;
    }

    morphWeights(node) {
        return this._viewOf(this._weights, node, 'node').array;
    }

    _viewOf(views, index, what) {
        if (views[index]) return views[index];
        throw new RangeError(`there is no ${what} ${index} in this asset, which has ${views.length}`);
    }

    nodeMatrix(node, target = new Float32Array(16)) {
        this._viewOf(this._weights, node, 'node');
        const matrices = this._matrices.array;
        for (let i = 0; i < 12; i++) target[i % 4 * 4 + (i >> 2)] = matrices[12 * node + i];
        target[3] = target[7] = target[11] = 0;
        target[15] = 1;
        return target;
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const batch of [...this._batches]) batch.dispose();
        this._exports.web_mixer_destroy(this._address);
        this._address = 0;
        this.asset._users.delete(this);
    }
}

// ---- Batches ----------------------------------------------------------------------------------------------------

export class Batch {
    constructor(mixers) {
        const given = [...mixers];
        if (given.length === 0) throw new RangeError('a batch needs at least one mixer');
        const module = given[0].asset._module;
        for (const mixer of given) {
            if (mixer._live().asset._module !== module) throw new TypeError('the mixers of a batch are of one Sinew');
        }
        if (new Set(given).size !== given.length) throw new TypeError('a mixer can be in a batch only once');

        const addresses = new Uint8Array(Uint32Array.from(given, ({ _address }) => _address).buffer);
        const copy = module.copyIn(addresses);
        const address = module.exports.web_batch_create(copy, given.length) >>> 0;
        module.exports.free(copy);
        if (address === 0) throw module.error();
        Object.assign(this, { mixers: given, _module: module, _address: address });
        for (const mixer of given) mixer._batches.add(this);
    }

    update(deltaTime) {
        if (this.disposed) throw new Error('this Batch is disposed of, by itself or with one of its mixers');
        this._module.exports.web_batch_update(this._address, toSeconds(deltaTime, 'a step'));
        for (let i = 0; i < this.mixers.length; i++) this.mixers[i]._updated();
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const mixer of this.mixers) mixer._batches.delete(this);
        this._module.exports.web_batch_destroy(this._address);
        this._address = 0;
    }
}
