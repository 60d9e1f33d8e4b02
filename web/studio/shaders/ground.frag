// SPDX-License-Identifier: MIT
// The ground, after shadow_map.glsl: the shadow of the key light, the contact shadow and a grid, all fading with the
// distance. The colour of the ground is that of the background.
uniform float reach;
uniform float spacing; // metres from line to line
uniform vec4 line_color; // sRGB
uniform sampler2D ground_map; // of blur.frag

in vec2 from_center;
in vec2 world_position;
in vec3 light_position;

out vec4 color; // multiplied with its alpha

// The coverage of a pixel by the lines of the grid. `width` is the pixel's size on the ground, in cells: lines are 1.5
// pixels wide, and cells smaller than a pixel become an even tone.
float grid_cover(vec2 cell) {
    vec2 width = max(fwidth(cell), vec2(1e-6));
    vec2 distance_to_line = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = clamp(1.25 - distance_to_line, 0.0, 1.0);
    vec2 dissolve = clamp(2.0 * width, 0.0, 1.0);
    cover = mix(cover, vec2(0.0), dissolve);
    return max(cover.x, cover.y);
}

// The light that the shadows leave, from 0 to 1. The shadow of low surfaces is sharp, that of high ones soft and
// slightly lighter.
float light_left() {
    if (any(greaterThan(abs(light_position.xy - 0.5), vec2(0.5)))) return 1.0;
    vec3 read = textureLod(ground_map, light_position.xy, 0.0).rgb;
    if (read.r + read.b < 0.002) return 1.0;
    float height = read.g / max(read.r, 0.004);
    float soft = smoothstep(0.0, 0.3, height);
    float cover = soft < 1.0 ? mix(1.0 - sampled_light(light_position), read.r, soft) : read.r;
    return (1.0 - 0.5 * cover * (1.0 - 0.3 * height)) * (1.0 - 0.7 * min(read.b, 1.0));
}

void main() {
    float fade = 1.0 - smoothstep(0.15, 1.0, length(from_center) / reach);
    float line = line_color.a * grid_cover(world_position / spacing) * fade;
    float shadow = fade * (1.0 - pow(light_left(), 1.0 / 2.2)); // of the sRGB colour
    color = vec4(line_color.rgb * line * (1.0 - shadow), 1.0 - (1.0 - shadow) * (1.0 - line));
}
