// SPDX-License-Identifier: MIT
// The stage: the page's model, with its characters, what they play, and the view settings. It doesn't use the DOM, so
// it also runs in Node. Panels call it and listen to its events:
//
//   loaded     the main character has changed; if `detail.isVersion`, only its clips differ
//   changed    a setting has changed; `detail` is its group: 'playing', 'layers', 'space', 'attachments', 'crowd',
//              'compare', 'effectors', 'gizmo', 'goal', 'graph', 'morphs', 'plot', 'retarget', 'selected', 'springs', 'view' or 'warp'
//   frame      the time or the pose has changed
//   message    a message for the user; `detail` is { kind: 'error' | 'note' | 'ask', text, signal }; an AbortSignal
//              removes the message
import { BlendSpace, Mask, Mixer } from './sinew/index.js';
import { markersName } from './sinew/sidecar.js';
import { fromTransform, IDENTITY, multiply } from './affine.js';
import { Compare, MAX_STEP } from './compare.js';
import { Crowd } from './crowd.js';
import {
    LAYERS, LOOPS, MODES, MAX_CLIPS, MAX_CROWD, newLayers, newOffset, newPlot, newSprings, newTransition, newView, newWarp, TRANSITIONS,
} from './defaults.js';
import { findWalk } from './locomotion.js';
import { restore, save, withClips } from './saved.js';
import { Warping } from './warping.js';
/** @import { GraphDriver } from './graph_driver.js' */
/** @import { Retargeting } from './retarget_driver.js' */
/** @import { Solving } from './solving.js' */
/** @import { Asset, BlendSpaceAction, ClipAction, Draco, Meshopt, Sinew } from './sinew/index.js' */

/** @typedef {{ mixer: Mixer, world: Float32Array }} Placed a character at a world transform */
/** @typedef {Record<string, Uint8Array>} Files sidecar files, by name */
/** @typedef {{ name: string, bytes: Uint8Array, files: Files, asset: Asset } & Placed} Opened */
/** @typedef {Opened & { clipMixer?: Mixer }} Character `mixer` is the graph's while it drives, `clipMixer` plays clips */
/** @typedef {ReturnType<typeof newOffset>} Offset */
/** @typedef {Opened & { joint: number, offset: Offset, action: ClipAction | null }} Attachment */
/** @typedef {{ clip: number, x: number, y: number }} Sample `clip` is an index */
/** @typedef {{ kind: 'line' | 'triangles' | 'directional', samples: Sample[], x: number, y: number }} Space a blend space */

const STEPS = ['Foot_L', 'Foot_R']; // sync markers for steps
const ACTIONS = 64; // MAX_CLIPS, the layers, and what's fading out
const ALL = 2 * LAYERS - 1; // the mixer's additive layer, for playing all clips at once

// For each stage layer above the base, the mixer has two layers, one for each mode. So a change of the mode can fade.
const mixerLayer = (layer, mode) => (layer === 0 ? 0 : 2 * layer - (mode === 'additive' ? 0 : 1));

// Whether each property of each node is animated by at most one clip, such as clips for the parts of a machine.
function areDisjoint(clips) {
    const animated = new Set();
    return clips.every(({ channels }) => channels.every(({ node, target }) => {
        const key = `${node} ${target}`, isNew = !animated.has(key);
        animated.add(key);
        return isNew;
    }));
}

const longestOf = (clips) => clips.reduce((most, clip) => (clip.duration > most.duration ? clip : most));

/** @typedef {{ kind: 'error' | 'note' | 'ask', text: string, signal: AbortSignal | null }} Message */
/** @typedef {{ loaded: { isVersion: boolean }, changed: string, message: Message }} Details of the events */
/**
 * @template {keyof Details} Type
 * @typedef {(type: Type, listener: (event: CustomEvent<Details[Type]>) => void, options?: AddEventListenerOptions) => void} Listen
 */

/** @typedef {{ addEventListener: Listen<'loaded'> & Listen<'changed'> & Listen<'message'> } & EventTarget} Target */

const StageEvents = /** @type {new () => Target} */ (EventTarget); // its listeners know the details

