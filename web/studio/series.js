// How lines of a plot are told apart: by colour, and after six of them by dashes too. The colours differ from one another
// for people who see no red or no green as well (least distance in OKLab 0.11, by the matrices of Machado et al., 2009),
// and from what they stand on by a contrast of 3.5 at least.
const LIGHT = ['#4b35bd', '#e0201b', '#029c73', '#9e54b1', '#6f2303', '#200f4d'];
const DARK = ['#59c7ff', '#ebbd07', '#349363', '#bc46fe', '#fe3b2b', '#e2fffb'];
const DASHES = [[], [7, 4], [2, 3]];

export function isDark() {
    return document.documentElement.dataset.theme === 'dark';
}

export function seriesColor(index) {
    return (isDark() ? DARK : LIGHT)[index % LIGHT.length];
}

export function seriesDash(index) {
    return DASHES[Math.floor(index / LIGHT.length) % DASHES.length];
}

/** A short stroke of the line, for a legend. */
export function swatch(index) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    made.setAttribute('class', 'swatch');
    made.setAttribute('viewBox', '0 0 24 8');
    made.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('d', 'M1 4H23');
    line.setAttribute('stroke', seriesColor(index));
    line.setAttribute('stroke-width', '3');
    line.setAttribute('stroke-dasharray', seriesDash(index).join(' '));
    made.append(line);
    return made;
}
