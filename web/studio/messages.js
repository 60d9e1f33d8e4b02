// SPDX-License-Identifier: MIT
// The page's messages. A note disappears by itself. An error stays until it's closed or replaced, or a file opens. A
// request ('ask') stays until it's closed or fulfilled. All are in live regions for screen readers.
import { element, iconButton } from './panels/parts.js';
/** @import { Stage } from './stage.js' */

const NOTE_SECONDS = 6;
const MAX_SHOWN = { note: 3, ask: 3, error: 1 }; // more would cover the picture

export function showMessages(/** @type {Stage} */ stage) {
    const containers = { note: document.getElementById('notes'), ask: document.getElementById('notes'),
        error: document.getElementById('errors') };

    function show({ kind, text, signal }) {
        const message = element('div', { className: `message ${kind}` }, element('span', {}, text),
            iconButton('close', 'Close this message', () => message.remove(), { className: 'quiet square' }));
        const container = containers[kind];
        while (container.children.length >= MAX_SHOWN[kind]) container.firstElementChild.remove();
        container.append(message);
        signal?.addEventListener('abort', () => message.remove());
        if (kind === 'note') setTimeout(() => message.remove(), 1000 * NOTE_SECONDS);
    }
    stage.addEventListener('message', ({ detail }) => show(detail));
    stage.addEventListener('loaded', () => containers.error.replaceChildren());
}
