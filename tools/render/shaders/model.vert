// SPDX-License-Identifier: MIT
// A model's vertices, for the picture and for the shadow map. `world` is a rigid mesh's matrix. It's the identity for
// skinned meshes, and for crowds, because their records contain the transforms.
layout(location = SINEW_POSITION_LOCATION) in vec3 position;
layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;
layout(location = SINEW_UV_LOCATION) in vec2 uv;
layout(location = SINEW_COLOR_LOCATION) in vec4 color;

uniform mat4 view_projection;
uniform vec4 world[3];

out vec3 world_position;
out vec3 world_normal; // zero where there is none
out vec2 texture_uv;
out vec4 vertex_color;

void main() {
    sinew_matrix skin = sinew_skin_matrix();
    sinew_matrix rigid = sinew_matrix(world[0], world[1], world[2]);
    world_position = sinew_skin_point(rigid, sinew_skin_point(skin, sinew_morph_point(position)));
    vec3 turned = sinew_skin_normal(rigid, sinew_skin_normal(skin, sinew_morph_normal(normal)));
    float size = length(turned);
    world_normal = size > 0.0 ? turned / size : vec3(0.0);
    texture_uv = uv;
    vertex_color = color;
    gl_Position = view_projection * vec4(world_position, 1.0);
}
