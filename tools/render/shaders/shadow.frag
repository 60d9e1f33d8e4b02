// SPDX-License-Identifier: MIT
// A model in the shadow map: only its depth, except where its texture cuts holes.
uniform vec4 base_color;
uniform sampler2D base_color_texture;
uniform float alpha_cutoff; // negative if there is none

in vec2 texture_uv;
in vec4 vertex_color;

void main() {
    if (base_color.a * vertex_color.a * texture(base_color_texture, texture_uv).a < alpha_cutoff) discard;
}
