// SPDX-License-Identifier: MIT
// The dialog that asks what to do with a file that is opened while a character is loaded.
import { compareNames } from '../merge.js';
import { jointFor } from '../uses.js';
import { nodeName } from './controls.js';
import { button, element, hint } from './parts.js';
/** @import { Stage } from '../stage.js' */

const NEEDS_GLTF = 'This needs the .glb of both, but one of them is a baked asset.';

// How the clips of the file fit the character, in words; '' where none does.
function describeFit({ clips, bound, joints }) {
    return clips === 0 ? '' : `${clips === 1 ? '1 clip' : `${clips} clips`}, ${bound} of ${joints} joints match by name.`;
}

// Where the file is attached, in words.
function describeJoint(/** @type {Stage} */ stage) {
    const joint = jointFor(stage);
    if (joint < 0) return 'To the world, because no joint is selected and none is named like a right hand. You can change that in Scene.';
    return `To ${nodeName(stage.character.asset, joint)}. You can change its joint and position in Scene.`;
}

/**
 * Asks, and returns one of USES (uses.js), 'motion', or null where the dialog is closed. What is not glTF is not asked about:
 * opening it tells the reason.
 */
export function askUse(/** @type {Stage} */ stage, { name, bytes }) {
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('ask')), { character } = stage;
    let fit = '', clips = 0, names = null;
    try {
        names = compareNames(character, bytes);
        if (names) ({ total: clips } = names);
        if (names) fit = describeFit(names);
    } catch {
        return 'replace';
    }
    return new Promise((resolve) => {
        const answer = (words, value, about, properties = {}) => element('div', { className: 'answer' },
            button(words, () => dialog.close(value), properties), hint(about));
        dialog.returnValue = '';
        dialog.replaceChildren(
            element('div', { className: 'row spread' }, element('h2', { id: 'ask-title' }, `Open ${name}`),
                button('Cancel', () => dialog.close(''))),
            answer('Replace the character', 'replace', `Closes ${character.name}.`,
                { className: 'primary', autofocus: true }),
            answer('Add its clips', 'clips', names ? fit || `None of its clips moves a joint of ${character.name}.` : NEEDS_GLTF,
                { disabled: fit === '' }),
            answer('Use its motion', 'motion', !names ? NEEDS_GLTF : clips === 0 ? 'It has no clips.'
                : `Retargets its ${clips === 1 ? 'clip' : `${clips} clips`} by roles, for characters with different names, axes or proportions.`,
            { disabled: clips === 0 }),
            answer('Attach it to a joint', 'attach', describeJoint(stage)),
            answer('Compare side by side', 'compare', 'Next to the character, in sync, with its own transition.'));
        dialog.addEventListener('close', () => resolve(dialog.returnValue || null), { once: true });
        dialog.showModal();
    });
}
