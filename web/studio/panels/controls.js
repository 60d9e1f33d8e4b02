// SPDX-License-Identifier: MIT
// Controls that several panels use, built from parts.js.
import { element, select } from './parts.js';
/** @import { Asset } from '../sinew/index.js' */
/** @import { Stage } from '../stage.js' */

/** Sets the text of a node if it differs: screen readers and layout are not triggered by unchanged texts. */
export function show(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/** A message of the module as a sentence. */
export function sentence(text) {
    const start = text.charAt(0).toUpperCase() + text.slice(1);
    return /[.?!]$/.test(start) ? start : `${start}.`;
}

/**
 * A number field. Invalid numbers and numbers out of range are marked and ignored.
 * @param {string} label
 * @param {{ min?: number, max?: number, step?: number | 'any' }} limits
 * @param {(value: number) => void} onchange
 */
export function number(label, { min, max, step = 'any' }, onchange) {
    const input = element('input', { type: 'number', step, ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }), inputMode: 'decimal', autocomplete: 'off' });
    input.addEventListener('input', () => {
        const isGood = input.validity.valid && Number.isFinite(input.valueAsNumber);
        input.setAttribute('aria-invalid', String(!isGood));
        if (isGood) onchange(input.valueAsNumber);
    });
    const caption = element('span', { className: 'label' }, label);
    const node = element('label', { className: 'field numeric' }, caption, input);
    // Does not replace the text while the field is edited.
    const set = (value) => {
        if (document.activeElement !== input) input.value = String(Math.round(value * 1e4) / 1e4);
    };
    input.addEventListener('blur', () => input.removeAttribute('aria-invalid'));
    return { node, input, set };
}

// ---- Clips and nodes --------------------------------------------------------------------------------------------

export const clipName = (/** @type {Asset} */ asset, clip) => asset.clips[clip].name || `clip ${clip + 1}`;
export const nodeName = (/** @type {Asset} */ asset, node) => asset.nodes[node].name || `node ${node}`;

export function clipOptions(/** @type {Asset} */ asset) {
    return (asset?.clips ?? []).map(({ index }) => [index, clipName(asset, index)]);
}

// Options indented by depth in the hierarchy. Nodes with the same name also have their index.
function nodeOptions(/** @type {Asset} */ asset) {
    const depths = [], seen = new Map();
    for (const { name } of asset.nodes) seen.set(name, (seen.get(name) ?? 0) + 1);
    return asset.nodes.map(({ name, parent }, node) => {
        depths[node] = parent < 0 ? 0 : depths[parent] + 1;
        const suffix = name && seen.get(name) > 1 ? ` (${node})` : '';
        return [node, `${'\u00a0\u00a0'.repeat(depths[node])}${nodeName(asset, node)}${suffix}`];
    });
}

const SEARCHED = 16; // the number of nodes from which a search field is shown

/** A select of one node of an asset, or of -1, whose label is `none`. With a search field for many nodes. */
export function nodeSelect(label, none, onchange) {
    const first = none === null ? [] : [[-1, none]];
    const picked = select(label, first, -1, (value) => choose(Number(value)));
    const search = element('input', { type: 'search', placeholder: 'Find…', autocomplete: 'off',
        'aria-label': `Find in: ${label}` });
    let options = [], chosen = -1;
    const isFound = ([, words]) => words.toLowerCase().includes(search.value.trim().toLowerCase());
    const narrow = () => {
        const left = options.filter((option) => option[0] === chosen || isFound(option))
            .map(([value, words]) => [value, value === chosen ? words.trimStart() : words]); // the closed select shows it
        picked.fill([...first, ...left], chosen);
    };
    function choose(node) {
        chosen = node;
        narrow();
        onchange(node);
    }
    search.addEventListener('input', narrow);
    // Enter selects the first result.
    search.addEventListener('keydown', (event) => {
        const found = options.find(isFound);
        if (event.key !== 'Enter' || !found) return;
        search.value = '';
        choose(found[0]);
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

/**
 * Calls `refill` with the asset of each new character, and then `refresh`; also calls `refresh` when a setting of the
 * groups `what` has changed. Both are called at once, too.
 */
export function follow(/** @type {Stage} */ stage, what, refill, refresh) {
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

/** Whether a canvas is visible. Hidden canvases are not drawn. */
export const isVisible = (/** @type {HTMLCanvasElement} */ canvas) => canvas.clientWidth > 0;
