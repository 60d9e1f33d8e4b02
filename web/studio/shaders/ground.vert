// SPDX-License-Identifier: MIT
// A square on the ground.
uniform mat4 view_projection;
uniform mat4 light_matrix; // from the world to the shadow map, all coordinates in [0, 1]
uniform vec3 center;
uniform float reach; // metres from the centre to each side

out vec2 from_center; // metres
out vec2 world_position; // x and z
out vec3 light_position; // in the shadow map

void main() {
    from_center = reach * (vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0);
    vec4 position = vec4(center + vec3(from_center.x, 0.0, from_center.y), 1.0);
    world_position = position.xz;
    light_position = (light_matrix * position).xyz;
    gl_Position = view_projection * position;
}
