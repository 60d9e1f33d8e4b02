// SPDX-License-Identifier: MIT
// The look of a picture, for both renderers: colours, the key light, and the shadow on the ground.
import { centerOf, lightView, radiusOf } from './camera.js';
import { toLinear } from './srgb.js';

// The direction to the key light: to the left of the camera, above and a little in front.
export const TOWARD_LIGHT = [-0.115, 0.801, 0.588];
export const KEY_COLOR = [1.15, 1.1, 1.02]; // the irradiance of the key light over pi
export const WIRE_COLOR = [0, 0.04, 0.06, 0.3]; // sRGB, premultiplied

// ---- Colours ----------------------------------------------------------------------------------------------------

const sRgb = (rgb) => [16, 8, 0].map((shift) => (rgb >> shift & 255) / 255);

const LIGHT_LINE = [0.31, 0.33, 0.36, 0.16]; // the colour and opacity of the grid
const DARK_LINE = [0.95, 0.95, 0.95, 0.08];
const LIGHT = { transparent: false, top: sRgb(0xccd5de), bottom: sRgb(0xf1f1ee), line: LIGHT_LINE };
const DARK = { transparent: false, top: sRgb(0x20242a), bottom: sRgb(0x3c4148), line: DARK_LINE };
// A transparent background has a shadow and no grid.
const TRANSPARENT = { ...LIGHT, transparent: true, line: [0.31, 0.33, 0.36, 0] };

// `background` is 'default', 'transparent', or a uniform sRGB colour, 0xRRGGBB.
export function lookOf({ background = 'default', dark = false }) {
    if (background === 'transparent') return TRANSPARENT;
    if (background === 'default') return dark ? DARK : LIGHT;
    const color = sRgb(background);
    const [r, g, b] = color.map(toLinear);
    const isDark = 0.2 * r + 0.7 * g + 0.1 * b < 0.18;
    return { transparent: false, top: color, bottom: color, line: isDark ? DARK_LINE : LIGHT_LINE };
}

// ---- The key light ----------------------------------------------------------------------------------------------

// The light's view of a box, with room for the blur of the shadow on the ground: see lightView.
export function lightOf(box) {
    return lightView(TOWARD_LIGHT, box, 1.1 * blurOf(box));
}

// Converts a matrix from clip coordinates, [-1, 1], to texture coordinates, [0, 1].
export function toTexture(matrix) {
    const out = Float32Array.from(matrix);
    for (let i = 0; i < 16; i++) {
        if (i % 4 < 3) out[i] = 0.5 * (matrix[i] + (i >= 12 ? 1 : 0));
    }
    return out;
}

// ---- The ground -------------------------------------------------------------------------------------------------

// Relative to the height of everything that casts a shadow.
const BLUR = 0.075; // the blur of the shadow of the highest point, and the reach of contact shadows
const CONTACT_LIMIT = 0.14; // the height up to which objects cast contact shadows

export const SHADOW_SIZE = { least: 1024, row: 128, most: 4096 };
export const GROUND_SIZE = { least: 128, row: 28, most: 1024 };

// The size of a map in texels, for a crowd of that count.
export function mapSize({ least, row, most }, crowd) {
    return Math.min(Math.floor(least + row * Math.sqrt(crowd)), most);
}

const blurOf = ({ least, most }) => BLUR * (most[1] - least[1]); // metres

// The shadow on the ground at a height, as the light sees it (blur.frag): the plane of the ground, the limit of contact
// shadows, and the reach of the blur along both axes in texture coordinates.
export function groundShadowOf(box, { axes: { up, back }, middle, size }, height) {
    const blur = blurOf(box);
    const steepness = up[1] / back[1]; // metres of depth for a metre along the vertical axis
    const start = middle[2] - height / back[1] + steepness * (middle[1] - 0.5 * size[1]);
    const rise = Math.max(box.most[1] - height, 0.01 * radiusOf(box));
    return {
        plane: [0.5 + start / size[2], steepness * size[1] / size[2], size[2] * back[1] / rise],
        limit: CONTACT_LIMIT, reach: [blur / size[0], blur * back[1] / size[1]],
    };
}

// The spacing of the grid: 1, 2 or 5 times a power of ten, so that a few cells are under the model.
function gridSpacing(radius) {
    const power = 10 ** Math.floor(Math.log10(radius * 0.5));
    const cells = radius * 0.5 / power; // in [1, 10)
    return power * (cells < 2 ? 1 : cells < 5 ? 2 : 5);
}

// The ground. With a `floor` in the view it does not move while the box changes.
export function groundOf({ box, floor }) {
    const center = centerOf(box);
    center[1] = floor?.height ?? box.least[1];
    const radius = floor?.radius ?? radiusOf(box);
    return { center, reach: 4 * radius, spacing: gridSpacing(radius) };
}

// ---- Ghosts -----------------------------------------------------------------------------------------------------

const GHOST_TINT = [0.10, 0.20, 0.36, 0.6]; // linear colour and strength
const NO_TINT = [0, 0, 0, 0];

// The opacity and tint of an object of a ghost, or of none.
export function tintOf(ghost, fade) {
    return ghost ? { opacity: ghost.opacity, tint: ghost.tint ?? GHOST_TINT } : { opacity: 1 - fade, tint: NO_TINT };
}

// ---- The wireframe ----------------------------------------------------------------------------------------------

// Moves edges slightly in front of their surfaces.
export function inFront(viewProjection) {
    const out = Float32Array.from(viewProjection);
    for (let column = 0; column < 16; column += 4) out[column + 2] -= 2e-4 * out[column + 3];
    return out;
}
