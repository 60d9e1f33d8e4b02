// SPDX-License-Identifier: MIT
// A perceptual gradient with dithering. Without it, similar colors are so few 8-bit steps apart that bands are visible.
uniform vec3 top_color;
uniform vec3 bottom_color;

in float height;

out vec4 color;

vec3 to_srgb(vec3 light) {
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

vec3 to_linear(vec3 s) {
    return mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), greaterThan(s, vec3(0.04045)));
}

// A value from -0.5 to 0.5 for each pixel, evenly distributed among neighbors.
float grain(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}

void main() {
    vec3 shown = to_srgb(mix(bottom_color, top_color, smoothstep(0.0, 1.0, height)));
    if (top_color != bottom_color) shown += grain(floor(gl_FragCoord.xy)) / 255.0;
    color = vec4(to_linear(shown), 1.0);
}
