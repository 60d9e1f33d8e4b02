// SPDX-License-Identifier: MIT
// The panel of the lint report. Its WebAssembly module is fetched for the first report.
import { button, element, hint, panel } from './parts.js';

const MAX_LOCATIONS = 5; // of one rule; the rest is in a <details>

const locationItem = ({ location, message }) => element('li', {}, element('code', {}, location), `: ${message}`);

// The locations of the findings of one rule.
function makeLocations(findings) {
    const shown = element('ul', { className: 'locations' }, ...findings.slice(0, MAX_LOCATIONS).map(locationItem));
    if (findings.length <= MAX_LOCATIONS) return [shown];
    const rest = findings.slice(MAX_LOCATIONS);
    return [shown, element('details', {}, element('summary', {}, `${rest.length} more`),
        element('ul', { className: 'locations' }, ...rest.map(locationItem)))];
}

function makeRule(findings) {
    const [{ rule, severity, title, why, advice, fixable }] = findings;
    const head = element('div', { className: 'row' }, element('strong', {}, title ?? rule),
        element('span', { className: severity === 'error' ? 'bad' : 'hint' }, severity));
    const item = element('li', { className: 'finding' }, head, ...makeLocations(findings));
    for (const more of [why, advice]) if (more) item.append(hint(more));
    if (fixable) item.append(hint(element('code', {}, 'sinew lint --fix'), ' fixes it.'));
    return item;
}

function summary({ errors, warnings, notes, findings }) {
    if (findings.length === 0) return 'No findings.';
    const counts = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']];
    return counts.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
}

export function lint(stage, container) {
    const status = element('p', { role: 'status' });
    const list = element('ul', { className: 'list' });
    const start = button('Check the file', () => run(), { className: 'primary' });
    panel(container, 'Lint', hint('Errors and waste in the file, and what to do about them: the report of ',
        element('code', {}, 'sinew lint'), '.'), element('div', { className: 'row' }, start), status, list);

    function show(text, findings) {
        const rules = [...new Set(findings.map(({ rule }) => rule))];
        status.textContent = text;
        list.replaceChildren(...rules.map((rule) => makeRule(findings.filter((finding) => finding.rule === rule))));
    }
    async function run() {
        const { character } = stage;
        start.disabled = true;
        show(`Checking ${character.name}…`, []);
        try {
            const { lintFile } = await import('../lint.js');
            const { name, bytes, files } = character;
            const report = await lintFile(bytes, files, name, stage.meshopt);
            if (stage.character === character) show(summary(report), report.findings);
        } catch (error) {
            show(`The file could not be checked: ${error.message}.`, []);
        } finally {
            start.disabled = false;
        }
    }
    stage.addEventListener('loaded', () => show('', []));
}
