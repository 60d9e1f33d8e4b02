// SPDX-License-Identifier: MIT
// Mixers: one for each character. They play actions, and have the resulting matrices.
import { Action, BlendSpaceAction, ClipAction } from './action.js';
import { BlendSpace, toNames } from './blendspace.js';
import { Layer } from './layer.js';
import { Listeners } from './listeners.js';
import { Snapshot } from './snapshot.js';
import { View, toFloat, toIndex, toSeconds, toStep } from './module.js';

const EVENTS = ['loop', 'finished', 'marker']; // by sinew_event_type
const MAX_ACTIONS = 64;
const MAX_LAYERS = 8;
const NO_NODE = -1;
const AXES = { x: 1, y: 2, z: 4 }; // by WEB_ROOT_X...
const YAW = 8;
const CLOSE_LOOPS = 16;

function toCount(value, limit, what) {
    if (Number.isInteger(value) && value >= 1 && value <= limit) return value;
    throw new RangeError(`${what} must be 1 to ${limit}, not ${String(value)}`);
}

function toRootFlags({ translation = 'xz', rotation = true, closeLoops = false }) {
    const axes = [...String(translation)].map((axis) => AXES[axis]);
    if (axes.includes(undefined)) {
        throw new TypeError(`rootMotion.translation must be of the letters x, y and z, not '${translation}'`);
    }
    return axes.reduce((sum, axis) => sum | axis, (rotation ? YAW : 0) | (closeLoops ? CLOSE_LOOPS : 0));
}

function create(asset, maxActions, layers, syncNames, rootMotion, binding) {
    const module = asset._module;
    const root = rootMotion ? toIndex(rootMotion.node, asset.nodes.length, 'node') : NO_NODE;
    const flags = rootMotion ? toRootFlags(rootMotion) : 0;
    const names = module.copyStrings(toNames(syncNames)); // the character frees them
    const address = module.exports.web_mixer_create(asset._address, maxActions, layers, names, syncNames.length, root,
        flags, binding?._address ?? 0) >>> 0;
    if (address === 0) throw module.error();
    return address;
}

export class Mixer {
    // `animator` drives it, or is null.
    constructor(asset, { maxActions = 16, layers = 4, syncNames = [], rootMotion = null } = {}, animator = null) {
        toCount(maxActions, MAX_ACTIONS, 'maxActions');
        toCount(layers, MAX_LAYERS, 'layers');
        const binding = animator?._binding;
        const address = create(asset._live(), maxActions, layers, syncNames, rootMotion, binding);
        const _exports = asset._module.exports;
        Object.assign(this, { asset, animator, _exports, _address: address, _maxActions: maxActions, _frame: 0, _time: 0, _timeScale: 1, _block: null });
        Object.assign(this, { _pose: null, _stride: 0, _footLock: null, _springs: null, _solvers: [], _version: 0 });
        this._mixer = _exports.web_mixer_mixer(address);
        this.layers = Array.from({ length: layers }, (_, index) => (
            new Layer(this, index, binding?.graph.layers[index]?.mode, binding?.masks[index])));
        this._listeners = new Listeners(EVENTS);
        this._batches = new Set();
        this._timed = new Set(); // actions with a delayed start or a warp
        this._shared = new Set(); // masks and blend spaces that it has used
        this._makeViews(asset._module);
        asset._users.add(this);
    }

    _makeViews(module) {
        const { _exports, asset } = this;
        const nodeCount = asset.nodes.length;
        const floats = (address, length) => new View(module, this, Float32Array, address >>> 0, length);
        this._matrices = floats(_exports.sinew_mixer_model_matrices(this._mixer), 12 * nodeCount);
        const weights = _exports.sinew_mixer_weights(this._mixer) >>> 0;
        this._weights = asset.nodes.map((node) => floats(weights + 4 * node.firstWeight, node.weightCount));
        const weightCount = asset.nodes.reduce((sum, node) => sum + node.weightCount, 0); // the curves follow them
        this._curves = floats(weights + 4 * weightCount, asset.curves.length);
        let palette = _exports.web_mixer_palettes(this._address) >>> 0;
        this._palettes = asset.skins.map(({ jointCount }) => {
            const view = floats(palette, 12 * jointCount);
            palette += 48 * jointCount;
            return view;
        });
    }

