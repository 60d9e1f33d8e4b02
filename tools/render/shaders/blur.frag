// SPDX-License-Identifier: MIT
// Blurs a map of the ground along one direction with two widths. Red is the coverage after the narrow blur, green after
// the wide one, and blue is the mean height (0 to 1) of the surfaces that cast the shadow, times green.
uniform sampler2D source;
uniform vec3 direction; // (1, 0) or (0, 1): the direction of the blur
uniform bool first;     // the source is the depth of the projected models
uniform float limit;    // surfaces above this height cast no shadow; 0 for no limit
uniform float wide;     // the reach of the wide blur, in texels

out vec4 color;

vec3 shade(vec2 texel) {
    vec4 read = texture(source, texel / vec2(textureSize(source, 0)));
    if (!first) return read.rgb;
    if (read.r >= 1.0) return vec3(0.0);
    float height = clamp((read.r - 0.01) / 0.98, 0.0, 1.0);
    float low = limit > 0.0 ? max(1.0 - height / limit, 0.0) : 1.0;
    return vec3(low * low, low * low, height * low * low);
}

void main() {
    vec3 sum = vec3(0.0);
    vec2 weights = vec2(0.0);
    for (int i = -2; i <= 2; i++) {
        float weight = exp(-0.35 * float(i * i));
        sum.r += weight * shade(gl_FragCoord.xy + direction.xy * float(i)).r;
        weights.x += weight;
    }
    // One sample per texel. The depth isn't filtered, and fewer samples would make stripes.
    int count = int(clamp(wide, 1.0, 20.0));
    for (int i = -count; i <= count; i++) {
        float along = float(i) / float(count + 1);
        float weight = (1.0 - along * along) * (1.0 - along * along);
        sum.gb += weight * shade(gl_FragCoord.xy + direction.xy * along * wide).gb;
        weights.y += weight;
    }
    color = vec4(sum / weights.xyy, 1.0);
}
