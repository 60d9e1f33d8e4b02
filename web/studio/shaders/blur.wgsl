// SPDX-License-Identifier: MIT
// Blurs a map of the ground along one direction for WebGPU, equal to tools/render/shaders/blur.frag for OpenGL, with a
// narrow and a wide kernel. Red is the coverage after the narrow blur, green after the wide one, and blue is green
// times the mean height (0 to 1) of the objects that cover the point.

struct blur_numbers {
    direction: vec2f, // of the blur: (1, 0) or (0, 1)
    limit: f32,       // the height from which on objects cast no shadow; 0: no limit
    wide: f32,        // the reach of the wide blur, in texels
    first: u32,       // whether the source is the depth of the projected objects
}

@group(0) @binding(0) var<uniform> blur: blur_numbers;
@group(1) @binding(0) var pressed: texture_depth_2d;
@group(1) @binding(1) var blurred: texture_2d<f32>;
@group(1) @binding(2) var blurred_sampler: sampler;

// One triangle over the whole map.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

fn shade_of_depth(texel: vec2f) -> vec3f {
    let last = vec2f(textureDimensions(pressed)) - 1.0;
    let depth = textureLoad(pressed, vec2i(clamp(floor(texel), vec2f(), last)), 0);
    if (depth >= 1.0) { return vec3f(); }
    let height = clamp((depth - 0.01) / 0.98, 0.0, 1.0);
    var low = 1.0;
    if (blur.limit > 0.0) { low = max(1.0 - height / blur.limit, 0.0); }
    return vec3f(low * low, low * low, height * low * low);
}

fn shade(texel: vec2f) -> vec3f {
    if (blur.first != 0u) { return shade_of_depth(texel); }
    return textureSampleLevel(blurred, blurred_sampler, texel / vec2f(textureDimensions(blurred)), 0.0).rgb;
}

@fragment
fn spread(@builtin(position) position: vec4f) -> @location(0) vec4f {
    var sum = vec3f();
    var weights = vec2f();
    for (var i = -2; i <= 2; i++) {
        let weight = exp(-0.35 * f32(i * i));
        sum.r += weight * shade(position.xy + blur.direction * f32(i)).r;
        weights.x += weight;
    }
    // One sample a texel: depth is not filtered, and fewer samples show stripes.
    let count = i32(clamp(blur.wide, 1.0, 20.0));
    for (var i = -count; i <= count; i++) {
        let along = f32(i) / f32(count + 1);
        let weight = (1.0 - along * along) * (1.0 - along * along);
        let read = shade(position.xy + blur.direction * along * blur.wide);
        sum += weight * vec3f(0.0, read.gb);
        weights.y += weight;
    }
    return vec4f(sum / weights.xyy, 1.0);
}
