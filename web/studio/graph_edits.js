// SPDX-License-Identifier: MIT
// Edits of a graph's text that touch several elements: removals, and renaming with everything that refers to the
// name.
import { renameParameterIn, renamePathIn } from './graph_conditions.js';
import {
    keyEdit, memberEdits, memberOf, partsOf, removeEdits, replaceEdit, stringOf, styleOf, valueOf,
} from './json_text.js';
/** @import { Outline } from './graph_outline.js' */

// ---- Keys that exclude others -----------------------------------------------------------------------------------

const CONTENTS = ['clip', 'blend', 'states'];
const CONTENT_KEYS = {
    clip: ['clip', 'loop', 'loopCount', 'speed', 'speedParameter', 'sync'],
    blend: ['blend', 'speed', 'speedParameter', 'sync'],
    states: ['states', 'entry', 'transitions'],
    none: [],
};
const ALL_CONTENT_KEYS = [...new Set(Object.values(CONTENT_KEYS).flat())];
const PARAMETER_KEYS = {
    float: ['range', 'damping'], int: ['range'], bool: [], trigger: ['hold'], vector2: ['range', 'damping'],
    vector3: ['range', 'damping', 'space'], transform: ['damping', 'space'],
};
const without = (all, kept) => all.filter((key) => !kept.includes(key));

function excludedFromState(value, changes) {
    const given = CONTENTS.find((key) => changes[key] !== undefined);
    const kept = CONTENTS.find((key) => value[key] !== undefined && !(key in changes));
    const isOnce = changes.loop === 'once' ? ['loopCount'] : [];
    return [...without(ALL_CONTENT_KEYS, CONTENT_KEYS[given ?? kept ?? 'none']), ...isOnce];
}

function excludedFrom(kind, value, changes) {
    if (kind === 'state' && [...CONTENTS, 'loop'].some((key) => key in changes)) return excludedFromState(value, changes);
    if (kind === 'parameter' && 'type' in changes) {
        return ['default', ...without(['range', 'damping', 'hold', 'space'], PARAMETER_KEYS[changes.type] ?? [])];
    }
    if (kind === 'layer' && changes.mode === 'override') return ['reference'];
    if (kind !== 'transition') return [];
    const isFade = !('kind' in changes) || (changes.kind ?? 'fade') === 'fade';
    return [...(isFade ? [] : ['matchRate']), ...('from' in changes && changes.from !== '*' ? ['toSelf'] : [])];
}

/** The keys, each undefined, that an element may no longer have after changes. */
export function consequencesOf(kind, value, changes) {
    const excluded = excludedFrom(kind, value, changes).filter((key) => value?.[key] !== undefined);
    return Object.fromEntries(excluded.map((key) => [key, undefined]));
}

// ---- Names ------------------------------------------------------------------------------------------------------

// String nodes that name a state, in a transition's `from` and `to` or in `entry`.
function namesOf(text, { node }, name) {
    const nodes = [memberOf(node, 'entry')?.value];
    for (const { value } of partsOf(node, 'transitions', 'array')) {
        const from = memberOf(value, 'from')?.value;
        const sources = from?.kind === 'array' ? from.parts.map((part) => part.value) : [from];
        nodes.push(memberOf(value, 'to')?.value, ...sources);
    }
    return nodes.filter((one) => one && valueOf(text, one) === name);
}

// Edits all conditions with a function of their text.
function conditionEdits({ text, machines, steps }, change) {
    const transitions = machines.flatMap(({ node }) => partsOf(node, 'transitions', 'array').map(({ value }) => value));
    return [...transitions, ...steps.map(({ node }) => node)].flatMap((value) => {
        const when = stringOf(text, value, 'when'), changed = when === undefined ? when : change(when);
        return changed === when ? [] : [replaceEdit(memberOf(value, 'when').value, changed)];
    });
}

// Members of a rig's step that may name a parameter, as strings: its weight, and settings of its kind. A goal may
// also be an object.
function stepMembers(step) {
    const settings = (step.parts ?? []).map((part) => part.value).filter(({ kind }) => kind === 'object');
    const effectors = settings.flatMap((node) => partsOf(node, 'effectors', 'array').map(({ value }) => value));
    const goals = [...settings, ...effectors].flatMap((node) => ['goal', 'pole'].map((key) => memberOf(node, key)));
    return [memberOf(step, 'weightParameter'), ...goals, ...goals.map((goal) => memberOf(goal?.value, 'parameter')),
        ...settings.flatMap((node) => ['direction', 'angle', 'scale'].map((key) => memberOf(node, key)))];
}