export class Stage extends StageEvents {
    #lead = null; // the base's action that was started last, which the timeline shows
    /** @type {ClipAction[] | null} */ #all = null; // the action of each clip while all play at once
    #canPlayAll = false;
    #morphs = new Map(); // morph weights that are held
    #held = false; // while the scrubber is held
    /** @type {Mask[]} */ #masks = []; // by layer
    /** @type {BlendSpace | null} */ #space = null; // the BlendSpace that was played last
    /** @type {BlendSpaceAction | null} */ #spaceAction = null; // its action
    #spaceWeights = []; // its clips' weights
    /** @type {ClipAction | null} */ #filling = null; // gets weight 1 once it plays alone
    #wanted = []; // effectors to hold when their nodes are found: [role, target]
    #frame = new Event('frame');

    constructor(/** @type {Sinew} */ sinew) {
        super();
        this.sinew = sinew;
        // Decoders, set for the first file that needs them.
        /** @type {Meshopt | null} */ this.meshopt = null;
        /** @type {Draco | null} */ this.draco = null;
        /** @type {typeof GraphDriver | null} */ this.GraphDriver = null; // set for the first graph
        /** @type {Character | null} */ this.character = null;
        /** @type {GraphDriver | null} */ this.graph = null;
        /** @type {Retargeting | null} */ this.retarget = null;
        /** @type {Solving | null} */ this.solving = null; // springs and effectors (solving_open.js)
        this.keptMotion = null; // the retargeting's file before a reload
        /** @type {Attachment[]} */ this.attachments = []; // other files
        /** @type {Compare | null} */ this.compare = null; // a second character next to the main one
        this.crowd = new Crowd(null, 0);
        this.milliseconds = 0; // the last update's
        this.playing = true;
        this.speed = 1;
        this.loop = 'repeat';
        this.transition = newTransition();
        this.layers = newLayers();
        /** @type {Space | null} */ this.space = null;
        this.springs = newSprings();
        this.warp = newWarp();
        this.warping = new Warping(this);
        this.plot = newPlot();
        this.selected = -1; // a joint
        /** @type {Attachment | null} */ this.gizmo = null; // the attachment with handles in the picture
        this.view = newView();
    }

