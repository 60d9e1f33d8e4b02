// SPDX-License-Identifier: MIT
// A model for WebGPU, equal to model.vert, model.frag, shadow.frag and color.glsl for OpenGL, and to
// tools/render/shaders/wire.frag. The shader module also has src/gpu/shaders/skin.wgsl, its preamble, and the constants
// of the environment.

struct pass_numbers {
    view_projection: mat4x4f,
    light_matrix: mat4x4f, // from world space to the shadow map, all coordinates in [0, 1]
    toward_light: vec3f,   // unit
    shadow_texel: f32,     // metres
    eye: vec3f,
    key_color: vec3f,      // the irradiance of the key light over pi
}

struct part_numbers {
    draw: vec4i, // the integers of skin.wgsl
    tint: vec4f, // of a ghost: mixed into the lit colour by its alpha; 0 for none
    opacity: f32,
    mixed: u32, // whether it is partly mirrored
}

struct material_numbers {
    base_color: vec4f,
    emission: vec3f,
    alpha_cutoff: f32, // below 0: none
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    opaque: u32,       // whether alpha is ignored
    two_sided: u32,
}

override UNLIT = false;
override BASE_COLOR_MAP = false;
override METAL_ROUGH_MAP = false;
override NORMAL_MAP = false;
override OCCLUSION_MAP = false;
override EMISSION_MAP = false;

@group(0) @binding(0) var<uniform> frame: pass_numbers;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
@group(0) @binding(3) var environment: texture_cube<f32>; // prefiltered: its levels are degrees of roughness
@group(0) @binding(4) var environment_sampler: sampler;
@group(1) @binding(0) var<uniform> part: part_numbers;
@group(2) @binding(0) var<uniform> material: material_numbers;
@group(2) @binding(1) var base_color_map: texture_2d<f32>;
@group(2) @binding(2) var metal_rough_map: texture_2d<f32>;
@group(2) @binding(3) var normal_map: texture_2d<f32>;
@group(2) @binding(4) var occlusion_map: texture_2d<f32>;
@group(2) @binding(5) var emission_map: texture_2d<f32>;
@group(2) @binding(6) var base_color_sampler: sampler;
@group(2) @binding(7) var metal_rough_sampler: sampler;
@group(2) @binding(8) var normal_sampler: sampler;
@group(2) @binding(9) var occlusion_sampler: sampler;
@group(2) @binding(10) var emission_sampler: sampler;

// ---- Vertices --------------------------------------------------------------------------------------------------

struct vertex_in {
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) instance: u32,
    @location(SINEW_POSITION_LOCATION) position: vec3f,
    @location(SINEW_NORMAL_LOCATION) normal: vec3f,
    @location(SINEW_UV_LOCATION) uv: vec2f,
    @location(SINEW_COLOR_LOCATION) color: vec4f,
    @location(SINEW_JOINTS_LOCATION) joints: vec4u,
    @location(SINEW_WEIGHTS_LOCATION) weights: vec4f,
}

struct vertex_out {
    @invariant @builtin(position) position: vec4f,
    @location(0) world_position: vec3f,
    @location(1) world_normal: vec3f, // zero without normals
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
}

fn vertex_of(in: vertex_in, skin: sinew_matrix) -> vertex_out {
    var out: vertex_out;
    out.world_position = sinew_skin_point(skin, sinew_morph_point(in.position, in.instance, in.vertex));
    let turned = sinew_skin_normal(skin, sinew_morph_normal(in.normal, in.instance, in.vertex));
    let size = length(turned);
    out.world_normal = select(vec3f(), turned / size, size > 0.0);
    out.uv = in.uv;
    out.color = in.color;
    out.position = frame.view_projection * vec4f(out.world_position, 1.0);
    return out;
}

@vertex
fn vertex4(in: vertex_in) -> vertex_out {
    return vertex_of(in, sinew_skin_matrix(in.instance, in.joints, in.weights));
}

@vertex
fn vertex8(in: vertex_in, @location(SINEW_JOINTS2_LOCATION) joints2: vec4u,
           @location(SINEW_WEIGHTS2_LOCATION) weights2: vec4f) -> vertex_out {
    return vertex_of(in, sinew_skin_matrix8(in.instance, in.joints, in.weights, joints2, weights2));
}

// ---- The shadow map and the edges ------------------------------------------------------------------------------

fn base_of(in: vertex_out) -> vec4f {
    let base = material.base_color * in.color;
    if (BASE_COLOR_MAP) { return base * textureSample(base_color_map, base_color_sampler, in.uv); }
    return base;
}

@fragment
fn cutout(in: vertex_out) {
    if (base_of(in).a < material.alpha_cutoff) { discard; }
}

@fragment
fn wire(in: vertex_out) -> @location(0) vec4f {
    return part.tint; // premultiplied
}

// ---- The normal ------------------------------------------------------------------------------------------------

