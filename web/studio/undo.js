// SPDX-License-Identifier: MIT
// Undo and redo of the stage's settings, including its graph's text. Passing time isn't a change. The camera, the
// open tab, the panels' width and a graph's parameters aren't undone.
/** @import { Stage } from './stage.js' */
const PAUSE = 300; // milliseconds: changes while dragging or typing count as one
const MAX_STATES = 100;

// States are compared by this.
function keyOf({ saved, attachments }) {
    const { clips, layers, view, crowd, graph, ...rest } = saved;
    for (const name of ['time', 'playing', 'fading', 'attachments']) delete rest[name];
    const weights = saved.fading || clips.length < 2 ? [] : clips.map(([clip, weight]) => [clip, weight]);
    return JSON.stringify([rest, weights, layers.map(({ time, ...layer }) => layer), { ...view, tab: '', wide: false },
        crowd?.count ?? 0, graph && [graph.name, graph.text, graph.drives],
        attachments.map(({ name, joint, offset }) => [name, joint, offset])]);
}

// A graph's parameters and states pass like time, so they stay.
const withoutTime = (graph) => graph && { name: graph.name, text: graph.text, drives: graph.drives };

export class Undo {
    #states = []; // { saved, attachments, key }, the current one at #now
    #now = 0;
    #waiting = 0;
    #isRestoring = false;
    #isVersion = false; // the character's clips have changed since the current state
    #retarget = null; // the states' retargeting

    // Calls onChange(canUndo, canRedo) after each state.
    constructor(/** @type {Stage} */ stage, onChange) {
        this.stage = stage;
        this.onChange = onChange;
        stage.addEventListener('loaded', ({ detail: { isVersion } }) => {
            if (isVersion) this.#isVersion = true;
            else this.#clear();
            this.#plan();
        });
        // Notes a change of roles immediately, before its result changes the clips.
        stage.addEventListener('changed', ({ detail }) => {
            if (detail === 'retarget' && !this.#isRestoring) this.note();
            else this.#plan();
        });
    }

    #clear() {
        this.#states = [];
        this.#now = 0;
        this.#isVersion = false;
    }

    #plan() {
        if (this.#isRestoring) return;
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(() => this.note(), PAUSE);
    }

    /** Notes the current state if it differs from the last one. */
    note() {
        clearTimeout(this.#waiting);
        const { stage } = this;
        if (!stage.character) return;
        if (stage.retarget !== this.#retarget) this.#clear(); // undo doesn't open or close a motion
        this.#retarget = stage.retarget;
        const attachments = stage.attachments.map(({ name, bytes, files, joint, offset }) => (
            { name, bytes, files, joint, offset: structuredClone(offset) }));
        const state = { saved: structuredClone(stage.save()), attachments };
        state.key = keyOf(state);
        if (this.#isVersion) this.#states[this.#now] = state; // this change is the result of one that's already noted
        this.#isVersion = false;
        if (state.key === this.#states[this.#now]?.key) return;
        this.#states.splice(this.#now + 1, Infinity, state);
        if (this.#states.length > MAX_STATES) this.#states.shift();
        this.#now = this.#states.length - 1;
        this.#tell();
    }

    #tell() {
        this.onChange(this.#now > 0, this.#now < this.#states.length - 1);
    }

    undo() {
        this.note();
        return this.#go(-1);
    }

    redo() {
        this.note();
        return this.#go(1);
    }

    // Restores the state next to the current one. Returns false if there isn't one.
    #go(step) {
        const state = this.#states[this.#now + step], { stage } = this;
        if (!state) return false;
        this.#now += step;
        this.#isRestoring = true;
        const { playing, view: { tab, wide }, time } = stage, saved = structuredClone(state.saved);
        try {
            stage.restore({ ...saved, playing, view: { ...saved.view, tab, wide }, graph: withoutTime(saved.graph) });
            if (saved.clip === stage.clip && !stage.isDriven) stage.seek(time);
            this.#restoreAttachments(state.attachments);
        } finally {
            this.#isRestoring = false;
        }
        state.key = keyOf({ saved: stage.save(), attachments: stage.attachments });
        this.#tell();
        return true;
    }

    #restoreAttachments(attachments) {
        const { stage } = this;
        const isSame = attachments.length === stage.attachments.length &&
            attachments.every(({ bytes }, i) => bytes === stage.attachments[i].bytes);
        if (isSame) {
            attachments.forEach(({ joint, offset }, i) => stage.setAttachment(i, { joint, offset: structuredClone(offset) }));
            return;
        }
        while (stage.attachments.length > 0) stage.removeAttachment(0);
        for (const { name, bytes, files, joint, offset } of attachments) {
            stage.addAttachment(name, bytes, files, joint, structuredClone(offset));
        }
    }
}