    #changed(what) {
        this.dispatchEvent(new CustomEvent('changed', { detail: what }));
    }

    tell(kind, text, signal = null) {
        this.dispatchEvent(new CustomEvent('message', { detail: { kind, text, signal } }));
    }

    // ---- Files ----

    // Throws the file's error, without changing the stage.
    /** @returns {Opened} */
    #open(name, bytes, files, options) {
        const markers = files[markersName(name)]; // includes curves; a baked asset has its own
        const asset = this.sinew.loadAsset(bytes, files, { markers, meshopt: this.meshopt, draco: this.draco });
        try {
            return { name, bytes, files, asset, mixer: new Mixer(asset, options), world: IDENTITY.slice() };
        } catch (error) {
            asset.dispose();
            throw error;
        }
    }

    // Loads the main character. `files` are the sidecar files by name. With `isVersion`, retargeting continues.
    load(name, bytes, files = {}, isVersion = false) {
        const options = { maxActions: ACTIONS, layers: ALL + 1, syncNames: STEPS };
        /** @type {Character} */ const character = this.#open(name, bytes, files, options);
        if (!isVersion) this.#endRetarget();
        this.#clear();
        this.character = character;
        character.clipMixer = character.mixer; // `mixer` is the graph's while the graph drives
        for (let i = 1; i < LAYERS; i++) character.mixer.layers[mixerLayer(i, 'additive')].mode = 'additive';
        character.mixer.layers[ALL].mode = 'additive';
        const { clips } = character.asset;
        this.#canPlayAll = clips.length > 1 && clips.length <= MAX_CLIPS && areDisjoint(clips);
        if (clips.length > 0) this.#transitionTo(this.action(findWalk(clips)), { duration: 0 });
        character.mixer.update(0);
        this.graph?.bindTo(character);
        this.warping.begin();
        this.solving?.begin();
        this.#wanted = [];
        this.dispatchEvent(new CustomEvent('loaded', { detail: { isVersion } }));
        this.#changed('playing');
    }

    #clear() {
        if (!this.character) return;
        this.crowd.dispose();
        while (this.attachments.length > 0) this.#remove(0);
        this.#freeCompare();
        this.#freeSpace();
        for (const mask of this.#masks) mask?.dispose();
        this.#masks = [];
        this.graph?.unbind();
        this.character.asset.dispose();
        this.character = null;
        this.#lead = this.#filling = this.#all = null;
        this.#held = false;
        this.#morphs.clear();
        this.layers = newLayers();
        this.plot.node = 0;
        this.selected = -1;
    }

    // Attaches another file to a joint of the main character, or to its root (joint -1).
    addAttachment(name, bytes, files = {}, joint = -1, offset = {}) {
        const opened = this.#open(name, bytes, files, { maxActions: 1, layers: 1 });
        const [clip] = opened.asset.clips, action = clip ? opened.mixer.clipAction(clip).play() : null;
        const attachment = Object.assign(opened, { joint, offset: { ...newOffset(), ...offset }, action });
        this.attachments.push(attachment);
        this.#updateAttachments();
        this.#changed('attachments');
        return attachment;
    }

    setAttachment(index, /** @type {{ joint?: number, offset?: Partial<Offset> }} */ { joint, offset }) {
        const attachment = this.attachments[index];
        if (joint !== undefined) attachment.joint = joint;
        Object.assign(attachment.offset, offset);
        this.#updateAttachments();
        this.#changed('attachments');
    }

    // Shows an attachment's handles; null hides them.
    setGizmo(attachment) {
        this.gizmo = attachment;
        this.#changed('gizmo');
    }

    removeAttachment(index) {
        this.#remove(index);
        this.#changed('attachments');
    }

    #remove(index) {
        const [attachment] = this.attachments.splice(index, 1);
        attachment.asset.dispose();
    }

    #updateAttachments() {
        const { mixer, world } = this.character, onJoint = new Float32Array(12);
        for (const attachment of this.attachments) {
            const own = fromTransform(attachment.offset);
            const { joint } = attachment;
            multiply(attachment.world, world, joint < 0 ? own : multiply(onJoint, mixer.modelMatrices, own, joint));
        }
    }

    // Everything that's drawn besides the main character and its crowd: [{ asset, mixer, world }].
    get others() {
        return this.compare ? [...this.attachments, this.compare] : this.attachments;
    }

    // Replaces the main character's file with another version. Keeps what plays, is attached or is compared, if the
    // file still has the clips and nodes.
    replaceFile(bytes, files) {
        this.#replace(bytes, files, null, false);
    }

    // Restores the state `restored`, or the current one for null.
    #replace(bytes, files, restored, isVersion) {
        const { character: { name }, attachments } = this, other = this.comparesWithItself ? null : this.compare;
        const saved = this.save(), clips = this.#clipNames;
        const kept = attachments.map(({ name, bytes, files, joint, offset, action }) => (
            { name, bytes, files, joint, offset, time: action?.time ?? 0 }));
        this.load(name, bytes, files, isVersion);
        this.restore(restored ?? withClips(saved, clips, this.#clipNames));
        for (const one of kept) {
            const { action } = this.addAttachment(one.name, one.bytes, one.files, one.joint, one.offset);
            if (action) action.time = one.time;
        }
        if (other) this.startCompare(other.name, other.bytes, other.files, other.kind, other.fit);
    }

    get #clipNames() {
        return this.character.asset.clips.map(({ name }) => name);
    }

    // ---- Retargeting ----

    // Retargets motion onto the character. showVersion gives its file other clips. The code is fetched for the first
    // motion (retarget_open.js).
    startRetarget(retargeting) {
        this.#endRetarget();
        this.retarget = retargeting;
        this.#changed('retarget');
    }

    #endRetarget() {
        this.retarget?.close();
        this.retarget = null;
    }

    // Closes the source. The character keeps the new clips or gets its own file back.
    stopRetarget({ keepsClips }) {
        const { base, showsSource } = this.retarget;
        this.#endRetarget();
        if (showsSource) this.stopCompare();
        if (!keepsClips) this.replaceFile(base.bytes, base.files);
        this.#changed('retarget');
    }

    // Called by a retargeting after a change.
    noteRetarget() {
        this.#changed('retarget');
    }

    // Shows the character with other clips. `restored` is a saved state; defaults to the current one.
    showVersion(bytes, restored = null) {
        this.#replace(bytes, this.character.files, restored, true);
    }

    // ---- Comparing ----

    // Adds a second character. It plays the clips of the same names in sync, with its own kind of transition. `fit`
    // is a 3x4 matrix applied to it.
    startCompare(name, bytes, files = {}, kind = 'inertialize', fit = IDENTITY) {
        const opened = this.#open(name, bytes, files, { maxActions: ACTIONS, layers: 1, syncNames: STEPS });
        this.#freeCompare();
        this.compare = new Compare(opened, this.character, kind, fit);
        this.#playCompare({ duration: 0 });
        this.compare.seek(this.time, this.duration);
        if (this.isDriven) this.graph.drive(true);
        this.compare.moveNextTo(this.character);
        this.#changed('compare');
    }

    get comparesWithItself() {
        return this.compare !== null && this.compare.bytes === this.character.bytes;
    }

    setCompare({ kind }) {
        this.compare.kind = kind;
        this.graph?.changeSecond();
        this.#changed('compare');
    }

    stopCompare() {
        this.#freeCompare();
        this.#changed('compare');
    }

    #freeCompare() {
        this.graph?.unbindSecond();
        this.compare?.asset.dispose();
        this.compare = null;
    }

    #playCompare(changes) {
        const { compare, shownClip } = this;
        const transition = { ...this.transition, kind: TRANSITIONS[compare?.kind], ...changes };
        compare?.play(shownClip, LOOPS[this.loop], transition);
    }

    // ---- What plays ----

    // A clip's action. In an additive layer, it plays the clip's difference to its first pose.
    action(clip, layer = 0, mode = this.layers[layer].mode) {
        const { asset, clipMixer: mixer } = this.character;
        const isAdditive = layer > 0 && mode === 'additive';
        const played = isAdditive ? asset.makeAdditive(asset.clips[clip]) : asset.clips[clip];
        return mixer.clipAction(played, { layer: mixerLayer(layer, mode) });
    }

    // Whether a graph drives the character, so no clip is played by hand.
    get isDriven() {
        return this.graph?.drives ?? false;
    }

    // The timeline's action.
    get #shown() {
        return this.isDriven ? this.graph.shownAction : this.#lead;
    }

    // The index of the clip that was started last; -1 for a blend space, all clips, a graph or nothing.
    get clip() {
        return this.space || this.#all || this.isDriven ? -1 : this.#lead?.clip.index ?? -1;
    }

    get time() {
        return this.#shown?.time ?? 0;
    }

    get duration() {
        return this.shownClip?.duration ?? 0;
    }

    // The timeline's clip. For a blend space it's the one with the largest weight, for all clips the longest, and for
    // a graph the one in its base's state.
    get shownClip() {
        return this.#shown?.clip ?? null;
    }

    // Whether the timeline's clip has reached its end and doesn't loop.
    get isEnded() {
        return !this.isDriven && (this.#lead?.isFinished() ?? false);
    }

    // Starts over an action that has ended.
    #transitionTo(action, changes) {
        const { kind, duration, matchRate } = { ...this.transition, ...changes }, restart = action.isFinished();
        action.setLoop?.(LOOPS[this.loop]); // now it counts as not ended
        const transition = { kind: TRANSITIONS[kind], duration, matchRate };
        this.character.clipMixer.transitionTo(action, transition, { restart });
        this.#fadeOutAll(duration);
        this.#lead = action;
        this.space = null;
        this.#playCompare({ duration, matchRate });
    }

    // Transitions to a clip.
    play(clip) {
        this.#takeOver();
        const action = this.action(clip);
        if (!action.isActive()) action.weight = 1;
        this.#transitionTo(action);
        this.#filling = action;
        this.playing = true;
        this.#changed('playing');
    }

    // Shows a single clip at a time, paused, without a transition.
    showMoment(clip, seconds) {
        this.#takeOver();
        this.#transitionTo(this.action(clip), { kind: 'fade', duration: 0 });
        this.#lead.weight = 1;
        this.#filling = null;
        this.setPlaying(false);
        this.seek(seconds);
    }

    // Selects a joint, or none (-1). It's marked in the picture, and its curves are plotted.
    select(node) {
        this.selected = node;
        if (node >= 0) this.setPlot({ node });
        this.#changed('selected');
    }

    // ---- Morph targets ----

    // Holds the weight of a node's morph target.
    setMorph(node, target, weight) {
        const key = `${node} ${target}`, animated = this.#morphs.get(key)?.animated;
        this.#morphs.set(key, { node, target, weight, animated: animated ?? this.#morphWeights(node)[target] });
        this.#applyMorphs(false);
        this.#changed('morphs');
    }

    // [{ node, target, weight }]
    get heldMorphs() {
        return [...this.#morphs.values()];
    }

    // Lets the clips animate all morph targets again.
    releaseMorphs() {
        for (const { node, target, animated } of this.#morphs.values()) this.#morphWeights(node)[target] = animated;
        this.#morphs.clear();
        this.#changed('morphs');
    }

    #morphWeights(node) {
        return this.character.mixer.morphWeights(node);
    }

    // If `moved`, the mixer has written animated weights, which are kept for the release.
    #applyMorphs(moved) {
        for (const morph of this.#morphs.values()) {
            const weights = this.#morphWeights(morph.node);
            if (moved) morph.animated = weights[morph.target];
            weights[morph.target] = morph.weight;
        }
    }

    // Whether playAll can play the file's clips.
    get canPlayAll() {
        return this.#canPlayAll;
    }

    get playsAll() {
        return this.#all !== null;
    }

    // Plays all clips at full weight, each on the properties it animates. The longest plays in the base. The others
    // are added as differences to the rest pose: in the base, the weights of n clips sum to 1, so each would only
    // have an nth part.
    playAll() {
        this.#takeOver();
        const { asset, clipMixer: mixer } = this.character, { duration } = this.transition, longest = longestOf(asset.clips);
        this.#transitionTo(this.action(longest.index));
        this.#all = asset.clips.map((clip) => {
            if (clip === longest) return this.#lead;
            const difference = asset.makeAdditive(clip, { reference: null });
            return mixer.clipAction(difference, { layer: ALL }).stop().setLoop(LOOPS[this.loop]).fadeIn(duration).play();
        });
        this.#filling = null;
        this.playing = true;
        this.#changed('playing');
    }

    #fadeOutAll(duration) {
        for (const action of this.#all ?? []) if (action.clip.additive) action.fadeOut(duration);
        this.#all = null;
    }

    // Whether other actions are fading out.
    get isFading() {
        return this.#filling !== null;
    }

    // During a transition, a clip with a lower weight keeps it, so the pose doesn't jump. Once it plays alone, the
    // weight has no effect and is set to 1.
    #fill() {
        const { weight } = this.#filling;
        if (this.#filling.getEffectiveWeight() !== Math.fround(weight)) return;
        const { clips } = this.character.asset;
        if (clips.some((clip, i) => clip !== this.#filling.clip && this.weight(i) > 0)) return;
        this.#filling.weight = 1;
        this.#filling = null;
    }

    // Sets a clip's weight. At 0 it keeps playing.
    setWeight(clip, weight, layer = 0) {
        if (layer > 0) {
            this.setLayer(layer, { clip, weight });
            return;
        }
        this.#takeOver();
        const action = this.#all?.[clip] ?? this.action(clip);
        if (!action.isActive() && !this.#hasRoom(clip)) return;
        action.weight = weight;
        if (!action.isActive()) action.setLoop(LOOPS[this.loop]).play();
        this.#lead ??= action;
        this.#filling = null;
        this.#changed('playing');
    }

    // Whether another clip can play. At the limit, stops clips with weight 0.
    #hasRoom(clip) {
        const { clips } = this.character.asset;
        const active = clips.map(({ index }) => this.action(index)).filter((action) => action.isActive());
        if (active.length < MAX_CLIPS) return true;
        const unheard = active.filter((action) => action.weight === 0 && action !== this.#lead);
        for (const action of unheard) action.stop();
        if (unheard.length > 0) return true;
        const { name } = clips[clip];
        this.tell('note', `At most ${MAX_CLIPS} clips play at once, so “${name}” wasn't added. Stop another one first.`);
        return false;
    }

    // Stops a clip that plays with others.
    stopClip(clip) {
        const action = this.#all?.[clip] ?? this.action(clip);
        if (action !== this.#lead) action.stop();
        this.#changed('playing');
    }

    // A clip's current weight, also during a fade. Includes its weight in the blend space or among all clips.
    weight(clip, layer = 0) {
        if (layer > 0) return this.isDriven ? 0 : this.action(clip, layer).getEffectiveWeight();
        if (this.isDriven) return this.graph.weights[clip] ?? 0;
        if (this.#all) return this.#all[clip].getEffectiveWeight();
        return (this.#spaceWeights[clip] ?? 0) + this.action(clip).getEffectiveWeight();
    }

    // Whether a clip plays with its own weight, even 0. False while it fades out or is in a blend space.
    hasWeight(clip) {
        if (this.isDriven) return false;
        if (this.#all) return this.#all[clip].clip.additive; // the base's weight is constant
        const action = this.action(clip);
        if (action === this.#lead) return true;
        return action.isActive() && action.getEffectiveWeight() === Math.fround(action.weight);
    }

    // Also restarts clips that have ended.
    setPlaying(playing) {
        if (playing && this.isEnded) this.#restartEnded();
        this.playing = playing;
        this.#changed('playing');
    }

    togglePlaying() {
        this.setPlaying(!this.playing || this.isEnded);
    }

    #restartEnded() {
        const actions = this.#all ?? this.character.asset.clips.map((_, clip) => this.action(clip));
        for (const action of new Set([this.#lead, ...actions])) if (action.isFinished()) action.reset();
        this.compare?.seek(0, this.duration);
    }

    // Holds the time while the scrubber is held.
    hold(held) {
        this.#held = held;
    }

    setSpeed(speed) {
        this.speed = speed;
        this.#changed('playing');
    }

    setLoop(loop) {
        this.loop = loop;
        this.character?.asset.clips.forEach((_, clip) => this.action(clip).setLoop(LOOPS[loop]));
        for (const action of this.#all ?? []) action.setLoop(LOOPS[loop]);
        this.compare?.setLoop(LOOPS[loop]);
        this.#changed('playing');
    }

    setTransition(changes) {
        Object.assign(this.transition, changes);
        this.#changed('playing');
    }

    // Sets the time. Random access costs the same as playing.
    seek(seconds) {
        if (!this.#shown) return;
        const time = Math.min(Math.max(seconds, 0), this.duration);
        if (!this.isDriven) for (const action of this.#all ?? []) action.time = time; // each stops at its end
        this.#shown.time = time;
        this.compare?.seek(time, this.duration);
        this.solving?.reset();
        if (this.isDriven) this.graph.rest();
        this.#changed('playing');
    }

    // ---- Layers ----

    // Changes a layer above the base: its mode, weight, clip (-1: none) or mask ({ node, feather }; null: all nodes).
    setLayer(index, changes) {
        const layer = this.layers[index], before = { ...layer };
        if ((changes.clip ?? -1) >= 0) this.#takeOver();
        Object.assign(layer, changes);
        if ('mask' in changes) this.#mask(index);
        if ('weight' in changes) this.#applyLayer(index);
        if (layer.clip !== before.clip || layer.mode !== before.mode) this.#exchange(index, before);
        this.#changed('layers');
    }

    #mask(index) {
        const { mask } = this.layers[index];
        const old = this.#masks[index];
        this.#masks[index] = mask && new Mask(this.character.asset).setSubtree(mask.node, 1, mask.feather);
        this.#applyLayer(index);
        old?.dispose(); // the layer no longer uses it
    }

    #applyLayer(index) {
        for (const mode of MODES) {
            const layer = this.character.clipMixer.layers[mixerLayer(index, mode)];
            layer.weight = this.layers[index].weight;
            layer.mask = this.#masks[index] ?? null;
        }
    }

    // How much layers above the base affect a node: the largest factor, 0 to 1.
    coverOf(node) {
        let most = 0;
        if (this.isDriven) return this.graph.coverOf(node);
        for (let i = 1; i < LAYERS; i++) {
            const { clip, weight } = this.layers[i];
            if (clip >= 0) most = Math.max(most, weight * (this.#masks[i]?.factors[node] ?? 1));
        }
        return most;
    }

    #exchange(index, before) {
        const { clip, mode } = this.layers[index];
        const { duration } = this.transition;
        if (before.clip >= 0) this.action(before.clip, index, before.mode).fadeOut(duration);
        if (clip >= 0) this.action(clip, index, mode).fadeIn(duration).play();
    }

    // ---- Blend spaces ----

    // Transitions to the blend space { kind, samples: [{ clip, x, y }], x, y }, or back to the clip for null.
    setSpace(/** @type {Space | null} */ def) {
        if (def) this.#takeOver();
        if (def) this.#startSpace(def);
        else if (this.space) this.play(this.shownClip.index);
        this.#changed('space');
    }

    // Disposes the old blend space; its last pose fades out. A blend space that replaces another, such as one with an
    // edited number, continues at the same part of the cycle.
    #startSpace(def) {
        const phase = this.space && this.duration > 0 ? this.time / this.duration : null;
        const { asset, clipMixer: mixer } = this.character;
        const samples = def.samples.map((sample) => ({ ...sample, clip: asset.clips[sample.clip] }));
        const space = new BlendSpace(asset, { kind: def.kind, samples, syncNames: STEPS });
        this.#space?.dispose();
        this.#space = space;
        this.#spaceAction = mixer.clipAction(space).setParameter(def.x, def.y);
        this.#transitionTo(this.#spaceAction, phase === null ? {} : { kind: 'inertialize' });
        if (phase === null) this.playing = true;
        else this.#lead.time = phase * this.duration;
        this.space = { ...def };
        this.#weighSpace();
    }

    setParameter(x, y) {
        Object.assign(this.space, { x, y });
        this.#lead.setParameter(x, y);
        this.#changed('space');
    }

    // The current parameter. It follows its target.
    get parameter() {
        return { x: this.#lead.x, y: this.#lead.y };
    }

    // Updates the weights of the blend space's clips, even while it fades out.
    #weighSpace() {
        const { x, y } = this.#spaceAction, weight = this.#spaceAction.getEffectiveWeight();
        this.#spaceWeights.length = 0;
        for (const { sample, weight: inSpace } of this.#space.weights(x, y)) {
            const { clip } = this.#space.samples[sample];
            this.#spaceWeights[clip.index] = (this.#spaceWeights[clip.index] ?? 0) + weight * inSpace;
        }
    }

    #freeSpace() {
        this.#space?.dispose();
        this.#space = this.#spaceAction = this.space = null;
        this.#spaceWeights.length = 0;
    }

    // ---- A crowd ----

    // Sets a crowd of `count` copies of the main character. `width` is one copy's; defaults to its current width.
    setCrowd(count, width = this.#widthNow()) {
        this.crowd.dispose();
        this.crowd = new Crowd(this.character.asset, Math.min(count, MAX_CROWD), width);
        this.#changed('crowd');
    }

    #widthNow() {
        const [x0, , z0, x1, , z1] = this.character.mixer.bounds();
        return Math.max(x1 - x0, z1 - z0, 1e-3);
    }

    // ---- The graph ----

    // Opens an animation graph's text. The graph drives the character if it fits. The class must be loaded
    // (graph_open.js).
    openGraph(name, text) {
        this.graph?.dispose();
        this.graph = new this.GraphDriver(this, name, text);
        this.driveByGraph(true);
    }

    closeGraph() {
        if (!this.graph) return;
        this.driveByGraph(false);
        this.graph.dispose();
        this.graph = null;
        this.#changed('graph');
    }

    // Lets the graph drive the character, or stops the graph where it is so clips play by hand.
    driveByGraph(drives) {
        this.graph.drive(drives);
        this.#changed('playing');
        this.#changed('graph');
    }

    // Whether the graph's rig has spring steps. They replace the file's springs.
    get rigSwings() {
        return this.graph?.swings ?? false;
    }

    // Called by a graph driver after its text, parameters or switches changed.
    noteGraph() {
        this.#changed('graph');
    }

    // Stops the graph before clips are played by hand. Its clips in the base continue, so a transition can start from
    // them.
    #takeOver() {
        if (!this.isDriven) return;
        const { clips } = this.character.asset, playing = this.graph.playing;
        this.driveByGraph(false);
        for (const action of this.#all ?? []) action.stop();
        for (const { index } of clips) this.action(index).stop();
        this.#spaceAction?.stop();
        this.#all = this.space = this.#filling = this.#lead = null;
        for (const { clip, weight, time } of playing) {
            const action = this.action(clip.index).setLoop(LOOPS[this.loop]).play();
            Object.assign(action, { weight, time });
            this.#lead ??= action;
        }
        this.character.clipMixer.update(0);
    }

    // ---- Springs and effectors ----

    setSolving(solving) {
        this.solving = solving;
        this.#changed('springs');
    }

    // Turns the file's springs on or off, and sets the wind.
    setSprings(changes) {
        Object.assign(this.springs, changes);
        this.#changed('springs');
    }

    // The held effectors: [{ role, target }].
    get heldEffectors() {
        return (this.solving?.reach.effectors ?? []).filter(({ target }) => target);
    }

    // Holds an effector at a position in model space.
    holdEffector(role, target) {
        this.solving.reach.hold(role, target);
        this.#changed('effectors');
    }

    // Releases an effector, or all.
    releaseEffectors(role = null) {
        if (role === null) this.solving?.reach.releaseAll();
        else this.solving.reach.release(role);
        this.#changed('effectors');
    }

    // Holds a saved state's effectors, [role, target], and no others. If their nodes aren't found yet, holds them
    // then.
    restoreEffectors(held) {
        this.#wanted = held;
        if (this.solving?.reach.roles) this.noteEffectors();
    }

    // Called when the effectors' nodes are found.
    noteEffectors() {
        const { reach } = this.solving;
        reach.releaseAll();
        for (const [role, target] of this.#wanted) if (role in reach.roles) reach.hold(role, target);
        this.#changed('effectors');
    }

    // ---- The root warp ----

    // Turns the clip's root warp on or off.
    setWarp(changes) {
        Object.assign(this.warp, changes);
        this.warping.aim();
        this.advance(0);
        this.#changed('warp');
    }

    // Sets the warp's goal: a position, or null for ahead of the clip's end.
    setGoal(goal) {
        this.warp.goal = goal;
        this.warping.aim();
        this.#changed('goal');
    }

    // ---- Time ----

    // Advances by `seconds` of real time. Also updates a paused stage, since its time may have been set. Returns
    // false if no pose changed.
    update(seconds) {
        return this.advance(this.playing && !this.#held ? seconds * this.speed : 0, seconds);
    }

    // Advances by `step` seconds of clip time, even while paused. `seconds` is the page's time, for fading settings.
    advance(step, seconds = step) {
        if (!this.character) return false;
        const start = performance.now();
        let moved = this.compare ? this.#advanceBoth(step) : this.#advanceMain(step);
        this.#applyMorphs(moved);
        moved = this.warping.update() || moved;
        this.solving?.update(step, seconds);
        moved = moved || (this.solving?.isActive ?? false);
        for (const { mixer } of this.attachments) moved = mixer.update(step) || moved;
        const crowdMoves = this.crowd.count > 0 && (step > 0 || (this.solving?.crowdFades ?? false));
        if (crowdMoves) this.crowd.update(step, () => this.solving?.updateCrowd(step, seconds));
        this.milliseconds = performance.now() - start;
        if (moved) this.#updateAttachments();
        if (this.isDriven) this.graph.weigh();
        if (this.#space) this.#weighSpace();
        if (this.#filling && !this.isDriven) this.#fill();
        this.dispatchEvent(this.#frame);
        return moved || crowdMoves;
    }

    #advanceMain(step) {
        return this.isDriven ? this.graph.update(step) : this.character.mixer.update(step);
    }

    // Advances the main and the second character in small steps, for the jump meters.
    #advanceBoth(step) {
        const count = Math.max(Math.ceil(step / MAX_STEP), 1);
        let moved = false;
        for (let i = 0; i < count; i++) {
            moved = this.#advanceMain(step / count) || moved;
            moved = this.compare.update(step / count) || moved;
        }
        return moved;
    }

    // ---- View ----

    setView(changes) {
        Object.assign(this.view, changes);
        this.#changed('view');
    }

    // Sets the plotted curves: the node, and the property ('translation', 'rotation' or 'scale').
    setPlot(changes) {
        Object.assign(this.plot, changes);
        this.#changed('plot');
    }

    // ---- Links ----

    save() {
        return save(this);
    }

    // Restores a saved state of the loaded file. The caller reloads the attachments.
    restore(saved) {
        restore(this, saved);
    }
}
