// SPDX-License-Identifier: MIT
// The shadow map of the key light.
uniform highp sampler2DShadow shadow_map;

// The part of the key light that reaches a position in the map, from 0 to 1: four filtered samples.
float sampled_light(vec3 position) {
    vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
    float light = 0.0;
    for (int i = 0; i < 4; i++) {
        vec2 offset = 2.0 * vec2(i & 1, i >> 1) - 1.0;
        light += texture(shadow_map, vec3(position.xy + offset * texel, min(position.z, 1.0)));
    }
    return light / 4.0;
}
