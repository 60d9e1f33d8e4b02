// SPDX-License-Identifier: MIT
// Actions: clips or blend spaces that play in a mixer's layer.
import {
    EASING_AUTO, EASING_LINEAR, EASING_SMOOTHSTEP, FOREVER, LOOP_KINDS, LOOP_REPEAT, TIME_AUTO, TRANSITION_KINDS,
} from './constants.js';
import {
    $address, $afterStep, $beforeStep, $check, $checkTransition, $clip, $clipAt, $direction, $exports, $forget, $frame, $handle, $isTimed,
    $live, $mixer, $module, $own, $setPlayDef, $settings, $space, $timed, $toStart, $transitionTo,
} from './internal.js';
import { toFloat, toIndex, toSeconds } from './module.js';

// three.js's constants, for pages that already use them.
export const LoopOnce = 2200;
export const LoopRepeat = 2201;
export const LoopPingPong = 2202;
export const NormalAnimationBlendMode = 2500;
export const AdditiveAnimationBlendMode = 2501;

const THREE_LOOPS = /** @type {const} */ ({ once: LoopOnce, repeat: LoopRepeat, pingPong: LoopPingPong });
const LOOPS = LOOP_KINDS.map((kind) => THREE_LOOPS[kind]);
const EASINGS = { auto: EASING_AUTO, linear: EASING_LINEAR, smoothstep: EASING_SMOOTHSTEP };
const DURATION = 0.2; // seconds, the default of sinew_transition_default
const MAX_LOOPS = 0x7fffffff;
const MAX_GROUPS = 256;
const NEVER = -1; // before any time of the mixer
const NO_SLOPES = "it has no effect on a glTF file's curves, also in three.js";

/**
 * @typedef {{ time: number, timeScale: number, weight: number, fade: number, loop: number, loopCount: number, sync: number,
 *     x: number, y: number, enabled: boolean, pausedBefore: boolean, startTime: number, warpStart: number, warpEnd: number,
 *     warpFrom: number, warpTo: number }} Settings
 */

// Settings for the next play call, and those that the module doesn't have: `enabled`, a delayed start and a warp of
// the speed. The module holds the rest of the current state.
/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
    time: TIME_AUTO, timeScale: 1, weight: 1, fade: 0, loop: LOOP_REPEAT, loopCount: FOREVER, sync: 0, x: 0, y: 0,
    enabled: true, pausedBefore: false, startTime: NEVER, warpStart: NEVER, warpEnd: NEVER, warpFrom: 0, warpTo: 0,
});

/**
  * Sets the transition for the next call.
 * @param {any} exports
 * @param {import('./index.js').Transition} [transition]
 */
export function setTransition(exports, { kind = 'fade', duration = DURATION, easing = 'auto', matchRate = false } = {}) {
    if (!TRANSITION_KINDS.includes(kind)) throw new TypeError(`kind must be one of ${TRANSITION_KINDS.join(', ')}, not '${kind}'`);
    if (!Object.hasOwn(EASINGS, easing)) throw new TypeError(`easing must be one of ${Object.keys(EASINGS).join(', ')}, not '${easing}'`);
    exports.web_transition(TRANSITION_KINDS.indexOf(kind), toSeconds(duration, 'a duration'), EASINGS[easing], matchRate);
}

// Throws if a page sets one of three.js's properties to a value other than the one it has here.
function checkFixed(name, value, fixed, advice) {
    if (value !== fixed) throw new Error(`${name} is always ${fixed}, not ${String(value)}: ${advice}`);
}

// A layer plays each clip and each blend space once. So the module identifies an action by the addresses of its clip
// and its space; one of them is 0. A queue or a snapshot may have started the action. All functions of the module
// accept 0 for no action: they do nothing and return 0.
export class Action {
    /** @type {Settings} */
    [$settings] = { ...DEFAULTS };
    [$clip];
    [$space];
    #longest;
    #playedIn = -1;

    // `clip` and `space` are addresses, and one of them is 0. `longest` is the duration of the clip, or of the
    // space's longest clip.
    constructor(mixer, layer, { clip = 0, space = 0, longest }) {
        this.mixer = mixer;
        this.layer = layer;
        this[$clip] = clip;
        this[$space] = space;
        this.#longest = longest;
    }

