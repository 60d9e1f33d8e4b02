// SPDX-License-Identifier: MIT
// The panel of effectors: hands, feet, head and hips are dragged in the picture.
import { ROLE_NAMES } from '../defaults.js';
import { follow } from './controls.js';
import { button, check, element, hint, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

export function effectors(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const on = check('Drag hands, feet, head and hips', false, (checked) => stage.setView({ effectors: checked }));
    const list = element('ul', { className: 'legend' });
    const all = button('Release all', () => stage.releaseEffectors());
    panel(container, 'Effectors', hint('Drag a ring in the picture. The body follows, and the feet stay.'), on.node, list, all);
    const row = ({ role }) => element('li', { className: 'row' }, ROLE_NAMES[role],
        button('Release', () => stage.releaseEffectors(role), { 'aria-label': `Release: ${ROLE_NAMES[role]}` }));
    const refresh = () => {
        const held = stage.heldEffectors;
        on.set(stage.view.effectors);
        list.replaceChildren(...held.map(row));
        list.hidden = all.hidden = held.length === 0;
    };
    follow(stage, ['effectors', 'view'], () => {}, refresh);
}
