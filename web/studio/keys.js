// SPDX-License-Identifier: MIT
// Keyboard shortcuts, the same as in the `sinew view` window. They're off while a field is edited.
import { LOOPS, MAX_TRANSITION, SPEEDS, TRANSITIONS } from './defaults.js';
/** @import { Stage } from './stage.js' */

export const FRAMES = 30; // per second, for frame numbers and steps

const DURATIONS = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, MAX_TRANSITION];

// The next larger or smaller value in a sorted list.
function stepFrom(values, value, up) {
    if (up) return values.find((other) => other > value + 1e-6) ?? values.at(-1);
    return values.findLast((other) => other < value - 1e-6) ?? values[0];
}

function nextOf(words, word) {
    const all = Object.keys(words);
    return all[(all.indexOf(word) + 1) % all.length];
}

// Pauses, and moves the time by `seconds`. The time wraps at the clip's ends.
export function stepTime(/** @type {Stage} */ stage, seconds) {
    const { duration } = stage;
    if (!(duration > 0)) return;
    stage.setPlaying(false);
    stage.seek(((stage.time + seconds) % duration + duration) % duration);
}

function searchClips(/** @type {Stage} */ stage) {
    stage.setView({ tab: 'Clips' });
    /** @type {HTMLElement} */ (document.querySelector('.tools input')).focus();
}

function deselect(/** @type {Stage} */ stage) {
    stage.retarget?.select(null);
    stage.select(-1);
}

const toggle = (/** @type {Stage} */ stage, name) => stage.setView({ [name]: !stage.view[name] });
const step = (/** @type {Stage} */ stage, seconds) => stepTime(stage, seconds);

/**
 * KeyboardEvent.key, name in the help, description, function
 * @type {[string, string, string, (parts, isShifted: boolean) => void][]}
 */
const KEYS = [
    [' ', 'Space', 'Play or pause', ({ stage }) => stage.togglePlaying()],
    ['ArrowLeft', '←', 'Previous frame (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? -0.25 : -1 / FRAMES)],
    ['ArrowRight', '→', 'Next frame (Shift: 1/4 s)', ({ stage }, big) => step(stage, big ? 0.25 : 1 / FRAMES)],
    ['ArrowUp', '↑', 'Faster', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, true))],
    ['ArrowDown', '↓', 'Slower', ({ stage }) => stage.setSpeed(stepFrom(SPEEDS, stage.speed, false))],
    ['Home', 'Home', 'Start of the clip', ({ stage }) => stage.seek(0)],
    ['l', 'L', 'When a clip ends: loop, once, ping-pong', ({ stage }) => stage.setLoop(nextOf(LOOPS, stage.loop))],
    ['[', '[', 'Shorter transition', ({ stage }) => changeDuration(stage, false)],
    [']', ']', 'Longer transition', ({ stage }) => changeDuration(stage, true)],
    ['k', 'K', 'Kind of transition', ({ stage }) => (
        stage.setTransition({ kind: nextOf(TRANSITIONS, stage.transition.kind) }))],
    ['f', 'F', 'Frame all', ({ picture }) => picture.frame()],
    ['s', 'S', 'Skeleton', ({ stage }) => toggle(stage, 'skeleton')],
    ['n', 'N', 'Joint names', ({ stage }) => toggle(stage, 'names')],
    ['w', 'W', 'Wireframe', ({ stage }) => toggle(stage, 'wireframe')],
    ['g', 'G', 'Ground', ({ stage }) => toggle(stage, 'ground')],
    ['t', 'T', 'Frame times', ({ stage }) => toggle(stage, 'times')],
    ['Escape', 'Esc', 'Deselect the joint or the role', ({ stage }) => deselect(stage)],
    ['/', '/', 'Search clips', ({ stage }) => searchClips(stage)],
    ['o', 'O', 'Open a file', () => document.getElementById('open').click()],
    ['h', 'H or ?', 'Help', ({ help }) => help()],
];

