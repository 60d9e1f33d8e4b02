// SPDX-License-Identifier: MIT
// A graph's elements with their positions in the text, in the loaded graph's order: element i of `states` is state i.
// If the text is JSON but not a valid graph, has the elements that can be recognized.
import { memberOf, parseJson, partsOf, positionAt, stringOf, valueOf } from './json_text.js';

const ANY = '*';

// An object's members, which are named elements. The key "//" is a comment.
const elementsOf = (node, name) => partsOf(node, name, 'object').filter((part) => part.name !== '//');

// The names in `from`: a string or an array of strings.
function sourcesOf(text, node) {
    const from = memberOf(node, 'from')?.value;
    if (from?.kind !== 'array') return [{ from: stringOf(text, node, 'from'), source: -1 }];
    return from.parts.map(({ value }, source) => ({ from: valueOf(text, value), source }));
}

export class Outline {
    /** @throws SyntaxError for a text that is not JSON */
    constructor(text) {
        const root = parseJson(text), layers = partsOf(root, 'layers', 'array');
        this.text = text;
        this.root = root;
        this.machines = [];
        this.states = [];
        this.transitions = [];
        this.parameters = elementsOf(root, 'parameters')
            .map((part) => ({ ...part, node: part.value, target: { kind: 'parameter', name: part.name } }));
        this.steps = partsOf(memberOf(root, 'rig')?.value, 'steps', 'array')
            .map(({ value, start, end }, index) => ({ start, end, node: value, target: { kind: 'step', index } }));
        this.layers = layers.map(({ value, start, end }) => {
            const name = stringOf(text, value, 'name') ?? '';
            return { start, end, name, node: value, target: { kind: 'layer', name } };
        });
        this.layers.forEach(({ name, node }, layer) => this.#addMachine(name, node, layer, -1));
        for (let i = 0; i < this.machines.length; i++) this.#read(i); // the list grows
    }

    #addMachine(path, node, layer, state) {
        const { start, end } = node;
        this.machines.push({ start, end, path, node, layer, state, target: { kind: 'machine', path } });
        return this.machines.length - 1;
    }

    #read(machine) {
        const { path, node, layer } = this.machines[machine], { text } = this;
        for (const part of elementsOf(node, 'states')) {
            const { start, end, name, value } = part, statePath = `${path}/${name}`;
            const hasMachine = memberOf(value, 'states') !== undefined;
            const submachine = hasMachine ? this.#addMachine(statePath, value, layer, this.states.length) : -1;
            this.states.push({ start, end, part, name, path: statePath, node: value, machine, submachine,
                target: { kind: 'state', path: statePath } });
        }
        partsOf(node, 'transitions', 'array').forEach(({ start, end, value }, index) => {
            const to = stringOf(text, value, 'to') ?? '';
            for (const { from, source } of sourcesOf(text, value)) {
                const target = { kind: 'transition', machine: path, index, ...(source < 0 ? {} : { source }) };
                const isAny = source < 0 && from === ANY;
                this.transitions.push({ start, end, node: value, machine, from: from ?? '', to, isAny, target });
            }
        });
    }

    /** A target's element, or undefined. */
    find({ kind, name, path, machine, index, source }) {
        if (kind === 'graph') return { ...this.root, node: this.root };
        if (kind === 'parameter') return this.parameters.find((one) => one.name === name);
        if (kind === 'layer') return this.layers.find((one) => one.name === name);
        if (kind === 'step') return this.steps[index];
        if (kind === 'machine') return this.machines.find((one) => one.path === path);
        if (kind === 'state') return this.states.find((one) => one.path === path);
        return this.transitions.find(({ target }) => (
            target.machine === machine && target.index === index && (source === undefined || target.source === source)));
    }

    /** Where an element or one of its keys' values is written: { start, end, line, column }. */
    positionOf(target, key) {
        const element = this.find(target), value = key === undefined ? element : memberOf(element?.node, key)?.value;
        if (!value) return null;
        const { start, end } = value;
        return { start, end, ...positionAt(this.text, start) };
    }
}
