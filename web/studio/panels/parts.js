// What panels are made of. studio.css says how it looks.

// An element with its properties, attributes (names with a dash, and those that have no property) and children.
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

export function panel(place, title, ...children) {
    const made = element('section', { className: 'panel' }, element('h2', {}, title), ...children);
    place.append(made);
    return made;
}

export function hint(...children) {
    return element('p', { className: 'hint' }, ...children);
}

// A label, a range and its value. `set` shows a value, unless somebody has hold of the range.
export function slider({ label, min = 0, max = 1, step = 0.01, value = 0, say = (v) => v.toFixed(2), oninput }) {
    const output = element('output', { className: 'number' }, say(value));
    const input = element('input', { type: 'range', min, max, step, value });
    let held = false;
    input.addEventListener('pointerdown', () => { held = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) input.addEventListener(end, () => { held = false; });
    input.addEventListener('input', () => {
        output.textContent = say(input.valueAsNumber);
        input.setAttribute('aria-valuetext', output.textContent);
        oninput(input.valueAsNumber);
    });
    const node = element('label', { className: 'slider' }, element('span', { className: 'label' }, label), input, output);
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

// One of a few, as a row of buttons. `options` is { value: words }.
let groups = 0;
export function choice(legend, options, value, onchange) {
    const name = `choice-${groups++}`;
    const inputs = Object.entries(options).map(([key, words]) => {
        const input = element('input', { type: 'radio', name, value: key, checked: key === value });
        input.addEventListener('change', () => onchange(key));
        return [input, element('label', {}, input, element('span', {}, words))];
    });
    const node = element('fieldset', { className: 'choice' }, element('legend', {}, legend), ...inputs.map(([, l]) => l));
    const set = (key) => inputs.forEach(([input]) => { input.checked = input.value === key; });
    return { node, inputs: inputs.map(([input]) => input), set };
}

// One of many. `options` is [[value, words], ...].
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

export const clipColor = (clip) => `var(--clip-${clip % 8})`;
export const nameOf = (named) => named.name || '(no name)';
