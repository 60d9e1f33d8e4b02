// What a mixer plays: a clip or a blend space, in one of its layers.
import { toFloat, toIndex, toSeconds } from './module.js';

// The numbers that three.js has for them, so that its constants may be used as well.
export const LoopOnce = 2200;
export const LoopRepeat = 2201;
export const LoopPingPong = 2202;

const LOOPS = [LoopOnce, LoopRepeat, LoopPingPong]; // by sinew_loop
const TRANSITIONS = ['fade', 'inertialize', 'deadBlend']; // by sinew_transition_kind
const FOREVER = -1;
const MOST_LOOPS = 0x7fffffff;
const MOST_GROUPS = 256;
const TIME_AUTO = -1; // the start, or the end when the speed is negative

// How an action is to be played, when it is played next; the module knows how it plays.
export const DEFAULTS = Object.freeze({
    _time: TIME_AUTO, _timeScale: 1, _weight: 1, _fade: 0, _loop: 1, _loopCount: FOREVER, _sync: 0, _x: 0, _y: 0,
});

// Says how the next transition is to go.
export function sayTransition(exports, duration, { kind = 'fade', warp = false }) {
    if (!TRANSITIONS.includes(kind)) throw new TypeError(`kind is one of ${TRANSITIONS.join(', ')}, not '${kind}'`);
    exports.web_transition(TRANSITIONS.indexOf(kind), toSeconds(duration, 'a duration'), warp);
}

// A clip or a blend space plays once in a layer, so the module finds its handle by them, whoever started it; 0 is none.
// The module answers 0 to what it is asked about that, and does nothing to it.
export class Action {
    constructor(mixer, layer) {
        Object.assign(this, { mixer, layer, _playedIn: -1 }, DEFAULTS);
    }

    get _handle() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_find(_mixer, this.layer, this._clip, this._space);
    }

    // Says how it is to be played.
    _say() {
        this.mixer._exports.web_play_def(this._time, this._timeScale, this._weight, this._fade, this.layer, this._sync,
            this._loop, this._loopCount);
        this._time = TIME_AUTO;
        this._fade = 0;
    }

    // Lets the module start it, by a transition or not.
    _begin(changes) {
        const wasActive = this.isActive();
        this._say();
        if (this._start(changes) === 0) throw new Error('this mixer has no room for another action of that kind');
        if (!wasActive) this._playedIn = this.mixer._frame;
        return this;
    }

    _changeTo(duration, how) {
        sayTransition(this.mixer._live()._exports, duration, how);
        return this._begin(true);
    }

    // ---- Fading ----

    stop() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_stop(_mixer, this._handle);
        this._time = TIME_AUTO;
        this._fade = 0;
        return this;
    }

    reset() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_reset(_mixer, this._handle);
        _exports.web_action_resume(_mixer, this._handle);
        this._time = TIME_AUTO;
        return this;
    }

    fadeIn(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer, _frame } = this.mixer._live();
        if (!this.isActive()) {
            this._fade = duration; // once it is played
            return this;
        }
        const isUnseen = this._playedIn === _frame; // played since the last update
        if (isUnseen) _exports.web_action_set_weight(_mixer, this._handle, 0);
        _exports.web_action_fade_to(_mixer, this._handle, this._weight, duration);
        return this;
    }

    fadeOut(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_fade_out(_mixer, this._handle, duration);
        return this;
    }

    crossFadeTo(action, duration, warp = false) {
        this.mixer._own(action);
        if (warp) {
            if (action.layer !== this.layer) throw new TypeError('only actions of one layer can be warped');
            action._changeTo(duration, { warp });
            return this;
        }
        this.fadeOut(duration);
        action.fadeIn(duration);
        if (!action.isActive()) action.play();
        return this;
    }

    crossFadeFrom(action, duration, warp = false) {
        this.mixer._own(action).crossFadeTo(this, duration, warp);
        return this;
    }

    // ---- How it plays ----

    get weight() {
        return this._weight;
    }

    set weight(weight) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_set_weight(_mixer, this._handle, weight);
        this._weight = weight;
    }

    setEffectiveWeight(weight) {
        this.weight = weight;
        return this;
    }

    getEffectiveWeight() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_weight(_mixer, this._handle);
    }

    get timeScale() {
        return this._timeScale;
    }

    set timeScale(timeScale) {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_set_speed(_mixer, this._handle, toFloat(timeScale, 'a time scale'));
        this._timeScale = timeScale;
    }

    setEffectiveTimeScale(timeScale) {
        this.timeScale = timeScale;
        return this;
    }

    getEffectiveTimeScale() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_speed(_mixer, this._handle);
    }

    get time() {
        const { _exports, _mixer } = this.mixer._live();
        return this.isActive() ? _exports.web_action_time(_mixer, this._handle) : Math.max(this._time, 0);
    }

    set time(time) {
        const { _exports, _mixer } = this.mixer._live();
        const within = Math.min(Math.max(toFloat(time, 'a time'), 0), this._longest);
        if (this.isActive()) _exports.web_action_set_time(_mixer, this._handle, within);
        else this._time = within; // once it is played
    }

    get paused() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_is_paused(_mixer, this._handle) !== 0;
    }

    set paused(paused) {
        const { _exports, _mixer } = this.mixer._live();
        if (paused) _exports.web_action_pause(_mixer, this._handle);
        else _exports.web_action_resume(_mixer, this._handle);
    }

    get sync() {
        return this._sync;
    }

    set sync(group) {
        this._sync = toIndex(group, MOST_GROUPS, 'group');
    }

    // ---- How it is ----

    isActive() {
        return this._handle !== 0;
    }

    isFinished() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_is_finished(_mixer, this._handle) !== 0;
    }

    isRunning() {
        return this.isActive() && !this.paused && !this.isFinished() && this.getEffectiveTimeScale() !== 0;
    }
}

