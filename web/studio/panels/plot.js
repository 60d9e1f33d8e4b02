// SPDX-License-Identifier: MIT
// The panels of plots: the weights of the clips over the last seconds, and the curves of a joint over the clip in the
// timeline. Both also have tables.
import { nearestAngles, toAngles } from '../angles.js';
import { LAYERS } from '../defaults.js';
import { History } from '../history.js';
import { Plot } from '../plot.js';
import { Probe } from '../probe.js';
import { swatch } from '../series.js';
import { keysOf } from '../tracks.js';
import { clipName, follow, isVisible, nodeName, nodeSelect, show } from './controls.js';
import { choice, element, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SECONDS = 10;
const MAX_FRAME = 0.25; // seconds: the page was hidden during longer frames
const SAMPLES = 200, ROWS = 10; // of a curve, and of its table
const MAX_DOTS = 200; // keys: more would hide the line
const ROTATION_SAMPLES = 8; // of a clip, to find the node that rotates most
const PROPERTIES = { translation: 'Position', rotation: 'Rotation', scale: 'Scale' };
const AXES = ['x', 'y', 'z'];
const UNITS = { translation: 'm', rotation: '°', scale: '' };

const cell = (text) => element('td', { className: 'number' }, text);
const head = (text) => element('th', { scope: 'col' }, text);
const rowHead = (text) => element('th', { scope: 'row' }, text);

// A table in a closed <details>.
function tableOf(caption, ...heads) {
    const rows = element('tbody'), names = element('tr', {}, ...heads.map(head));
    const table = element('table', { className: 'table' }, element('caption', { className: 'only-read' }, caption),
        element('thead', {}, names), rows);
    const node = element('details', { className: 'group' }, element('summary', {}, 'Table'), table);
    return { node, rows, names };
}

// ---- Weights ----------------------------------------------------------------------------------------------------

// The actions of the weight plot: { name, index, shift, weight() }, by a constant key. The weight of an action in a
// layer is multiplied by the weight of the layer.
function plottedActions(/** @type {Stage} */ stage) {
    const found = new Map();
    const add = (key, clip, layer, weight) => {
        const name = `${clipName(stage.character.asset, clip)}${layer > 0 ? `, layer ${layer}` : ''}`;
        found.set(key, { name, index: clip, shift: layer, weight });
    };
    const begin = () => {
        found.clear();
        stage.character?.asset.clips.forEach((_, clip) => add(`${clip}`, clip, 0, () => stage.weight(clip)));
    };
    const addLayers = () => {
        for (let layer = 1; layer < LAYERS; layer++) {
            const { clip, mode } = stage.layers[layer], key = `${clip} ${layer} ${mode}`;
            if (clip < 0 || found.has(key)) continue;
            const action = stage.action(clip, layer, mode);
            add(key, clip, layer, () => stage.layers[layer].weight * action.getEffectiveWeight());
        }
    };
    return { found, begin, addLayers };
}

function weights(/** @type {Stage} */ stage) {
    const canvas = element('canvas', { className: 'plot', role: 'img',
        'aria-label': `Weights over the last ${SECONDS} seconds; see the table for the numbers` });
    const legend = element('ul', { className: 'legend' });
    const table = tableOf('Current weights', 'Clip', 'Weight');
    const plot = new Plot(canvas), history = new History(SECONDS), actions = plottedActions(stage);
    let last = performance.now(), named = '', filledAt = 0;

    function note() {
        const now = performance.now(), passed = (now - last) / 1000;
        last = now;
        if (!stage.playing || !history.advance(Math.min(passed, MAX_FRAME))) return;
        for (const [key, { weight }] of actions.found) history.note(key, weight());
    }
    function drawLegend() {
        const lines = [...history.values.keys()].map((key) => actions.found.get(key));
        const names = lines.map(({ name }) => name).join('\n');
        if (names === named) return;
        named = names;
        legend.replaceChildren(...lines.map(({ name, index, shift }) => element('li', {}, swatch(index, shift), name)));
        table.rows.replaceChildren(...lines.map(({ name }) => element('tr', {}, rowHead(name), cell(''))));
    }
    // Updates the table twice a second, so that it can be read.
    function fillTable() {
        const now = performance.now();
        if (!table.node.open || now - filledAt < 500) return;
        filledAt = now;
        [...history.values.keys()].forEach((key, i) => (
            show(table.rows.children[i].lastChild, history.valueAt(key, history.count - 1).toFixed(2))));
    }
    function draw() {
        note();
        if (!isVisible(canvas) || !plot.begin({ from: -SECONDS, to: 0, low: 0, high: 1 })) return;
        history.prune();
        drawLegend();
        for (const key of history.values.keys()) {
            plot.line(actions.found.get(key), history.count, (i) => history.timeAt(i) - history.time,
                (i) => history.valueAt(key, i));
        }
        fillTable();
    }
    follow(stage, ['layers'], () => {
        history.clear();
        actions.begin();
    }, actions.addLayers);
    stage.addEventListener('frame', draw);
    return [canvas, legend, table.node];
}

// ---- The curves of a joint --------------------------------------------------------------------------------------

const newTransform = () => (
    { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) });

