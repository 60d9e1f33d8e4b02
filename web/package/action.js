// SPDX-License-Identifier: MIT
// Actions: a clip or a blend space that plays in a layer of a mixer.
import { toFloat, toIndex, toSeconds } from './module.js';

// The values of three.js's constants, which may be used as well.
export const LoopOnce = 2200;
export const LoopRepeat = 2201;
export const LoopPingPong = 2202;

const LOOPS = [LoopOnce, LoopRepeat, LoopPingPong]; // by sinew_loop
const TRANSITIONS = ['fade', 'inertialize', 'deadBlend']; // by sinew_transition_kind
const CURVES = { auto: 255, linear: 0, smoothstep: 1 }; // sinew_curve
const DURATION = 0.2; // seconds, of sinew_transition_default
const FOREVER = -1;
const MAX_LOOPS = 0x7fffffff;
const MAX_GROUPS = 256;
const TIME_AUTO = -1; // the start, or the end when the speed is negative
const NEVER = -1; // no time of the mixer

// The settings of the next play call, and those that the module does not have: `_enabled`, a delayed start and a warp
// of the speed. The module has the rest of the current state.
export const DEFAULTS = Object.freeze({
    _time: TIME_AUTO, _timeScale: 1, _weight: 1, _fade: 0, _loop: 1, _loopCount: FOREVER, _sync: 0, _x: 0, _y: 0,
    _enabled: true, _pausedBefore: false, _startTime: NEVER, _warpStart: NEVER, _warpEnd: NEVER, _warpFrom: 0, _warpTo: 0,
});

// Sets the transition of the next call.
export function setTransition(exports, { kind = 'fade', duration = DURATION, curve = 'auto', warp = false } = {}) {
    if (!TRANSITIONS.includes(kind)) throw new TypeError(`kind is one of ${TRANSITIONS.join(', ')}, not '${kind}'`);
    if (!Object.hasOwn(CURVES, curve)) throw new TypeError(`curve is one of ${Object.keys(CURVES).join(', ')}, not '${curve}'`);
    exports.web_transition(TRANSITIONS.indexOf(kind), toSeconds(duration, 'a duration'), CURVES[curve], warp);
}

// A layer plays each clip and each blend space once, so `_clip` and `_space`, one of which is 0, identify the action
// in the module: it may have been started by a queue or restored by a snapshot. All functions of the module accept 0
// for no action: they do nothing, and return 0.
export class Action {
    constructor(mixer, layer, source) {
        Object.assign(this, { mixer, layer, _playedIn: -1 }, DEFAULTS, source);
    }