    get [$handle]() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return exports.web_action_find(mixer, this.layer, this[$clip], this[$space]);
    }

    // Passes the play settings for the next call to the module.
    [$setPlayDef](restart = false) {
        const settings = this[$settings], { time, timeScale, enabled, weight, fade, sync, loop, loopCount } = settings;
        this.mixer[$exports].web_play_def(time, timeScale, enabled ? weight : 0, fade, this.layer, sync, loop, loopCount, restart);
        settings.time = TIME_AUTO;
        settings.fade = 0;
    }

    // Starts the action through web_mixer_play or web_mixer_transition_to.
    #start(start, restart) {
        const wasActive = this.isActive();
        this[$setPlayDef](restart);
        if (start(this.mixer[$address], this[$clip], this[$space], this[$settings].x, this[$settings].y) === 0) {
            throw new Error('this mixer cannot play another action of this kind: all slots are in use');
        }
        if (!wasActive) this.#startNew();
        return this;
    }

    #startNew() {
        const settings = this[$settings];
        this.#playedIn = this.mixer[$frame];
        this.#setPaused(!settings.enabled || settings.pausedBefore);
        if (settings.enabled) settings.pausedBefore = false;
    }

    [$checkTransition]() {
        if (!this[$settings].enabled) throw new Error('a disabled action cannot be the target of a transition: set its enabled to true');
        this[$check]();
    }

    [$transitionTo](transition, { restart = false } = {}) {
        const { [$exports]: exports } = this.mixer[$live]();
        this[$checkTransition]();
        setTransition(exports, transition);
        return this.#start(exports.web_mixer_transition_to, restart);
    }

    play({ restart = false } = {}) {
        const { [$exports]: exports } = this.mixer[$live]();
        this[$check]();
        if (this.isActive() && !this.isFinished() && !restart) return this;
        return this.#start(exports.web_mixer_play, restart);
    }

    // ---- Fading ----

    stop() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_stop(mixer, this[$handle]);
        return this[$forget]();
    }

    // After a stop: the next play starts over.
    [$forget]() {
        const { time, fade, enabled, pausedBefore } = DEFAULTS;
        Object.assign(this[$settings], { time, fade, enabled, pausedBefore });
        return this.#cancelTimed();
    }

    reset() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_reset(mixer, this[$handle]);
        this.enabled = true;
        this.paused = false;
        this[$settings].time = TIME_AUTO;
        return this.#cancelTimed();
    }

    fadeIn(duration) {
        toSeconds(duration, 'a duration');
        const { [$exports]: exports, [$mixer]: mixer, [$frame]: frame } = this.mixer[$live]();
        if (!this.isActive()) {
            this[$settings].fade = duration; // for the next play
            return this;
        }
        if (!this[$settings].enabled) return this;
        const isNew = this.#playedIn === frame; // started since the last update
        if (isNew) exports.web_action_set_weight(mixer, this[$handle], 0);
        exports.web_action_fade_to(mixer, this[$handle], this[$settings].weight, duration);
        return this;
    }

    fadeOut(duration) {
        toSeconds(duration, 'a duration');
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_fade_out(mixer, this[$handle], duration);
        return this;
    }

    // Jumps to `weight`, like three.js.
    stopFading() {
        this[$settings].fade = 0;
        this.weight = this[$settings].weight;
        return this;
    }

    crossFadeTo(action, duration, warp = false) {
        this.mixer[$own](action);
        if (warp) {
            if (action.layer !== this.layer) throw new TypeError('warp: both actions must be in the same layer');
            action[$transitionTo]({ duration, matchRate: warp });
            return action;
        }
        this.fadeOut(duration);
        action.fadeIn(duration);
        if (!action.isActive()) action.play();
        return action;
    }

    crossFadeFrom(action, duration, warp = false) {
        return this.mixer[$own](action).crossFadeTo(this, duration, warp);
    }

    // ---- Settings ----

    get weight() {
        return this[$settings].weight;
    }

    set weight(weight) {
        if (toFloat(weight, 'a weight') < 0) throw new RangeError(`a weight must be 0 or more, not ${weight}`);
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        if (this[$settings].enabled) exports.web_action_set_weight(mixer, this[$handle], weight);
        this[$settings].weight = weight;
    }

    setEffectiveWeight(weight) {
        this.weight = weight;
        return this;
    }

    getEffectiveWeight() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return exports.web_action_weight(mixer, this[$handle]);
    }

    // A disabled action has no weight, and its time stands still.
    get enabled() {
        return this[$settings].enabled;
    }

    set enabled(enabled) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        if (Boolean(enabled) === this[$settings].enabled) return;
        if (!enabled) this[$settings].pausedBefore = this.paused;
        this[$settings].enabled = Boolean(enabled);
        exports.web_action_set_weight(mixer, this[$handle], enabled ? this[$settings].weight : 0);
        if (!this.isActive()) return;
        this.#setPaused(!enabled || this[$settings].pausedBefore);
        if (enabled) this[$settings].pausedBefore = false;
    }

    get timeScale() {
        return this[$settings].timeScale;
    }

    set timeScale(timeScale) {
        this[$settings].timeScale = toFloat(timeScale, 'a time scale');
        this.stopWarping();
    }

    #setSpeed(speed) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_set_speed(mixer, this[$handle], speed);
    }

    setEffectiveTimeScale(timeScale) {
        this.timeScale = timeScale;
        return this;
    }

    getEffectiveTimeScale() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return this.paused ? 0 : exports.web_action_speed(mixer, this[$handle]);
    }

    get time() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return this.isActive() ? exports.web_action_time(mixer, this[$handle]) : Math.max(this[$settings].time, 0);
    }

    set time(time) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        const within = Math.min(Math.max(toFloat(time, 'a time'), 0), this.#longest);
        if (this.isActive()) exports.web_action_set_time(mixer, this[$handle], within);
        else this[$settings].time = within; // for the next play
    }

    // For setTime: also the next play's time.
    [$toStart]() {
        if (this.isActive()) this.time = 0;
        else this[$settings].time = TIME_AUTO;
    }

    get paused() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        if (!this[$settings].enabled || !this.isActive()) return this[$settings].pausedBefore;
        return exports.web_action_is_paused(mixer, this[$handle]) !== 0;
    }

    set paused(paused) {
        if (this[$settings].enabled && this.isActive()) this.#setPaused(paused);
        else this[$settings].pausedBefore = Boolean(paused); // for later
    }

    #setPaused(paused) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_set_paused(mixer, this[$handle], Boolean(paused));
    }

    get sync() {
        return this[$settings].sync;
    }

    set sync(group) {
        this[$settings].sync = toIndex(group, MAX_GROUPS, 'group');
    }

    syncWith(action) {
        this.mixer[$own](action);
        this.time = action.time;
        this.timeScale = action.timeScale;
        return this;
    }

    // ---- Delayed starts and warps ----

    startAt(time) {
        if (this[$settings].sync > 0) throw new Error("startAt: an action in a sync group follows the group's phase");
        this[$settings].startTime = toSeconds(time, 'a start time');
        this.mixer[$live]()[$timed].add(this);
        return this;
    }

    warp(startTimeScale, endTimeScale, duration) {
        const { time, [$timed]: timed } = this.mixer[$live]();
        const settings = this[$settings];
        settings.warpFrom = toFloat(startTimeScale, 'a time scale');
        settings.warpTo = toFloat(endTimeScale, 'a time scale');
        settings.warpStart = time;
        settings.warpEnd = time + toSeconds(duration, 'a duration');
        timed.add(this);
        return this;
    }

    stopWarping() {
        this[$settings].warpEnd = NEVER;
        this.#setSpeed(this[$settings].timeScale);
        return this;
    }

    halt(duration) {
        return this.warp(this.getEffectiveTimeScale(), 0, duration);
    }

    [$isTimed]() {
        return this[$settings].startTime !== NEVER || this[$settings].warpEnd !== NEVER;
    }

    #cancelTimed() {
        if (!this[$isTimed]()) return this;
        this[$settings].startTime = NEVER;
        return this.stopWarping();
    }

    // Integrates the speed from the warp's start to a time of the mixer.
    #warpedTo(time) {
        const { warpStart, warpEnd, warpFrom, warpTo } = this[$settings];
        const length = warpEnd - warpStart, within = Math.min(time - warpStart, length);
        const change = length > 0 ? (warpTo - warpFrom) * within * within / (2 * length) : 0;
        return warpFrom * within + change + warpTo * (time - warpStart - within);
    }

    // Sets the speed for the next step, so the action moves as far as its delayed start and its warp allow.
    [$beforeStep](time, step) {
        if (step === 0) return;
        const { startTime, warpEnd, timeScale } = this[$settings];
        const end = time + step, start = Math.min(Math.max(startTime, time), end);
        const moved = warpEnd === NEVER ? timeScale * (end - start)
            : this.#warpedTo(end) - this.#warpedTo(start);
        this.#setSpeed(moved / step);
    }

    [$afterStep](time) {
        const settings = this[$settings], { warpStart, warpEnd, warpFrom, warpTo } = settings;
        if (settings.startTime <= time) settings.startTime = NEVER;
        if (settings.startTime !== NEVER) return;
        if (warpEnd === NEVER) this.#setSpeed(settings.timeScale);
        else if (warpEnd <= time) this.#endWarp();
        else {
            const part = (time - warpStart) / (warpEnd - warpStart);
            this.#setSpeed(warpFrom + part * (warpTo - warpFrom));
        }
    }

    // An action that has halted pauses, and keeps its earlier time scale.
    #endWarp() {
        const { warpTo } = this[$settings];
        if (warpTo !== 0) this[$settings].timeScale = warpTo;
        else if (this.isActive()) this.paused = true;
        this.stopWarping();
    }

    // ---- State ----

    getMixer() {
        return this.mixer;
    }

    getRoot() {
        return this.mixer.getRoot();
    }

    isActive() {
        return this[$handle] !== 0;
    }

    isScheduled() {
        return this.isActive();
    }

    // 1 forward, -1 backward. Also for an action that ended in the last update.
    [$direction]() {
        return (this.getEffectiveTimeScale() || this[$settings].timeScale) < 0 ? -1 : 1;
    }

    get loopsDone() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return exports.web_action_loops_done(mixer, this[$handle]);
    }

    isFinished() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return exports.web_action_is_finished(mixer, this[$handle]) !== 0;
    }

    isRunning() {
        const { enabled, startTime } = this[$settings];
        return this.isActive() && enabled && startTime === NEVER && !this.paused && !this.isFinished()
            && this.getEffectiveTimeScale() !== 0;
    }
}

