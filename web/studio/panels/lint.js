// What is wrong or wasteful in the file. The rules are a module of their own, which is fetched when they are first asked.
import { button, element, hint, panel } from './parts.js';

const SEVERITIES = { error: 'Error', warning: 'Warning', hint: 'Hint', info: 'Info' };

function makeFinding({ rule, severity, where, message, why, advice }) {
    const head = element('div', { className: 'row' },
        element('strong', { className: severity === 'error' ? 'bad' : '' }, SEVERITIES[severity] ?? severity),
        element('code', {}, rule));
    const item = element('li', { className: 'finding' }, head, element('p', {}, where ? `${where}: ${message}` : message));
    for (const more of [why, advice]) if (more) item.append(hint(more));
    return item;
}

export function lint(stage, place) {
    const said = element('p', { role: 'status' });
    const list = element('ul', { className: 'list' });
    const start = button('Check the file', () => run(), { className: 'primary' });
    panel(place, 'Lint', hint('What is wrong or wasteful in the file, and what to do about it: as ',
        element('code', {}, 'sinew lint'), ' says.'),
        element('div', { className: 'row' }, start), said, list);

    async function run() {
        const { character } = stage;
        start.disabled = true;
        said.textContent = `Checking ${character.name}…`;
        list.replaceChildren();
        try {
            const { lintFile } = await import('../lint.js');
            const { findings } = await lintFile(character.bytes, character.files);
            if (stage.character !== character) return;
            const count = findings.length;
            said.textContent = count === 0 ? 'Nothing to find fault with.' : count === 1 ? '1 finding' : `${count} findings`;
            list.replaceChildren(...findings.map(makeFinding));
        } catch (error) {
            said.textContent = `It could not be checked: ${error.message}.`;
        } finally {
            start.disabled = false;
        }
    }
    stage.addEventListener('loaded', () => {
        said.textContent = '';
        list.replaceChildren();
    });
}
