// SPDX-License-Identifier: MIT
// The panel of the blend space: clips at points of a line or a plane, blended by a parameter.
import { BlendSpace } from '../sinew/index.js';
import { arrange, suggestSpace } from '../locomotion.js';
import { Pad } from '../pad.js';
import { swatch } from '../series.js';
import { clipName, clipOptions, follow, isVisible, number, show } from './controls.js';
import { button, check, choice, element, hint, panel, select } from './parts.js';
/** @import { Stage } from '../stage.js' */

const KINDS = { line: 'Line', triangles: 'Triangles', directional: 'Directional' };
const HINTS = {
    line: 'Blends the two clips next to the parameter.',
    triangles: 'Blends the three clips at the corners of the triangle around the parameter.',
    directional: 'For velocities: blends direction and speed separately. One clip must be at 0, 0.',
};

// The nonzero weights, by sample.
function weightsOf(space, x, y) {
    return new Map(space.weights(x, y).map(({ sample, weight }) => [sample, weight]));
}

// The blend space of the panel: the one that plays, or the one that will play.
class Draft {
    constructor(/** @type {Stage} */ stage) {
        this.stage = stage;
        this.def = null;
        this.made = null; // its BlendSpace; null if it is invalid
        this.fault = '';
    }

    get asset() {
        return this.stage.character?.asset ?? null;
    }

    begin() {
        this.made = null; // the old one was disposed with its asset
        this.def = this.asset && (this.stage.space ?? suggestSpace(this.asset));
        this.known = this.stage.space;
        this.remake();
    }

    // Takes over a blend space that was set elsewhere, such as by a link.
    take() {
        const { space } = this.stage;
        if (space === this.known) return;
        this.known = space;
        if (space === null) return;
        this.def = space;
        this.remake();
    }

    remake() {
        this.made?.dispose();
        this.made = null;
        this.fault = '';
        if (!this.def) return;
        try {
            const samples = this.def.samples.map((sample) => ({ ...sample, clip: this.asset.clips[sample.clip] }));
            this.made = new BlendSpace(this.asset, { kind: this.def.kind, samples });
        } catch (error) {
            this.fault = error.message;
        }
    }

    // Changes the blend space. An invalid one is not played: the previous one goes on.
    change(changes) {
        const wasPlaying = this.stage.space !== null;
        this.def = { ...this.def, ...changes };
        this.remake();
        if (wasPlaying && this.made) this.play();
    }

    play() {
        this.stage.setSpace(this.def); // the stage copies it, and its event calls take()
    }

    steer(x, y) {
        if (this.stage.space === this.def) this.stage.setParameter(x, y);
        else Object.assign(this.def, { x, y });
    }
}

// The row of one sample: its clip, its point, and a button to remove it.
function sampleRow(draft, index, change) {
    const set = (changes) => change({
        samples: draft.def.samples.map((old, i) => (i === index ? { ...old, ...changes } : old)),
    });
    const clip = select(`Clip ${index + 1}`, clipOptions(draft.asset), 0, (value) => set({ clip: Number(value) }));
    const x = number('x', {}, (value) => set({ x: value })), y = number('y', {}, (value) => set({ y: value }));
    const remove = button('✕', () => change({ samples: draft.def.samples.filter((_, i) => i !== index) }),
        { className: 'quiet square', 'aria-label': `Remove clip ${index + 1}` });
    const color = element('span', { className: 'swatch' });
    const node = element('li', { className: 'row sample' }, color, clip.node, x.node, y.node, remove);
    const refresh = ({ kind, samples }) => {
        clip.set(samples[index].clip);
        color.replaceChildren(swatch(samples[index].clip));
        x.set(samples[index].x);
        y.set(samples[index].y);
        y.node.hidden = kind === 'line';
        remove.disabled = samples.length < 2;
    };
    return { node, refresh };
}

