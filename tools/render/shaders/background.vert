// SPDX-License-Identifier: MIT
// One triangle over the whole picture.
out float height; // 0 at the bottom, 1 at the top

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 4.0 - 1.0;
    height = corner.y * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