    get _handle() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_find(_mixer, this.layer, this._clip, this._space);
    }

    // Sets the play settings of the next call.
    _setPlayDef(restart = false) {
        this.mixer._exports.web_play_def(this._time, this._timeScale, this._enabled ? this._weight : 0, this._fade, this.layer, this._sync,
            this._loop, this._loopCount, restart);
        this._time = TIME_AUTO;
        this._fade = 0;
    }

    // Starts the action by a function of the module: web_mixer_play or web_mixer_transition_to.
    _start(start, restart) {
        const wasActive = this.isActive();
        this._setPlayDef(restart);
        if (start(this.mixer._address, this._clip, this._space, this._x, this._y) === 0) {
            throw new Error('this mixer cannot play another action of this kind: all slots are in use');
        }
        if (!wasActive) this._playedIn = this.mixer._frame;
        if (!wasActive && !this._enabled) this._setPaused(true);
        return this;
    }

    _checkTransition() {
        if (!this._enabled) throw new Error('a disabled action cannot be the target of a transition: set its enabled');
        this._check();
    }

    _transitionTo(transition, { restart = false } = {}) {
        const { _exports } = this.mixer._live();
        this._checkTransition();
        setTransition(_exports, transition);
        return this._start(_exports.web_mixer_transition_to, restart);
    }

    play({ restart = false } = {}) {
        const { _exports } = this.mixer._live();
        this._check();
        if (this.isActive() && !this.isFinished() && !restart) return this;
        return this._start(_exports.web_mixer_play, restart);
    }

    // ---- Fading ----

    stop() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_stop(_mixer, this._handle);
        this._time = TIME_AUTO;
        this._fade = 0;
        return this._cancelTimed();
    }

    reset() {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_reset(_mixer, this._handle);
        this.enabled = true;
        this.paused = false;
        this._time = TIME_AUTO;
        return this._cancelTimed();
    }

    fadeIn(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer, _frame } = this.mixer._live();
        if (!this.isActive()) {
            this._fade = duration; // for the next play
            return this;
        }
        if (!this._enabled) return this;
        const isNew = this._playedIn === _frame; // started since the last update
        if (isNew) _exports.web_action_set_weight(_mixer, this._handle, 0);
        _exports.web_action_fade_to(_mixer, this._handle, this._weight, duration);
        return this;
    }

    fadeOut(duration) {
        toSeconds(duration, 'a duration');
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_fade_out(_mixer, this._handle, duration);
        return this;
    }

    // The weight is then `weight`, as in three.js.
    stopFading() {
        this._fade = 0;
        this.weight = this._weight;
        return this;
    }

    crossFadeTo(action, duration, warp = false) {
        this.mixer._own(action);
        if (warp) {
            if (action.layer !== this.layer) throw new TypeError('warp: both actions must be in the same layer');
            action._transitionTo({ duration, warp });
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

    // ---- Settings ----

    get weight() {
        return this._weight;
    }

    set weight(weight) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        const { _exports, _mixer } = this.mixer._live();
        if (this._enabled) _exports.web_action_set_weight(_mixer, this._handle, weight);
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

    // A disabled action has no weight, and its time is stopped.
    get enabled() {
        return this._enabled;
    }

    set enabled(enabled) {
        const { _exports, _mixer } = this.mixer._live();
        if (Boolean(enabled) === this._enabled) return;
        if (!enabled) this._pausedBefore = this.paused;
        this._enabled = Boolean(enabled);
        _exports.web_action_set_weight(_mixer, this._handle, enabled ? this._weight : 0);
        this._setPaused(!enabled || this._pausedBefore);
    }

    get timeScale() {
        return this._timeScale;
    }

    set timeScale(timeScale) {
        this._timeScale = toFloat(timeScale, 'a time scale');
        this.stopWarping();
    }

    _setSpeed(speed) {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_set_speed(_mixer, this._handle, speed);
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
        else this._time = within; // for the next play
    }

    get paused() {
        const { _exports, _mixer } = this.mixer._live();
        if (!this._enabled) return this._pausedBefore;
        return _exports.web_action_is_paused(_mixer, this._handle) !== 0;
    }

    set paused(paused) {
        if (this._enabled) this._setPaused(paused);
        else this._pausedBefore = Boolean(paused);
    }

    _setPaused(paused) {
        const { _exports, _mixer } = this.mixer._live();
        if (paused) _exports.web_action_pause(_mixer, this._handle);
        else _exports.web_action_resume(_mixer, this._handle);
    }

    get sync() {
        return this._sync;
    }

    set sync(group) {
        this._sync = toIndex(group, MAX_GROUPS, 'group');
    }

    syncWith(action) {
        this.mixer._own(action);
        this.time = action.time;
        this.timeScale = action.timeScale;
        return this;
    }

    // ---- Delayed starts and warps ----

    startAt(time) {
        if (this._sync > 0) throw new Error('startAt: an action of a sync group has the phase of the group');
        this._startTime = toSeconds(time, 'a start time');
        this.mixer._live()._timed.add(this);
        return this;
    }

    warp(startTimeScale, endTimeScale, duration) {
        const { time, _timed } = this.mixer._live();
        this._warpFrom = toFloat(startTimeScale, 'a time scale');
        this._warpTo = toFloat(endTimeScale, 'a time scale');
        this._warpStart = time;
        this._warpEnd = time + toSeconds(duration, 'a duration');
        _timed.add(this);
        return this;
    }

    stopWarping() {
        this._warpEnd = NEVER;
        this._setSpeed(this._timeScale);
        return this;
    }

    halt(duration) {
        return this.warp(this.getEffectiveTimeScale(), 0, duration);
    }

    _isTimed() {
        return this._startTime !== NEVER || this._warpEnd !== NEVER;
    }

    _cancelTimed() {
        if (!this._isTimed()) return this;
        this._startTime = NEVER;
        return this.stopWarping();
    }

    // The integral of the speed from the start of its warp to a time of the mixer.
    _warpedTo(time) {
        const length = this._warpEnd - this._warpStart, within = Math.min(time - this._warpStart, length);
        const change = length > 0 ? (this._warpTo - this._warpFrom) * within * within / (2 * length) : 0;
        return this._warpFrom * within + change + this._warpTo * (time - this._warpStart - within);
    }

    // Sets the speed at which the next step moves the action as far as its delayed start and its warp do.
    _beforeStep(time, step) {
        if (step === 0) return;
        const end = time + step, start = Math.min(Math.max(this._startTime, time), end);
        const moved = this._warpEnd === NEVER ? this._timeScale * (end - start)
            : this._warpedTo(end) - this._warpedTo(start);
        this._setSpeed(moved / step);
    }

    _afterStep(time) {
        if (this._startTime <= time) this._startTime = NEVER;
        if (this._startTime !== NEVER) return;
        if (this._warpEnd === NEVER) this._setSpeed(this._timeScale);
        else if (this._warpEnd <= time) this._endWarp();
        else {
            const part = (time - this._warpStart) / (this._warpEnd - this._warpStart);
            this._setSpeed(this._warpFrom + part * (this._warpTo - this._warpFrom));
        }
    }

    // An action that has halted is paused, with the time scale that it had before.
    _endWarp() {
        if (this._warpTo === 0) this.paused = true;
        else this._timeScale = this._warpTo;
        this.stopWarping();
    }

    // ---- State ----

    getClip() {
        return this.clip;
    }

    isActive() {
        return this._handle !== 0;
    }

    get loopsDone() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_loops_done(_mixer, this._handle);
    }

    isFinished() {
        const { _exports, _mixer } = this.mixer._live();
        return _exports.web_action_is_finished(_mixer, this._handle) !== 0;
    }

    isRunning() {
        return this.isActive() && this._enabled && this._startTime === NEVER && !this.paused && !this.isFinished()
            && this.getEffectiveTimeScale() !== 0;
    }
}

