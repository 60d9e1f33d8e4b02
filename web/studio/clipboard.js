// SPDX-License-Identifier: MIT
// Copying from the page.

/** Copies a text, and tells so; `what` names it, as the subject of a sentence. */
export async function copyText(stage, text, what) {
    try {
        await navigator.clipboard.writeText(text);
        stage.tell('note', `${what} copied.`);
    } catch {
        stage.tell('note', `${what} cannot be copied here.`);
    }
}
