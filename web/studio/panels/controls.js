// Controls that several of the panels share, made of parts.
import { element, select } from './parts.js';

/** Writes a text only where it is another one: what has not changed need not be read out or laid out again. */
export function show(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/** A number to be typed; what is none, or lies outside, changes nothing and is marked. */
export function number(label, { min, max, step = 'any' }, onchange) {
    const input = element('input', { type: 'number', step, ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }), inputMode: 'decimal', autocomplete: 'off' });
    input.addEventListener('input', () => {
        const isGood = input.validity.valid && Number.isFinite(input.valueAsNumber);
        input.setAttribute('aria-invalid', String(!isGood));
        if (isGood) onchange(input.valueAsNumber);
    });
    const node = element('label', { className: 'field figure' }, element('span', { className: 'label' }, label), input);
    // While somebody types, a value from elsewhere does not take the text away.
    const set = (value) => {
        if (document.activeElement !== input) input.value = String(Math.round(value * 1e4) / 1e4);
    };
    input.addEventListener('blur', () => input.removeAttribute('aria-invalid'));
    return { node, input, set };
}

// ---- Clips and nodes --------------------------------------------------------------------------------------------

export const clipName = (asset, clip) => asset.clips[clip].name || `clip ${clip + 1}`;
export const nodeName = (asset, node) => asset.nodes[node].name || `node ${node}`;

export function clipOptions(asset) {
    return (asset?.clips ?? []).map(({ index }) => [index, clipName(asset, index)]);
}

// Indented by how deep they stand. Numbers tell nodes of one name apart.
function nodeOptions(asset) {
    const depths = [], seen = new Map();
    for (const { name } of asset.nodes) seen.set(name, (seen.get(name) ?? 0) + 1);
    return asset.nodes.map(({ name, parent }, node) => {
        depths[node] = parent < 0 ? 0 : depths[parent] + 1;
        const suffix = name && seen.get(name) > 1 ? ` (${node})` : '';
        return [node, `${'\u00a0\u00a0'.repeat(depths[node])}${nodeName(asset, node)}${suffix}`];
    });
}

const SEARCHED = 16; // so many nodes are found without a search

/** A choice of one node of an asset, or of -1, which `none` is called, with a search where there are many. */
export function nodeSelect(label, none, onchange) {
    const first = none === null ? [] : [[-1, none]];
    const picked = select(label, first, -1, (value) => choose(Number(value)));
    const search = element('input', { type: 'search', placeholder: 'Find…', autocomplete: 'off',
        'aria-label': `Find in: ${label}` });
    let options = [], chosen = -1;
    const isFound = ([, words]) => words.toLowerCase().includes(search.value.trim().toLowerCase());
    const narrow = () => {
        const left = options.filter((option) => option[0] === chosen || isFound(option));
        picked.fill([...first, ...left], chosen);
    };
    function choose(node) {
        chosen = node;
        onchange(node);
    }
    search.addEventListener('input', narrow);
    // The first that is found, by Enter.
    search.addEventListener('keydown', (event) => {
        const found = options.find(isFound);
        if (event.key !== 'Enter' || !found) return;
        search.value = '';
        choose(found[0]);
        narrow();
    });
    const node = element('div', { className: 'row found' }, picked.node, search);
    return {
        node, input: picked.input, search,
        fill: (asset) => {
            options = asset ? nodeOptions(asset) : [];
            search.hidden = options.length < SEARCHED;
            search.value = '';
            narrow();
        },
        set: (value) => {
            if (value === chosen && picked.input.value === String(value)) return;
            chosen = value;
            narrow();
        },
    };
}

// ---- The stage --------------------------------------------------------------------------------------------------

/** Calls `refill` with each new character's asset, and `refresh` then and when one of `what` has changed; both now. */
export function follow(stage, what, refill, refresh) {
    const begin = () => {
        refill(stage.character?.asset ?? null);
        refresh();
    };
    stage.addEventListener('loaded', begin);
    stage.addEventListener('changed', ({ detail }) => {
        if (what.includes(detail)) refresh();
    });
    begin();
}

/** Whether a canvas is to be seen: what is drawn for nobody takes time for nothing. */
export const isSeen = (canvas) => canvas.clientWidth > 0;
