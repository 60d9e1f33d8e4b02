// SPDX-License-Identifier: MIT
// What the page does with a file: load it as a new character, add its clips, attach it, or compare with it.
import { provideDraco, withMeshopt } from './decoders.js';
import { explaining } from './files.js';
import { addClips } from './merge.js';
/** @import { Asset } from './sinew/index.js' */
/** @import { Stage } from './stage.js' */

const HAND = /^(grip_r|hand_r|righthand|.*:righthand|hand\.r)$/i; // the right hand's names in common rigs

// The right hand, or -1.
function handOf(/** @type {Asset} */ asset) {
    const grip = asset.nodes.findIndex(({ name }) => /^grip_r$/i.test(name));
    return grip >= 0 ? grip : asset.nodes.findIndex(({ name }) => HAND.test(name));
}

export const replaceBy = (/** @type {Stage} */ stage, { name, bytes, files }) => stage.load(name, bytes, files);

/** Loads a new version of the main character's file. What plays stays. */
export const reloadAs = (/** @type {Stage} */ stage, { bytes, files }) => stage.replaceFile(bytes, files);

/** The joint to attach a file to: the selected one, else the right hand; -1 if there's neither. */
export const jointFor = ({ selected, character }) => (selected >= 0 ? selected : handOf(character.asset));

export const attachTo = (/** @type {Stage} */ stage, { name, bytes, files }) =>
    stage.addAttachment(name, bytes, files, jointFor(stage));

/** Attaches a file, and shows its settings and handles. */
export function attachAndShow(/** @type {Stage} */ stage, found) {
    stage.setGizmo(attachTo(stage, found));
    stage.setView({ tab: 'Scene' });
}

function addClipsOf(/** @type {Stage} */ stage, found) {
    const { bytes, files, count } = addClips(stage.character, found);
    const first = stage.character.asset.clips.length;
    stage.replaceFile(bytes, files);
    stage.tell('note', `${count === 1 ? '1 clip' : `${count} clips`} of ${found.name} added.`);
    if (count > 0) stage.play(first);
}

function compareWith(/** @type {Stage} */ stage, { name, bytes, files }) {
    stage.startCompare(name, bytes, files);
    stage.setView({ tab: 'Scene' });
}

/** By panels/ask.js's answer. */
export const USES = { replace: replaceBy, clips: addClipsOf, attach: attachAndShow, compare: compareWith };

function tellMissing(/** @type {Stage} */ stage, name, missing) {
    if (missing.length === 0) return;
    const names = missing.slice(0, 3).map((one) => `“${one}”`).join(', ') + (missing.length > 3 ? '…' : '');
    stage.tell('note', `${name}: the image ${names} is missing and drawn gray. Open it together with the model.`);
}

/** Opens a file from openFiles with one of USES, and with the decoder that it needs. Throws errors with advice. */
export async function useFile(/** @type {Stage} */ stage, found, use) {
    const { name, bytes, missing = [] } = found;
    await provideDraco(stage, name, bytes);
    await withMeshopt(stage, () => explaining(name, () => use(stage, found)));
    tellMissing(stage, name, missing);
}