// Members that hold a parameter's name: weights of layers, speeds, coordinates of blend spaces, and settings of
// steps.
function parameterNodes({ text, layers, states, steps }, name) {
    const blends = states.map(({ node }) => memberOf(node, 'blend')?.value);
    const nodes = [...layers.map(({ node }) => memberOf(node, 'weightParameter')),
        ...states.map(({ node }) => memberOf(node, 'speedParameter')),
        ...blends.flatMap((node) => [memberOf(node, 'x'), memberOf(node, 'y')]), ...steps.flatMap(({ node }) => stepMembers(node))];
    return nodes.map((member) => member?.value).filter((node) => node && valueOf(text, node) === name);
}

/** The edits that rename a state, a parameter or a layer wherever the graph names it. */
export function renamingEdits(/** @type {Outline} */ outline, target, name) {
    const element = outline.find(target), { text } = outline;
    if (target.kind === 'parameter') {
        return [keyEdit(element, name), ...parameterNodes(outline, target.name).map((node) => replaceEdit(node, name)),
            ...conditionEdits(outline, (when) => renameParameterIn(when, target.name, name))];
    }
    if (target.kind === 'layer') {
        return [...memberEdits(text, element.node, 'name', name, styleOf(text, outline.root)),
            ...conditionEdits(outline, (when) => renamePathIn(when, target.name, name))];
    }
    const machine = outline.machines[element.machine];
    return [keyEdit(element.part, name), ...namesOf(text, machine, element.name).map((node) => replaceEdit(node, name)),
        ...conditionEdits(outline, (when) => renamePathIn(when, element.path, `${machine.path}/${name}`))];
}

// ---- Removals ---------------------------------------------------------------------------------------------------

const indexOf = (parts, { start }) => parts.findIndex((part) => part.start === start);

// What's left of a transition without a state: null if nothing, else edits.
function withoutState(text, { value }, name) {
    if (stringOf(text, value, 'to') === name) return null;
    const from = memberOf(value, 'from')?.value;
    if (from?.kind !== 'array') return from && valueOf(text, from) === name ? null : [];
    const removed = from.parts.flatMap((part, i) => (valueOf(text, part.value) === name ? [i] : []));
    return removed.length === from.parts.length ? null : removeEdits(from, removed);
}

function removeState({ text, machines }, { name, machine, part }) {
    const { node } = machines[machine], states = memberOf(node, 'states').value;
    if (states.parts.length === 1) throw new Error(`${name} is the only state, and a machine needs one`);
    const list = memberOf(node, 'transitions')?.value, transitions = partsOf(node, 'transitions', 'array');
    const rest = transitions.map((one) => withoutState(text, one, name));
    const removed = rest.flatMap((edits, i) => (edits ? [] : [i]));
    const isEntry = stringOf(text, node, 'entry') === name;
    const edits = [...removeEdits(states, [indexOf(states.parts, part)]), ...rest.flatMap((one) => one ?? []),
        ...(list?.kind === 'array' ? removeEdits(list, removed) : [])];
    return isEntry ? [...edits, ...removeEdits(node, [node.parts.findIndex((one) => one.name === 'entry')])] : edits;
}

function removeTransition({ machines }, { machine, node }, { index, source }) {
    const from = memberOf(node, 'from')?.value;
    if (source !== undefined && from?.kind === 'array' && from.parts.length > 1) return removeEdits(from, [source]);
    return removeEdits(memberOf(machines[machine].node, 'transitions').value, [index]);
}

/** The edits that remove an element. */
export function removalEdits(/** @type {Outline} */ outline, target) {
    const element = outline.find(target), { root } = outline;
    if (target.kind === 'state') return removeState(outline, element);
    if (target.kind === 'transition') return removeTransition(outline, element, target);
    if (target.kind === 'parameter') {
        const list = memberOf(root, 'parameters').value;
        return removeEdits(list, [indexOf(list.parts, element)]);
    }
    if (target.kind !== 'layer') throw new Error(`a ${target.kind} can't be removed`);
    if (outline.layers.length === 1) throw new Error(`${target.name} is the only layer, and a graph needs one`);
    const list = memberOf(root, 'layers').value;
    return removeEdits(list, [indexOf(list.parts, element)]);
}
