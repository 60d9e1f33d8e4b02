// SPDX-License-Identifier: MIT
// The text of a graph's file, which is checked while one types.
import { sentence, show } from './controls.js';
import { button, element, rowOf, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

// The index of a line and a column, both from 1.
function indexOf(text, line, column) {
    let at = 0;
    for (let i = 1; i < line; i++) at = text.indexOf('\n', at) + 1;
    return at + column - 1;
}

export function graphText(/** @type {GraphEditor} */ editor) {
    const area = element('textarea', { className: 'code text', spellcheck: false, autocomplete: 'off', wrap: 'off',
        'aria-label': 'Text of the graph' });
    const fault = element('p', { className: 'bad', role: 'status' });
    const go = button('Go to the error', () => goTo(), { className: 'quiet' });
    const line = rowOf(fault, go);
    const node = stackOf(line, area);
    let selected = null;

    area.addEventListener('input', () => editor.edit((document) => document.setText(area.value, { typing: true })));
    area.addEventListener('blur', () => editor.document?.endTyping());
    function select(from, to) {
        area.focus();
        area.setSelectionRange(from, to);
        const lines = area.value.slice(0, from).split('\n').length;
        const height = area.scrollHeight / area.value.split('\n').length;
        area.scrollTop = Math.max(0, (lines - 4) * height);
    }
    function goTo() {
        const at = indexOf(area.value, editor.error.line, editor.error.column);
        select(at, at + 1);
    }
    function refresh() {
        const { document, error, target } = editor;
        if (area.value !== document.text) area.value = document.text;
        show(fault, error ? sentence(`Line ${error.line}, column ${error.column}: ${error.message}`) : '');
        line.hidden = !error;
        area.setAttribute('aria-invalid', String(Boolean(error)));
        if (target === selected) return;
        selected = target; // such as that of a finding
        const position = target && document.positionOf(target);
        if (position) select(position.start, position.end);
    }
    return { node, refresh };
}
