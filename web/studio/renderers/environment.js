// SPDX-License-Identifier: MIT
// The environment: a photo studio with a gradient from the floor to the ceiling and three soft panels. It is computed
// at start, for both renderers: its radiance prefiltered for reflections, and its irradiance for diffuse surfaces.
//
// The split-sum approximation: B. Karis, Real Shading in Unreal Engine 4, SIGGRAPH 2013. The irradiance: R. Ramamoorthi
// and P. Hanrahan, An Efficient Representation for Irradiance Environment Maps, SIGGRAPH 2001. Radiance is linear RGB.

const CEILING = [0.30, 0.33, 0.37];
const HORIZON = [0.40, 0.41, 0.42];
const FLOOR = [0.13, 0.12, 0.115];

const unit = (v) => v.map((value) => value / Math.hypot(...v));
const cosine = (degrees) => Math.cos(degrees * Math.PI / 180);

// A round panel: its direction, the cosines of the angles where it ends and where it has its full radiance.
const panel = (toward, outer, inner, color) => (
    { toward: unit(toward), outer: cosine(outer), inner: cosine(inner), color });
const PANELS = [
    panel([-0.75, 0.55, 0.45], 26, 18, [2.3, 2.2, 2.1]),
    panel([0.9, 0.25, 0.35], 22, 15, [1.3, 1.4, 1.55]),
    panel([0.35, 0.6, -0.85], 24, 16, [1.9, 2.0, 2.2]),
];

function smoothstep(from, to, value) {
    const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

// Adds `weight` times the radiance from a direction, a unit vector, to `sum`.
function addRadiance(sum, x, y, z, weight) {
    const t = y > 0 ? smoothstep(0, 0.8, y) : smoothstep(0, 0.35, -y);
    const end = y > 0 ? CEILING : FLOOR;
    for (let k = 0; k < 3; k++) sum[k] += weight * (HORIZON[k] + t * (end[k] - HORIZON[k]));
    for (const { toward, outer, inner, color } of PANELS) {
        const along = x * toward[0] + y * toward[1] + z * toward[2];
        if (along <= outer) continue;
        const part = weight * smoothstep(outer, inner, along);
        for (let k = 0; k < 3; k++) sum[k] += part * color[k];
    }
}

export function radianceFrom([x, y, z]) {
    const sum = [0, 0, 0];
    addRadiance(sum, x, y, z, 1);
    return sum;
}

// ---- Irradiance -------------------------------------------------------------------------------------------------

const RINGS = 48; // of the sphere, for the integration

// The polynomials of the real spherical harmonics of bands 0 to 2 without their constants.
const harmonicsOf = (x, y, z) => [1, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y];

// For each harmonic the square of its constant, times the factor of its band for the irradiance over pi.
const BANDS = [0.282095, 0.488603, 0.488603, 0.488603, 1.092548, 1.092548, 0.315392, 1.092548, 0.546274]
    .map((constant, i) => constant * constant * (i === 0 ? 1 : i < 4 ? 2 / 3 : 1 / 4));

// The coefficients of the nine polynomials, whose sum is the irradiance over pi.
export function harmonicCoefficients() {
    const coefficients = BANDS.map(() => [0, 0, 0]);
    for (let ring = 0; ring < RINGS; ring++) {
        const y = 1 - (2 * ring + 1) / RINGS; // rings have equal areas
        const side = Math.sqrt(1 - y * y);
        for (let i = 0; i < 2 * RINGS; i++) {
            const angle = Math.PI * (i + 0.5) / RINGS;
            const [x, z] = [side * Math.cos(angle), side * Math.sin(angle)];
            const values = harmonicsOf(x, y, z);
            for (let k = 0; k < 9; k++) {
                addRadiance(coefficients[k], x, y, z, values[k] * BANDS[k] * 2 * Math.PI / (RINGS * RINGS));
            }
        }
    }
    return coefficients;
}

// The coefficients in the text of a shader, as vectors of that type.
export function harmonicsText(type) {
    return harmonicCoefficients().map((c) => `${type}(${c.map((value) => value.toFixed(6))})`).join(', ');
}

// ---- Reflections ------------------------------------------------------------------------------------------------

// The sides of the cube's levels. The roughness of a level is its index over the last one's.
export const LEVELS = [32, 16, 8, 4];
const SAMPLES = 64;

// The van der Corput sequence in base 2.
function radicalInverse(i) {
    let value = 0;
    for (let digit = 0.5; i > 0; i >>= 1, digit /= 2) value += (i & 1) * digit;
    return value;
}

// Directions of light, about (0, 0, 1), that importance sampling of GGX reflects to (0, 0, 1).
function lightSamples(roughness) {
    const a2 = roughness ** 4;
    const samples = [];
    for (let i = 0; i < SAMPLES; i++) {
        const angle = 2 * Math.PI * (i + 0.5) / SAMPLES;
        const v = radicalInverse(i);
        const z = Math.sqrt((1 - v) / (1 + (a2 - 1) * v)); // of the half vector
        const side = 2 * z * Math.sqrt(1 - z * z);
        if (2 * z * z > 1) samples.push([side * Math.cos(angle), side * Math.sin(angle), 2 * z * z - 1]);
    }
    return samples;
}

// Writes the prefiltered radiance about a direction.
function filter(x, y, z, samples, sum) {
    sum.fill(0);
    const length = Math.hypot(x, y, z);
    const n = [x / length, y / length, z / length];
    const flat = Math.hypot(n[0], n[2]) || 1;
    const right = flat < 1e-6 ? [1, 0, 0] : [n[2] / flat, 0, -n[0] / flat];
    const up = [n[1] * right[2], n[2] * right[0] - n[0] * right[2], -n[1] * right[0]];
    let weights = 0;
    for (const [a, b, c] of samples) {
        addRadiance(sum, a * right[0] + b * up[0] + c * n[0], b * up[1] + c * n[1],
            a * right[2] + b * up[2] + c * n[2], c);
        weights += c;
    }
    for (let k = 0; k < 3; k++) sum[k] /= weights;
}

// The directions of the faces of a cube map, in the order of OpenGL and WebGPU; s and t from -1 to 1.
const FACES = [(s, t) => [1, -t, -s], (s, t) => [-1, -t, s], (s, t) => [s, 1, t], (s, t) => [s, -1, -t],
    (s, t) => [s, -t, 1], (s, t) => [-s, -t, -1]];

const float = new Float32Array(1), bits = new Uint32Array(float.buffer);

// A number of at least 0 as a half float (IEEE 754 binary16).
function toHalf(value) {
    if (value < 2 ** -14) return Math.round(value * 2 ** 24);
    float[0] = value;
    return (bits[0] - 0x38000000 + 0x1000) >>> 13;
}

// One face of a level: RGBA in half floats.
function faceOf(face, size, samples) {
    const texels = new Uint16Array(4 * size * size);
    const sum = [0, 0, 0];
    for (let i = 0; i < size * size; i++) {
        const direction = face((2 * (i % size) + 1) / size - 1, (2 * Math.floor(i / size) + 1) / size - 1);
        filter(...direction, samples, sum);
        texels.set([...sum.map(toHalf), 0x3c00], 4 * i);
    }
    return texels;
}

let cube = null;

// The cube map of reflections: for each level its side and its six faces. It is computed once for all renderers.
export function reflectionCube() {
    cube ??= LEVELS.map((size, level) => {
        const samples = level === 0 ? [[0, 0, 1]] : lightSamples(level / (LEVELS.length - 1));
        return { size, faces: FACES.map((face) => faceOf(face, size, samples)) };
    });
    return cube;
}
