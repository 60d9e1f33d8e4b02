// SPDX-License-Identifier: MIT
// Mixers, one for each character. They play actions and hold the resulting matrices.
import {
    Action, AdditiveAnimationBlendMode, BlendSpaceAction, ClipAction, DEFAULTS, NormalAnimationBlendMode,
} from './action.js';
import { toAsset } from './asset.js';
import { BlendSpace, toNames } from './blendspace.js';
import {
    ALL_LAYERS, MAX_ACTIONS, MIXER_EVENTS, NO_NODE, ROOT_CLOSE_LOOPS, ROOT_X, ROOT_Y, ROOT_YAW, ROOT_Z,
} from './constants.js';
import { given } from './given.js';
import {
    $actionOf, $actions, $addSolver, $addUser, $address, $afterRead, $afterStep, $batches, $beforeStep, $beforeUpdate, $binding,
    $block, $bonesOf, $checkDisposable, $clipAt, $clipOf, $clips, $direction, $editPose, $exports, $finishPose, $footLock, $forget,
    $frame, $freeIfUnused, $hasSolvers, $isTimed, $layers, $listeners, $live, $localPose, $mask, $mixer, $module, $moveTo, $own,
    $readEvents, $removeSolver, $removeUser, $restore, $rig, $save, $scene, $settings, $shared, $solve, $solvers, $springs, $state,
    $stride, $time, $timed, $toStart, $transitionTo, $updated, $users, $version, $writeBones,
} from './internal.js';
import { Layer } from './layer.js';
import { Listeners } from './listeners.js';
import { View, toFloat, toIndex, toSeconds, toStep } from './module.js';
import { Snapshot } from './snapshot.js';

const MAX_LAYERS = 8;
const AXES = { x: ROOT_X, y: ROOT_Y, z: ROOT_Z };

function toCount(value, limit, what) {
    if (Number.isInteger(value) && value >= 1 && value <= limit) return value;
    throw new RangeError(`${what} must be 1 to ${limit}, not ${String(value)}`);
}

function toRootFlags({ translation = 'xz', rotation = true, closeLoops = false }) {
    const axes = [...String(translation)].map((axis) => AXES[axis]);
    if (axes.includes(undefined)) {
        throw new TypeError(`rootMotion.translation must only have the letters x, y and z, not '${translation}'`);
    }
    return axes.reduce((sum, axis) => sum | axis, (rotation ? ROOT_YAW : 0) | (closeLoops ? ROOT_CLOSE_LOOPS : 0));
}

function create(asset, maxActions, layers, syncNames, rootMotion, animator) {
    const module = asset[$module];
    const root = rootMotion ? toIndex(rootMotion.node, asset.nodes.length, 'node') : NO_NODE;
    const flags = rootMotion ? toRootFlags(rootMotion) : 0;
    const names = module.copyStrings(toNames(syncNames)); // the character takes ownership
    const address = module.exports.web_mixer_create(asset[$address], maxActions, layers, names, syncNames.length, root,
        flags, animator?.[$binding][$address] ?? 0, animator?.[$rig]?.[$address] ?? 0) >>> 0;
    if (address === 0) throw module.error();
    return address;
}

function makeAdditive(layer) {
    if (layer.mode !== 'additive') layer.mode = 'additive';
}

export class Mixer {
    [$exports];
    [$address];
    #maxActions;
    [$frame] = 0;
    [$time] = 0;
    #timeScale = 1;
    /** @type {View | null} */
    [$block] = null;
    /** @type {View | null} */
    #pose = null;
    [$stride] = 0;
    /** @type {any | null} */
    [$footLock] = null;
    /** @type {any | null} */
    [$springs] = null;
    /** @type {any[]} */
    [$solvers] = [];
    [$version] = 0;
    /** @type {object | null} */
    [$scene] = null; // that a driver moves
    [$mixer];
    #listeners;
    [$batches] = new Set();
    [$timed] = new Set(); // actions with a delayed start or a warp
    [$shared] = new Set(); // masks and blend spaces that it has used
    #matrices;
    #weights;
    #curves;
    #palettes;

