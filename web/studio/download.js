// SPDX-License-Identifier: MIT
// Saves files from the page.
import { element } from './panels/parts.js';

export function sizeOf(bytes) {
    if (bytes < 1024) return `${bytes} bytes`;
    const kib = bytes / 1024;
    return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(2)} MiB`;
}

/** A file's name without its extension. */
export const stemOf = (name) => name.replace(/\.[^.]*$/, '');

export function download(blob, name) {
    const href = URL.createObjectURL(blob);
    element('a', { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000); // the browser may still read it
}
