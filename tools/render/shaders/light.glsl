// The light that falls on everything: one key light with a shadow, and the sky.
uniform mat4 light_matrix;        // from the world to the shadow map's own coordinates, all in [0, 1]
uniform vec3 toward_light;        // unit
uniform float shadow_texel;       // metres
uniform highp sampler2DShadow shadow_map;

// How much of the key light reaches a point, from 0 to 1. `spread` is how far apart the samples are, in texels.
// The point is moved along its normal by a little more than a texel, so that a surface does not shade itself.
float key_light(vec3 point, vec3 normal, float spread) {
    float away = 1.0 - clamp(dot(normal, toward_light), 0.0, 1.0);
    vec3 moved = point + normal * shadow_texel * (1.0 + 2.5 * away);
    vec3 place = (light_matrix * vec4(moved, 1.0)).xyz;
    float light = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 offset = vec2(x, y) * spread / vec2(textureSize(shadow_map, 0));
            light += texture(shadow_map, vec3(place.xy + offset, min(place.z, 1.0)));
        }
    }
    return light / 9.0;
}
