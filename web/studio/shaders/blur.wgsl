// SPDX-License-Identifier: MIT
// Blurs the shadow on the ground along one direction for WebGPU, equal to blur.frag for OpenGL. The ground is seen from
// the light: a surface casts its shadow where it is in the shadow map. Red is the coverage, green the coverage times
// the height of the surface over the ground, and blue the coverage by surfaces near the ground: the contact shadow.

struct blur_numbers {
    plane: vec3f,     // the depth of the ground at y is x + y * y; z: from a depth to a height, 1 at the top
    limit: f32,       // the height above which surfaces cast no contact shadow
    direction: vec2f, // the reach of the blur, in texture coordinates
    size: f32,        // of the target, in texels
    first: u32,       // whether the source is the shadow map
}

@group(0) @binding(0) var<uniform> blur: blur_numbers;
@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var blurred: texture_2d<f32>;
@group(1) @binding(2) var blurred_sampler: sampler;

const TAPS = 6; // to each side

// One triangle over the whole map.
@vertex
fn corner(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

fn shade_of_depth(position: vec2f) -> vec3f {
    let size = vec2f(textureDimensions(shadow_map));
    let depth = textureLoad(shadow_map, vec2i(clamp(position * size, vec2f(), size - 1.0)), 0);
    let height = (blur.plane.x + blur.plane.y * position.y - depth) * blur.plane.z;
    if (depth >= 1.0 || height < -0.02) { return vec3f(); }
    let low = max(1.0 - max(height, 0.0) / blur.limit, 0.0);
    return vec3f(1.0, clamp(height, 0.0, 1.0), low * low);
}

fn shade(position: vec2f) -> vec3f {
    if (blur.first != 0u) { return shade_of_depth(position); }
    return textureSampleLevel(blurred, blurred_sampler, position, 0.0).rgb;
}

@fragment
fn spread(@builtin(position) position: vec4f) -> @location(0) vec4f {
    var sum = vec3f();
    var weights = 0.0;
    for (var i = -TAPS; i <= TAPS; i++) {
        let along = f32(i) / f32(TAPS + 1);
        let weight = (1.0 - along * along) * (1.0 - along * along);
        sum += weight * shade(position.xy / blur.size + blur.direction * along);
        weights += weight;
    }
    return vec4f(sum / weights, 1.0);
}
