// SPDX-License-Identifier: MIT
// The timeline: pause, frame steps, speed, and a bar for scrubbing, with the markers of the clip.
import { SPEEDS } from '../defaults.js';
import { FRAMES, stepTime } from '../keys.js';
import { button, element, icon, iconButton, nameOf, range } from './parts.js';
/** @import { Stage } from '../stage.js' */

const LIT = 0.2; // seconds: the highlight of a marker after the time has passed it
const frameOf = (seconds) => Math.round(seconds * FRAMES);

// The step between ticks, so that their labels do not overlap.
function tickStep(duration) {
    return [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300].find((step) => duration / step <= 6) ?? duration;
}

function at(node, part) {
    node.style.left = `${100 * part}%`;
    return node;
}

function makeTicks(duration) {
    const step = tickStep(duration), ticks = [];
    for (let i = 1; i * step < duration * 0.999; i++) {
        const words = String(Number((i * step).toFixed(2)));
        ticks.push(at(element('span', { className: 'tick' }, words), i * step / duration));
    }
    return ticks;
}

// Makes the buttons of markers. Markers at the same time have one button.
function makeMarkers(/** @type {Stage} */ stage, clip) {
    const groups = new Map();
    for (const marker of clip.markers) groups.set(marker.time, [...groups.get(marker.time) ?? [], nameOf(marker)]);
    return [...groups].map(([time, names]) => {
        const words = names.join(', ');
        const node = button(words, () => stage.seek(time),
            { className: 'marker', title: `${words}, ${time.toFixed(3)} s`, 'aria-label': `Go to ${words}` });
        const part = clip.duration > 0 ? time / clip.duration : 0;
        return { node: at(node, part), time, part };
    }).sort((a, b) => a.time - b.time);
}

// Lays out the names of markers: to the right of the mark, otherwise to the left, otherwise visible only under the
// pointer.
function layOutNames(markers, width) {
    let end = 0; // of the previous name
    markers.forEach(({ node, part }, i) => {
        node.classList.remove('late', 'mute');
        const x = part * width, next = i + 1 < markers.length ? markers[i + 1].part * width : width;
        const wide = node.offsetWidth;
        const early = x + wide <= next, late = !early && x - wide >= end;
        node.classList.toggle('late', late);
        node.classList.toggle('mute', !early && !late);
        end = x + (early ? wide : 0);
    });
}

export function timeline(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const play = iconButton('pause', 'Pause', () => stage.togglePlaying(), { className: 'primary square' });
    const back = iconButton('back', 'Previous frame', () => stepTime(stage, -1 / FRAMES));
    const next = iconButton('next', 'Next frame', () => stepTime(stage, 1 / FRAMES));
    const name = element('strong'), clock = element('span'), frame = element('span');
    const speed = element('select', { 'aria-label': 'Speed', onchange: () => stage.setSpeed(Number(speed.value)) },
        ...SPEEDS.map((factor) => element('option', { value: factor }, `${factor} ×`)));
    const bar = range({ className: 'bar', min: 0, max: 1, step: 'any', value: 0,
        'aria-label': 'Time in the clip' });
    const ticks = element('div', { className: 'ticks', 'aria-hidden': 'true' });
    const marks = element('div', { className: 'marks', role: 'group', 'aria-label': 'Markers' });
    container.append(
        element('div', { className: 'row timeline-head' }, play, back, next,
            element('div', { className: 'now' }, name, clock, frame), speed),
        ticks, element('div', { className: 'track' }, bar), marks);
    let shown = null, markers = [];

    bar.addEventListener('input', () => stage.seek(bar.valueAsNumber));
    bar.addEventListener('pointerdown', () => stage.hold(true));
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => stage.hold(false));
    bar.addEventListener('keydown', (event) => {
        const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        stepTime(stage, direction * (event.shiftKey ? 0.25 : 1 / FRAMES));
    });

    function showClip(clip) {
        const duration = clip?.duration ?? 0;
        shown = clip;
        name.textContent = clip ? nameOf(clip) : 'Rest pose';
        clock.hidden = frame.hidden = !clip;
        bar.max = duration;
        bar.disabled = back.disabled = next.disabled = !(duration > 0);
        markers = clip ? makeMarkers(stage, clip) : [];
        ticks.replaceChildren(...makeTicks(duration));
        marks.replaceChildren(...markers.map(({ node }) => node));
        layOutNames(markers, marks.clientWidth);
    }
    new ResizeObserver(() => layOutNames(markers, marks.clientWidth)).observe(marks);
    function showTime() {
        if (stage.shownClip !== shown) showClip(stage.shownClip);
        showButton();
        const { time, duration } = stage;
        bar.valueAsNumber = time;
        const words = `${time.toFixed(2)} / ${duration.toFixed(2)} s`;
        if (words !== clock.textContent) {
            clock.textContent = words;
            frame.textContent = `frame ${frameOf(time)} / ${frameOf(duration)}`;
            bar.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds, frame ${frameOf(time)}`);
        }
        for (const marker of markers) {
            marker.node.classList.toggle('lit', stage.playing && time >= marker.time && time < marker.time + LIT);
        }
    }
    // Shows the speed, which a link may have set to a value that is not in the list.
    function showSpeed() {
        const { speed: factor } = stage;
        if (![...speed.options].some(({ value }) => Number(value) === factor)) {
            speed.append(element('option', { value: factor }, `${Number(factor.toFixed(2))} ×`));
        }
        speed.value = String(factor);
    }
    function showState() {
        showSpeed();
        showTime();
    }
    // A clip that has ended can be played again. Springs swing without a clip.
    function showButton() {
        play.disabled = !shown && !stage.solving?.bones;
        const words = stage.playing && !stage.isEnded ? 'Pause' : 'Play';
        if (play.title === words && play.ariaLabel === words) return;
        play.replaceChildren(icon(words.toLowerCase()));
        play.title = words;
        play.setAttribute('aria-label', words);
    }
    // The row of markers is there for all clips of a file or for none: the picture above keeps its size.
    function begin() {
        shown = undefined;
        marks.hidden = !stage.character.asset.clips.some((clip) => clip.markers.length > 0);
    }
    stage.addEventListener('loaded', begin);
    stage.addEventListener('changed', showState);
    stage.addEventListener('frame', showTime);
}
