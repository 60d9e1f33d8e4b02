// SPDX-License-Identifier: MIT
// Copies pictures for WebGPU: to the canvas of a page, and to the next mipmap of a texture.

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

fn to_srgb(light: vec3f) -> vec3f {
    return select(light * 12.92, 1.055 * pow(light, vec3f(1.0 / 2.4)) - 0.055, light > vec3f(0.0031308));
}

// Converts colours premultiplied in linear light to colours premultiplied as sRGB, as a canvas takes them.
@fragment
fn present(in: vertex_out) -> @location(0) vec4f {
    let texel = textureLoad(picture, vec2i(in.position.xy), 0);
    let light = select(vec3f(), min(texel.rgb / texel.a, vec3f(1.0)), texel.a > 0.0);
    return vec4f(to_srgb(light) * texel.a, texel.a);
}

@fragment
fn shrink(in: vertex_out) -> @location(0) vec4f {
    return textureSample(picture, picture_sampler, in.uv);
}