    // Continues with the mixer that the module has made for another graph. The layers' weights were `weights`.
    _moveTo({ graph, masks }, weights) {
        const { _exports, layers } = this;
        this._mixer = _exports.web_mixer_mixer(this._address);
        if (this._block) _exports.free(this._block.address);
        this._block = this._pose = null;
        this._makeViews(this.asset._module);
        this._timed.clear();
        this._version++;
        while (layers.length < graph.layers.length) layers.push(new Layer(this, layers.length));
        layers.forEach((layer, i) => layer._moveTo(graph.layers[i]?.mode, masks[i], weights[i] ?? 1));
    }

    _live() {
        if (this.disposed) throw new Error('this Mixer is disposed');
        return this;
    }

    _own(action) {
        if (action instanceof Action && action.mixer === this) return action;
        throw new TypeError('an action of this mixer is needed: call its clipAction()');
    }

    // ---- Playing ----

    clipAction(source, { layer = 0 } = {}) {
        return this._actionOf(this._sourceOf(source), layer);
    }

    _actionOf(found, layer) {
        const { _actions } = this._layerAt(layer);
        const Kind = found instanceof BlendSpace ? BlendSpaceAction : ClipAction;
        if (!_actions.has(found)) _actions.set(found, new Kind(this, layer, found));
        return _actions.get(found);
    }

    existingAction(source, { layer = 0 } = {}) {
        return this._layerAt(layer)._actions.get(this._sourceOf(source)) ?? null;
    }

    _sourceOf(source) {
        return source instanceof BlendSpace ? source._addUser(this._live()) : this._live().asset._clipOf(source);
    }

    _layerAt(index) {
        return this.layers[toIndex(index, this.layers.length, 'layer')];
    }

    uncacheAction(source, { layer = 0 } = {}) {
        this._uncache(this._layerAt(layer), this._sourceOf(source));
    }

    uncacheClip(source) {
        const found = this._sourceOf(source);
        for (const layer of this.layers) this._uncache(layer, found);
    }

    uncacheRoot() {
        for (const layer of this._live().layers) {
            for (const source of [...layer._actions.keys()]) this._uncache(layer, source);
        }
    }

    _uncache({ _actions }, source) {
        this._timed.delete(_actions.get(source)?.stop());
        _actions.delete(source);
    }

    transitionTo(action, transition, options) {
        return this._live()._own(action)._transitionTo(transition, options);
    }

    playAll({ clips, layer = this.layers.length - 1, duration = 0 } = {}) {
        const { clips: all } = this._live().asset.combineClips(clips), above = this._layerAt(layer);
        if (all.length > this._maxActions) {
            throw new Error(`playAll needs ${all.length} actions: give the Mixer maxActions of that, at most ${MAX_ACTIONS}`);
        }
        if (all.length > 1 && above.mode !== 'additive') above.mode = 'additive';
        const [base, ...differences] = all.map((clip, i) => this.clipAction(clip, { layer: i > 0 ? layer : 0 }));
        if (base) this.transitionTo(base, { duration });
        for (const action of differences) action.stop().fadeIn(duration).play();
        return base ? [base, ...differences] : [];
    }

    stopAllAction() {
        this._live()._exports.sinew_mixer_stop_all(this._mixer);
        return this;
    }

    inertialize(duration) {
        toSeconds(duration, 'a duration');
        this._live()._exports.sinew_mixer_inertialize(this._mixer, duration);
        return this;
    }

    get timeScale() {
        return this._timeScale;
    }

    set timeScale(timeScale) {
        if (toFloat(timeScale, 'a time scale') < 0) {
            throw new RangeError(`a mixer's time scale must be 0 or more, not ${timeScale}: use an action's`);
        }
        this._live()._exports.web_mixer_set_time_scale(this._address, timeScale);
        this._timeScale = timeScale;
    }

    get time() {
        return this._time;
    }

