// SPDX-License-Identifier: MIT
// A gradient between two sRGB colours with dithering: without it, the few steps of eight bits between two near colours
// are visible as bands.
uniform vec3 top_color;
uniform vec3 bottom_color;

in float height;

out vec4 color;

// A value from -0.5 to 0.5 for each pixel, evenly distributed among neighbours (J. Jimenez, Next Generation Post
// Processing in Call of Duty, 2014).
float grain(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}

void main() {
    vec3 shown = mix(bottom_color, top_color, smoothstep(0.0, 1.0, height));
    if (top_color != bottom_color) shown += grain(floor(gl_FragCoord.xy)) / 255.0;
    color = vec4(shown, 1.0);
}
