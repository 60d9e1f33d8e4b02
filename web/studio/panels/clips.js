// SPDX-License-Identifier: MIT
// The panel of clips: a click plays one, and a slider sets its weight.
import { clipColor } from '../series.js';
import { button, choice, element, hint, nameOf, panel } from './parts.js';

const LOOPS = { 'repeat': 'Repeat', 'once': 'Once', 'ping-pong': 'Ping-pong' };

// The row of one clip: its button, its weight, and its part of the sum of weights.
function makeRow(stage, clip, index) {
    const fill = element('span', { className: 'clip-fill' });
    fill.style.background = clipColor(index);
    const play = button('', () => stage.play(index), { className: 'clip-name' });
    play.append(fill, element('span', { className: 'clip-number' }, String(index + 1)),
        element('span', { className: 'clip-words' }, nameOf(clip)),
        element('span', { className: 'hint number' }, `${clip.duration.toFixed(2)} s`));
    const weight = element('input', { type: 'range', min: 0, max: 1, step: 0.01, value: 0,
        'aria-label': `Weight of ${nameOf(clip)}` });
    const percent = element('output', { className: 'number' });
    weight.addEventListener('input', () => stage.setWeight(index, weight.valueAsNumber));
    const node = element('li', { className: 'clip' }, play, weight, percent);
    return { node, play, fill, weight, percent, shown: -1 };
}

function showRow(row, weight, sum) {
    const part = sum > 0 ? weight / sum : 0;
    const shown = weight + 10 * part; // changes with either of them
    if (shown === row.shown) return;
    row.shown = shown;
    if (document.activeElement !== row.weight || !row.weight.matches(':active')) row.weight.valueAsNumber = weight;
    row.percent.textContent = `${Math.round(100 * part)} %`;
    row.weight.setAttribute('aria-valuetext', `${weight.toFixed(2)}, ${Math.round(100 * part)} % of the pose`);
    row.fill.style.transform = `scaleX(${part})`;
}

export function clips(stage, container) {
    const list = element('ul', { className: 'list' });
    const file = panel(container, '', list);
    const loops = choice('At the end of a clip', LOOPS, stage.loop, (loop) => stage.setLoop(loop));
    file.append(loops.node);
    let rows = [];

    function fill() {
        const { name, asset } = stage.character;
        const count = asset.clips.length;
        file.querySelector('h2').textContent = `${name} · ${count === 1 ? '1 clip' : `${count} clips`}`;
        rows = asset.clips.map((clip, index) => makeRow(stage, clip, index));
        list.replaceChildren(...rows.map(({ node }) => node));
        if (count === 0) list.append(element('li', {}, hint('This file has no clips: it shows the rest pose.')));
        choose();
    }
    function choose() {
        loops.set(stage.loop);
        rows.forEach(({ node, play }, index) => {
            node.toggleAttribute('data-current', index === stage.clip);
            if (index === stage.clip) play.setAttribute('aria-current', 'true');
            else play.removeAttribute('aria-current');
        });
    }
    function show() {
        let sum = 0;
        for (let i = 0; i < rows.length; i++) sum += stage.weight(i);
        for (let i = 0; i < rows.length; i++) showRow(rows[i], stage.weight(i), sum);
    }
    stage.addEventListener('loaded', fill);
    stage.addEventListener('changed', choose);
    stage.addEventListener('frame', show);
}