    /**
          * `animator` drives the mixer; null without one.
     * @param {any} asset
     * @param {import('./index.js').MixerOptions} [options]
     * @param {any} [animator]
     */
    constructor(asset, { maxActions = 16, layers = 4, syncNames = [], rootMotion = null } = {}, animator = null) {
        toCount(maxActions, MAX_ACTIONS, 'maxActions');
        toCount(layers, MAX_LAYERS, 'layers');
        const binding = animator?.[$binding];
        const address = create(toAsset(asset), maxActions, layers, syncNames, rootMotion, animator);
        const exports = asset[$module].exports;
        this.asset = asset;
        this.animator = animator;
        this[$exports] = exports;
        this[$address] = address;
        this.#maxActions = maxActions;
        this[$mixer] = exports.web_mixer_mixer(address);
        this.layers = Array.from({ length: layers }, (_, index) => (
            new Layer(this, index, binding?.graph.layers[index]?.mode, binding?.masks[index])));
        this.#listeners = new Listeners(MIXER_EVENTS);
        this.#makeViews(asset[$module]);
        asset[$users].add(this);
        animator?.[$rig]?.[$users].add(this);
    }

    #makeViews(module) {
        const { [$exports]: exports, asset } = this;
        const nodeCount = asset.nodes.length;
        const floats = (address, length) => new View(module, this, Float32Array, address >>> 0, length);
        this.#matrices = floats(exports.sinew_mixer_model_matrices(this[$mixer]), 12 * nodeCount);
        const weights = exports.sinew_mixer_morph_weights(this[$mixer]) >>> 0;
        this.#weights = asset.nodes.map((node) => floats(weights + 4 * node.firstWeight, node.weightCount));
        const weightCount = asset.nodes.reduce((sum, node) => sum + node.weightCount, 0); // curves come after the weights
        this.#curves = floats(weights + 4 * weightCount, asset.curves.length);
        let palette = exports.web_mixer_palettes(this[$address]) >>> 0;
        this.#palettes = asset.skins.map(({ jointCount }) => {
            const view = floats(palette, 12 * jointCount);
            palette += 48 * jointCount;
            return view;
        });
    }

    // Continues with the mixer that the module has made for another graph. `weights` are the layers' weights before
    // that.
    [$moveTo]({ graph, masks }, weights) {
        const { [$exports]: exports, layers } = this;
        this[$mixer] = exports.web_mixer_mixer(this[$address]);
        if (this[$block]) exports.free(this[$block].address);
        this[$block] = this.#pose = null;
        this.#makeViews(this.asset[$module]);
        this[$timed].clear();
        this[$version]++;
        while (layers.length < graph.layers.length) layers.push(new Layer(this, layers.length));
        layers.forEach((layer, i) => layer[$moveTo](graph.layers[i]?.mode, masks[i], weights[i] ?? 1));
    }

    [$live]() {
        if (this.disposed) throw new Error('this Mixer is disposed');
        return this;
    }

    [$own](action) {
        if (action instanceof Action && action.mixer === this) return action;
        throw new TypeError('action must be an action of this mixer: call its clipAction()');
    }

    // ---- Playing ----

    /**
     * three.js's callers pass a root and a blend mode.
     * @param {any} source @param {any} [options] @param {number} [blendMode]
     */
    clipAction(source, options, blendMode = NormalAnimationBlendMode) {
        const found = this.#sourceOf(source);
        if (blendMode === NormalAnimationBlendMode) return this[$actionOf](found, this.#indexOf(options));
        if (blendMode === AdditiveAnimationBlendMode) return this.#additiveAction(found, options);
        throw new TypeError(`blendMode must be NormalAnimationBlendMode or AdditiveAnimationBlendMode, not ${given(blendMode)}`);
    }

    #additiveAction(found, options) {
        if (found instanceof BlendSpace) throw new TypeError('a BlendSpace is never additive: pass a clip');
        const index = this.#indexOf(options, this.layers.length - 1);
        makeAdditive(this.#layerAt(index));
        return this[$actionOf](found.additive ? found : this.asset.makeAdditive(found), index);
    }

    // The index in the options, or the default if there are none or three.js's root.
    #indexOf(options, layer = 0) {
        if (options && typeof options === 'object' && 'layer' in options) return options.layer ?? layer;
        this.#checkRoot(options);
        return layer;
    }

    #checkRoot(root) {
        if (root === undefined || root === null || root === this[$scene]) return;
        throw new TypeError(`pass { layer }, or the driven scene, or nothing, not ${given(root)}: for a part of the scene, use a layer with a mask`);
    }

    [$actionOf](found, layer) {
        const { [$actions]: actions } = this.#layerAt(layer);
        const Kind = found instanceof BlendSpace ? BlendSpaceAction : ClipAction;
        if (!actions.has(found)) actions.set(found, new Kind(this, layer, found));
        return actions.get(found);
    }

    /** @param {any} source @param {any} [options] */
    existingAction(source, options) {
        return this.#layerAt(this.#indexOf(options))[$actions].get(this.#sourceOf(source)) ?? null;
    }

    #sourceOf(source) {
        return source instanceof BlendSpace ? source[$addUser](this[$live]()) : this[$live]().asset[$clipOf](source);
    }

    #layerAt(index) {
        return this.layers[toIndex(index, this.layers.length, 'layer')];
    }

    /** @param {any} source @param {any} [options] */
    uncacheAction(source, options) {
        this.#uncache(this.#layerAt(this.#indexOf(options)), this.#sourceOf(source));
    }

    uncacheClip(source) {
        const found = this.#sourceOf(source);
        for (const layer of this.layers) this.#uncache(layer, found);
    }

    uncacheRoot(root = null) {
        this.#checkRoot(root);
        for (const layer of this[$live]().layers) {
            for (const source of [...layer[$actions].keys()]) this.#uncache(layer, source);
        }
    }

    #uncache({ [$actions]: actions }, source) {
        this[$timed].delete(actions.get(source)?.stop());
        actions.delete(source);
    }

    /**
     * @template {import('./index.js').Action} A
     * @param {A} action
     * @param {import('./index.js').Transition} [transition]
     * @param {import('./index.js').PlayOptions} [options]
     */
    transitionTo(action, transition, options) {
        this[$live]()[$own](action)[$transitionTo](transition, options);
        return action;
    }

    /** @param {NonNullable<Parameters<import('./index.js').Mixer['playAll']>[0]>} [options] */
    playAll({ clips, layer = this.layers.length - 1, duration = 0 } = {}) {
        const { clips: all } = this[$live]().asset.combineClips(clips), above = this.#layerAt(layer);
        if (all.length > this.#maxActions) {
            throw new Error(`playAll needs ${all.length} actions: raise the Mixer's maxActions to that, at most ${MAX_ACTIONS}`);
        }
        if (all.length > 1) makeAdditive(above);
        const [base, ...differences] = all.map((clip, i) => this.clipAction(clip, { layer: i > 0 ? layer : 0 }));
        if (base) this.transitionTo(base, { duration });
        for (const action of differences) action.stop().fadeIn(duration).play();
        return base ? [base, ...differences] : [];
    }

    stopAllAction() {
        const active = this[$live]().layers.flatMap(({ actions }) => actions);
        this[$exports].sinew_mixer_stop_all(this[$mixer]);
        for (const action of active) action[$forget]();
        return this;
    }

    getRoot() {
        return this[$scene];
    }

    inertialize(duration) {
        toSeconds(duration, 'a duration');
        this[$live]()[$exports].sinew_mixer_inertialize(this[$mixer], ALL_LAYERS, duration);
        return this;
    }

    get timeScale() {
        return this.#timeScale;
    }

    set timeScale(timeScale) {
        if (toFloat(timeScale, 'a time scale') < 0) {
            throw new RangeError(`a mixer's time scale must be 0 or more, not ${timeScale}: use an action's`);
        }
        this[$live]()[$exports].web_mixer_set_time_scale(this[$address], timeScale);
        this.#timeScale = timeScale;
    }

    get time() {
        return this[$time];
    }

    setTime(time) {
        toSeconds(time, 'a time');
        this[$live]()[$time] = 0;
        for (const { [$actions]: actions } of this.layers) {
            for (const action of actions.values()) action[$toStart]();
        }
        return this.update(time);
    }

    update(deltaTime) {
        if (this.animator?.[$rig]) return this.animator.update(deltaTime);
        const step = toStep(deltaTime);
        this[$live]()[$beforeUpdate](step);
        const changed = this[$exports].web_mixer_update(this[$address], step) !== 0;
        this[$updated]();
        return changed;
    }

    [$beforeUpdate](deltaTime) {
        const step = deltaTime * this.#timeScale;
        if (this[$timed].size > 0) for (const action of this[$timed]) action[$beforeStep](this[$time], step);
        this[$time] += step;
    }

    [$updated]() {
        this[$frame]++;
        if (this[$timed].size > 0) this.#endTimed();
        if (this.#isHeard() && !this.disposed) this.#dispatchEvents();
    }

    #endTimed() {
        for (const action of this[$timed]) {
            action[$afterStep](this[$time]);
            if (!action[$isTimed]()) this[$timed].delete(action);
        }
    }

    // ---- Events ----

    addEventListener(type, listener) {
        this.#listeners.add(type, listener);
    }

    hasEventListener(type, listener) {
        return this.#listeners.has(type, listener);
    }

    removeEventListener(type, listener) {
        this.#listeners.remove(type, listener);
    }

    // Reads all events before calling listeners: a listener may play, update or dispose.
    #dispatchEvents() {
        const count = this[$exports].web_mixer_event_count(this[$address]);
        const events = Array.from({ length: count }, (_, i) => this.#readEvent(i)), { animator } = this;
        if (animator) animator[$listeners].dispatch(animator[$readEvents](0));
        this.#listeners.dispatch(events);
    }

    #isHeard() {
        return this.#listeners.count > 0 || (this.animator !== null && this.animator[$listeners].count > 0);
    }

    // The clip at an address of the module: the asset's, or one of the graph's differences.
    [$clipAt](address) {
        return this.asset[$clips].get(address) ?? this.animator?.[$binding][$clips].get(address) ?? null;
    }

    #spaceAt(address) {
        const isIt = (source) => source?.[$address] === address;
        return [...this[$shared]].find(isIt) ?? this.animator?.[$binding].sources.find(isIt);
    }

    #readEvent(i) {
        const { [$exports]: exports, [$address]: address } = this;
        const layer = exports.web_event_layer(address, i);
        const clip = this[$clipAt](exports.web_event_clip(address, i) >>> 0);
        const space = exports.web_event_space(address, i) >>> 0;
        // A queue may start an action that was uncached.
        const action = this[$actionOf](space === 0 ? clip : this.#spaceAt(space), layer);
        const marker = clip.markers[exports.web_event_marker(address, i)] ?? null;
        const type = MIXER_EVENTS[exports.web_event_type(address, i)], direction = action[$direction]();
        return { type, action, clip, marker, direction, loopDelta: type === 'loop' ? direction : 0, target: this };
    }

    // ---- Snapshots ----

    save(snapshot = new Snapshot(this)) {
        return this[$live]().#ownSnapshot(snapshot)[$save]();
    }

    restore(snapshot) {
        this[$live]().#ownSnapshot(snapshot)[$restore]();
        this[$frame]++;
        return this;
    }

    // Called after a character has read a state. States don't contain delays and warps of actions.
    [$afterRead]() {
        const { startTime, warpEnd } = DEFAULTS;
        for (const { [$settings]: settings } of this[$timed]) Object.assign(settings, { startTime, warpEnd });
        this[$timed].clear();
        this[$frame]++;
    }

    #ownSnapshot(snapshot) {
        if (!(snapshot instanceof Snapshot) || snapshot.mixer !== this) throw new TypeError('snapshot must be from this mixer: call its save()');
        if (snapshot[$version] === this[$version]) return snapshot;
        throw new Error('this snapshot is from an earlier graph, which setGraph has replaced');
    }

    get hash() {
        return BigInt.asUintN(64, this[$live]()[$exports].sinew_mixer_hash(this[$mixer]));
    }

    // ---- Results ----

    // Batches write model matrices only for mixers that have been asked for them once.
    get modelMatrices() {
        this[$live]()[$exports].web_mixer_keep_model(this[$address]);
        return this.#matrices.array;
    }

    palette(skin = 0) {
        return this.#viewOf(this.#palettes, skin, 'skin').array;
    }

    get curves() {
        return this.#curves.array;
    }

    morphWeights(node) {
        return this.#viewOf(this.#weights, node, 'node').array;
    }

    #viewOf(views, index, what) {
        if (views[index]) return views[index];
        throw new RangeError(`no ${what} ${index}: this asset has ${views.length}`);
    }

    nodeMatrix(node, target = new Float32Array(16)) {
        this.#viewOf(this.#weights, node, 'node');
        const matrices = this.modelMatrices;
        for (let i = 0; i < 12; i++) target[i % 4 * 4 + (i >> 2)] = matrices[12 * node + i];
        target[3] = target[7] = target[11] = 0;
        target[15] = 1;
        return target;
    }

    nodeTransform(node, target = newTransform()) {
        this.#viewOf(this.#weights, node, 'node');
        const array = this[$localPose](), { [$stride]: stride } = this;
        for (let i = 0; i < 3; i++) target.translation[i] = array[i * stride + node];
        for (let i = 0; i < 4; i++) target.rotation[i] = array[(3 + i) * stride + node];
        for (let i = 0; i < 3; i++) target.scale[i] = array[(7 + i) * stride + node];
        return target;
    }

    // web_mixer_pose's ten planes.
    [$localPose]() {
        const { [$exports]: exports, [$address]: mixer, asset } = this[$live]();
        const address = exports.web_mixer_pose(mixer) >>> 0;
        if (!this.#pose) {
            this[$stride] = exports.web_mixer_stride(mixer);
            this.#pose = new View(asset[$module], this, Float32Array, address, 10 * this[$stride]);
        }
        return this.#pose.array;
    }

    // The same planes, for writing.
    [$editPose]() {
        this[$live]()[$exports].web_mixer_edit_pose(this[$address]);
        return this[$localPose]();
    }

    [$finishPose]() {
        this[$exports].web_mixer_finish_pose(this[$address]);
    }

    // ---- Solvers ----

    // Solves chains and bodies in creation order, then springs, which have a state. Replaces the array, so drivers
    // notice.
    [$addSolver](solver) {
        const { [$springs]: springs } = this, others = this[$solvers].filter((one) => one !== springs);
        if (solver[$state]) this[$springs] = solver;
        else others.push(solver);
        this[$solvers] = this[$springs] ? [...others, this[$springs]] : others;
    }

    [$removeSolver](solver) {
        if (this[$springs] === solver) this[$springs] = null;
        this[$solvers] = this[$solvers].filter((one) => one !== solver);
    }

    get [$hasSolvers]() {
        return this[$footLock] !== null || this[$solvers].length > 0;
    }

    // Edits an updated pose: locks feet, then solves. `wind` is the scene's.
    [$solve](deltaTime, world, wind) {
        this[$footLock]?.update(deltaTime, world);
        const solvers = this[$solvers];
        for (let i = 0; i < solvers.length; i++) solvers[i].update(deltaTime, world, wind);
    }

    rootDelta(target = { translation: new Float32Array(3), rotation: new Float32Array(4), yaw: 0 }) {
        this[$live]()[$exports].web_mixer_root_delta(this[$address]);
        const { numbers } = this.asset[$module];
        for (let i = 0; i < 3; i++) target.translation[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.rotation[i] = numbers[3 + i];
        target.yaw = numbers[7];
        return target;
    }

    bounds(target = new Float32Array(6)) {
        this[$live]()[$exports].web_mixer_bounds(this[$address]);
        const { numbers } = this.asset[$module];
        for (let i = 0; i < 6; i++) target[i] = numbers[i];
        return target;
    }

    // Writes three.js's bone matrices: a world matrix of 16 numbers times the palette.
    [$writeBones](world, skin, target) {
        const { [$exports]: exports, [$address]: mixer, asset } = this[$live]();
        const { address, array } = asset[$bonesOf](skin);
        asset[$module].numbers.set(world);
        exports.web_mixer_bones(mixer, skin, address);
        target.set(array);
    }

    get disposed() {
        return this[$address] === 0;
    }

    dispose() {
        if (this.disposed) return;
        this.animator?.[$checkDisposable]?.();
        for (const batch of [...this[$batches]]) batch.dispose();
        this[$footLock]?.dispose();
        for (const solver of this[$solvers]) solver.dispose();
        for (const layer of this.layers) layer[$mask]?.[$layers].delete(layer);
        if (this[$block]) this[$exports].free(this[$block].address);
        this[$exports].web_mixer_destroy(this[$address]);
        this[$address] = 0;
        for (const shared of this[$shared]) shared[$removeUser](this);
        this.animator?.[$binding].release(this.animator);
        this.#leaveRig();
        this.asset[$users].delete(this);
    }

    #leaveRig() {
        const rig = this.animator?.[$rig];
        rig?.[$users].delete(this);
        rig?.[$freeIfUnused]();
    }
}

function newTransform() {
    return { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) };
}
