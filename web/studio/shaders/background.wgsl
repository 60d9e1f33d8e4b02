// SPDX-License-Identifier: MIT
// The background for WebGPU, equal to background.frag for OpenGL: a gradient between two sRGB colours with dithering,
// without which the few steps of eight bits between two near colours are visible as bands.

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

// Noise from -0.5 to 0.5, evenly distributed among neighbouring pixels.
fn grain(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
}

@fragment
fn gradient(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let up = background.height - position.y; // rows go down
    var shown = mix(background.bottom_color, background.top_color, smoothstep(0.0, 1.0, up / background.height));
    if (any(background.top_color != background.bottom_color)) {
        shown += grain(floor(vec2f(position.x, up))) / 255.0;
    }
    return vec4f(shown, 1.0);
}
