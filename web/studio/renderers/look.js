// SPDX-License-Identifier: MIT
// The look of a picture, for both renderers: colours, the key light, and the maps of the ground. The constants are
// those of `sinew render` (tools/render/renderer.c, tools/render/ground.c): the pictures must be equal.
import { centerOf, lightView, radiusOf } from './camera.js';
import { toLinear } from './srgb.js';

// The direction to the key light: to the left of the camera, above and a little in front.
export const TOWARD_LIGHT = [-0.115, 0.801, 0.588];
export const WIRE_COLOR = [0, 0.02, 0.04, 0.3]; // premultiplied

// ---- Colours ----------------------------------------------------------------------------------------------------

const linearColor = (rgb) => [16, 8, 0].map((shift) => toLinear((rgb >> shift & 255) / 255));

const LIGHT_LINE = [0.08, 0.09, 0.11, 0.22]; // the colour and opacity of the grid
const DARK_LINE = [0.9, 0.9, 0.9, 0.03];
const LIGHT = { transparent: false, top: linearColor(0xccd5de), bottom: linearColor(0xf1f1ee), line: LIGHT_LINE };
const DARK = { transparent: false, top: linearColor(0x20242a), bottom: linearColor(0x3c4148), line: DARK_LINE };
// A transparent background has a shadow and no grid.
const TRANSPARENT = { ...LIGHT, transparent: true, line: [0.08, 0.09, 0.11, 0] };

// `background` is 'default', 'transparent', or a uniform sRGB colour, 0xRRGGBB.
export function lookOf({ background = 'default', dark = false }) {
    if (background === 'transparent') return TRANSPARENT;
    if (background === 'default') return dark ? DARK : LIGHT;
    const color = linearColor(background);
    const isDark = 0.2 * color[0] + 0.7 * color[1] + 0.1 * color[2] < 0.18;
    return { transparent: false, top: color, bottom: color, line: isDark ? DARK_LINE : LIGHT_LINE };
}

// ---- The key light ----------------------------------------------------------------------------------------------

// The light's view of a box, and the width of that view in metres.
export function lightOf(box) {
    const radius = radiusOf(box) * 1.02;
    return { matrix: lightView(TOWARD_LIGHT, centerOf(box), radius), width: 2 * radius };
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
const SHADOW_BLUR = 0.07; // the blur of the shadow of the highest point
const CONTACT_BLUR = 0.08; // the reach of contact shadows
const CONTACT_LIMIT = 0.14; // the height up to which objects cast contact shadows

export const SHADOW_SIZE = { least: 1024, row: 128, most: 4096 };
export const GROUND_SIZE = { least: 320, row: 56, most: 2048 };

// The size of a map in texels, for a crowd of that count.
export function mapSize({ least, row, most }, crowd) {
    return Math.min(Math.floor(least + row * Math.sqrt(crowd)), most);
}

// The two maps of the ground: the soft shadow of the key light, and the contact shadow. `x` and `z` are the offset of
// a point's shadow for each metre of its height.
const MAPS = [
    { x: -TOWARD_LIGHT[0] / TOWARD_LIGHT[1], z: -TOWARD_LIGHT[2] / TOWARD_LIGHT[1], limit: 0, blur: SHADOW_BLUR },
    { x: 0, z: 0, limit: CONTACT_LIMIT, blur: CONTACT_BLUR },
];

// Projects objects onto the area, with the height as depth and a small margin below and above.
function pressMatrix({ middle, half, height }, { x, z }) {
    const out = new Float32Array(16);
    const scale = 1 / half;
    out[0] = out[9] = scale;
    out[4] = x * scale;
    out[5] = z * scale;
    out[6] = 1.96 / height;
    out[12] = (-middle[0] - x * middle[1]) * scale;
    out[13] = (-middle[2] - z * middle[1]) * scale;
    out[14] = -middle[1] * out[6] - 0.98;
    out[15] = 1;
    return out;
}

// The part of a map that can be covered: left, bottom, right, top, in [0, 1].
function partOf({ middle, half }, least, most, margin) {
    const at = (value, axis) => Math.min(Math.max(0.5 + 0.5 * (value - middle[axis]) / half, 0), 1);
    return [at(least[0] - margin, 0), at(least[2] - margin, 2), at(most[0] + margin, 0), at(most[2] + margin, 2)];
}

// The area of the ground on which the content of a box casts a shadow. The ground is at the bottom of the box. `maps`
// has for each map its matrix, its part, and the reach of the blur in metres.
export function groundAreaOf({ least, most }) {
    const rise = most[1] - least[1];
    const height = rise > 0 && Number.isFinite(rise) ? rise : 1;
    const { x, z } = MAPS[0];
    const low = [least[0] + Math.min(x * height, 0), least[1], least[2] + Math.min(z * height, 0)];
    const high = [most[0] + Math.max(x * height, 0), most[1], most[2] + Math.max(z * height, 0)];
    const margin = 1.3 * SHADOW_BLUR * height;
    const half = 0.5 * Math.max(high[0] - low[0], high[2] - low[2]) + margin;
    const area = { middle: [0.5 * (low[0] + high[0]), least[1], 0.5 * (low[2] + high[2])], height };
    area.half = half > 0 && Number.isFinite(half) ? half : 1;
    const parts = [partOf(area, low, high, margin), partOf(area, least, most, 1.3 * CONTACT_BLUR * height)];
    area.maps = MAPS.map((map, i) => (
        { matrix: pressMatrix(area, map), part: parts[i], limit: map.limit, wide: map.blur * height }));
    return area;
}

// A map's part in texels: left, bottom, width, height.
export function texelsOf([left, bottom, right, top], size) {
    const x = Math.floor(left * size);
    const y = Math.floor(bottom * size);
    return [x, y, Math.ceil(right * size) - x, Math.ceil(top * size) - y];
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

const GHOST_TINT = [0.10, 0.20, 0.36, 0.6]; // colour and strength
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
