// SPDX-License-Identifier: MIT
// The edges of a model's triangles, in one color.
uniform vec4 wire_color; // multiplied with its alpha

out vec4 color;

void main() {
    color = wire_color;
}
