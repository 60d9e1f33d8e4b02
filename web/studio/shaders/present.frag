// SPDX-License-Identifier: MIT
// Copies the picture to the canvas of a page. The texture is premultiplied in linear light; the canvas takes sRGB colours
// premultiplied as sRGB.
uniform sampler2D picture;

out vec4 color;

vec3 to_srgb(vec3 light) {
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

void main() {
    vec4 texel = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    vec3 light = texel.a > 0.0 ? min(texel.rgb / texel.a, 1.0) : vec3(0.0);
    color = vec4(to_srgb(light) * texel.a, texel.a);
}