// ---- Clips ------------------------------------------------------------------------------------------------------

export class ClipAction extends Action {
    constructor(mixer, layer, clip) {
        super(mixer, layer, { clip: clip[$address], longest: clip.duration });
        this.clip = clip;
    }

    getClip() {
        return this.clip;
    }

    // Additive layers only play additive clips, and other layers don't play them. A graph's additive clips are freed
    // with it.
    [$check]() {
        if (this.mixer[$clipAt](this[$clip]) !== this.clip) throw new Error(`the clip '${this.clip.name}' belonged to an earlier graph`);
        const { mode } = this.mixer.layers[this.layer];
        if (this.clip.additive === (mode === 'additive')) return;
        throw new Error(this.clip.additive ? `an additive clip needs a layer of mode 'additive', not '${mode}'`
            : 'a layer of mode \'additive\' only plays clips from makeAdditive');
    }

    get loop() {
        return LOOPS[this[$settings].loop];
    }

    set loop(loop) {
        this.setLoop(loop, this.repetitions);
    }

    get repetitions() {
        return this[$settings].loopCount === FOREVER ? Infinity : this[$settings].loopCount;
    }

    set repetitions(repetitions) {
        this.setLoop(this.loop, repetitions);
    }

    setLoop(loop, repetitions = Infinity) {
        if (!LOOPS.includes(loop)) throw new TypeError('a loop must be LoopOnce, LoopRepeat or LoopPingPong');
        if (!(repetitions >= 1)) throw new RangeError(`repetitions must be 1 or more, not ${repetitions}`);
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        this[$settings].loop = LOOPS.indexOf(loop);
        this[$settings].loopCount = repetitions > MAX_LOOPS ? FOREVER : Math.ceil(repetitions);
        exports.web_action_set_loop(mixer, this[$handle], this[$settings].loop, this[$settings].loopCount);
        return this;
    }

