// SPDX-License-Identifier: MIT
// Copies text from the page.
/** @import { Stage } from './stage.js' */

/** Copies a text and tells the user. `what` names it, as the subject of a sentence. */
export async function copyText(/** @type {Stage} */ stage, text, what) {
    try {
        await navigator.clipboard.writeText(text);
        stage.tell('note', `${what} copied.`);
    } catch {
        stage.tell('note', `${what} can't be copied here.`);
    }
}
