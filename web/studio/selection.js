// SPDX-License-Identifier: MIT
// The selected joint's bar over the picture: its curves, a mask from it, an attachment to it.
import { FEATHER } from './defaults.js';
import { onChosen, openFiles } from './files.js';
import { nodeName, show } from './panels/controls.js';
import { button, element, iconButton } from './panels/parts.js';
import { attachAndShow, useFile } from './uses.js';
/** @import { Stage } from './stage.js' */

const LAYER = 1; // gets the mask

// A label that leaves out its end in narrow windows.
function words(start, end) {
    const label = document.createDocumentFragment();
    label.append(start, element('span', { className: 'wide' }, end));
    return label;
}

export function showSelection(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const name = element('strong'), file = element('input', { type: 'file', multiple: true, hidden: true,
        'aria-label': 'Files to attach here' });
    const open = (tab) => stage.setView({ tab });
    const bar = element('div', { className: 'selection', hidden: true, role: 'group', 'aria-label': 'Selected joint' }, name,
        button('Curves', () => open('Plots')),
        button(words('Mask', ' from here'), () => {
            stage.setLayer(LAYER, { mask: { node: stage.selected, feather: FEATHER } });
            open('Mix');
        }),
        button(words('Attach', ' here…'), () => file.click()), file,
        iconButton('close', 'Deselect', () => stage.select(-1), { className: 'quiet square' }));
    container.append(bar);
    onChosen(file, async (list) => {
        try {
            await useFile(stage, await openFiles(list), attachAndShow);
        } catch (error) {
            stage.tell('error', error.message);
        }
    });
    function refresh() {
        const { selected, character } = stage;
        bar.hidden = selected < 0;
        if (selected >= 0) show(name, nodeName(character.asset, selected));
    }
    stage.addEventListener('changed', ({ detail }) => detail === 'selected' && refresh());
    stage.addEventListener('loaded', refresh);
}