    setTime(time) {
        toSeconds(time, 'a time');
        this._live()._time = 0;
        for (const { _actions } of this.layers) {
            for (const action of _actions.values()) if (action.isActive()) action.time = 0;
        }
        return this.update(time);
    }

    update(deltaTime) {
        const step = toStep(deltaTime);
        this._live()._beforeUpdate(step);
        const changed = this._exports.web_mixer_update(this._address, step) !== 0;
        this._updated();
        return changed;
    }

    _beforeUpdate(deltaTime) {
        const step = deltaTime * this._timeScale;
        if (this._timed.size > 0) for (const action of this._timed) action._beforeStep(this._time, step);
        this._time += step;
    }

    _updated() {
        this._frame++;
        if (this._timed.size > 0) this._endTimed();
        if (this._isHeard() && !this.disposed) this._dispatchEvents();
    }

    _endTimed() {
        for (const action of this._timed) {
            action._afterStep(this._time);
            if (!action._isTimed()) this._timed.delete(action);
        }
    }

    // ---- Events ----

    addEventListener(type, listener) {
        this._listeners.add(type, listener);
    }

    removeEventListener(type, listener) {
        this._listeners.remove(type, listener);
    }

    // Reads all events before it calls listeners: a listener may play, update or dispose.
    _dispatchEvents() {
        const count = this._exports.web_mixer_event_count(this._address);
        const events = Array.from({ length: count }, (_, i) => this._readEvent(i)), { animator } = this;
        if (animator) animator._listeners.dispatch(animator._readEvents(0));
        this._listeners.dispatch(events);
    }

    _isHeard() {
        return this._listeners.count > 0 || (this.animator !== null && this.animator._listeners.count > 0);
    }

    // The clip at an address of the module: of the asset, or a difference of the graph.
    _clipAt(address) {
        return this.asset._clips.get(address) ?? this.animator?._binding._clips.get(address) ?? null;
    }

    _spaceAt(address) {
        const isIt = (source) => source?._address === address;
        return [...this._shared].find(isIt) ?? this.animator?._binding.sources.find(isIt);
    }

    _readEvent(i) {
        const { _exports, _address } = this;
        const layer = _exports.web_event_layer(_address, i);
        const clip = this._clipAt(_exports.web_event_clip(_address, i) >>> 0);
        const space = _exports.web_event_space(_address, i) >>> 0;
        // A queue may start an action that has been uncached.
        const action = this._actionOf(space === 0 ? clip : this._spaceAt(space), layer);
        const marker = clip.markers[_exports.web_event_marker(_address, i)] ?? null;
        return { type: EVENTS[_exports.web_event_type(_address, i)], action, clip, marker, target: this };
    }

    // ---- Snapshots ----

    save(snapshot = new Snapshot(this)) {
        return this._live()._ownSnapshot(snapshot)._save();
    }

    restore(snapshot) {
        this._live()._ownSnapshot(snapshot)._restore();
        this._frame++;
        return this;
    }

    _ownSnapshot(snapshot) {
        if (!(snapshot instanceof Snapshot) || snapshot.mixer !== this) throw new TypeError('a snapshot of this mixer is needed: call its save()');
        if (snapshot._version === this._version) return snapshot;
        throw new Error('this snapshot is of an earlier graph: setGraph has replaced it since');
    }

    get hash() {
        return BigInt.asUintN(64, this._live()._exports.sinew_mixer_hash(this._mixer));
    }

    // ---- Results ----

    // A batch writes them only for mixers whose matrices have been requested once.
    get modelMatrices() {
        this._live()._exports.web_mixer_keep_model(this._address);
        return this._matrices.array;
    }

    palette(skin = 0) {
        return this._viewOf(this._palettes, skin, 'skin').array;
    }

    get curves() {
        return this._curves.array;
    }

    morphWeights(node) {
        return this._viewOf(this._weights, node, 'node').array;
    }

    _viewOf(views, index, what) {
        if (views[index]) return views[index];
        throw new RangeError(`no ${what} ${index}: this asset has ${views.length}`);
    }

