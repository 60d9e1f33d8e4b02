// The model: which characters there are, what they play, and what of it is to be seen. It knows nothing of the page,
// and runs in Node as well. Panels call it and listen to its events:
//
//   loaded     there is another main character, or none
//   changed    something that a panel shows has been set; `detail` says what: 'playing', 'layers', 'space', 'others',
//              'crowd', 'plot' or 'view'
//   frame      time has moved on, or a pose has changed
//   message    somebody should read this; `detail` is { kind: 'error' | 'note' | 'ask', text }
import { BlendSpace, Mask, Mixer } from './sinew/index.js';
import { fromTransform, IDENTITY, multiply } from './affine.js';
import { Crowd } from './crowd.js';
import {
    LAYERS, LOOPS, MODES, MOST_CROWD, newLayers, newOffset, newPlot, newTransition, newView, TRANSITIONS,
} from './defaults.js';
import { restore, save } from './saved.js';

const STEPS = ['Foot_L', 'Foot_R']; // the markers by which clips keep step
const ACTIONS = 32;

// The mixer has two layers for each one above the base, one that overrides and one that adds, so that a change from one
// to the other is a fade, too.
const mixerLayer = (layer, mode) => (layer === 0 ? 0 : 2 * layer - (mode === 'additive' ? 0 : 1));

export class Stage extends EventTarget {
    #lead = null; // the action of the base that was played last
    #masks = []; // by layer
    #space = null; // the BlendSpace that plays, or has played last
    #spaceAction = null; // its action
    #shares = []; // the weights of clips in it
    #filling = null; // the action whose weight is to be 1 once it is alone
    #frame = new Event('frame');

    constructor(sinew) {
        super();
        this.sinew = sinew;
        this.meshopt = this.draco = null; // decoders, once a file has needed them
        this.character = null;
        this.others = [];
        this.crowd = new Crowd(null, 0);
        this.milliseconds = 0; // that it took to move all on
        this.playing = true;
        this.speed = 1;
        this.loop = 'repeat';
        this.transition = newTransition();
        this.layers = newLayers();
        this.space = null;
        this.plot = newPlot();
        this.view = newView();
    }

