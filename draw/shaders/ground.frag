// What lies on the ground, after light.glsl: the shadow and a grid, both thinning out with the distance. The ground
// itself is the background.
uniform vec3 center;
uniform float reach;
uniform float spacing; // metres from line to line
uniform vec4 line_color;

in vec3 world_position;

out vec4 color; // multiplied with its alpha

// How much of the pixel the lines cover. `width` is the pixel's own size on the ground, in cells: lines are one and
// a half pixels wide, and where cells become smaller than pixels they dissolve into an even tone.
float grid_cover(vec2 cell) {
    vec2 width = max(fwidth(cell), vec2(1e-6));
    vec2 distance_to_line = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = clamp(1.25 - distance_to_line, 0.0, 1.0);
    vec2 dissolve = clamp(2.0 * width, 0.0, 1.0);
    cover = mix(cover, vec2(0.0), dissolve);
    return max(cover.x, cover.y);
}

void main() {
    vec2 from_center = world_position.xz - center.xz;
    float fade = 1.0 - smoothstep(0.15, 1.0, length(from_center) / reach);
    float shadow = 0.42 * (1.0 - key_light(world_position, vec3(0.0, 1.0, 0.0), 2.0)) * fade;
    float line = line_color.a * grid_cover(world_position.xz / spacing) * fade;
    color = vec4(line_color.rgb * line * (1.0 - shadow), 1.0 - (1.0 - shadow) * (1.0 - line));
}
