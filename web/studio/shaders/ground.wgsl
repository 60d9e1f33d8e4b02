// SPDX-License-Identifier: MIT
// The ground for WebGPU, equal to tools/render/shaders/ground.vert and ground.frag for OpenGL: the shadow, the contact
// shadow and a grid, which fade out with the distance. The ground itself has the colour of the background.

struct ground_numbers {
    view_projection: mat4x4f,
    center: vec3f,
    reach: f32, // metres from the centre to each edge
    map_middle: vec3f,
    map_half: f32,
    line_color: vec4f,
    spacing: f32, // metres from line to line
}

@group(0) @binding(0) var<uniform> ground: ground_numbers;
@group(1) @binding(0) var shadow: texture_2d<f32>;
@group(1) @binding(1) var contact: texture_2d<f32>;
@group(1) @binding(2) var map_sampler: sampler;

struct vertex_out {
    @builtin(position) position: vec4f,
    @location(0) world_position: vec3f,
}

// A square, as a strip of two triangles.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> vertex_out {
    let side = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
    var out: vertex_out;
    out.world_position = ground.center + ground.reach * vec3f(side.x, 0.0, side.y);
    out.position = ground.view_projection * vec4f(out.world_position, 1.0);
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

// The shadow of the key light: sharp under low objects, soft and a little lighter under high ones.
fn shadow_cover(position: vec2f) -> f32 {
    let read = textureSampleLevel(shadow, map_sampler, position, 0.0).rgb;
    let height = read.b / max(read.g, 0.004);
    let soft = smoothstep(0.0, 0.5, height);
    return mix(read.r, read.g, soft) * (1.0 - 0.3 * height);
}

fn contact_cover(position: vec2f) -> f32 {
    let read = textureSampleLevel(contact, map_sampler, position, 0.0).rgb;
    return clamp(0.5 * read.r + 0.75 * read.g, 0.0, 1.0);
}

// Premultiplied.
@fragment
fn cover(in: vertex_out) -> @location(0) vec4f {
    let from_center = in.world_position.xz - ground.center.xz;
    let fade = 1.0 - smoothstep(0.15, 1.0, length(from_center) / ground.reach);
    let position = (in.world_position.xz - ground.map_middle.xz) / ground.map_half * 0.5 + 0.5;
    let light = (1.0 - 0.5 * shadow_cover(position)) * (1.0 - 0.7 * contact_cover(position));
    let dark = (1.0 - light) * fade;
    let line = ground.line_color.a * grid_cover(in.world_position.xz / ground.spacing) * fade;
    return vec4f(ground.line_color.rgb * line * (1.0 - dark), 1.0 - (1.0 - dark) * (1.0 - line));
}
