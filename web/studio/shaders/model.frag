// SPDX-License-Identifier: MIT
// The surface of a model, after color.glsl, shadow_map.glsl and the constants of the environment: the metallic-roughness material of
// glTF 2.0 (appendix B) under a key light with a shadow, and the environment.
uniform vec4 base_color;
uniform float alpha_cutoff; // below 0: there is none
uniform bool opaque;        // alpha is ignored
uniform bool two_sided;
uniform float opacity;
uniform vec4 tint; // of a ghost: mixed into the lit colour, by its alpha; 0: this is none
uniform vec3 eye;
uniform vec3 emission;
uniform float metallic;
uniform float roughness;
uniform float normal_scale;
uniform float occlusion_strength;
uniform sampler2D base_color_map;
uniform sampler2D metal_rough_map;
uniform sampler2D normal_map;
uniform sampler2D occlusion_map;
uniform sampler2D emission_map;

uniform vec3 toward_light; // unit
uniform vec3 key_color;    // the irradiance of the key light over pi
uniform mat4 light_matrix; // from the world to the shadow map, all coordinates in [0, 1]
uniform float shadow_texel; // metres
uniform samplerCube environment; // prefiltered: its levels are degrees of roughness

in vec3 world_position;
in vec3 world_normal;
in vec2 texture_uv;
in vec4 vertex_color;

out vec4 color; // sRGB, multiplied with its alpha

// ---- The normal ------------------------------------------------------------------------------------------------

// The normal of the triangle itself, toward the eye.
vec3 face_normal() {
    return normalize(cross(dFdx(world_position), dFdy(world_position)));
}

// Faces without normals are flat (glTF 2.0, section 3.7.2.1). The visible side of a two-sided face follows from its
// geometry: gl_FrontFacing is wrong for joints that mirror.
vec3 surface_normal() {
    float size = length(world_normal);
    if (size < 0.01) return face_normal();
    vec3 normal = world_normal / size;
    return two_sided && dot(normal, face_normal()) < 0.0 ? -normal : normal;
}

// The normal of the map. Its tangents follow from the derivatives of the texture coordinates (C. Schueler, Normal
// Mapping Without Precomputed Tangents, 2006 and 2013). Texture rows go down, green goes up.
vec3 mapped_normal(vec3 normal) {
#ifdef NORMAL_MAP
    vec3 x = cross(dFdy(world_position), normal), y = cross(normal, dFdx(world_position));
    vec2 across = dFdx(texture_uv), along = dFdy(texture_uv);
    vec3 tangent = x * across.x + y * along.x;
    vec3 bitangent = -(x * across.y + y * along.y);
    float size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (size <= 0.0) return normal;
    vec3 bump = texture(normal_map, texture_uv).xyz * 2.0 - 1.0;
    bump.xy *= normal_scale * inversesqrt(size);
    return normalize(tangent * bump.x + bitangent * bump.y + normal * bump.z);
#else
    return normal;
#endif
}

// ---- Light -----------------------------------------------------------------------------------------------------

// The part of the key light that reaches a point, from 0 to 1. The point is offset along its normal by slightly more
// than a texel, so that a surface casts no shadow on itself.
float key_light(vec3 normal) {
    float away = 1.0 - clamp(dot(normal, toward_light), 0.0, 1.0);
    vec3 moved = world_position + normal * shadow_texel * (1.0 + 2.5 * away);
    return sampled_light((light_matrix * vec4(moved, 1.0)).xyz);
}

// The spherical harmonics of the environment in a direction, their bands 1 and 2 scaled. With scales of 1 it is the
// irradiance over pi.
vec3 harmonics(vec3 n, float first, float second) {
    vec3 linear = HARMONICS[1] * n.y + HARMONICS[2] * n.z + HARMONICS[3] * n.x;
    vec3 square = HARMONICS[4] * n.x * n.y + HARMONICS[5] * n.y * n.z + HARMONICS[6] * (3.0 * n.z * n.z - 1.0) +
        HARMONICS[7] * n.x * n.z + HARMONICS[8] * (n.x * n.x - n.y * n.y);
    return max(HARMONICS[0] + first * linear + second * square, 0.0);
}

// The environment as a surface mirrors it. On rough surfaces the harmonics suffice, with scales fitted to the integral
// of the distribution: software renderers sample a cube slowly.
vec3 mirrored_light(vec3 direction, float rough) {
    float smoothness = 1.0 - rough, even = clamp(10.0 * rough - 7.0, 0.0, 1.0);
    vec3 light = harmonics(direction, 1.0 + 0.5 * smoothness, 1.0 + (1.7 + 2.9 * smoothness) * smoothness);
    if (even == 1.0) return light;
    return mix(textureLod(environment, direction, rough * MAX_LEVEL).rgb, light, even);
}

