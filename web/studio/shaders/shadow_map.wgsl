// SPDX-License-Identifier: MIT
// The shadow map of the key light. The shader that includes this declares shadow_map and shadow_sampler.

// The part of the key light that reaches a position in the map, from 0 to 1: four filtered samples.
fn sampled_light(position: vec3f) -> f32 {
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var light = 0.0;
    for (var i = 0; i < 4; i++) {
        let offset = 2.0 * vec2f(f32(i & 1), f32(i >> 1)) - 1.0;
        light += textureSampleCompareLevel(shadow_map, shadow_sampler, position.xy + offset * texel,
                                           min(position.z, 1.0));
    }
    return light / 4.0;
}
