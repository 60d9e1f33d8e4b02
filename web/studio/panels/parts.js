// SPDX-License-Identifier: MIT
// Elements and controls for panels. studio.css has their styles.

/**
 * Makes an element with properties, children and attributes (names with a dash, or without a property of that name).
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Object<string, any>} properties
 * @param {(Node | string)[]} children
 */
export function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (key.includes('-') || !(key in made)) made.setAttribute(key, value);
        else made[key] = value;
    }
    made.append(...children);
    return made;
}

export function button(text, onclick, properties = {}) {
    return element('button', { type: 'button', onclick, ...properties }, text);
}

const ICONS = {
    play: 'M4 2v12l10-6z',
    pause: 'M3 2h4v12H3zM9 2h4v12H9z',
    back: 'M11 3v10L5 8zM3 3h2v10H3z',
    next: 'M5 3v10l6-5zM11 3h2v10h-2z',
    plus: 'M7 2h2v5h5v2H9v5H7V9H2V7h5z',
    fit: 'M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z',
    minus: 'M2 7h12v2H2z',
    up: 'M8 3 2.5 8.5 4 10l4-4 4 4 1.5-1.5z',
    down: 'M8 13 2.5 7.5 4 6l4 4 4-4 1.5 1.5z',
    wide: 'M5 3v3h6V3l4 5-4 5v-3H5v3L1 8z',
    close: 'M3.5 2.1 8 6.6l4.5-4.5 1.4 1.4L9.4 8l4.5 4.5-1.4 1.4L8 9.4l-4.5 4.5-1.4-1.4L6.6 8 2.1 3.5z',
};

// Makes an SVG element with attributes and children.
export function drawn(name, attributes = {}, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

// An SVG drawing of one path, hidden from screen readers.
export function drawing(width, height, path, properties = {}) {
    return drawn('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', ...properties }, drawn('path', path));
}

export function icon(name) {
    return drawing(16, 16, { d: ICONS[name] }, { class: 'icon' });
}

// A button with an icon, and a label as its tooltip.
export function iconButton(name, label, onclick, properties = {}) {
    const made = button(icon(name), onclick, { className: 'square', title: label, ...properties });
    made.setAttribute('aria-label', label);
    return made;
}

export function panel(/** @type {HTMLElement} */ container, title, ...children) {
    const made = element('section', { className: 'panel' }, element('h2', {}, title), ...children);
    container.append(made);
    return made;
}

export const rowOf = (...nodes) => element('div', { className: 'row' }, ...nodes);
export const pairOf = (...nodes) => element('div', { className: 'pair' }, ...nodes); // two in a row, where there is room
export const stackOf = (...nodes) => element('div', { className: 'stack' }, ...nodes);

export function hint(...children) {
    return element('p', { className: 'hint' }, ...children);
}

const DRAG = 8; // CSS pixels: a touch that moves less may become a scroll

// A range. A touch sets it when it moves across or is lifted: one that scrolls the page over it sets nothing.
export function range(properties) {
    const input = element('input', { type: 'range', ...properties });
    let touch = null; // { x, value } until it is known what the touch does
    const decide = () => {
        touch = null;
        input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    input.addEventListener('pointerdown', ({ pointerType, clientX }) => {
        touch = pointerType === 'touch' ? { x: clientX, value: input.value } : null;
    });
    input.addEventListener('pointermove', ({ clientX }) => {
        if (touch && Math.abs(clientX - touch.x) > DRAG) decide();
    });
    input.addEventListener('pointerup', () => touch && decide());
    input.addEventListener('pointercancel', () => {
        if (touch) input.value = touch.value;
        touch = null;
    });
    input.addEventListener('input', (event) => touch && event.stopImmediatePropagation());
    return input;
}

// A range with a label and its value. `set` is ignored while the range is dragged.
export function slider({ label, min = 0, max = 1, step = 0.01, value = 0, say = (v) => v.toFixed(2), oninput }) {
    const output = element('output', { className: 'number' }, say(value));
    const input = range({ min, max, step, value });
    let held = false;
    input.addEventListener('pointerdown', () => { held = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(end, () => { held = false; });
    input.addEventListener('input', () => {
        output.textContent = say(input.valueAsNumber);
        input.setAttribute('aria-valuetext', output.textContent);
        oninput(input.valueAsNumber);
    });
    const words = element('span', { className: 'label' }, label);
    const node = element('label', { className: 'slider' }, words, input, output);
    function set(shown) {
        if (held) return;
        input.valueAsNumber = shown;
        output.textContent = say(shown);
        input.setAttribute('aria-valuetext', output.textContent);
    }
    set(value);
    return { node, input, output, set };
}

export function check(label, checked, onchange) {
    const input = element('input', { type: 'checkbox', checked, onchange: () => onchange(input.checked) });
    const node = element('label', { className: 'check' }, input, label);
    return { node, input, set: (value) => { input.checked = value; } };
}

// A choice of one option, as a row of radio buttons. `options` is { value: label }.
let groups = 0;
export function choice(legend, options, value, onchange) {
    const name = `choice-${groups++}`;
    const made = Object.entries(options).map(([key, words]) => {
        const input = element('input', { type: 'radio', name, value: key, checked: key === value });
        input.addEventListener('change', () => onchange(key));
        return { input, label: element('label', {}, input, element('span', {}, words)) };
    });
    const inputs = made.map(({ input }) => input), labels = made.map(({ label }) => label);
    const node = element('fieldset', { className: 'choice' }, element('legend', {}, legend), ...labels);
    const set = (key) => inputs.forEach((input) => { input.checked = input.value === key; });
    return { node, inputs, set };
}

// A choice of one option, as a select. `options` is [[value, label], ...].
export function select(label, options, value, onchange) {
    const input = element('select', { onchange: () => onchange(input.value) });
    const node = element('label', { className: 'field' }, element('span', { className: 'label' }, label), input);
    function fill(entries, chosen) {
        input.replaceChildren(...entries.map(([key, words]) => element('option', { value: key }, words)));
        input.value = chosen;
    }
    fill(options, value);
    return { node, input, fill, set: (key) => { input.value = key; } };
}

export const nameOf = (named) => named.name || '(no name)';
