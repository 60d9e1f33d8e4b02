// SPDX-License-Identifier: MIT
// Keys, the same as those of the `sinew view` window for the same functions. They are ignored while a field is edited.
import { LOOPS, MAX_TRANSITION, SPEEDS, TRANSITIONS } from './defaults.js';

export const FRAMES = 30; // a second, for frame numbers and steps

const DURATIONS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, MAX_TRANSITION];

// The next larger or smaller value of a sorted list.
function stepFrom(values, value, up) {
    if (up) return values.find((other) => other > value + 1e-6) ?? values.at(-1);
    return values.findLast((other) => other < value - 1e-6) ?? values[0];
}

function nextOf(words, word) {
    const all = Object.keys(words);
    return all[(all.indexOf(word) + 1) % all.length];
}

// Pauses, and moves the time by `seconds`. It wraps at the ends of the clip.
export function stepTime(stage, seconds) {
    const { duration } = stage;
    if (!(duration > 0)) return;
    stage.setPlaying(false);
    stage.seek(((stage.time + seconds) % duration + duration) % duration);
}

const toggle = (stage, name) => stage.setView({ [name]: !stage.view[name] });
const step = (stage, seconds) => stepTime(stage, seconds);

// [KeyboardEvent.key, name in the help, description, function]
const KEYS = [
    [' ', 'Space', 'pause or play', ({ stage }) => stage.setPlaying(!stage.playing)],
    ['ArrowLeft', '←', 'previous frame (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? -0.25 : -1 / FRAMES)],
    ['ArrowRight', '→', 'next frame (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? 0.25 : 1 / FRAMES)],
    ['ArrowUp', '↑', 'faster', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, true))],
    ['ArrowDown', '↓', 'slower', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, false))],
    ['Home', 'Home', 'start of the clip', ({ stage }) => stage.seek(0)],
    ['l', 'L', 'loop mode: repeat, once, ping-pong', ({ stage }) => stage.setLoop(nextOf(LOOPS, stage.loop))],
    ['[', '[', 'shorter transition', ({ stage }) => changeDuration(stage, false)],
    [']', ']', 'longer transition', ({ stage }) => changeDuration(stage, true)],
    ['k', 'K', 'kind of transition', ({ stage }) => (
        stage.setTransition({ kind: nextOf(TRANSITIONS, stage.transition.kind) }))],
    ['f', 'F', 'frame all', ({ picture }) => picture.frame()],
    ['s', 'S', 'skeleton', ({ stage }) => toggle(stage, 'skeleton')],
    ['n', 'N', 'joint names', ({ stage }) => toggle(stage, 'names')],
    ['w', 'W', 'wireframe', ({ stage }) => toggle(stage, 'wireframe')],
    ['g', 'G', 'ground', ({ stage }) => toggle(stage, 'ground')],
    ['t', 'T', 'frame times', ({ stage }) => toggle(stage, 'times')],
    ['o', 'O', 'open a file', () => document.getElementById('open').click()],
    ['h', 'H or ?', 'this help', ({ help }) => help()],
];

export const HELP = [['1 … 9', 'play a clip'], ...KEYS.map(([, name, description]) => [name, description]),
    ['drag', 'orbit (Shift or right button: pan)'], ['wheel, pinch', 'zoom'], ['two fingers', 'pan'],
    ['double click', 'frame all'], ['drop a file', 'open it']];

function changeDuration(stage, up) {
    stage.setTransition({ duration: stepFrom(DURATIONS, stage.transition.duration, up) });
}

// Whether the focused element handles this key itself.
function isTaken({ target, key }) {
    if (!(target instanceof Element)) return false;
    if (target.closest('dialog, textarea, select, input:not([type=range], [type=checkbox], [type=radio])')) return true;
    return /^( |Arrow.*|Home)$/.test(key) && target.closest('button, input, summary, a, [role], [tabindex]') !== null;
}

// `parts` is { stage, picture, help }.
export function listenToKeys(parts) {
    addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
        const { stage } = parts;
        const key = event.key === '?' ? 'h' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const clip = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
        const found = KEYS.find(([name]) => name === key);
        if (clip < 0 && !found) return;
        event.preventDefault();
        if (!stage.character) return;
        if (clip >= 0 && clip < stage.character.asset.clips.length) stage.play(clip);
        found?.[3](parts, event.shiftKey);
    });
}
