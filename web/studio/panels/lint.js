// What is wrong or wasteful in the file. The rules are a module of their own, which is fetched when they are first
// asked.
import { button, element, hint, panel } from './parts.js';

const MOST_PLACES = 5; // of one rule, before the rest is folded away

const placeItem = ({ location, message }) => element('li', {}, element('code', {}, location), `: ${message}`);

// The places where one rule found something.
function makePlaces(findings) {
    const shown = element('ul', { className: 'places' }, ...findings.slice(0, MOST_PLACES).map(placeItem));
    if (findings.length <= MOST_PLACES) return [shown];
    const rest = findings.slice(MOST_PLACES);
    return [shown, element('details', {}, element('summary', {}, `${rest.length} more`),
        element('ul', { className: 'places' }, ...rest.map(placeItem)))];
}

function makeRule(findings) {
    const [{ rule, severity, title, why, advice, fixable }] = findings;
    const head = element('div', { className: 'row' }, element('strong', {}, title ?? rule),
        element('span', { className: severity === 'error' ? 'bad' : 'hint' }, severity));
    const item = element('li', { className: 'finding' }, head, ...makePlaces(findings));
    for (const more of [why, advice]) if (more) item.append(hint(more));
    if (fixable) item.append(hint(element('code', {}, 'sinew lint --fix'), ' mends it.'));
    return item;
}

function summary({ errors, warnings, notes, findings }) {
    if (findings.length === 0) return 'Nothing is wrong with it.';
    const counts = [[errors, 'error'], [warnings, 'warning'], [notes, 'note']];
    return counts.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
}

export function lint(stage, place) {
    const said = element('p', { role: 'status' });
    const list = element('ul', { className: 'list' });
    const start = button('Check the file', () => run(), { className: 'primary' });
    panel(place, 'Lint', hint('What is wrong or wasteful in the file, and what to do about it: as ',
        element('code', {}, 'sinew lint'), ' says.'), element('div', { className: 'row' }, start), said, list);

    function show(text, findings) {
        const rules = [...new Set(findings.map(({ rule }) => rule))];
        said.textContent = text;
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
            show(`It could not be checked: ${error.message}.`, []);
        } finally {
            start.disabled = false;
        }
    }
    stage.addEventListener('loaded', () => show('', []));
}
