// A model's vertices, for the picture and for the shadow map. The matrix of a rigid mesh stands in `place`; that of
// a skinned one is the identity there, and so is that of many, whose places are in their records.
layout(location = SINEW_POSITION_LOCATION) in vec3 position;
layout(location = SINEW_NORMAL_LOCATION) in vec3 normal;
layout(location = SINEW_UV_LOCATION) in vec2 uv;
layout(location = SINEW_COLOR_LOCATION) in vec4 color;

uniform mat4 view_projection;
uniform vec4 place[3];

out vec3 world_position;
out vec3 world_normal; // zero where there is none
out vec2 texture_uv;
out vec4 vertex_color;

void main() {
    sinew_matrix skin = sinew_skin_matrix();
    sinew_matrix placed = sinew_matrix(place[0], place[1], place[2]);
    world_position = sinew_skin_point(placed, sinew_skin_point(skin, sinew_morph_point(position)));
    vec3 turned = sinew_skin_normal(placed, sinew_skin_normal(skin, sinew_morph_normal(normal)));
    float size = length(turned);
    world_normal = size > 0.0 ? turned / size : vec3(0.0);
    texture_uv = uv;
    vertex_color = color;
    gl_Position = view_projection * vec4(world_position, 1.0);
}
