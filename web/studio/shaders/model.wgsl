// SPDX-License-Identifier: MIT
// A model for WebGPU, equal to tools/render/shaders/model.vert, model.frag, light.glsl, shadow.frag and wire.frag for
// OpenGL. The shader module also has src/gpu/shaders/skin.wgsl and its preamble.

struct pass_numbers {
    view_projection: mat4x4f,
    light_matrix: mat4x4f, // from world space to the shadow map, all coordinates in [0, 1]
    toward_light: vec3f,   // unit
    shadow_texel: f32,     // metres
    eye: vec3f,
}

struct part_numbers {
    draw: vec4i, // the integers of skin.wgsl
    tint: vec4f, // of a ghost: mixed into the lit colour by its alpha; 0 for none
    opacity: f32,
    mixed: u32, // whether it is partly mirrored
}

struct material_numbers {
    base_color: vec4f,
    alpha_cutoff: f32, // below 0: none
    opaque: u32,       // whether alpha is ignored
    two_sided: u32,
    unlit: u32,
}

@group(0) @binding(0) var<uniform> frame: pass_numbers;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
@group(1) @binding(0) var<uniform> part: part_numbers;
@group(2) @binding(0) var<uniform> material: material_numbers;
@group(2) @binding(1) var base_color_texture: texture_2d<f32>;
@group(2) @binding(2) var base_color_sampler: sampler;

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
    return material.base_color * in.color * textureSample(base_color_texture, base_color_sampler, in.uv);
}

@fragment
fn shadow(in: vertex_out) {
    if (base_of(in).a < material.alpha_cutoff) { discard; }
}

@fragment
fn wire(in: vertex_out) -> @location(0) vec4f {
    return part.tint; // premultiplied
}

// ---- Light -----------------------------------------------------------------------------------------------------

const key_color = vec3f(0.86, 0.81, 0.74);
const sky_color = vec3f(0.36, 0.39, 0.44);
const floor_color = vec3f(0.17, 0.15, 0.14);
const rim_color = vec3f(0.20, 0.23, 0.28);

// The visibility of the key light at a point, from 0 to 1. `spread` is the distance of the samples in texels.
// The point is moved along its normal by a little more than a texel, so that a surface does not shade itself.
fn key_light(point: vec3f, normal: vec3f, spread: f32) -> f32 {
    let away = 1.0 - clamp(dot(normal, frame.toward_light), 0.0, 1.0);
    let moved = point + normal * frame.shadow_texel * (1.0 + 2.5 * away);
    let position = (frame.light_matrix * vec4f(moved, 1.0)).xyz;
    let step = spread / vec2f(textureDimensions(shadow_map));
    var light = 0.0;
    for (var y = -1.0; y <= 1.0; y += 1.0) {
        for (var x = -1.0; x <= 1.0; x += 1.0) {
            light += textureSampleCompareLevel(shadow_map, shadow_sampler, position.xy + vec2f(x, y) * step,
                                               min(position.z, 1.0));
        }
    }
    return light / 9.0;
}

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

fn lit(albedo: vec3f, position: vec3f, normal: vec3f) -> vec3f {
    let toward_eye = normalize(frame.eye - position);
    let key = max(dot(normal, frame.toward_light), 0.0) * key_light(position, normal, 1.5);
    let sky = mix(floor_color, sky_color, 0.5 + 0.5 * normal.y);
    let edge = pow(1.0 - max(dot(normal, toward_eye), 0.0), 4.0);
    let gloss = pow(max(dot(normal, normalize(frame.toward_light + toward_eye)), 0.0), 32.0) * 0.06;
    return albedo * (key_color * key + sky) + rim_color * edge * (0.25 + 0.75 * albedo) + gloss * key;
}

// A ghost is denser at its outline, so that several can be distinguished.
fn ghost_opacity(position: vec3f, normal: vec3f) -> f32 {
    let edge = 1.0 - max(dot(normal, normalize(frame.eye - position)), 0.0);
    return min(part.opacity * (0.6 + 1.6 * edge * edge), 1.0);
}

@fragment
fn picture(in: vertex_out) -> @location(0) vec4f {
    let base = base_of(in);
    let normal = surface_normal(in);
    if (base.a < material.alpha_cutoff) { discard; }
    var alpha = base.a;
    if (material.opaque != 0u || material.alpha_cutoff >= 0.0) { alpha = 1.0; }
    var light = base.rgb;
    if (material.unlit == 0u) { light = lit(base.rgb, in.world_position, normal); }
    var opacity = part.opacity;
    if (part.tint.a > 0.0) { opacity = ghost_opacity(in.world_position, normal); }
    return vec4f(mix(light, part.tint.rgb, part.tint.a), 1.0) * alpha * opacity;
}
