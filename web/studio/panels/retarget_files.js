// SPDX-License-Identifier: MIT
// What is done with a retargeting: maps, code, another motion, and the end of it.
import { copyText } from '../clipboard.js';
import { download } from '../download.js';
import { onChosen } from '../files.js';
import { mapText } from '../retarget_map.js';
import { commandText, javaScriptText, mapName } from '../retarget_text.js';
import { show } from './controls.js';
import { button, check, element, hint, rowOf, stackOf } from './parts.js';
/** @import { Stage } from '../stage.js' */

const SIDES = ['source', 'target'];

// Buttons that save and open the map of a side.
function mapControls(/** @type {Stage} */ stage, side) {
    const file = element('input', { type: 'file', accept: '.json', hidden: true, 'aria-label': `Map of the ${side} to open` });
    onChosen(file, async ([{ path, file: chosen }]) => {
        try {
            await stage.retarget.openMap(side, await chosen.text());
        } catch (error) {
            stage.tell('error', `${path}: ${error.message}.`);
        }
    });
    const save = button(`Save ${side} map`, () => {
        const { retarget } = stage;
        download(new Blob([mapText(retarget.maps[side])], { type: 'application/json' }), mapName(retarget[side].name));
    });
    return rowOf(save, button(`Open ${side} map…`, () => file.click()), file);
}

export function retargetFiles(/** @type {Stage} */ stage, choose) {
    const shows = check('Show the source next to the character', true, (isShown) => (
        isShown ? stage.retarget.showSource() : stage.retarget.hideSource()));
    const about = hint();
    const node = stackOf(shows.node,
        element('details', { className: 'group' }, element('summary', {}, 'Maps and code'), stackOf(
            ...SIDES.map((side) => mapControls(stage, side)),
            rowOf(button('Copy as command', () => copyText(stage, commandText(stage.retarget), 'Command')),
                button('Copy as JavaScript', () => copyText(stage, javaScriptText(stage.retarget), 'JavaScript'))), about)),
        rowOf(button('Open another motion…', choose), button('Keep the clips', () => stage.stopRetarget({ keepsClips: true }),
            { title: 'Closes the source. The character keeps the clips' }),
        button('Discard', () => stage.stopRetarget({ keepsClips: false }),
            { className: 'danger', title: 'Closes the source. The character keeps only its own clips' })));
    function refresh() {
        const { retarget } = stage, edited = SIDES.filter((side) => retarget.isMapped(side));
        shows.set(retarget.showsSource);
        shows.input.disabled = !retarget.report;
        const names = edited.map((side) => mapName(retarget[side].name)).join(' and ');
        about.hidden = edited.length === 0;
        show(about, `The code reads ${names}. Save ${edited.length === 1 ? 'the map' : 'the maps'}.`);
    }
    return { node, refresh };
}
