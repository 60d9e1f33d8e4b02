// SPDX-License-Identifier: MIT
// JSON with positions, and text edits that keep the rest as it's written. A node is { start, end, kind, parts }, and
// its kind is 'object', 'array' or 'value'. A part is { start, end, value }. A member also has its key, { name,
// keyEnd }. An edit is { start, end, text }.
const BETWEEN = /[ \t\r\n,:]*/y;
const LITERAL = /[^ \t\r\n,\]}]*/y;
const MAX_LINE = 100; // the longest value on one line, in columns

// ---- Reading ----------------------------------------------------------------------------------------------------

function stringEnd(text, start) {
    let i = start + 1;
    while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
    return i + 1;
}

// The end of a sticky expression's match.
function endOf(expression, text, start) {
    expression.lastIndex = start;
    expression.test(text);
    return expression.lastIndex;
}

// Reads JSON text without recursion.
class Reader {
    constructor(text) {
        this.text = text;
        this.open = [];
        this.key = null;
        this.root = null;
    }

    add(node) {
        const parent = this.open.at(-1), { start, end } = node;
        if (!parent) {
            this.root = node;
        } else {
            parent.parts.push(this.key ? { ...this.key, end, value: node } : { start, end, value: node });
        }
        this.key = null;
    }

    // Opens a container. Its key waits there, because its members have their own keys.
    enter(start, kind) {
        this.open.push({ start, end: start, kind, parts: [], key: this.key });
        this.key = null;
    }

    leave(end) {
        const { key, ...node } = this.open.pop();
        this.key = key;
        this.add({ ...node, end });
    }

    addString(start) {
        const end = stringEnd(this.text, start), isKey = this.open.at(-1)?.kind === 'object' && !this.key;
        if (isKey) this.key = { name: JSON.parse(this.text.slice(start, end)), start, keyEnd: end };
        else this.add({ start, end, kind: 'value' });
        return end;
    }

    addLiteral(start) {
        const end = endOf(LITERAL, this.text, start);
        this.add({ start, end, kind: 'value' });
        return end;
    }

    read(start) {
        const { text } = this;
        for (let i = endOf(BETWEEN, text, start); i < text.length; i = endOf(BETWEEN, text, i)) {
            const c = text[i];
            if (c === '{' || c === '[') this.enter(i++, c === '{' ? 'object' : 'array');
            else if (c === '}' || c === ']') this.leave(++i);
            else if (c === '"') i = this.addString(i);
            else i = this.addLiteral(i);
        }
        return this.root;
    }
}

/** A text's root node. It may start with a byte order mark. @throws SyntaxError if it isn't JSON */
export function parseJson(text) {
    const start = text.startsWith('\ufeff') ? 1 : 0;
    JSON.parse(text.slice(start));
    return new Reader(text).read(start);
}

/** An object's member; undefined if there isn't one or the node isn't an object. */
export function memberOf(node, name) {
    return node?.kind === 'object' ? node.parts.find((part) => part.name === name) : undefined;
}

/** The parts of a member that's a container of this kind; [] if there isn't one. */
export function partsOf(node, name, kind) {
    const value = memberOf(node, name)?.value;
    return value?.kind === kind ? value.parts : [];
}

/** A node's value; undefined without a node. */
export function valueOf(text, node) {
    return node ? JSON.parse(text.slice(node.start, node.end)) : undefined;
}

/** The value of a string member, else undefined. */
export function stringOf(text, node, name) {
    const value = memberOf(node, name)?.value;
    return value && text[value.start] === '"' ? valueOf(text, value) : undefined;
}

/** The line and column, in UTF-16 units, from 1. */
export function positionAt(text, offset) {
    let line = 1, start = 0;
    for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
        line++;
        start = i + 1;
    }
    return { line, column: offset - start + 1 };
}

// ---- Writing ----------------------------------------------------------------------------------------------------

/** How a text is written: { newline, step, space }; newline is '' if it's all on one line. */
export function styleOf(text, root) {
    const gap = root.parts?.length > 0 ? text.slice(root.start + 1, root.parts[0].start) : '\n  ';
    const at = gap.lastIndexOf('\n');
    if (at < 0) return { newline: '', step: '', space: gap === '' ? '' : ' ' };
    return { newline: gap.includes('\r\n') ? '\r\n' : '\n', step: gap.slice(at + 1) || '  ', space: ' ' };
}

function writeLine(value, { space }) {
    const join = (list, open, close, pad) => (
        list.length === 0 ? open + close : open + pad + list.join(`,${space}`) + pad + close);
    const write = (one) => writeLine(one, { space });
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} isn't a JSON number`);
    if (Array.isArray(value)) return join(value.map(write), '[', ']', '');
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).filter(([, one]) => one !== undefined);
    return join(members.map(([key, one]) => `${JSON.stringify(key)}:${space}${write(one)}`), '{', '}', space);
}

