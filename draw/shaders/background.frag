// A gradient.
uniform vec3 top_color;
uniform vec3 bottom_color;

in float height;

out vec4 color;

void main() {
    color = vec4(mix(bottom_color, top_color, smoothstep(0.0, 1.0, height)), 1.0);
}
