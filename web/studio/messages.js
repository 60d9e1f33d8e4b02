// What the page says: notes go by themselves, an error stays until it is closed, another one comes or a file is opened,
// and what somebody is asked to do stays until it is closed. Readers of screens hear all of it.
import { element, iconButton } from './panels/parts.js';

const NOTE_SECONDS = 6;
const MOST = { note: 3, ask: 3, error: 1 }; // at a time: the picture is to be seen behind them

export function showMessages(stage) {
    const places = { note: document.getElementById('notes'), ask: document.getElementById('notes'),
        error: document.getElementById('errors') };

    function show(kind, text) {
        const message = element('div', { className: `message ${kind}` }, element('span', {}, text),
            iconButton('close', 'Close this message', () => message.remove(), { className: 'quiet square' }));
        const place = places[kind];
        while (place.children.length >= MOST[kind]) place.firstElementChild.remove();
        place.append(message);
        if (kind === 'note') setTimeout(() => message.remove(), 1000 * NOTE_SECONDS);
    }
    stage.addEventListener('message', ({ detail: { kind, text } }) => show(kind, text));
    stage.addEventListener('loaded', () => places.error.replaceChildren()); // it is about what was not opened
}
