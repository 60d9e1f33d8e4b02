// SPDX-License-Identifier: MIT
// A square on the ground.
uniform mat4 view_projection;
uniform vec3 center;
uniform float reach; // meters from the center to each side

out vec3 world_position;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    world_position = center + reach * vec3(corner.x, 0.0, corner.y);
    gl_Position = view_projection * vec4(world_position, 1.0);
}