// Machines, and anything with lists of objects such as transitions and samples, get several lines.
function needsLines(value) {
    if (typeof value !== 'object' || value === null) return false;
    if (Array.isArray(value)) return value.some((one) => typeof one === 'object');
    return 'states' in value || Object.values(value).some(needsLines);
}

/** A value's text, on one line if it fits. `indent` is the indent of its first line. */
export function writeValue(value, style, indent = '') {
    const line = writeLine(value, style), isContainer = typeof value === 'object' && value !== null;
    if (!isContainer || !style.newline || (line.length <= MAX_LINE && !needsLines(value))) return line;
    const inner = indent + style.step, isArray = Array.isArray(value);
    const list = Object.entries(value).filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${isArray ? '' : `${JSON.stringify(key)}: `}${writeValue(one, style, inner)}`);
    const body = list.map((one) => `${style.newline}${inner}${one}`).join(',');
    return `${isArray ? '[' : '{'}${body}${style.newline}${indent}${isArray ? ']' : '}'}`;
}

/** The spaces at the start of a line. */
export function indentAt(text, offset) {
    const start = text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(text.slice(start, offset))[0];
}

// The spaces before a part, after the comma.
function gapBefore(text, node, index) {
    const start = index > 0 ? text.indexOf(',', node.parts[index - 1].end) + 1 : node.start + 1;
    return text.slice(start, node.parts[index].start);
}

// ---- Edits ------------------------------------------------------------------------------------------------------

/** Applies edits, which must not overlap. */
export function applyEdits(text, edits) {
    let result = '', at = 0;
    for (const { start, end, text: put } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
        result += text.slice(at, start) + put;
        at = end;
    }
    return result + text.slice(at);
}

// Adds a part to an empty container.
function fillEdit(text, node, write, style, isLong) {
    const [open, close] = node.kind === 'object' ? '{}' : '[]', { start, end } = node;
    const pad = node.kind === 'object' ? style.space : '';
    if (!isLong || !style.newline) return { start, end, text: open + pad + write('') + pad + close };
    const indent = indentAt(text, start), inner = indent + style.step;
    return { start, end, text: `${open}${style.newline}${inner}${write(inner)}${style.newline}${indent}${close}` };
}

/**
 * Inserts a value into an array, or with a name into an object: before part `index`, or at the end. The new part is
 * spaced like its neighbour.
 */
export function insertEdit(text, node, value, style, /** @type {{ name?: string, index?: number }} */ options = {}) {
    const { name, index = node.parts.length } = options;
    const key = name === undefined ? '' : `${JSON.stringify(name)}:${style.space}`;
    const write = (indent) => key + writeValue(value, style, indent);
    const isLong = typeof value === 'object' && value !== null;
    if (node.parts.length === 0) return fillEdit(text, node, write, style, isLong);
    const isLast = index >= node.parts.length, near = isLast ? node.parts.length - 1 : index;
    const part = node.parts[near], gap = gapBefore(text, node, near).replace(/^[^]*?(\r?\n[ \t]*)$/, '$1') || style.space;
    const body = write(indentAt(text, part.start));
    return isLast ? { start: part.end, end: part.end, text: `,${gap}${body}` }
        : { start: part.start, end: part.start, text: `${body},${gap}` };
}

/** Removes a container's parts by index. */
export function removeEdits(node, indices) {
    const { parts } = node, removed = new Set(indices);
    const first = parts.findIndex((_, i) => !removed.has(i));
    if (removed.size === 0) return [];
    if (first < 0) return [{ start: node.start + 1, end: node.end - 1, text: '' }];
    const edits = first > 0 ? [{ start: parts[0].start, end: parts[first].start, text: '' }] : [];
    for (let i = first + 1; i < parts.length; i++) {
        if (removed.has(i)) edits.push({ start: parts[i - 1].end, end: parts[i].end, text: '' });
    }
    return edits;
}

/** Moves a part to another index. The text between parts stays. */
export function moveEdits(text, node, from, to) {
    const order = node.parts.map((_, i) => i);
    order.splice(to, 0, ...order.splice(from, 1));
    return node.parts.flatMap(({ start, end }, i) => {
        const { start: first, end: last } = node.parts[order[i]];
        return order[i] === i ? [] : [{ start, end, text: text.slice(first, last) }];
    });
}

/** Sets an object's member. An undefined value removes it. */
export function memberEdits(text, node, name, value, style) {
    const index = node.parts.findIndex((part) => part.name === name);
    if (value === undefined) return index < 0 ? [] : removeEdits(node, [index]);
    if (index < 0) return [insertEdit(text, node, value, style, { name })];
    const { start, end } = node.parts[index].value;
    return [{ start, end, text: writeValue(value, style, indentAt(text, start)) }];
}

/** Replaces a node's value or a member's key. */
export const replaceEdit = ({ start, end }, value) => ({ start, end, text: JSON.stringify(value) });
export const keyEdit = ({ start, keyEnd }, name) => ({ start, end: keyEnd, text: JSON.stringify(name) });
