// SPDX-License-Identifier: MIT
// Line styles: the page's colours for clips, and dashes for readers who can't tell the colours apart.
import { drawing, element } from './panels/parts.js';

const COLORS = 8;
const DASHES = [[], [9, 4], [2, 3]];

const variable = (index) => `--clip-${index % COLORS}`;

/** The colour as a CSS variable. It follows the theme. */
export const clipColor = (index) => `var(${variable(index)})`;

/** The current colour, for canvases. */
export function seriesColor(index) {
    return getComputedStyle(document.documentElement).getPropertyValue(variable(index)).trim();
}

/** A line's dashes. `shift` distinguishes lines of the same colour. */
export function seriesDash(index, shift = 0) {
    return DASHES[(index + shift) % DASHES.length];
}

/** A short line in the style, for legends. */
export function swatch(index, shift = 0) {
    const line = { d: 'M0 4H28', 'stroke-width': 3, 'stroke-dasharray': seriesDash(index, shift).join(' ') };
    const stroke = drawing(28, 8, line, { width: 28, height: 8 });
    stroke.firstChild.style.stroke = clipColor(index);
    return element('span', { className: 'swatch' }, stroke);
}
