// SPDX-License-Identifier: MIT
// Adds switches to a graph's text: for each step of its rig, a bool parameter in the step's condition. A step that's
// switched off fades out like with its own condition. Elements stay on their lines.
import { applyEdits, memberOf, stringOf } from './json_text.js';
/** @import { Outline } from './graph_outline.js' */

const MAX_PARAMETERS = 64; // in a graph
const ON = '{ "type": "bool", "default": true }';

// Inserts text at an object's start.
const insertAt = ({ start, parts }, text) => ({ start: start + 1, end: start + 1, text: parts.length > 0 ? `${text}, ` : text });

function stepEdit(text, { node }, name) {
    const when = stringOf(text, node, 'when');
    if (when === undefined) return insertAt(node, `"when": "${name}"`);
    const { start, end } = memberOf(node, 'when').value;
    return { start, end, text: JSON.stringify(`(${when}) && ${name}`) };
}

/**
 * Returns { text, switches }: the parameters' names by step. If the graph has no room for more parameters, its last
 * steps have no switch.
 */
export function withSwitches(/** @type {Outline} */ outline) {
    const { text, root, steps, parameters } = outline, taken = parameters.map(({ name }) => name);
    const nameOf = (name) => (taken.includes(name) ? nameOf(`_${name}`) : name);
    const steered = steps.slice(0, MAX_PARAMETERS - parameters.length), switches = steered.map((_, i) => nameOf(`switch${i}`));
    if (switches.length === 0) return { text, switches };
    const added = switches.map((name) => `"${name}": ${ON}`).join(', '), list = memberOf(root, 'parameters')?.value;
    const edits = [list ? insertAt(list, added) : insertAt(root, `"parameters": { ${added} }`),
        ...steered.map((step, i) => stepEdit(text, step, switches[i]))];
    return { text: applyEdits(text, edits), switches };
}
