// SPDX-License-Identifier: MIT
// The parameters of a graph as controls, with the values that the graph uses.
import { rangeOf } from '../graph_driver.js';
import { VectorPad } from '../graph_pad.js';
import { isVisible, number, show } from './controls.js';
import { button, check, element, hint, iconButton, range, rowOf, stackOf } from './parts.js';
/** @import { GraphDriver } from '../graph_driver.js' */
/** @import { GraphEditor } from '../graph_editor.js' */

const say = (value) => String(Number(value.toFixed(2)));
const textOf = (vector) => [...vector].map((one) => one.toFixed(2)).join(', ');
const STEPS = 200; // of a slider

// The limits of a number field.
const limitsOf = ({ min, max }) => (
    { min: Number.isFinite(min) ? min : undefined, max: Number.isFinite(max) ? max : undefined });

const labelOf = (name) => element('span', { className: 'label' }, name);

// Each control is { node, refresh(target), live(value) }.
function floatControl(parameter, set, live) {
    const { least, most } = rangeOf(parameter), { name } = parameter;
    const input = range({ min: least, max: most, step: (most - least) / STEPS, 'aria-label': name });
    const exact = number(name, limitsOf(parameter), set);
    exact.node.firstElementChild.className = 'only-read';
    input.addEventListener('input', () => set(Number(input.valueAsNumber.toPrecision(6))));
    const node = element('div', { className: 'parameter float' }, labelOf(name), input, exact.node, live);
    return { node, refresh: (target) => {
        if (!input.matches(':active')) input.valueAsNumber = target;
        exact.set(target);
    } };
}

function intControl(parameter, set, live, target) {
    const { name, min, max } = parameter, exact = number(name, { step: 1, ...limitsOf(parameter) }, set);
    exact.node.firstElementChild.className = 'only-read';
    const step = (by) => set(Math.min(Math.max(target() + by, min), max));
    const node = element('div', { className: 'parameter int' }, labelOf(name),
        iconButton('minus', `${name}: less`, () => step(-1)), exact.node,
        iconButton('plus', `${name}: more`, () => step(1)), live);
    return { node, refresh: (value) => exact.set(value) };
}

function vectorControl(parameter, set, live) {
    const { name } = parameter;
    const canvas = element('canvas', { className: 'pad vector', tabIndex: 0, role: 'slider', 'aria-label': name });
    const pad = new VectorPad(canvas, parameter, set);
    const node = element('div', { className: 'parameter vector' }, element('div', { className: 'row spread' }, labelOf(name),
        live, button('Center', () => set([0, 0]), { className: 'quiet' })), canvas);
    return { node, refresh: () => {}, draw: (target, now) => {
        if (!isVisible(canvas)) return;
        pad.draw(target, now);
        canvas.setAttribute('aria-valuetext', now.map(say).join(', '));
        canvas.setAttribute('aria-valuenow', say(now[0]));
    } };
}

// Number fields for the coordinates of a vector3, or of a transform's position and rotation. A rotation of zeros isn't set.
function spaceControl(parameter, set, live, target) {
    const { name, type } = parameter, limits = limitsOf(parameter);
    const isTransform = type === 'transform';
    const numbersOf = (value) => (isTransform ? [...value.position, ...value.rotation] : value);
    const labels = isTransform ? ['x', 'y', 'z', 'turn x', 'turn y', 'turn z', 'turn w'] : ['x', 'y', 'z'];
    const fields = labels.map((label, i) => {
        const field = number(`${name} ${label}`, i < 3 ? limits : {}, (value) => {
            const numbers = numbersOf(target()).map((one, k) => (k === i ? value : one)), rotation = numbers.slice(3);
            if (!isTransform) set(numbers);
            else if (rotation.some(Math.fround)) set({ position: numbers.slice(0, 3), rotation });
        });
        field.node.firstElementChild.className = 'only-read';
        return field;
    });
    const nodes = fields.map((field) => field.node), rows = [nodes.slice(0, 3), nodes.slice(3)].filter(({ length }) => length > 0);
    const node = element('div', { className: 'parameter space' }, element('div', { className: 'row spread' }, labelOf(name), live),
        ...rows.map((row) => element('div', { className: 'numbers' }, ...row)));
    return { node, refresh: (value) => numbersOf(value).forEach((one, i) => fields[i].set(one)) };
}