// The samples with one more, at a free point beyond the last one.
function withAnother({ def: { samples }, asset }) {
    const x = Math.max(...samples.map((sample) => sample.x)) + 1;
    const clip = asset.clips.findIndex((_, index) => samples.every((sample) => sample.clip !== index));
    return [...samples, { clip: Math.max(clip, 0), x, y: 0 }];
}

export function space(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const draft = new Draft(stage);
    const canvas = element('canvas', { className: 'pad', tabIndex: 0, role: 'slider',
        'aria-label': 'Parameter of the blend space' });
    const playing = check('Play the blend space', false, (checked) => {
        if (checked) draft.play();
        else stage.setSpace(null);
    });
    const change = (changes) => {
        draft.change(changes);
        redraw();
    };
    const steer = (toX, toY) => {
        draft.steer(toX, toY);
        redraw();
    };
    const kind = choice('Kind', KINDS, 'line', (value) => {
        const samples = arrange(value, draft.def.samples), { x, y } = samples[Math.min(1, samples.length - 1)];
        change({ kind: value, samples, x, y });
    });
    const x = number('Parameter x', {}, (value) => steer(value, draft.def.y));
    const y = number('Parameter y', {}, (value) => steer(draft.def.x, value));
    const about = hint(), fault = element('p', { className: 'bad', role: 'status' });
    const weights = element('p', { className: 'weights' }), list = element('ol', { className: 'list' });
    const none = hint('A blend space needs a file with at least two clips.');
    const body = element('div', { className: 'stack' }, playing.node, canvas, weights, fault,
        element('div', { className: 'row' }, x.node, y.node), kind.node, about, list,
        element('div', { className: 'row' }, button('Add clip', () => change({ samples: withAnother(draft) })),
            button('Reset', () => change(suggestSpace(draft.asset)), { className: 'quiet' })));
    panel(container, 'Blend space', none, body);
    const pad = new Pad(canvas, steer);
    let rows = [];

    function drawPad() {
        const { def, made, asset } = draft;
        if (!def || !made || !isVisible(canvas)) return;
        const names = def.samples.map(({ clip }) => clipName(asset, clip));
        const now = stage.space === def ? stage.parameter : def;
        const current = weightsOf(made, now.x, now.y);
        const text = [...current].map(([sample, weight]) => `${names[sample]} ${weight.toFixed(2)}`).join(', ');
        pad.draw(def, names, made.triangles ?? [], current, now);
        show(weights, text);
        const at = def.kind === 'line' ? def.x.toFixed(2) : `${def.x.toFixed(2)}, ${def.y.toFixed(2)}`;
        canvas.setAttribute('aria-valuetext', `${at}: ${text}`);
        canvas.setAttribute('aria-valuenow', def.x.toFixed(2));
    }

    // Keeps the rows while their count does not change: one of them may be edited.
    function showRows() {
        const { samples } = draft.def;
        if (rows.length !== samples.length) {
            rows = samples.map((_, index) => sampleRow(draft, index, change));
            list.replaceChildren(...rows.map(({ node }) => node));
        }
        for (const row of rows) row.refresh(draft.def);
    }

    function redraw() {
        none.hidden = draft.def !== null;
        body.hidden = draft.def === null;
        if (!draft.def) return;
        playing.set(stage.space !== null);
        playing.input.disabled = !draft.made;
        kind.set(draft.def.kind);
        x.set(draft.def.x);
        y.set(draft.def.y);
        y.node.hidden = draft.def.kind === 'line';
        canvas.classList.toggle('flat', draft.def.kind === 'line');
        show(about, HINTS[draft.def.kind]);
        show(fault, draft.fault);
        showRows();
        drawPad();
    }

    follow(stage, ['space', 'playing', 'view'], () => {
        rows = [];
        draft.begin();
    }, () => {
        draft.take();
        redraw();
    });
    stage.addEventListener('frame', drawPad);
    new ResizeObserver(drawPad).observe(canvas);
}