// ---- Clips ------------------------------------------------------------------------------------------------------

export class ClipAction extends Action {
    constructor(mixer, layer, clip) {
        super(mixer, layer);
        Object.assign(this, { clip, _clip: clip._address, _space: 0, _longest: clip.duration });
    }

    // Differences are for layers that add, and nothing else is.
    _check() {
        const { mode } = this.mixer._live().layers[this.layer];
        if (this.clip.additive === (mode === 'additive')) return;
        throw new Error(this.clip.additive ? `an additive clip is for layers of mode 'additive', not '${mode}'`
            : 'a layer of mode \'additive\' is for what makeAdditive gives');
    }

    _start(changes) {
        const { _exports, _address } = this.mixer;
        return changes ? _exports.web_mixer_transition_to(_address, this._clip)
            : _exports.web_mixer_play(_address, this._clip);
    }

    _changeTo(duration, how) {
        this._check();
        return super._changeTo(duration, how);
    }

    play() {
        this._check();
        return this.isActive() && !this.isFinished() ? this : this._begin(false);
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
        _exports.web_action_set_loop(_mixer, this._handle, this._loop, this._loopCount);
        return this;
    }

    // ---- Chains ----

    thenPlay(action, duration = 0.2, how = {}) {
        const { _exports, _address } = this.mixer._live();
        this.mixer._own(action);
        if (!this.isActive()) throw new Error('play an action before you say what is to follow it');
        action._check();
        sayTransition(_exports, duration, how);
        action._say();
        if (action instanceof ClipAction) {
            _exports.web_action_then_play(_address, this._handle, action._clip);
        } else {
            _exports.web_action_then_play_space(_address, this._handle, action._space, action._x, action._y);
        }
        return this;
    }

    thenFadeOut(duration = 0.2) {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_then_fade_out(_mixer, this._handle, toSeconds(duration, 'a duration'));
        return this;
    }

    thenReturn(duration = 0.2, how = {}) {
        const { _exports, _address } = this.mixer._live();
        sayTransition(_exports, duration, how);
        return _exports.web_action_then_return(_address, this._handle) !== 0;
    }
}

// ---- Blend spaces -----------------------------------------------------------------------------------------------

export class SpaceAction extends Action {
    constructor(mixer, layer, space) {
        super(mixer, layer);
        const longest = Math.max(...space.samples.map(({ clip }) => clip.duration));
        Object.assign(this, { space, _clip: 0, _space: space._address, _longest: longest });
    }

    _start(changes) {
        const { _exports, _address } = this.mixer;
        return _exports.web_mixer_play_space(_address, this._space, this._x, this._y, changes);
    }

    _check() {
        if (this.mixer._live().layers[this.layer].mode !== 'override') {
            throw new Error('a layer of mode \'additive\' is for what makeAdditive gives, and for no blend space');
        }
        this.space._live();
    }

    _changeTo(duration, how) {
        this._check();
        return super._changeTo(duration, how);
    }

    play(x = this._x, y = this._y) {
        this._check();
        this.setParameter(x, y);
        return this.isActive() ? this : this._begin(false);
    }

    setParameter(x, y = 0) {
        const { _exports, _mixer } = this.mixer._live();
        this._x = toFloat(x, 'x');
        this._y = toFloat(y, 'y');
        _exports.web_action_set_parameter(_mixer, this._handle, x, y);
        return this;
    }

    get clip() {
        const { _exports, _mixer, asset } = this.mixer._live();
        return asset._clips.get(_exports.web_action_clip(_mixer, this._handle) >>> 0) ?? null;
    }

    // Where the parameter is, on its way to where it was set; 0 where it does not play.
    _parameter(axis) {
        const { _exports, _mixer, asset } = this.mixer._live();
        _exports.web_action_parameter(_mixer, this._handle);
        return asset._module.numbers[axis];
    }

    get x() {
        return this._parameter(0);
    }

    get y() {
        return this._parameter(1);
    }
}
