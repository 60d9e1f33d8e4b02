// SPDX-License-Identifier: MIT
// The findings of the check of a graph. A click selects what a finding is about.
import { show } from './controls.js';
import { button, element, hint, stackOf } from './parts.js';
/** @import { GraphEditor } from '../graph_editor.js' */

const count = (number, one) => `${number} ${one}${number === 1 ? '' : 's'}`;

export function graphFindings(/** @type {GraphEditor} */ editor) {
    const words = element('span', { 'aria-live': 'polite' }), summary = element('summary', {}, words);
    const list = element('ul', { className: 'list' }), about = hint();
    const node = element('details', { className: 'group findings' }, summary, stackOf(about, list));
    let report = null;

    function goTo({ target }) {
        if (target && editor.mode === 'play' && target.kind !== 'step') editor.setMode('edit');
        editor.select(target);
        if (target?.kind === 'step' && editor.mode !== 'text') editor.stage.setView({ tab: 'Rig' });
    }
    const row = (finding) => {
        const { severity, location, message, advice, title, line } = finding;
        const go = button('', () => goTo(finding), { className: 'finding-row' });
        go.append(element('strong', { className: severity === 'error' ? 'bad' : '' }, `${severity}: ${location || title}`),
            element('span', {}, ` line ${line}. ${message}`),
            ...(advice ? [element('span', { className: 'hint' }, ` ${advice}`)] : []));
        return element('li', {}, go);
    };
    function describe({ error, errors, warnings, notes, findings }) {
        if (error) return 'Check: the text isn’t a graph';
        if (findings.length === 0) return 'Check: no problems found';
        const counts = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']].filter(([number]) => number > 0);
        return `Check: ${counts.map(([number, one]) => count(number, one)).join(', ')}`;
    }
    function refresh() {
        if (report === editor.report) return;
        report = editor.report;
        if (!report) {
            show(words, 'Check: …');
            list.replaceChildren();
            return;
        }
        show(words, describe(report));
        summary.className = report.error || report.errors > 0 ? 'bad' : '';
        const { assetError, approximateLayers = [] } = report;
        const approximate = approximateLayers.length > 0 ? `Approximate for ${approximateLayers.join(', ')}.` : '';
        show(about, `${assetError ? `Checked without the model: ${assetError}. ` : ''}${approximate}`);
        about.hidden = about.textContent === '';
        list.replaceChildren(...report.findings.map(row));
        node.classList.toggle('empty', report.findings.length === 0 && about.hidden);
    }
    return { node, refresh };
}