function makeControl(/** @type {GraphDriver} */ driver, parameter, digit) {
    const { name, type } = parameter, set = (value) => driver.set(name, value);
    const live = element('output', { className: 'number live' });
    const key = digit > 0 && digit < 10 ? element('kbd', {}, String(digit)) : '';
    const label = element('span', {}, name, ' ', key);
    const made = {
        float: () => floatControl(parameter, set, live),
        int: () => intControl(parameter, set, live, () => driver.target(parameter)),
        bool: () => {
            const one = check('', false, set);
            one.node.append(label);
            one.node.classList.add('parameter');
            return { node: one.node, refresh: one.set };
        },
        trigger: () => {
            const node = button('', () => driver.fire(name), { className: 'trigger' });
            node.append(label);
            return { node, refresh: () => {}, lit: (isSet) => node.classList.toggle('lit', isSet) };
        },
        vector2: () => vectorControl(parameter, set, live),
        vector3: () => spaceControl(parameter, set, live, () => driver.target(parameter)),
        transform: () => spaceControl(parameter, set, live, () => driver.target(parameter)),
    }[type]();
    return { ...made, parameter, live };
}

export function graphParameters(/** @type {GraphEditor} */ editor) {
    const list = element('div', { className: 'stack' }), triggers = element('div', { className: 'row triggers' });
    const none = hint('The graph has no parameters.'), keys = hint();
    const node = stackOf(hint('Click a state to enter it.'), triggers, list, none, keys,
        rowOf(button('Restart', () => editor.driver.restart()),
            button('Default values', () => editor.driver.setDefaults())));
    let controls = [], graph = null;

    function make() {
        graph = editor.graph;
        const { driver } = editor, { pressed, steered } = driver.keys;
        controls = (graph?.parameters ?? []).map((parameter) => makeControl(driver, parameter, pressed.indexOf(parameter) + 1));
        const isTrigger = ({ parameter }) => parameter.type === 'trigger';
        triggers.replaceChildren(...controls.filter(isTrigger).map((one) => one.node));
        list.replaceChildren(...controls.filter((one) => !isTrigger(one)).map((one) => one.node));
        triggers.hidden = triggers.children.length === 0;
        none.hidden = controls.length > 0;
        const steering = steered ? `Arrows or WASD steer ${steered.name}. Hold Shift to go fast. ` : '';
        show(keys, `${steering}${pressed.length > 0 ? 'Digits fire triggers and switch bools.' : ''}`);
    }
    function refresh() {
        if (graph !== editor.graph) make();
        for (const { parameter, refresh: set } of controls) set(editor.driver.target(parameter));
    }
    // The values that the graph uses, in each frame.
    function live() {
        const { driver } = editor, { animator } = driver;
        if (!animator) return;
        for (const { parameter: { name, damping }, parameter, live: output, draw, lit } of controls) {
            if (animator.graph.findParameter(name)?.type !== parameter.type) continue;
            const value = /** @type {any} */ (animator.get(name)); // a number, a boolean, a vector or a transform
            if (lit) lit(value);
            else if (draw) draw(driver.target(parameter), [...value]);
            if (parameter.type === 'vector2') show(output, textOf(value));
            else if (parameter.type === 'vector3' || parameter.type === 'transform') {
                show(output, damping > 0 ? `now ${textOf(value.position ?? value)}` : '');
            } else if (parameter.type === 'float') show(output, damping > 0 ? `now ${value.toFixed(2)}` : '');
        }
    }
    return { node, refresh, live };
}