// ---- Clips ------------------------------------------------------------------------------------------------------

export class ClipAction extends Action {
    constructor(mixer, layer, clip) {
        super(mixer, layer, { clip, _clip: clip._address, _space: 0, _longest: clip.duration });
    }

    // An additive layer plays additive clips only, and no other layer plays them. The additive clips of a graph end with it.
    _check() {
        if (this.mixer._clipAt(this._clip) !== this.clip) throw new Error(`the clip '${this.clip.name}' belonged to an earlier graph`);
        const { mode } = this.mixer.layers[this.layer];
        if (this.clip.additive === (mode === 'additive')) return;
        throw new Error(this.clip.additive ? `an additive clip needs a layer of mode 'additive', not '${mode}'`
            : 'a layer of mode \'additive\' plays only clips of makeAdditive');
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
        this._loopCount = repetitions > MAX_LOOPS ? FOREVER : Math.floor(repetitions);
        _exports.web_action_set_loop(_mixer, this._handle, this._loop, this._loopCount);
        return this;
    }

    setDuration(duration) {
        if (!(toSeconds(duration, 'a duration') > 0)) throw new RangeError('a duration must be more than 0 seconds');
        this.timeScale = this.clip.duration / duration;
        return this;
    }

    // ---- Queues ----

    queue(action, transition) {
        const { _exports, _mixer } = this.mixer._live();
        this.mixer._own(action);
        if (!this.isActive()) throw new Error('an action must be active to queue another: play it first');
        action._checkTransition();
        setTransition(_exports, transition);
        action._setPlayDef();
        _exports.web_action_queue(_mixer, this._handle, action._clip, action._space, action._x, action._y);
        return this;
    }

    queueFadeOut(duration = DURATION) {
        const { _exports, _mixer } = this.mixer._live();
        _exports.web_action_queue_fade_out(_mixer, this._handle, toSeconds(duration, 'a duration'));
        return this;
    }

    queuePrevious(transition) {
        const { _exports, _mixer } = this.mixer._live();
        setTransition(_exports, transition);
        return _exports.web_action_queue_previous(_mixer, this._handle) !== 0;
    }
}

// ---- Blend spaces -----------------------------------------------------------------------------------------------

export class BlendSpaceAction extends Action {
    constructor(mixer, layer, space) {
        const longest = Math.max(...space.samples.map(({ clip }) => clip.duration));
        super(mixer, layer, { space, _clip: 0, _space: space._address, _longest: longest });
    }

    _check() {
        if (this.mixer.layers[this.layer].mode !== 'override') {
            throw new Error('a layer of mode \'additive\' plays only clips of makeAdditive, not blend spaces');
        }
        this.space._live();
    }

    play({ x = this._x, y = this._y, restart = false } = {}) {
        this.mixer._live();
        this._check();
        this.setParameter(x, y);
        return super.play({ restart });
    }

    setParameter(x, y = 0) {
        const { _exports, _mixer } = this.mixer._live();
        this._x = toFloat(x, 'x');
        this._y = toFloat(y, 'y');
        _exports.web_action_set_parameter(_mixer, this._handle, x, y);
        return this;
    }

    get clip() {
        const { _exports, _mixer } = this.mixer._live();
        return this.mixer._clipAt(_exports.web_action_clip(_mixer, this._handle) >>> 0);
    }

    // The damped parameter; 0 while the action is not active.
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
