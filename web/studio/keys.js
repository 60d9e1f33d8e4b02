// Keys, those of the window of `sinew view` as far as there is the same to do. They do nothing while somebody types.
import { LOOPS, MOST_TRANSITION, SPEEDS, TRANSITIONS } from './defaults.js';

export const FRAMES = 30; // to which times are counted, a second

const DURATIONS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, MOST_TRANSITION];

// The next value up or down of an even few.
function stepFrom(values, value, up) {
    if (up) return values.find((other) => other > value + 1e-6) ?? values.at(-1);
    return values.findLast((other) => other < value - 1e-6) ?? values[0];
}

function nextOf(words, word) {
    const all = Object.keys(words);
    return all[(all.indexOf(word) + 1) % all.length];
}

// Pauses, and moves by that many seconds; past an end it goes round.
export function stepTime(stage, seconds) {
    const { duration } = stage;
    if (!(duration > 0)) return;
    stage.setPlaying(false);
    stage.seek(((stage.time + seconds) % duration + duration) % duration);
}

const toggle = (stage, name) => stage.setView({ [name]: !stage.view[name] });
const step = (stage, seconds) => stepTime(stage, seconds);

// By what a KeyboardEvent calls them. [words for the help, what it does, what is done]
const KEYS = [
    [' ', 'Space', 'pause, play', ({ stage }) => stage.setPlaying(!stage.playing)],
    ['ArrowLeft', '←', 'a frame back (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? -0.25 : -1 / FRAMES)],
    ['ArrowRight', '→', 'a frame on (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? 0.25 : 1 / FRAMES)],
    ['ArrowUp', '↑', 'faster', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, true))],
    ['ArrowDown', '↓', 'slower', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, false))],
    ['Home', 'Home', 'back to the start', ({ stage }) => stage.seek(0)],
    ['l', 'L', 'repeat, once, ping-pong', ({ stage }) => stage.setLoop(nextOf(LOOPS, stage.loop))],
    ['[', '[', 'shorter transitions', ({ stage }) => changeDuration(stage, false)],
    [']', ']', 'longer transitions', ({ stage }) => changeDuration(stage, true)],
    ['k', 'K', 'the kind of transition', ({ stage }) => (
        stage.setTransition({ kind: nextOf(TRANSITIONS, stage.transition.kind) }))],
    ['f', 'F', 'see all of it', ({ picture }) => picture.frame()],
    ['s', 'S', 'skeleton', ({ stage }) => toggle(stage, 'skeleton')],
    ['n', 'N', 'names of joints', ({ stage }) => toggle(stage, 'names')],
    ['w', 'W', 'wireframe', ({ stage }) => toggle(stage, 'wireframe')],
    ['g', 'G', 'ground', ({ stage }) => toggle(stage, 'ground')],
    ['t', 'T', 'frame times', ({ stage }) => toggle(stage, 'times')],
    ['o', 'O', 'open a file', () => document.getElementById('open').click()],
    ['h', 'H or ?', 'this help', ({ help }) => help()],
];

export const HELP = [['1 … 9', 'go to a clip'], ...KEYS.map(([, words, what]) => [words, what]),
    ['drag', 'turn (Shift or right button: move)'], ['wheel, pinch', 'nearer, farther'], ['two fingers', 'move'],
    ['double click', 'see all of it'], ['drop a file', 'open it']];

function changeDuration(stage, up) {
    stage.setTransition({ duration: stepFrom(DURATIONS, stage.transition.duration, up) });
}

// Whether whatever has the focus needs this key for itself.
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
