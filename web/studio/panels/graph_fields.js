// SPDX-License-Identifier: MIT
// Fields that edit keys of an element of a graph: { node, refresh(value) } with the element's value. A key with its default
// value is left out of the file.
import { number, sentence, show } from './controls.js';
import { check, element, select } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

/** A text field, which is committed by Enter or when it is left. */
export function textField(label, commit) {
    const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
    const node = element('label', { className: 'field' }, element('span', { className: 'label' }, label), input);
    let shown = '';
    const leave = () => {
        if (input.value !== shown) commit(input.value.trim());
        input.value = shown;
    };
    input.addEventListener('change', leave);
    input.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') input.value = shown;
        if (key === 'Enter') leave();
    });
    const set = (value) => {
        shown = value;
        if (document.activeElement !== input) input.value = value;
    };
    return { node, input, set };
}

/** Shows options and the chosen one in a select. Options that are there already stay, since the select may be open. */
export function showOptions(field, options, chosen) {
    const words = options.join();
    if (field.words !== words) field.fill(options, chosen);
    field.words = words;
    field.set(chosen);
}

const orDefault = (value, otherwise) => (value === otherwise ? undefined : value);

/** The fields of one element. `target()` is its target, and `editor` runs the edits. */
export class Fields {
    constructor(/** @type {GraphEditor} */ editor, target) {
        this.editor = editor;
        this.target = target;
        this.all = [];
    }

    write(key, value, typing = false) {
        this.editor.edit((document) => document.set(this.target(), key, value, { typing }));
    }

    #add(node, refresh) {
        this.all.push(refresh);
        return node;
    }

    number(label, key, limits, otherwise) {
        const field = number(label, limits, (value) => this.write(key, orDefault(value, otherwise), true));
        field.input.addEventListener('blur', () => this.editor.document?.endTyping());
        return this.#add(field.node, (value) => field.set(value[key] ?? otherwise));
    }

    text(label, key) {
        const field = textField(label, (value) => this.write(key, value || undefined));
        return this.#add(field.node, (value) => field.set(value[key] ?? ''));
    }

    /** `options` is [[value, label]], or a function that returns it for the element's value. */
    select(label, key, options, otherwise) {
        const field = select(label, [], '', (value) => this.write(key, orDefault(value, otherwise)));
        return this.#add(field.node, (value) => (
            showOptions(field, typeof options === 'function' ? options(value) : options, String(value[key] ?? otherwise))));
    }

    check(label, key, /** @type {(value) => boolean} */ isAllowed = () => true) {
        const field = check(label, false, (checked) => this.write(key, checked || undefined));
        return this.#add(field.node, (value) => {
            field.set(value[key] === true);
            field.input.disabled = !isAllowed(value);
        });
    }

    /** A name, which is renamed wherever the graph has it. */
    name(value, renamed) {
        const field = textField('Name', (name) => {
            const target = this.editor.edit((document) => document.rename(this.target(), name));
            if (target) renamed(target);
        });
        return this.#add(field.node, () => field.set(value()));
    }

    /** Strings, separated by commas. */
    words(label, key) {
        const field = textField(label, (text) => {
            const words = [...new Set(text.split(',').map((word) => word.trim()).filter(Boolean))];
            this.write(key, words.length > 0 ? words : undefined);
        });
        return this.#add(field.node, (value) => field.set([value[key] ?? []].flat().join(', ')));
    }

    refresh(value) {
        for (const set of this.all) set(value ?? {});
    }
}

// ---- Conditions -------------------------------------------------------------------------------------------------

/** The condition of a transition, which is checked while one types. The error is at its column. */
export function conditionField(/** @type {GraphEditor} */ editor, target) {
    const input = element('textarea', { className: 'condition', rows: 2, spellcheck: false, autocomplete: 'off',
        placeholder: 'always' });
    const mark = element('pre', { className: 'condition-error bad', 'aria-hidden': 'true' });
    const fault = element('p', { className: 'bad', role: 'status', id: 'condition-fault' });
    input.setAttribute('aria-describedby', fault.id);
    const label = element('label', { className: 'field' }, element('span', { className: 'label' }, 'Condition'), input);
    const node = element('div', { className: 'field' }, label, mark, fault);

    input.addEventListener('input', () => editor.edit((document) => (
        document.set(target(), 'when', input.value.trim() === '' ? undefined : input.value, { typing: true }))));
    input.addEventListener('blur', () => editor.document?.endTyping());
    input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        input.blur();
    });

    // The column in the condition of the error of the text, from 0; -1 if it is elsewhere.
    function columnOf(error, value) {
        const at = error && editor.document.positionOf(target(), 'when');
        const inside = at ? error.column - at.column : -1;
        if (!at || at.line !== error.line || inside < 0 || inside > at.end - at.start) return -1;
        const named = /column (\d+) of the condition/.exec(error.message);
        return named ? Number(named[1]) - 1 : Math.min(Math.max(inside - 1, 0), value.length);
    }
    function refresh(value) {
        const text = typeof value?.when === 'string' ? value.when : '', { error } = editor, column = columnOf(error, text);
        if (document.activeElement !== input && input.value !== text) input.value = text;
        const hasError = column >= 0, start = Math.max(0, column - 20);
        input.setAttribute('aria-invalid', String(hasError));
        mark.hidden = fault.hidden = !hasError;
        show(mark, hasError ? `${text.slice(start, start + 40).replace(/\s/g, ' ')}\n${' '.repeat(column - start)}^` : '');
        show(fault, hasError ? sentence(`Column ${column + 1}: ${error.message}`) : '');
    }
    return { node, refresh, showsError: () => !fault.hidden };
}