// Samples a property of a node at even times from the start of a clip to its end. Returns one array for each axis;
// rotations are in degrees about x, then y, then z.
function sampleCurve(/** @type {Probe} */ probe, clip, node, property) {
    const target = newTransform();
    const axes = AXES.map(() => new Float32Array(SAMPLES + 1));
    let last = null;
    for (let i = 0; i <= SAMPLES; i++) {
        probe.pose(clip, clip.duration * i / SAMPLES).nodeTransform(node, target);
        const values = property === 'rotation' ? toAngles(target.rotation) : target[property];
        last = property === 'rotation' ? nearestAngles(values, last ?? values) : values;
        axes.forEach((axis, k) => { axis[i] = last[k]; });
    }
    return axes;
}

// The value of a sampled curve at a time.
function valueAt(axis, part) {
    const at = Math.min(Math.max(part, 0), 1) * SAMPLES, i = Math.min(Math.floor(at), SAMPLES - 1);
    return axis[i] + (at - i) * (axis[i + 1] - axis[i]);
}

// The node that rotates most over a clip: the default of the curve plot.
function mostRotatedNode(/** @type {Probe} */ probe, { asset: { nodes } }, clip) {
    const first = nodes.map(newTransform), now = newTransform(), rotated = new Float32Array(nodes.length);
    for (let i = 0; i < ROTATION_SAMPLES; i++) {
        const mixer = probe.pose(clip, clip.duration * i / ROTATION_SAMPLES);
        for (let node = 0; node < nodes.length; node++) {
            mixer.nodeTransform(node, i === 0 ? first[node] : now);
            if (i === 0) continue;
            const dot = now.rotation.reduce((sum, value, k) => sum + value * first[node].rotation[k], 0);
            rotated[node] = Math.max(rotated[node], 1 - Math.abs(dot));
        }
    }
    return rotated.indexOf(Math.max(...rotated));
}

// The range of the values with a margin of at least `smallest`, also for constant values.
function rangeOf(axes, smallest) {
    const least = Math.min(...axes.flatMap((axis) => [...axis])), most = Math.max(...axes.flatMap((axis) => [...axis]));
    const margin = Math.max(0.08 * (most - least), smallest);
    return { low: least - margin, high: most + margin };
}

function describeKeys(keys) {
    if (!keys) return 'The clip doesn’t animate it.';
    if (!keys.times) return `Keys: compressed, ${keys.interpolation.toLowerCase()}.`;
    return `${keys.times.length} ${keys.times.length === 1 ? 'key' : 'keys'}, ${keys.interpolation.toLowerCase()}.`;
}

