// SPDX-License-Identifier: MIT
// Copies a level of a texture to the next one, for mipmaps of WebGPU.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct vertex_out {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

// One triangle over the whole target. Rows go down.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> vertex_out {
    let side = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0;
    return vertex_out(vec4f(side, 0.0, 1.0), vec2f(0.5 + 0.5 * side.x, 0.5 - 0.5 * side.y));
}

@fragment
fn shrink(in: vertex_out) -> @location(0) vec4f {
    return textureSample(picture, picture_sampler, in.uv);
}
