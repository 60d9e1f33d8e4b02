// SPDX-License-Identifier: MIT
// The background for WebGPU, equal to tools/render/shaders/background.frag for OpenGL: a perceptual gradient with an
// invisible dither, without which the few steps of eight bits between two similar colours show as bands.

struct background_numbers {
    top_color: vec3f,
    height: f32, // of the picture, in pixels
    bottom_color: vec3f,
}

@group(0) @binding(0) var<uniform> background: background_numbers;

// One triangle over the whole picture.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

fn to_srgb(light: vec3f) -> vec3f {
    return select(light * 12.92, 1.055 * pow(light, vec3f(1.0 / 2.4)) - 0.055, light > vec3f(0.0031308));
}

fn to_linear(s: vec3f) -> vec3f {
    return select(s / 12.92, pow((s + 0.055) / 1.055, vec3f(2.4)), s > vec3f(0.04045));
}

// Noise from -0.5 to 0.5, evenly distributed among neighbouring pixels.
fn grain(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
}

@fragment
fn gradient(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let up = background.height - position.y; // rows go down
    let light = mix(background.bottom_color, background.top_color, smoothstep(0.0, 1.0, up / background.height));
    var shown = to_srgb(light);
    if (any(background.top_color != background.bottom_color)) {
        shown += grain(floor(vec2f(position.x, up))) / 255.0;
    }
    return vec4f(to_linear(shown), 1.0);
}