// The geometric normal of the triangle, toward the eye. (The picture's rows go down, OpenGL's go up.)
fn face_normal(position: vec3f) -> vec3f {
    return normalize(cross(dpdy(position), dpdx(position)));
}

// Faces without normals are flat (glTF 2.0, section 3.7.2.1). The visible side of a two-sided face is determined from
// the geometric normal, since front_facing is wrong for mirroring joints.
fn surface_normal(in: vertex_out) -> vec3f {
    let face = face_normal(in.world_position);
    let size = length(in.world_normal);
    if (size < 0.01) { return face; }
    let normal = in.world_normal / size;
    let turned = (material.two_sided != 0u || part.mixed != 0u) && dot(normal, face) < 0.0;
    return select(normal, -normal, turned);
}

// The normal of the map. Its tangents follow from the derivatives of the texture coordinates (C. Schueler, Normal
// Mapping Without Precomputed Tangents, 2006 and 2013). Texture rows go down, green goes up.
fn mapped_normal(in: vertex_out, normal: vec3f) -> vec3f {
    if (!NORMAL_MAP) { return normal; }
    // Rows go down: the sign of both derivatives along y is that of OpenGL.
    let x = cross(-dpdy(in.world_position), normal);
    let y = cross(normal, dpdx(in.world_position));
    let across = dpdx(in.uv);
    let along = -dpdy(in.uv);
    let bump = textureSample(normal_map, normal_sampler, in.uv).xyz * 2.0 - 1.0;
    let tangent = x * across.x + y * along.x;
    let bitangent = -(x * across.y + y * along.y);
    let size = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if (size <= 0.0) { return normal; }
    let sides = bump.xy * material.normal_scale * inverseSqrt(size);
    return normalize(tangent * sides.x + bitangent * sides.y + normal * bump.z);
}

// ---- Light -----------------------------------------------------------------------------------------------------

// The part of the key light that reaches a point, from 0 to 1. The point is offset along its normal by slightly more
// than a texel, so that a surface casts no shadow on itself.
fn key_light(point: vec3f, normal: vec3f) -> f32 {
    let away = 1.0 - clamp(dot(normal, frame.toward_light), 0.0, 1.0);
    let moved = point + normal * frame.shadow_texel * (1.0 + 2.5 * away);
    return sampled_light((frame.light_matrix * vec4f(moved, 1.0)).xyz);
}

// The spherical harmonics of the environment in a direction, their bands 1 and 2 scaled. With scales of 1 it is the
// irradiance over pi.
fn harmonics(n: vec3f, first: f32, second: f32) -> vec3f {
    let linear = HARMONICS[1] * n.y + HARMONICS[2] * n.z + HARMONICS[3] * n.x;
    let square = HARMONICS[4] * n.x * n.y + HARMONICS[5] * n.y * n.z + HARMONICS[6] * (3.0 * n.z * n.z - 1.0) +
        HARMONICS[7] * n.x * n.z + HARMONICS[8] * (n.x * n.x - n.y * n.y);
    return max(HARMONICS[0] + first * linear + second * square, vec3f());
}

// The environment as a surface mirrors it. On rough surfaces the harmonics suffice, with scales fitted to the integral
// of the distribution: software renderers sample a cube slowly.
fn mirrored_light(direction: vec3f, rough: f32) -> vec3f {
    let smoothness = 1.0 - rough;
    let even = clamp(10.0 * rough - 7.0, 0.0, 1.0);
    let light = harmonics(direction, 1.0 + 0.5 * smoothness, 1.0 + (1.7 + 2.9 * smoothness) * smoothness);
    if (even == 1.0) { return light; }
    let sharp = textureSampleLevel(environment, environment_sampler, direction, rough * MAX_LEVEL).rgb;
    return mix(sharp, light, even);
}

// Scale and bias of the reflectance at normal incidence, integrated over all directions of light (B. Karis, Physically
// Based Shading on Mobile, 2014).
fn reflectance_of(rough: f32, facing: f32) -> vec2f {
    let r = rough * vec4f(-1.0, -0.0275, -0.572, 0.022) + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return vec2f(-1.04, 1.04) * a + r.zw;
}

// The reflection of the key light: the distribution of B. Walter et al. 2007 (GGX), and the visibility of E. Heitz 2014
// for the correlated Smith function in the approximation of E. Hammon 2017. Times pi, as key_color is over pi.
fn highlight(rough: f32, light: f32, facing: f32, half_cosine: f32) -> f32 {
    let a = rough * rough;
    let d = half_cosine * half_cosine * (a * a - 1.0) + 1.0;
    return a * a / (d * d) * 0.5 / mix(2.0 * light * facing, light + facing, a);
}