function curves(/** @type {Stage} */ stage) {
    const canvas = element('canvas', { className: 'plot', role: 'img' });
    const legend = element('ul', { className: 'legend' });
    const table = tableOf('Curves over the clip'), about = hint();
    const plot = new Plot(canvas);
    const joint = nodeSelect('Joint', null, (node) => stage.select(node));
    const property = choice('Property', PROPERTIES, stage.plot.property, (value) => stage.setPlot({ property: value }));
    const withUnit = (axis) => [axis, UNITS[stage.plot.property]].filter(Boolean).join(', ');
    let probe = null, shown = null;

    function fillTable({ clip, axes }) {
        table.names.replaceChildren(...['Time', ...AXES.map(withUnit)].map(head));
        table.rows.replaceChildren(...Array.from({ length: ROWS + 1 }, (_, row) => (
            element('tr', {}, rowHead(`${(clip.duration * row / ROWS).toFixed(2)} s`),
                ...axes.map((axis) => cell(axis[row * SAMPLES / ROWS].toFixed(3)))))));
    }
    function sample(clip) {
        const { character: { asset }, plot: { node, property } } = stage;
        const axes = sampleCurve(probe, clip, node, property);
        const keys = keysOf(stage.character, clip, node, property);
        shown = { clip, axes, range: rangeOf(axes, property === 'rotation' ? 1 : 0.01), times: keys?.times ?? [] };
        show(about, describeKeys(keys));
        const title = `${PROPERTIES[property]} of ${nodeName(asset, node)} over ${clipName(asset, clip.index)}`;
        canvas.setAttribute('aria-label', `${title}; see the table for the numbers`);
        legend.replaceChildren(...axes.map((_, i) => element('li', {}, swatch(i), withUnit(AXES[i]))));
        fillTable(shown);
    }
    function draw() {
        const clip = stage.shownClip;
        if (!clip || !isVisible(canvas)) return;
        if (shown?.clip !== clip) sample(clip);
        const { axes, range, times } = shown;
        if (!plot.begin({ from: 0, to: clip.duration || 1, ...range })) return;
        axes.forEach((axis, index) => (
            plot.line({ index }, SAMPLES + 1, (i) => clip.duration * i / SAMPLES, (i) => axis[i])));
        if (times.length < MAX_DOTS) axes.forEach((axis, index) => (
            plot.dots({ index }, times, (time) => valueAt(axis, time / (clip.duration || 1)))));
        plot.cursor(stage.time);
    }
    follow(stage, ['plot'], (asset) => {
        probe = asset && new Probe(asset); // the old one was disposed with its asset
        joint.fill(asset);
        const clip = stage.shownClip;
        if (clip) stage.setPlot({ node: Math.max(mostRotatedNode(probe, stage.character, clip), 0) });
    }, () => {
        joint.set(stage.plot.node);
        property.set(stage.plot.property);
        shown = null;
        draw();
    });
    stage.addEventListener('frame', draw);
    return [joint.node, property.node, canvas, legend, about, table.node];
}

// ---- The curves of the clip -------------------------------------------------------------------------------------

// The curves that a clip animates: [{ curve, values }], sampled at even times. Those at their rest value are left out.
function sampleClipCurves(/** @type {Probe} */ probe, { curves: named }, clip) {
    const values = named.map(() => new Float32Array(SAMPLES + 1));
    for (let i = 0; i <= SAMPLES; i++) {
        const now = probe.pose(clip, clip.duration * i / SAMPLES).curves;
        values.forEach((list, curve) => { list[i] = now[curve]; });
    }
    return values.map((list, curve) => ({ curve, values: list }))
        .filter(({ curve, values: list }) => list.some((value) => value !== Math.fround(named[curve].rest)));
}

// `section` is the panel, which is hidden for files without curves.
function clipCurves(/** @type {Stage} */ stage, section) {
    const canvas = element('canvas', { className: 'plot', role: 'img' }), legend = element('ul', { className: 'legend' });
    const plot = new Plot(canvas), about = hint();
    let probe = null, shown = null;

    function sample(clip) {
        const { asset } = stage.character, found = sampleClipCurves(probe, asset, clip);
        shown = { clip, found, range: rangeOf(found.map(({ values }) => values), 0.01) };
        canvas.hidden = found.length === 0;
        show(about, found.length === 0 ? 'The clip doesn’t animate any.' : 'With the current value, blended with other clips.');
        canvas.setAttribute('aria-label', `Curves of ${clipName(asset, clip.index)}; see the legend for current values`);
        legend.replaceChildren(...found.map(({ curve }, i) => (
            element('li', {}, swatch(i), `${asset.curves[curve].name}: `, element('output', { className: 'number' })))));
    }
    function draw() {
        const clip = stage.shownClip;
        if (!clip || !isVisible(section)) return;
        if (shown?.clip !== clip) sample(clip);
        const { found, range } = shown, { curves: now } = stage.character.mixer;
        found.forEach(({ curve }, i) => show(legend.children[i].lastChild, now[curve].toFixed(3)));
        if (found.length === 0 || !plot.begin({ from: 0, to: clip.duration || 1, ...range })) return;
        found.forEach(({ values }, index) => (
            plot.line({ index }, SAMPLES + 1, (i) => clip.duration * i / SAMPLES, (i) => values[i])));
        plot.cursor(stage.time);
    }
    follow(stage, [], (asset) => {
        probe = asset && new Probe(asset); // the old one was disposed with its asset
        shown = null;
        section.hidden = (asset?.curves.length ?? 0) === 0;
    }, draw);
    stage.addEventListener('frame', draw);
    return [about, canvas, legend];
}

export function plot(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    panel(container, `Weights over the last ${SECONDS} seconds`, ...weights(stage));
    panel(container, 'Joint curves', hint('Of the clip in the timeline, before blending.'),
        ...curves(stage));
    const own = panel(container, 'Curves of the clip');
    own.append(...clipCurves(stage, own));
}
