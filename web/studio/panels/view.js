// SPDX-License-Identifier: MIT
// The panel of overlays and other options of the picture.
import { follow } from './controls.js';
import { check, panel } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SWITCHES = {
    skeleton: 'Skeleton', names: 'Joint names', rootPath: 'Root motion path',
    onion: 'Onion skin (earlier and later poses)', ground: 'Ground', wireframe: 'Wireframe',
};

export function view(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const switches = Object.entries(SWITCHES).map(([name, label]) => (
        { name, ...check(label, stage.view[name], (checked) => stage.setView({ [name]: checked })) }));
    panel(container, 'Viewport', ...switches.map(({ node }) => node));
    follow(stage, ['view'], () => {}, () => switches.forEach(({ name, set }) => set(stage.view[name])));
}