    #changed(what) {
        this.dispatchEvent(new CustomEvent('changed', { detail: what }));
    }

    tell(kind, text) {
        this.dispatchEvent(new CustomEvent('message', { detail: { kind, text } }));
    }

    // ---- Files ----

    // Throws what is wrong with the file; all stays as it is then.
    #open(name, bytes, files, options) {
        const asset = this.sinew.loadAsset(bytes, files, { meshopt: this.meshopt, draco: this.draco });
        try {
            return { name, bytes, files, asset, mixer: new Mixer(asset, options), place: IDENTITY.slice() };
        } catch (error) {
            asset.dispose();
            throw error;
        }
    }

    // The main character. `files` has what stands beside the file, by the names that it says.
    load(name, bytes, files = {}) {
        const options = { maxActions: ACTIONS, layers: 2 * LAYERS - 1, syncNames: STEPS };
        const character = this.#open(name, bytes, files, options);
        this.#clear();
        this.character = character;
        for (let i = 1; i < LAYERS; i++) character.mixer.layers[mixerLayer(i, 'additive')].mode = 'additive';
        const { clips } = character.asset;
        const walk = clips.findIndex(({ name }) => /^walk$/i.test(name));
        if (clips.length > 0) this.#transitionTo(this.action(walk >= 0 ? walk : 0), 0);
        character.mixer.update(0);
        this.dispatchEvent(new Event('loaded'));
        this.#changed('playing');
    }

    #clear() {
        if (!this.character) return;
        this.crowd.dispose();
        while (this.others.length > 0) this.#remove(0);
        this.#freeSpace();
        for (const mask of this.#masks) mask?.dispose();
        this.#masks = [];
        this.character.asset.dispose();
        this.character = null;
        this.#lead = this.#filling = null;
        this.layers = newLayers();
        this.plot.node = 0;
    }

    // Another file, which a joint of the main character carries, or which stands where `offset` says (joint -1).
    addOther(name, bytes, files = {}, joint = -1, offset = {}) {
        const other = this.#open(name, bytes, files, { maxActions: 1, layers: 1 });
        const [clip] = other.asset.clips, action = clip ? other.mixer.clipAction(clip).play() : null;
        Object.assign(other, { joint, offset: { ...newOffset(), ...offset }, action });
        this.others.push(other);
        this.#placeOthers();
        this.#changed('others');
        return other;
    }

    setOther(index, { joint, offset }) {
        const other = this.others[index];
        if (joint !== undefined) other.joint = joint;
        Object.assign(other.offset, offset);
        this.#placeOthers();
        this.#changed('others');
    }

    removeOther(index) {
        this.#remove(index);
        this.#changed('others');
    }

    #remove(index) {
        const [other] = this.others.splice(index, 1);
        other.asset.dispose();
    }

    #placeOthers() {
        const { mixer, place } = this.character, carried = new Float32Array(12);
        for (const other of this.others) {
            const own = fromTransform(other.offset);
            const isCarried = other.joint >= 0;
            multiply(other.place, place, isCarried ? multiply(carried, mixer.modelMatrices, own, other.joint) : own);
        }
    }

    // ---- What plays ----

    // The action of a clip: of a layer that adds, of what the clip adds to its first pose.
    action(clip, layer = 0, mode = this.layers[layer].mode) {
        const { asset, mixer } = this.character;
        const adds = layer > 0 && mode === 'additive';
        const played = adds ? asset.makeAdditive(asset.clips[clip]) : asset.clips[clip];
        return mixer.clipAction(played, { layer: mixerLayer(layer, mode) });
    }

    // The clip that was played last; -1 where none is, or a blend space.
    get clip() {
        return this.space ? -1 : this.#lead?.clip.index ?? -1;
    }

    get time() {
        return this.#lead?.time ?? 0;
    }

    get duration() {
        return this.shownClip?.duration ?? 0;
    }

    // The clip that the timeline shows: of a blend space, the one that has most weight.
    get shownClip() {
        return this.#lead?.clip ?? null;
    }

    #transitionTo(action, duration = this.transition.duration) {
        const { kind, warp } = this.transition;
        action.setLoop?.(LOOPS[this.loop]);
        this.character.mixer.crossFadeTo(action, duration, { kind: TRANSITIONS[kind], warp });
        this.#lead = action;
        this.space = null;
    }

    // Goes over to a clip.
    play(clip) {
        const action = this.action(clip);
        if (!action.isActive()) action.weight = 1;
        this.#transitionTo(action);
        this.#filling = action;
        this.playing = true;
        this.#changed('playing');
    }

    // Others play, too, and fade out.
    get isFading() {
        return this.#filling !== null;
    }

    // A clip that somebody gave a lower weight goes on with that in a transition, so that nothing jumps. Once it is
    // alone its weight says nothing any more, and is 1.
    #fill() {
        const { weight } = this.#filling;
        if (this.#filling.getEffectiveWeight() !== Math.fround(weight)) return;
        const { clips } = this.character.asset;
        if (clips.some((clip, i) => clip !== this.#filling.clip && this.weight(i) > 0)) return;
        this.#filling.weight = 1;
        this.#filling = null;
    }

    // How much of a clip there is in the base; it plays on at 0.
    setWeight(clip, weight, layer = 0) {
        if (layer > 0) {
            this.setLayer(layer, { clip, weight });
            return;
        }
        const action = this.action(clip);
        action.weight = weight;
        if (!action.isActive()) action.setLoop(LOOPS[this.loop]).play();
        this.#lead ??= action;
        this.#filling = null;
        this.#changed('playing');
    }

    // As it is now, in the middle of a fade too, and with what a blend space has of it.
    weight(clip, layer = 0) {
        const shared = layer === 0 ? this.#shares[clip] ?? 0 : 0;
        return shared + this.action(clip, layer).getEffectiveWeight();
    }

    setPlaying(playing) {
        if (playing && this.#lead?.isFinished()) this.#lead.reset();
        this.playing = playing;
        this.#changed('playing');
    }

    setSpeed(speed) {
        this.speed = speed;
        this.#changed('playing');
    }

    setLoop(loop) {
        this.loop = loop;
        this.character?.asset.clips.forEach((_, clip) => this.action(clip).setLoop(LOOPS[loop]));
        this.#changed('playing');
    }

    setTransition(changes) {
        Object.assign(this.transition, changes);
        this.#changed('playing');
    }

    // Random access costs what playing on costs.
    seek(seconds) {
        if (!this.#lead) return;
        this.#lead.time = Math.min(Math.max(seconds, 0), this.duration);
        this.#changed('playing');
    }

    // ---- Layers ----

    // mode, weight, clip (-1: none) and mask ({ node, feather }, null: the whole body) of a layer above the base.
    setLayer(index, changes) {
        const layer = this.layers[index], before = { ...layer };
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
        old?.dispose(); // no longer the layer's
    }

    #applyLayer(index) {
        for (const mode of MODES) {
            const layer = this.character.mixer.layers[mixerLayer(index, mode)];
            layer.weight = this.layers[index].weight;
            layer.mask = this.#masks[index] ?? null;
        }
    }

    // How much of a node the layers above the base cover, the most of any; 0 to 1.
    coverOf(node) {
        let most = 0;
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

    // { kind, samples: [{ clip, x, y }], x, y } goes over to it; null goes back to the clip.
    setSpace(def) {
        if (def) this.#startSpace(def);
        else if (this.space) this.play(this.shownClip.index);
        this.#changed('space');
    }

    // The old space ends, and the pose that it leaves fades out.
    #startSpace(def) {
        const { asset, mixer } = this.character;
        const samples = def.samples.map((sample) => ({ ...sample, clip: asset.clips[sample.clip] }));
        const space = new BlendSpace(asset, { kind: def.kind, samples, syncNames: STEPS });
        this.#space?.dispose();
        this.#space = space;
        this.#spaceAction = mixer.spaceAction(space).setParameter(def.x, def.y);
        this.#transitionTo(this.#spaceAction);
        this.space = { ...def };
        this.playing = true;
        this.#weighSpace();
    }

    setParameter(x, y) {
        Object.assign(this.space, { x, y });
        this.#lead.setParameter(x, y);
        this.#changed('space');
    }

    // Where the parameter is, on its way to where it was set.
    get parameter() {
        return { x: this.#lead.x, y: this.#lead.y };
    }

    // Of what it plays, while it fades out too.
    #weighSpace() {
        const { x, y } = this.#spaceAction, weight = this.#spaceAction.getEffectiveWeight();
        this.#shares.length = 0;
        for (const { sample, weight: share } of this.#space.weights(x, y)) {
            const { clip } = this.#space.samples[sample];
            this.#shares[clip.index] = (this.#shares[clip.index] ?? 0) + weight * share;
        }
    }

    #freeSpace() {
        this.#space?.dispose();
        this.#space = this.#spaceAction = this.space = null;
        this.#shares.length = 0;
    }

    // ---- A crowd ----

    // `count` of the main character around it, each with so much ground: what it takes now, unless that is given.
    setCrowd(count, width = this.#widthNow()) {
        this.crowd.dispose();
        this.crowd = new Crowd(this.character.asset, Math.min(count, MOST_CROWD), width);
        this.#changed('crowd');
    }

    #widthNow() {
        const [x0, , z0, x1, , z1] = this.character.mixer.bounds();
        return Math.max(x1 - x0, z1 - z0, 1e-3);
    }

    // ---- Time ----

    // Moves all on by so many seconds of real time. What is paused is posed all the same: it may have been set. False
    // where everybody stands as before.
    update(seconds) {
        return this.advance(this.playing ? seconds * this.speed : 0);
    }

    // Moves all on by so many seconds of the clips, whether it plays or not.
    advance(step) {
        if (!this.character) return false;
        const start = performance.now();
        let moved = this.character.mixer.update(step);
        for (const { mixer } of this.others) moved = mixer.update(step) || moved;
        if (step > 0) this.crowd.update(step);
        this.milliseconds = performance.now() - start;
        if (moved) this.#placeOthers();
        if (this.#space) this.#weighSpace();
        if (this.#filling) this.#fill();
        this.dispatchEvent(this.#frame);
        return moved || (step > 0 && this.crowd.count > 0);
    }

    // ---- What is seen ----

    setView(changes) {
        Object.assign(this.view, changes);
        this.#changed('view');
    }

    // node and property, 'translation', 'rotation' or 'scale', whose curves are plotted.
    setPlot(changes) {
        Object.assign(this.plot, changes);
        this.#changed('plot');
    }

    // ---- Links ----

    save() {
        return save(this);
    }

    // What was saved, of the file that is loaded; the files that stand beside it are for the caller to open again.
    restore(saved) {
        restore(this, saved);
    }
}
