// SPDX-License-Identifier: MIT
// Blurs the shadow on the ground along one direction. The ground is seen from the light: a surface casts its shadow
// where it is in the shadow map. Red is the coverage, green the coverage times the height of the surface over the
// ground, and blue the coverage by surfaces near the ground: the contact shadow.
uniform sampler2D source; // the shadow map, or the map blurred in the other direction
uniform vec3 direction;   // x and y: the reach of the blur, in texture coordinates
uniform bool first;       // the source is the shadow map
uniform vec3 plane;       // the depth of the ground at y is x + y * y; z: from a depth to a height, 1 at the top
uniform float limit;      // the height above which surfaces cast no contact shadow
uniform float size;       // of the target, in texels

out vec4 color;

const int TAPS = 6; // to each side

vec3 shade(vec2 position) {
    vec4 read = textureLod(source, position, 0.0);
    if (!first) return read.rgb;
    float height = (plane.x + plane.y * position.y - read.r) * plane.z;
    if (read.r >= 1.0 || height < -0.02) return vec3(0.0);
    float low = max(1.0 - max(height, 0.0) / limit, 0.0);
    return vec3(1.0, clamp(height, 0.0, 1.0), low * low);
}

void main() {
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = -TAPS; i <= TAPS; i++) {
        float along = float(i) / float(TAPS + 1);
        float weight = (1.0 - along * along) * (1.0 - along * along);
        sum += weight * shade(gl_FragCoord.xy / size + direction.xy * along);
        weights += weight;
    }
    color = vec4(sum / weights, 1.0);
}
