// A blend space: clips at points of a line or a plane, and a parameter that says how much of each there is.
import { BlendSpace } from '../sinew/index.js';
import { arrange, suggestSpace } from '../paces.js';
import { Pad } from '../pad.js';
import { swatch } from '../series.js';
import { clipName, clipOptions, follow, isSeen, number, show } from './controls.js';
import { button, check, choice, element, hint, panel, select } from './parts.js';

const KINDS = { line: 'Line', triangles: 'Triangles', directional: 'Directional' };
const HINTS = {
    line: 'The two clips beside the parameter share it.',
    triangles: 'The three corners of the triangle that the parameter is in share it.',
    directional: 'For velocities: direction and speed blend apart. One clip stands still at 0, 0.',
};

// The weights that are not 0, by sample.
function weightsOf(space, x, y) {
    return new Map(space.weights(x, y).map(({ sample, weight }) => [sample, weight]));
}

// What the panel shows: the space that plays, or the one that would.
class Draft {
    constructor(stage) {
        this.stage = stage;
        this.def = null;
        this.made = null; // its BlendSpace; null where it is none
        this.fault = '';
    }

    get asset() {
        return this.stage.character?.asset ?? null;
    }

    begin() {
        this.made = null; // went with the asset that it was of
        this.def = this.asset && (this.stage.space ?? suggestSpace(this.asset));
        this.seen = this.stage.space;
        this.remake();
    }

    // What comes to the stage from elsewhere counts, such as that of a link.
    take() {
        const { space } = this.stage;
        if (space === this.seen) return;
        this.seen = space;
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

    // What is no blend space is not played: the one before goes on.
    change(changes) {
        const wasPlaying = this.stage.space !== null;
        this.def = { ...this.def, ...changes };
        this.remake();
        if (wasPlaying && this.made) this.play();
    }

    play() {
        this.stage.setSpace(this.def); // it takes a copy, of which we hear
    }

    steer(x, y) {
        if (this.stage.space === this.def) this.stage.setParameter(x, y);
        else Object.assign(this.def, { x, y });
    }
}

// One line for each sample: its clip, where it is, and a way to be rid of it.
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

// And one more, at a place that is free: beyond the last one.
function withAnother({ def: { samples }, asset }) {
    const x = Math.max(...samples.map((sample) => sample.x)) + 1;
    const clip = asset.clips.findIndex((_, index) => samples.every((sample) => sample.clip !== index));
    return [...samples, { clip: Math.max(clip, 0), x, y: 0 }];
}

export function space(stage, place) {
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
    const none = hint('A blend space wants a file with two clips or more.');
    const body = element('div', { className: 'stack' }, playing.node, canvas, weights, fault,
        element('div', { className: 'row' }, x.node, y.node), kind.node, about, list,
        element('div', { className: 'row' }, button('Add a clip', () => change({ samples: withAnother(draft) })),
            button('Begin again', () => change(suggestSpace(draft.asset)), { className: 'quiet' })));
    panel(place, 'Blend space', none, body);
    const pad = new Pad(canvas, steer);
    let rows = [];

    function drawPad() {
        const { def, made, asset } = draft;
        if (!def || !made || !isSeen(canvas)) return;
        const names = def.samples.map(({ clip }) => clipName(asset, clip));
        const now = stage.space === def ? stage.parameter : def;
        const shares = weightsOf(made, now.x, now.y);
        const said = [...shares].map(([sample, weight]) => `${names[sample]} ${weight.toFixed(2)}`).join(', ');
        pad.draw(def, names, made.triangles ?? [], shares, now);
        show(weights, said);
        const at = def.kind === 'line' ? def.x.toFixed(2) : `${def.x.toFixed(2)}, ${def.y.toFixed(2)}`;
        canvas.setAttribute('aria-valuetext', `${at}: ${said}`);
        canvas.setAttribute('aria-valuenow', def.x.toFixed(2));
    }

    // Rows stay while there are as many: somebody may be typing into one.
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