    setDuration(duration) {
        if (!(toSeconds(duration, 'a duration') > 0)) throw new RangeError('a duration must be more than 0 seconds');
        this.timeScale = this.clip.duration / duration;
        return this;
    }

    get blendMode() {
        return this.clip.additive ? AdditiveAnimationBlendMode : NormalAnimationBlendMode;
    }

    set blendMode(mode) {
        checkFixed('blendMode', mode, this.blendMode, 'pass it to clipAction to get another action');
    }

    get clampWhenFinished() {
        return true;
    }

    set clampWhenFinished(clamps) {
        checkFixed('clampWhenFinished', clamps, true, 'a finished action holds its last pose. To end it, call queueFadeOut(0) after play()');
    }

    get zeroSlopeAtStart() {
        return true;
    }

    set zeroSlopeAtStart(isZero) {
        checkFixed('zeroSlopeAtStart', isZero, true, NO_SLOPES);
    }

    get zeroSlopeAtEnd() {
        return true;
    }

    set zeroSlopeAtEnd(isZero) {
        checkFixed('zeroSlopeAtEnd', isZero, true, NO_SLOPES);
    }

    // ---- Queues ----

    queue(action, transition) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        this.mixer[$own](action);
        if (!this.isActive()) throw new Error('an action must be active to queue another: play it first');
        action[$checkTransition]();
        setTransition(exports, transition);
        action[$setPlayDef]();
        exports.web_action_queue(mixer, this[$handle], action[$clip], action[$space], action[$settings].x, action[$settings].y);
        return this;
    }

    queueFadeOut(duration = DURATION) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        exports.web_action_queue_fade_out(mixer, this[$handle], toSeconds(duration, 'a duration'));
        return this;
    }

    queuePrevious(transition) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        setTransition(exports, transition);
        return exports.web_action_queue_previous(mixer, this[$handle]) !== 0;
    }
}

