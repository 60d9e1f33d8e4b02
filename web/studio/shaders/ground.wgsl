// SPDX-License-Identifier: MIT
// The ground for WebGPU, after shadow_map.wgsl, equal to ground.vert and ground.frag for OpenGL: the shadow of the key light, the contact
// shadow and a grid, all fading with the distance. The colour of the ground is that of the background.

struct ground_numbers {
    view_projection: mat4x4f,
    light_matrix: mat4x4f, // from world space to the shadow map, all coordinates in [0, 1]
    center: vec3f,
    reach: f32, // metres from the centre to each side
    line_color: vec4f, // sRGB
    spacing: f32, // metres from line to line
}

@group(0) @binding(0) var<uniform> ground: ground_numbers;
@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;
@group(1) @binding(2) var ground_map: texture_2d<f32>; // of blur.wgsl
@group(1) @binding(3) var map_sampler: sampler;

struct vertex_out {
    @builtin(position) position: vec4f,
    @location(0) from_center: vec2f, // metres
    @location(1) world_position: vec2f, // x and z
    @location(2) light_position: vec3f, // in the shadow map
}

// A square, as a strip of two triangles.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> vertex_out {
    var out: vertex_out;
    out.from_center = ground.reach * (vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0);
    let position = vec4f(ground.center + vec3f(out.from_center.x, 0.0, out.from_center.y), 1.0);
    out.world_position = position.xz;
    out.light_position = (ground.light_matrix * position).xyz;
    out.position = ground.view_projection * position;
    return out;
}

// The coverage of the pixel by the lines. `width` is the size of the pixel on the ground, in cells: lines are one and
// a half pixels wide, and where cells are smaller than pixels they become a uniform tone.
fn grid_cover(cell: vec2f) -> f32 {
    let width = max(fwidth(cell), vec2f(1e-6));
    let distance_to_line = abs(fract(cell - 0.5) - 0.5) / width;
    let cover = clamp(1.25 - distance_to_line, vec2f(), vec2f(1.0));
    let dissolve = clamp(2.0 * width, vec2f(), vec2f(1.0));
    let left = cover * (1.0 - dissolve);
    return max(left.x, left.y);
}

// The light that the shadows leave, from 0 to 1. The shadow of low surfaces is sharp, that of high ones soft and
// slightly lighter.
fn light_left(position: vec3f) -> f32 {
    if (any(abs(position.xy - 0.5) > vec2f(0.5))) { return 1.0; }
    let read = textureSampleLevel(ground_map, map_sampler, position.xy, 0.0).rgb;
    if (read.r + read.b < 0.002) { return 1.0; }
    let height = read.g / max(read.r, 0.004);
    let soft = smoothstep(0.0, 0.3, height);
    var cover = read.r;
    if (soft < 1.0) { cover = mix(1.0 - sampled_light(position), read.r, soft); }
    return (1.0 - 0.5 * cover * (1.0 - 0.3 * height)) * (1.0 - 0.7 * min(read.b, 1.0));
}

// Premultiplied.
@fragment
fn cover(in: vertex_out) -> @location(0) vec4f {
    let fade = 1.0 - smoothstep(0.15, 1.0, length(in.from_center) / ground.reach);
    let line = ground.line_color.a * grid_cover(in.world_position / ground.spacing) * fade;
    let shadow = fade * (1.0 - pow(light_left(in.light_position), 1.0 / 2.2)); // of the sRGB colour
    return vec4f(ground.line_color.rgb * line * (1.0 - shadow), 1.0 - (1.0 - shadow) * (1.0 - line));
}