// Keys while a graph drives the character (graph_keys.js).
const GRAPH_KEYS = [['Arrows, WASD', 'With a graph: steer its vector2 (Shift: fast)'],
    ['1 … 9', 'With a graph: fire a trigger, switch a bool'], ['Home', 'With a graph: restart it']];

export const HELP = [['1 … 9', 'Play a clip'], ['Ctrl+Z', 'Undo (with Shift: redo)'],
    ...KEYS.map(([, name, description]) => [name, description]),
    ['Drag', 'Orbit (Shift or right button: pan)'], ['Wheel, pinch', 'Zoom'], ['Two fingers', 'Pan'],
    ['Click a joint', 'Select it'], ['Double-click', 'Frame all'], ['Drop a file', 'Open it'], ...GRAPH_KEYS];

function changeDuration(/** @type {Stage} */ stage, up) {
    stage.setTransition({ duration: stepFrom(DURATIONS, stage.transition.duration, up) });
}

const TEXT_FIELDS = 'textarea, input:not([type=range], [type=checkbox], [type=radio], [type=file])';
const CONTROLS = 'button, input, select, summary, a, canvas, [role=tab], [role=slider], [role=button]';

// Whether the focused element handles this key itself: a text field, a control focused by keyboard, or anything while
// a dialog is open.
function isTaken({ key }, focused, byPointer) {
    if (document.querySelector('dialog[open]') || focused.matches(TEXT_FIELDS)) return true;
    if (byPointer) return false;
    return focused.matches('select') || (/^( |Arrow.*|Home)$/.test(key) && focused.closest(CONTROLS) !== null);
}

const focusedElement = () => /** @type {HTMLElement | null} */ (document.activeElement);

// Keys that drive the page, even right after a click. A clicked control loses the focus at the next key, so Space and
// the arrows don't also operate it. Tab continues from there.
function onKeys(handle) {
    let byPointer = false;
    addEventListener('pointerdown', ({ target }) => {
        byPointer = true;
        const field = focusedElement();
        // The picture does not take the focus.
        if (field?.matches(TEXT_FIELDS) && !field.contains(/** @type {Node} */ (target))) field.blur();
    }, true);
    addEventListener('keydown', (event) => {
        if (event.altKey) return;
        const focused = focusedElement() ?? document.body;
        if (isTaken(event, focused, byPointer) || !handle(event)) {
            if (!/^(Shift|Control|Alt|Meta)$/.test(event.key)) byPointer = false;
            return;
        }
        event.preventDefault();
        event.stopPropagation();
        if (byPointer) focused.blur();
    }, true);
}

// Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y. The browser handles other keys with Ctrl.
function travel(history, { key, shiftKey }) {
    const letter = key.toLowerCase();
    if (letter === 'z' && !shiftKey) history.undo();
    else if (letter === 'z' || letter === 'y') history.redo();
    return letter === 'z' || letter === 'y';
}

// Keys that steer a graph while they are held.
function releaseKeys(/** @type {Stage} */ stage) {
    addEventListener('keyup', ({ key }) => {
        stage.graph?.keys.release(key);
        if (key === 'Shift') stage.graph?.keys.slow();
    });
    addEventListener('blur', () => stage.graph?.keys.release());
}

// `parts` is { stage, picture, history, help }.
export function listenToKeys(parts) {
    releaseKeys(parts.stage);
    onKeys((event) => {
        const { stage } = parts;
        if (event.ctrlKey || event.metaKey) return travel(parts.history, event);
        if (stage.isDriven && stage.graph.keys.take(event.key, event.shiftKey)) return true;
        const key = event.key === '?' ? 'h' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const clip = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
        const found = KEYS.find(([name]) => name === key);
        if (clip < 0 && !found) return false;
        if (!stage.character) return true;
        if (clip >= 0 && clip < stage.character.asset.clips.length) stage.play(clip);
        found?.[3](parts, event.shiftKey);
        return true;
    });
}
