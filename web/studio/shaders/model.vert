// SPDX-License-Identifier: MIT
// The vertices of a model, for the picture and for the shadow map, after skin.glsl.
layout(location = SINEW_POSITION_LOCATION) in vec3 position;
uniform mat4 view_projection;

#ifdef SURFACE
layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;
out vec3 world_position;
out vec3 world_normal; // zero without normals
#endif

#if defined(SURFACE) || defined(CUTOUT)
layout(location = SINEW_UV_LOCATION) in vec2 uv;
layout(location = SINEW_COLOR_LOCATION) in vec4 color;
out vec2 texture_uv;
out vec4 vertex_color;
#endif

void main() {
    sinew_matrix skin = sinew_skin_matrix();
    vec3 point = sinew_skin_point(skin, sinew_morph_point(position));
    gl_Position = view_projection * vec4(point, 1.0);
#ifdef SURFACE
    world_position = point;
    vec3 turned = sinew_skin_normal(skin, sinew_morph_normal(normal));
    float size = length(turned);
    world_normal = size > 0.0 ? turned / size : vec3(0.0);
#endif
#if defined(SURFACE) || defined(CUTOUT)
    texture_uv = uv;
    vertex_color = color;
#endif
}
