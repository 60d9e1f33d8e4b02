// SPDX-License-Identifier: MIT
// Skinning and morphing for WebGPU, the WGSL version of src/gpu/shaders/skin.glsl. Put it anywhere in a module. The
// module must also have the following. sinew_shader_preamble writes all of it, with the bindings that a variant reads:
//
//   const SINEW_LAYOUT                           how records store a joint's matrix: one of the constants below
//   const SINEW_PER_INSTANCE_TRANSFORM           true if records start with a world matrix, one record per instance
//   const SINEW_MORPH                            true if vertices have morph targets
//   const SINEW_TEXTURE_WIDTH                    texels per row of the textures, a power of two
//   fn sinew_texel(i: i32) -> vec4f              texel i of the records (see sinew/gpu/gpu_record.h), from any resource
//   fn sinew_delta_texel(i: i32) -> vec4f        texel i of the morph targets' deltas
//   fn sinew_animation_texel(i: i32) -> vec4f    texel i of the animation texture, for SINEW_GPU_RECORD_BAKED
//   fn sinew_draw_numbers() -> vec4i             the draw's numbers, see below
// Functions that a variant doesn't call may return zeros. Then they need no binding.
//
// It defines the following. Pass the builtins instance_index and vertex_index as `instance` and `vertex`:
//   sinew_morph_point(position: vec3f, instance: u32, vertex: u32) -> vec3f    a vertex with its morph targets; the
//   sinew_morph_normal, sinew_morph_tangent    same for normals, not normalized, and for x, y, z of tangents
//   sinew_skin_matrix(instance: u32, joints: vec4u, weights: vec4f) -> sinew_matrix    a vertex's blended matrix,
//   sinew_skin_matrix8(instance, joints, weights, joints2, weights2)    times the world matrix if records have one;
//   sinew_skin_matrix0(instance)                                        the same for 8 influences, and for none
//   sinew_skin_point(m: sinew_matrix, point: vec3f) -> vec3f
//   sinew_skin_normal(m: sinew_matrix, normal: vec3f) -> vec3f      not normalized
//   sinew_skin_tangent(m: sinew_matrix, tangent: vec3f) -> vec3f    the same
//   sinew_skin_hand(m: sinew_matrix) -> f32    -1 if m mirrors, else 1: multiply a tangent's handedness by it

const SINEW_GPU_RECORD_ROWS = 0;  // three texels, the rows of the upper 3x4
const SINEW_GPU_RECORD_MAT4 = 1;  // four texels, the columns of the 4x4
const SINEW_GPU_RECORD_TRS = 2;   // two texels: translation and uniform scale, rotation
const SINEW_GPU_RECORD_BAKED = 3; // none: the record says which frames of an animation texture to blend

