// SPDX-License-Identifier: MIT
// The help dialog: keys, and a description of the page.
import { HELP } from '../keys.js';
import { button, element, hint } from './parts.js';

export function help(dialog) {
    const rows = HELP.map(([keys, what]) => (
        element('div', {}, element('dt', {}, element('kbd', {}, keys)), element('dd', {}, what))));
    dialog.append(
        element('div', { className: 'row spread' }, element('h2', { id: 'help-title' }, 'Keys, mouse and touch'),
            button('Close', () => dialog.close())),
        element('dl', { className: 'keys' }, ...rows),
        hint('This page inspects animated glTF files with Sinew, a skeletal-animation runtime in C, compiled to ' +
            'WebAssembly. Your files stay in the page. Nothing is sent anywhere.'));
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog) dialog.close(); // a click outside
    });
    return () => dialog.showModal();
}
