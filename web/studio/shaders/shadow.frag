// SPDX-License-Identifier: MIT
// A model in the shadow map: only its depth, without the parts below the alpha cutoff.
#ifdef CUTOUT
uniform vec4 base_color;
uniform sampler2D base_color_map;
uniform float alpha_cutoff;

in vec2 texture_uv;
in vec4 vertex_color;
#endif

void main() {
#ifdef CUTOUT
    if (base_color.a * vertex_color.a * texture(base_color_map, texture_uv).a < alpha_cutoff) discard;
#endif
}
