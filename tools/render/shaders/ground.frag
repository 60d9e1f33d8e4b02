// SPDX-License-Identifier: MIT
// The ground: the shadow, the contact shadow and a grid, all fading with distance. The ground has the background's
// color.
uniform vec3 center;
uniform float reach;
uniform float spacing; // meters from line to line
uniform vec4 line_color;
uniform sampler2D ground_shadow;
uniform sampler2D ground_contact;
uniform vec3 map_middle;
uniform float map_half;

in vec3 world_position;

out vec4 color; // multiplied with its alpha

// How much of a pixel the grid's lines cover. `width` is the pixel's size on the ground, in cells. Lines are 1.5
// pixels wide, and cells smaller than a pixel become an even tone.
float grid_cover(vec2 cell) {
    vec2 width = max(fwidth(cell), vec2(1e-6));
    vec2 distance_to_line = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = clamp(1.25 - distance_to_line, 0.0, 1.0);
    vec2 dissolve = clamp(2.0 * width, 0.0, 1.0);
    cover = mix(cover, vec2(0.0), dissolve);
    return max(cover.x, cover.y);
}

// Sharp below low surfaces, soft and slightly lighter below high ones.
float shadow_cover(vec2 position) {
    vec3 shadow = texture(ground_shadow, position).rgb;
    float height = shadow.b / max(shadow.g, 0.004);
    float soft = smoothstep(0.0, 0.5, height);
    return mix(shadow.r, shadow.g, soft) * (1.0 - 0.3 * height);
}

float contact_cover(vec2 position) {
    vec3 contact = texture(ground_contact, position).rgb;
    return clamp(0.5 * contact.r + 0.75 * contact.g, 0.0, 1.0);
}

void main() {
    vec2 from_center = world_position.xz - center.xz;
    float fade = 1.0 - smoothstep(0.15, 1.0, length(from_center) / reach);
    vec2 position = (world_position.xz - map_middle.xz) / map_half * 0.5 + 0.5;
    float light = (1.0 - 0.5 * shadow_cover(position)) * (1.0 - 0.7 * contact_cover(position));
    float shadow = (1.0 - light) * fade;
    float line = line_color.a * grid_cover(world_position.xz / spacing) * fade;
    color = vec4(line_color.rgb * line * (1.0 - shadow), 1.0 - (1.0 - shadow) * (1.0 - line));
}
