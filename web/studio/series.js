// How lines are told apart: by the page's colours for clips, and by dashes, for those who tell few colours apart.
import { element } from './panels/parts.js';

const COLORS = 8;
const DASHES = [[], [9, 4], [2, 3]];
const SVG = 'http://www.w3.org/2000/svg';

export function seriesColor(index) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--clip-${index % COLORS}`).trim();
}

/** `shift` tells lines of one colour apart. */
export function seriesDash(index, shift = 0) {
    return DASHES[(index + shift) % DASHES.length];
}

/** A short stroke of the line, for a legend. */
export function swatch(index, shift = 0) {
    const stroke = document.createElementNS(SVG, 'svg'), line = document.createElementNS(SVG, 'path');
    const set = (node, attributes) => {
        for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    };
    set(stroke, { viewBox: '0 0 28 8', width: 28, height: 8, 'aria-hidden': 'true' });
    set(line, { d: 'M0 4H28', 'stroke-width': 3, 'stroke-dasharray': seriesDash(index, shift).join(' ') });
    line.style.stroke = `var(--clip-${index % COLORS})`;
    stroke.append(line);
    return element('span', { className: 'swatch' }, stroke);
}