// The environment on the surface, with the light that microfacets reflect more than once (C. Fdez-Aguera, A Multiple-
// Scattering Microfacet Model for Real-Time Image-based Lighting, 2019).
fn environment_light(diffuse: vec3f, f0: vec3f, rough: f32, normal: vec3f, toward_eye: vec3f, facing: f32) -> vec3f {
    let ambient = harmonics(normal, 1.0, 1.0);
    let mirrored = mirrored_light(reflect(-toward_eye, normal), rough);
    let reflectance = reflectance_of(rough, facing);
    let once = f0 * reflectance.x + reflectance.y;
    let rest = 1.0 - reflectance.x - reflectance.y;
    let mean = f0 + (1.0 - f0) / 21.0;
    let more = once * mean * rest / (1.0 - rest * mean);
    return once * mirrored + (more + diffuse * (1.0 - once - more)) * ambient;
}

// The properties of the surface with their textures, which are read before the control flow depends on a value.
struct surface {
    base: vec3f,
    metallic: f32,
    roughness: f32,
    occlusion: f32,
    emission: vec3f,
    geometric: vec3f,
    normal: vec3f,
}

fn surface_of(in: vertex_out, base: vec4f) -> surface {
    var out = surface(base.rgb, material.metallic, material.roughness, 1.0, material.emission, surface_normal(in),
                      vec3f());
    if (METAL_ROUGH_MAP) {
        let read = textureSample(metal_rough_map, metal_rough_sampler, in.uv);
        out.metallic *= read.b;
        out.roughness *= read.g;
    }
    if (OCCLUSION_MAP) {
        let read = textureSample(occlusion_map, occlusion_sampler, in.uv);
        out.occlusion += material.occlusion_strength * (read.r - 1.0);
    }
    if (EMISSION_MAP) { out.emission *= textureSample(emission_map, emission_sampler, in.uv).rgb; }
    out.normal = mapped_normal(in, out.geometric);
    return out;
}

fn lit(at: surface, position: vec3f) -> vec3f {
    let toward_eye = normalize(frame.eye - position);
    let rough = max(at.roughness, 0.06);
    let f0 = mix(vec3f(0.04), at.base, at.metallic);
    let diffuse = at.base * (1.0 - at.metallic);
    let facing = max(dot(at.normal, toward_eye), 1e-3);
    var light = at.occlusion * environment_light(diffuse, f0, rough, at.normal, toward_eye, facing);
    let key = dot(at.normal, frame.toward_light);
    if (key > 0.0 && dot(at.geometric, frame.toward_light) > 0.0) {
        let half_way = normalize(frame.toward_light + toward_eye);
        let edge = 1.0 - max(dot(toward_eye, half_way), 0.0);
        let fresnel = f0 + (1.0 - f0) * edge * edge * edge * edge * edge; // C. Schlick 1994
        let mirrored = fresnel * highlight(rough, key, facing, max(dot(at.normal, half_way), 0.0));
        light += (diffuse * (1.0 - fresnel) + mirrored) * frame.key_color * key * key_light(position, at.geometric);
    }
    return light + at.emission;
}

// ---- The colour ------------------------------------------------------------------------------------------------

fn to_srgb(light: vec3f) -> vec3f {
    return select(light * 12.92, 1.055 * pow(light, vec3f(1.0 / 2.4)) - 0.055, light > vec3f(0.0031308));
}

// The tone mapping of the Khronos viewer: base colours under an even light of 1 keep their sRGB colour, and highlights
// are compressed (Khronos PBR Neutral Tone Mapper, 2024).
fn tone_mapped(light: vec3f) -> vec3f {
    let start = 0.8 - 0.04;
    let least = min(light.r, min(light.g, light.b));
    let color = light - select(0.04, least - 6.25 * least * least, least < 0.08);
    let peak = max(color.r, max(color.g, color.b));
    if (peak < start) { return color; }
    let range = 1.0 - start;
    let compressed = 1.0 - range * range / (peak + range - start);
    let desaturation = 1.0 - 1.0 / (0.15 * (peak - compressed) + 1.0);
    return mix(color * compressed / peak, vec3f(compressed), desaturation);
}

// A ghost is denser at its outline, so that several can be distinguished.
fn ghost_opacity(position: vec3f, normal: vec3f) -> f32 {
    let edge = 1.0 - max(dot(normal, normalize(frame.eye - position)), 0.0);
    return min(part.opacity * (0.6 + 1.6 * edge * edge), 1.0);
}

@fragment
fn picture(in: vertex_out) -> @location(0) vec4f {
    let base = base_of(in);
    let at = surface_of(in, base);
    if (base.a < material.alpha_cutoff) { discard; }
    var alpha = base.a;
    if (material.opaque != 0u || material.alpha_cutoff >= 0.0) { alpha = 1.0; }
    var light = base.rgb;
    if (!UNLIT) { light = tone_mapped(lit(at, in.world_position)); }
    var opacity = part.opacity;
    if (part.tint.a > 0.0) { opacity = ghost_opacity(in.world_position, at.geometric); }
    let tinted = clamp(mix(light, part.tint.rgb, part.tint.a), vec3f(), vec3f(1.0));
    return vec4f(to_srgb(tinted), 1.0) * alpha * opacity; // sRGB
}
