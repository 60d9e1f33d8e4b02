// SPDX-License-Identifier: MIT
// A model's surface, after light.glsl.
uniform vec4 base_color;
uniform sampler2D base_color_texture;
uniform float alpha_cutoff; // negative if there is none
uniform bool opaque;        // alpha is ignored
uniform bool two_sided;
uniform bool unlit;
uniform vec3 eye;
uniform float opacity;
uniform vec4 tint; // a ghost's color, mixed into the lit color by its alpha; 0 if this isn't a ghost

in vec3 world_position;
in vec3 world_normal;
in vec2 texture_uv;
in vec4 vertex_color;

out vec4 color; // multiplied with its alpha

const vec3 key_color = vec3(0.86, 0.81, 0.74);
const vec3 sky_color = vec3(0.36, 0.39, 0.44);
const vec3 floor_color = vec3(0.17, 0.15, 0.14);
const vec3 rim_color = vec3(0.20, 0.23, 0.28);

// The triangle's own normal, toward the eye.
vec3 face_normal() {
    return normalize(cross(dFdx(world_position), dFdy(world_position)));
}

// Faces without normals are flat (glTF 2.0, section 3.7.2.1). The visible side of a two-sided face follows from its
// geometry: gl_FrontFacing is wrong for joints that mirror.
vec3 surface_normal() {
    vec3 face = face_normal();
    float size = length(world_normal);
    if (size < 0.01) return face;
    vec3 normal = world_normal / size;
    return two_sided && dot(normal, face) < 0.0 ? -normal : normal;
}

vec3 lit(vec3 albedo) {
    vec3 normal = surface_normal();
    vec3 toward_eye = normalize(eye - world_position);
    float key = max(dot(normal, toward_light), 0.0) * key_light(world_position, normal, 1.5);
    vec3 sky = mix(floor_color, sky_color, 0.5 + 0.5 * normal.y);
    float edge = pow(1.0 - max(dot(normal, toward_eye), 0.0), 4.0);
    float gloss = pow(max(dot(normal, normalize(toward_light + toward_eye)), 0.0), 32.0) * 0.06;
    return albedo * (key_color * key + sky) + rim_color * edge * (0.25 + 0.75 * albedo) + gloss * key;
}

// Makes ghosts denser at their outline, to tell them apart.
float ghost_opacity() {
    float edge = 1.0 - max(dot(surface_normal(), normalize(eye - world_position)), 0.0);
    return min(opacity * (0.6 + 1.6 * edge * edge), 1.0);
}

void main() {
    vec4 base = base_color * vertex_color * texture(base_color_texture, texture_uv);
    if (base.a < alpha_cutoff) discard;
    float alpha = opaque || alpha_cutoff >= 0.0 ? 1.0 : base.a;
    vec3 light = unlit ? base.rgb : lit(base.rgb);
    color = vec4(mix(light, tint.rgb, tint.a), 1.0) * alpha * (tint.a > 0.0 ? ghost_opacity() : opacity);
}