// Scale and bias of the reflectance at normal incidence, integrated over all directions of light (B. Karis, Physically
// Based Shading on Mobile, 2014).
vec2 reflectance_of(float rough, float facing) {
    vec4 r = rough * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// The reflection of the key light: the distribution of B. Walter et al. 2007 (GGX), and the visibility of E. Heitz 2014
// for the correlated Smith function in the approximation of E. Hammon 2017. Times pi, as key_color is over pi.
float highlight(float rough, float light, float facing, float half_cosine) {
    float a = rough * rough;
    float d = half_cosine * half_cosine * (a * a - 1.0) + 1.0;
    return a * a / (d * d) * 0.5 / mix(2.0 * light * facing, light + facing, a);
}

// The environment on the surface, with the light that microfacets reflect more than once (C. Fdez-Aguera, A Multiple-
// Scattering Microfacet Model for Real-Time Image-based Lighting, 2019).
vec3 environment_light(vec3 diffuse, vec3 f0, float rough, vec3 normal, vec3 toward_eye, float facing) {
    vec3 ambient = harmonics(normal, 1.0, 1.0);
    vec3 mirrored = mirrored_light(reflect(-toward_eye, normal), rough);
    vec2 reflectance = reflectance_of(rough, facing);
    vec3 once = f0 * reflectance.x + reflectance.y;
    float rest = 1.0 - reflectance.x - reflectance.y;
    vec3 mean = f0 + (1.0 - f0) / 21.0;
    vec3 more = once * mean * rest / (1.0 - rest * mean);
    return once * mirrored + (more + diffuse * (1.0 - once - more)) * ambient;
}

vec3 lit(vec3 base, vec3 geometric) {
    vec3 normal = mapped_normal(geometric);
    vec3 toward_eye = normalize(eye - world_position);
    float metal = metallic, rough = roughness, occlusion = 1.0;
#ifdef METAL_ROUGH_MAP
    vec2 read = texture(metal_rough_map, texture_uv).bg;
    metal *= read.x;
    rough *= read.y;
#endif
#ifdef OCCLUSION_MAP
    occlusion += occlusion_strength * (texture(occlusion_map, texture_uv).r - 1.0);
#endif
    rough = max(rough, 0.06);
    vec3 f0 = mix(vec3(0.04), base, metal), diffuse = base * (1.0 - metal);
    float facing = max(dot(normal, toward_eye), 1e-3);
    vec3 light = occlusion * environment_light(diffuse, f0, rough, normal, toward_eye, facing);
    float key = dot(normal, toward_light);
    if (key > 0.0 && dot(geometric, toward_light) > 0.0) {
        vec3 half_way = normalize(toward_light + toward_eye);
        float edge = 1.0 - max(dot(toward_eye, half_way), 0.0), edge2 = edge * edge;
        vec3 fresnel = f0 + (1.0 - f0) * edge2 * edge2 * edge; // C. Schlick 1994
        vec3 mirrored = fresnel * highlight(rough, key, facing, max(dot(normal, half_way), 0.0));
        light += (diffuse * (1.0 - fresnel) + mirrored) * key_color * key * key_light(geometric);
    }
    vec3 glow = emission;
#ifdef EMISSION_MAP
    glow *= texture(emission_map, texture_uv).rgb;
#endif
    return light + glow;
}

// ---- The colour ------------------------------------------------------------------------------------------------

// A ghost is denser at its outline, so that several can be distinguished.
float ghost_opacity(vec3 normal) {
    float edge = 1.0 - max(dot(normal, normalize(eye - world_position)), 0.0);
    return min(opacity * (0.6 + 1.6 * edge * edge), 1.0);
}

void main() {
    vec4 base = base_color * vertex_color;
#ifdef BASE_COLOR_MAP
    base *= texture(base_color_map, texture_uv);
#endif
    if (base.a < alpha_cutoff) discard;
    float alpha = opaque || alpha_cutoff >= 0.0 ? 1.0 : base.a;
    vec3 normal = surface_normal();
#ifdef UNLIT
    vec3 light = base.rgb;
#else
    vec3 light = tone_mapped(lit(base.rgb, normal));
#endif
    alpha *= tint.a > 0.0 ? ghost_opacity(normal) : opacity;
    color = vec4(to_srgb(clamp(mix(light, tint.rgb, tint.a), 0.0, 1.0)), 1.0) * alpha;
}