// ---- Blend spaces -----------------------------------------------------------------------------------------------

export class BlendSpaceAction extends Action {
    constructor(mixer, layer, space) {
        const longest = Math.max(...space.samples.map(({ clip }) => clip.duration));
        super(mixer, layer, { space: space[$address], longest });
        this.space = space;
    }

    getClip() {
        return this.clip;
    }

    [$check]() {
        if (this.mixer.layers[this.layer].mode !== 'override') {
            throw new Error('a layer of mode \'additive\' only plays clips from makeAdditive, not blend spaces');
        }
        this.space[$live]();
    }

    play({ x = this[$settings].x, y = this[$settings].y, restart = false } = {}) {
        this.mixer[$live]();
        this[$check]();
        this.setParameter(x, y);
        return super.play({ restart });
    }

    setParameter(x, y = 0) {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        this[$settings].x = toFloat(x, 'x');
        this[$settings].y = toFloat(y, 'y');
        exports.web_action_set_parameter(mixer, this[$handle], x, y);
        return this;
    }

    get clip() {
        const { [$exports]: exports, [$mixer]: mixer } = this.mixer[$live]();
        return this.mixer[$clipAt](exports.web_action_clip(mixer, this[$handle]) >>> 0);
    }

    // The damped parameter, or 0 while the action is inactive.
    #parameter(axis) {
        const { [$exports]: exports, [$mixer]: mixer, asset } = this.mixer[$live]();
        exports.web_action_parameter(mixer, this[$handle]);
        return asset[$module].numbers[axis];
    }

    get x() {
        return this.#parameter(0);
    }

    get y() {
        return this.#parameter(1);
    }
}