    nodeMatrix(node, target = new Float32Array(16)) {
        this._viewOf(this._weights, node, 'node');
        const matrices = this.modelMatrices;
        for (let i = 0; i < 12; i++) target[i % 4 * 4 + (i >> 2)] = matrices[12 * node + i];
        target[3] = target[7] = target[11] = 0;
        target[15] = 1;
        return target;
    }

    nodeTransform(node, target = newTransform()) {
        this._viewOf(this._weights, node, 'node');
        const array = this._localPose(), { _stride } = this;
        for (let i = 0; i < 3; i++) target.translation[i] = array[i * _stride + node];
        for (let i = 0; i < 4; i++) target.rotation[i] = array[(3 + i) * _stride + node];
        for (let i = 0; i < 3; i++) target.scale[i] = array[(7 + i) * _stride + node];
        return target;
    }

    // The ten planes of web_mixer_pose.
    _localPose() {
        const { _exports, _address, asset } = this._live();
        const address = _exports.web_mixer_pose(_address) >>> 0;
        if (!this._pose) {
            this._stride = _exports.web_mixer_stride(_address);
            this._pose = new View(asset._module, this, Float32Array, address, 10 * this._stride);
        }
        return this._pose.array;
    }

    // The same, to be written.
    _editPose() {
        this._live()._exports.web_mixer_edit_pose(this._address);
        return this._localPose();
    }

    _finishPose() {
        this._exports.web_mixer_finish_pose(this._address);
    }

    // ---- Solvers ----

    // Chains and bodies in the order in which they were made, then springs, which have a state. The array is replaced, so that
    // drivers notice.
    _addSolver(solver) {
        const { _springs: springs } = this, others = this._solvers.filter((one) => one !== springs);
        if (solver._state) this._springs = solver;
        else others.push(solver);
        this._solvers = this._springs ? [...others, this._springs] : others;
    }

    _removeSolver(solver) {
        if (this._springs === solver) this._springs = null;
        this._solvers = this._solvers.filter((one) => one !== solver);
    }

    get _hasSolvers() {
        return this._footLock !== null || this._solvers.length > 0;
    }

    // Edits the pose of an update: locks feet, then solves. The wind is that of a scene.
    _solve(deltaTime, world, wind) {
        this._footLock?.update(deltaTime, world);
        const solvers = this._solvers;
        for (let i = 0; i < solvers.length; i++) solvers[i].update(deltaTime, world, wind);
    }

    rootDelta(target = { translation: new Float32Array(3), rotation: new Float32Array(4), yaw: 0 }) {
        this._live()._exports.web_mixer_root_delta(this._address);
        const { numbers } = this.asset._module;
        for (let i = 0; i < 3; i++) target.translation[i] = numbers[i];
        for (let i = 0; i < 4; i++) target.rotation[i] = numbers[3 + i];
        target.yaw = numbers[7];
        return target;
    }

    bounds(target = new Float32Array(6)) {
        this._live()._exports.web_mixer_bounds(this._address);
        const { numbers } = this.asset._module;
        for (let i = 0; i < 6; i++) target[i] = numbers[i];
        return target;
    }

    // Writes the bone matrices of three.js: a world matrix of 16 numbers times the palette.
    _writeBones(world, skin, target) {
        const { _exports, _address, asset } = this._live();
        const { address, array } = asset._bonesOf(skin);
        asset._module.numbers.set(world);
        _exports.web_mixer_bones(_address, skin, address);
        target.set(array);
    }

    get disposed() {
        return this._address === 0;
    }

    dispose() {
        if (this.disposed) return;
        for (const batch of [...this._batches]) batch.dispose();
        this._footLock?.dispose();
        for (const solver of this._solvers) solver.dispose();
        for (const layer of this.layers) layer._mask?._layers.delete(layer);
        if (this._block) this._exports.free(this._block.address);
        this._exports.web_mixer_destroy(this._address);
        this._address = 0;
        for (const shared of this._shared) shared._removeUser(this);
        this.animator?._binding.release(this.animator);
        this.asset._users.delete(this);
    }
}

function newTransform() {
    return { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) };
}
