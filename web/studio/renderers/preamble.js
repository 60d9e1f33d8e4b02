// SPDX-License-Identifier: MIT
// The preambles of src/gpu/shaders/skin.glsl and skin.wgsl, as sinew_shader_preamble writes them (sinew/shader.h),
// for the variants of the studio: records of rows with a per-instance transform, in a texture or a storage buffer.
import { TEXTURE_WIDTH } from '../sinew/constants.js';

// The locations of the attributes, and of the four integers of a draw.
export const LOCATIONS = {
    POSITION: 0, NORMAL: 1, UV: 2, JOINTS: 3, WEIGHTS: 4, COLOR: 5, JOINTS2: 6, WEIGHTS2: 7, DRAW: 9,
};

export function glslPreamble({ influences, morph }) {
    const numbers = { INFLUENCES: influences, TEXTURE_WIDTH };
    for (const name in LOCATIONS) numbers[`${name}_LOCATION`] = LOCATIONS[name];
    const names = ['GPU_RESOURCE_TEXTURE', 'GPU_RECORD_ROWS', 'PER_INSTANCE_TRANSFORM', ...(morph ? ['MORPH'] : [])];
    return names.map((name) => `#define SINEW_${name}\n`).join('') +
        Object.entries(numbers).map(([name, number]) => `#define SINEW_${name} ${number}\n`).join('');
}

// The bindings of the group of skinning.
const GROUP = 3;
export const BINDINGS = { PALETTE: 0, DELTAS: 1, DRAW: 2 };

export function wgslPreamble({ influences, morph }) {
    const at = (name) => `@group(${GROUP}) @binding(${BINDINGS[name]})`;
    const numbers = { INFLUENCES: influences, TEXTURE_WIDTH };
    for (const name in LOCATIONS) numbers[`${name}_LOCATION`] = LOCATIONS[name];
    return [
        ...Object.entries(numbers).map(([name, number]) => `const SINEW_${name} = ${number};`),
        'const SINEW_LAYOUT = SINEW_GPU_RECORD_ROWS;',
        'const SINEW_PER_INSTANCE_TRANSFORM = true;',
        `const SINEW_MORPH = ${morph};`,
        `${at('PALETTE')} var<storage, read> sinew_records: array<vec4f>;`,
        'fn sinew_texel(i: i32) -> vec4f { return sinew_records[i]; }',
        ...(morph ? [`${at('DELTAS')} var sinew_deltas: texture_2d<f32>;`] : []),
        `fn sinew_delta_texel(i: i32) -> vec4f { return ${
            morph ? 'textureLoad(sinew_deltas, sinew_texel_coordinates(i), 0)' : 'vec4f()'}; }`,
        'fn sinew_animation_texel(i: i32) -> vec4f { return vec4f(); }',
        `${at('DRAW')} var<uniform> sinew_draw: vec4i;`,
        'fn sinew_draw_numbers() -> vec4i { return sinew_draw; }',
        '',
    ].join('\n');
}