// The upper three rows of a 4x4 matrix, like sinew_affine.
struct sinew_matrix {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

fn sinew_identity() -> sinew_matrix {
    return sinew_matrix(vec4f(1.0, 0.0, 0.0, 0.0), vec4f(0.0, 1.0, 0.0, 0.0), vec4f(0.0, 0.0, 1.0, 0.0));
}

// Textures hold texels one after another, row by row. Read them with integer coordinates, unfiltered.
fn sinew_texel_coordinates(i: i32) -> vec2i {
    return vec2i(i % SINEW_TEXTURE_WIDTH, i / SINEW_TEXTURE_WIDTH);
}

// ---- The draw --------------------------------------------------------------------------------------------------

// The first texel of an instance's record. A draw's numbers are x: first texel of the first record; y: texels per
// record; z: the mesh's first morph weight, in floats from the start of its record; w: 4 x morph targets + deltas per
// vertex and target (2, or 3 with tangents).
fn sinew_record_start(instance: u32) -> i32 {
    let draw = sinew_draw_numbers();
    return draw.x + i32(instance) * draw.y;
}

// How many texels of a record come before its joints.
const SINEW_WORLD_TEXELS = select(0, 3, SINEW_PER_INSTANCE_TRANSFORM);

// ---- Joints ----------------------------------------------------------------------------------------------------

fn sinew_add_rows(sum: ptr<function, sinew_matrix>, x: vec4f, y: vec4f, z: vec4f, weight: f32) {
    (*sum).x += weight * x;
    (*sum).y += weight * y;
    (*sum).z += weight * z;
}

fn sinew_rows_sum(sum: ptr<function, sinew_matrix>, i: i32, weight: f32) {
    sinew_add_rows(sum, sinew_texel(i), sinew_texel(i + 1), sinew_texel(i + 2), weight);
}

fn sinew_mat4_sum(sum: ptr<function, sinew_matrix>, i: i32, weight: f32) {
    let columns = mat4x4f(sinew_texel(i), sinew_texel(i + 1), sinew_texel(i + 2), sinew_texel(i + 3));
    let rows = transpose(columns);
    sinew_add_rows(sum, rows[0], rows[1], rows[2], weight);
}

fn sinew_trs_sum(sum: ptr<function, sinew_matrix>, i: i32, weight: f32) {
    let t = sinew_texel(i);
    let q = sinew_texel(i + 1);
    let q2 = 2.0 * q.xyz;
    let xx = q.xyz * q2.x;
    let yy = q.xyz * q2.y;
    let ww = q.w * q2;
    let zz = q.z * q2.z;
    let x = t.w * vec3f(1.0 - yy.y - zz, yy.x - ww.z, xx.z + ww.y);
    let y = t.w * vec3f(yy.x + ww.z, 1.0 - xx.x - zz, yy.z - ww.x);
    let z = t.w * vec3f(xx.z - ww.y, yy.z + ww.x, 1.0 - xx.x - yy.y);
    sinew_add_rows(sum, vec4f(x, t.x), vec4f(y, t.y), vec4f(z, t.z), weight);
}

fn sinew_frame_sum(sum: ptr<function, sinew_matrix>, i: i32, weight: f32) {
    sinew_add_rows(sum, sinew_animation_texel(i), sinew_animation_texel(i + 1), sinew_animation_texel(i + 2), weight);
}

// A record has the first texels of four frames, two from each of two clips, and their weights.
fn sinew_baked_sum(sum: ptr<function, sinew_matrix>, i: i32, joint: i32, weight: f32) {
    let joints = vec4i(sinew_texel(i)) + 3 * joint;
    let weights = weight * sinew_texel(i + 1);
    sinew_frame_sum(sum, joints.x, weights.x);
    sinew_frame_sum(sum, joints.y, weights.y);
    if (weights.z == 0.0 && weights.w == 0.0) { return; }
    sinew_frame_sum(sum, joints.z, weights.z);
    sinew_frame_sum(sum, joints.w, weights.w);
}

// sum += weight x a joint's matrix, from the record that starts at texel `base`.
fn sinew_joint_sum(sum: ptr<function, sinew_matrix>, base: i32, joint: u32, weight: f32) {
    let first = base + SINEW_WORLD_TEXELS;
    let j = i32(joint);
    if (SINEW_LAYOUT == SINEW_GPU_RECORD_ROWS) {
        sinew_rows_sum(sum, first + 3 * j, weight);
    } else if (SINEW_LAYOUT == SINEW_GPU_RECORD_MAT4) {
        sinew_mat4_sum(sum, first + 4 * j, weight);
    } else if (SINEW_LAYOUT == SINEW_GPU_RECORD_TRS) {
        sinew_trs_sum(sum, first + 2 * j, weight);
    } else {
        sinew_baked_sum(sum, first, j, weight);
    }
}

fn sinew_joints_sum(sum: ptr<function, sinew_matrix>, base: i32, joints: vec4u, weights: vec4f) {
    sinew_joint_sum(sum, base, joints.x, weights.x);
    sinew_joint_sum(sum, base, joints.y, weights.y);
    sinew_joint_sum(sum, base, joints.z, weights.z);
    sinew_joint_sum(sum, base, joints.w, weights.w);
}

// ---- The world matrix ------------------------------------------------------------------------------------------

// a x b.
fn sinew_multiply(a: sinew_matrix, b: sinew_matrix) -> sinew_matrix {
    let w = vec4f(0.0, 0.0, 0.0, 1.0);
    return sinew_matrix(a.x.x * b.x + a.x.y * b.y + a.x.z * b.z + a.x.w * w,
                        a.y.x * b.x + a.y.y * b.y + a.y.z * b.z + a.y.w * w,
                        a.z.x * b.x + a.z.y * b.y + a.z.z * b.z + a.z.w * w);
}

fn sinew_to_world(base: i32, matrix: sinew_matrix) -> sinew_matrix {
    if (!SINEW_PER_INSTANCE_TRANSFORM) { return matrix; }
    let world = sinew_matrix(sinew_texel(base), sinew_texel(base + 1), sinew_texel(base + 2));
    return sinew_multiply(world, matrix);
}

// ---- Morph targets ---------------------------------------------------------------------------------------------

fn sinew_morph_weight(base: i32, number: i32) -> f32 {
    let i = sinew_draw_numbers().z + number;
    return sinew_texel(base + i / 4)[i % 4];
}

// A vertex's deltas, target after target: position, normal and, if there are three, tangent.
fn sinew_morph_sum(base: i32, vertex: u32, delta: i32) -> vec3f {
    let targets = sinew_draw_numbers().w / 4;
    let deltas = sinew_draw_numbers().w % 4;
    var sum = vec3f();
    if (!SINEW_MORPH || delta >= deltas) { return sum; }
    for (var i = 0; i < targets; i++) {
        let weight = sinew_morph_weight(base, i);
        if (weight == 0.0) { continue; }
        sum += weight * sinew_delta_texel((i32(vertex) * targets + i) * deltas + delta).xyz;
    }
    return sum;
}

fn sinew_morph_point(position: vec3f, instance: u32, vertex: u32) -> vec3f {
    return position + sinew_morph_sum(sinew_record_start(instance), vertex, 0);
}

fn sinew_morph_normal(normal: vec3f, instance: u32, vertex: u32) -> vec3f {
    return normal + sinew_morph_sum(sinew_record_start(instance), vertex, 1);
}

fn sinew_morph_tangent(tangent: vec3f, instance: u32, vertex: u32) -> vec3f {
    return tangent + sinew_morph_sum(sinew_record_start(instance), vertex, 2);
}

// ---- A vertex's matrix -----------------------------------------------------------------------------------------

fn sinew_skin_matrix0(instance: u32) -> sinew_matrix {
    return sinew_to_world(sinew_record_start(instance), sinew_identity());
}

fn sinew_skin_matrix(instance: u32, joints: vec4u, weights: vec4f) -> sinew_matrix {
    let base = sinew_record_start(instance);
    var sum = sinew_matrix();
    sinew_joints_sum(&sum, base, joints, weights);
    return sinew_to_world(base, sum);
}

fn sinew_skin_matrix8(instance: u32, joints: vec4u, weights: vec4f, joints2: vec4u, weights2: vec4f) -> sinew_matrix {
    let base = sinew_record_start(instance);
    var sum = sinew_matrix();
    sinew_joints_sum(&sum, base, joints, weights);
    sinew_joints_sum(&sum, base, joints2, weights2);
    return sinew_to_world(base, sum);
}

// ---- Skinning --------------------------------------------------------------------------------------------------

fn sinew_skin_point(m: sinew_matrix, point: vec3f) -> vec3f {
    let p = vec4f(point, 1.0);
    return vec3f(dot(m.x, p), dot(m.y, p), dot(m.z, p));
}

fn sinew_skin_hand(m: sinew_matrix) -> f32 {
    return select(1.0, -1.0, dot(m.x.xyz, cross(m.y.xyz, m.z.xyz)) < 0.0);
}

// Transforms a normal by the cofactor matrix of the blended matrix. That's its inverse transpose times its determinant,
// so it's correct under non-uniform scale and needs no division. The determinant's sign keeps the normals of mirrored
// vertices pointing out.
fn sinew_skin_normal(m: sinew_matrix, normal: vec3f) -> vec3f {
    let x = cross(m.y.xyz, m.z.xyz);
    let y = cross(m.z.xyz, m.x.xyz);
    let z = cross(m.x.xyz, m.y.xyz);
    return sinew_skin_hand(m) * vec3f(dot(x, normal), dot(y, normal), dot(z, normal));
}

fn sinew_skin_tangent(m: sinew_matrix, tangent: vec3f) -> vec3f {
    return vec3f(dot(m.x.xyz, tangent), dot(m.y.xyz, tangent), dot(m.z.xyz, tangent));
}
