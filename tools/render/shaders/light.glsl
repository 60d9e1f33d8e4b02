// SPDX-License-Identifier: MIT
// The light that falls on everything: one key light with a shadow, and the sky.
uniform mat4 light_matrix;        // from the world to the shadow map's own coordinates, all in [0, 1]
uniform vec3 toward_light;        // unit
uniform float shadow_texel;       // meters
uniform highp sampler2DShadow shadow_map;

// The part of the key light that reaches a point, from 0 to 1. `spread` is the distance of the samples, in texels.
// The point is offset along its normal by slightly more than a texel, to keep a surface from shadowing itself.
float key_light(vec3 point, vec3 normal, float spread) {
    float away = 1.0 - clamp(dot(normal, toward_light), 0.0, 1.0);
    vec3 moved = point + normal * shadow_texel * (1.0 + 2.5 * away);
    vec3 position = (light_matrix * vec4(moved, 1.0)).xyz;
    float light = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 offset = vec2(x, y) * spread / vec2(textureSize(shadow_map, 0));
            light += texture(shadow_map, vec3(position.xy + offset, min(position.z, 1.0)));
        }
    }
    return light / 9.0;
}
