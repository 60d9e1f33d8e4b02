// SPDX-License-Identifier: MIT
// The tab of retargeting: opening a file with motion. The panel for an open one is fetched for the first one.
import { onChosen, openFiles } from '../files.js';
import { openMotion } from '../retarget_open.js';
import { button, element, hint, panel, rowOf } from './parts.js';
/** @import { Stage } from '../stage.js' */

export function retarget(/** @type {Stage} */ stage, /** @type {HTMLElement} */ container) {
    const file = element('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Motion to open' });
    const choose = button('Open motion…', () => file.click(), { className: 'primary' });
    const progress = element('progress', { hidden: true, 'aria-label': 'Opening the motion' });
    const intro = panel(container, 'Retarget', hint('Plays another character’s motion on this one, even if names, axes ' +
        'and proportions differ. Drop a .glb, .gltf, .vrm, .vrma or .bvh file, or:'), rowOf(choose, file), progress);
    const body = element('div', { hidden: true });
    container.append(body);
    let isMade = false;

    onChosen(file, async (list) => {
        progress.hidden = false;
        try {
            await openMotion(stage, await openFiles(list));
        } catch (error) {
            stage.tell('error', error.message);
        } finally {
            progress.hidden = true;
        }
    });
    async function refresh() {
        intro.hidden = stage.retarget !== null;
        body.hidden = stage.retarget === null;
        choose.disabled = !stage.character;
        if (!stage.retarget || isMade || stage.view.tab !== 'Retarget') return;
        isMade = true;
        try {
            const { showRetarget } = await import('./retarget_panel.js');
            showRetarget(stage, body, () => file.click());
        } catch (error) {
            isMade = false;
            stage.tell('error', `The retargeting panel can't be loaded: ${error.message}.`);
        }
    }
    stage.addEventListener('loaded', refresh);
    stage.addEventListener('changed', refresh);
}
