// SPDX-License-Identifier: MIT
// Conversion of linear light to the colours of the canvas.

vec3 to_srgb(vec3 light) {
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, greaterThan(light, vec3(0.0031308)));
}

// The tone mapping of the Khronos viewer: base colours under an even light of 1 keep their sRGB colour, and highlights
// are compressed (Khronos PBR Neutral Tone Mapper, 2024).
vec3 tone_mapped(vec3 light) {
    const float start = 0.8 - 0.04;
    float least = min(light.r, min(light.g, light.b));
    vec3 color = light - (least < 0.08 ? least - 6.25 * least * least : 0.04);
    float peak = max(color.r, max(color.g, color.b));
    if (peak < start) return color;
    float range = 1.0 - start;
    float compressed = 1.0 - range * range / (peak + range - start);
    float desaturation = 1.0 - 1.0 / (0.15 * (peak - compressed) + 1.0);
    return mix(color * compressed / peak, vec3(compressed), desaturation);
}
