// SPDX-License-Identifier: MIT
// Skins a mesh's vertices once, for any number of passes that draw them. The WGSL version of
// src/gpu/shaders/skin_compute.glsl. Put it in a module with src/gpu/shaders/skin.wgsl and a preamble for shaders
// without attributes. The preamble must also have:
//   const SINEW_GROUP         the group of all bindings, the preamble's and these
//   const SINEW_INFLUENCES    joints per vertex: 4, 8, or 0 for vertices without joints
//
//   binding 4, moving     x, y, z of all positions, then of all normals: floats
//   binding 5, fixed      arrays of words: tangents (x, y, z, w), joints (16 bits each, the first of two in the lower
//                         half), weights (as many as joints); binding 7 says where each starts
//   binding 6, skinned    x, y, z of all positions, then of all normals, then x, y, z, w of all tangents: floats.
//                         Normals and tangents have unit length, or are 0 if skinning makes them 0
//   binding 7, arrays     the vertex count, and where the arrays start
//
// It skins with the draw's first record. Dispatch any number of groups along x. Together they skin all vertices.

// Offsets are in words. -1 means that the mesh has no such array.
struct sinew_vertex_arrays {
    // x: vertex count; y: offset of the normals in moving and in skinned; z: offset of the tangents in skinned; w: the
    // joint of all vertices, or -1 if each vertex has its own joints.
    vertices: vec4i,
    // Offsets in fixed of x: tangents, y: joints, z: weights.
    fixed_offsets: vec4i,
}

@group(SINEW_GROUP) @binding(4) var<storage, read> sinew_moving: array<f32>;
@group(SINEW_GROUP) @binding(5) var<storage, read> sinew_fixed: array<u32>;
@group(SINEW_GROUP) @binding(6) var<storage, read_write> sinew_skinned: array<f32>;
@group(SINEW_GROUP) @binding(7) var<uniform> sinew_arrays: sinew_vertex_arrays;

const SINEW_GROUP_VERTICES = 64;

fn sinew_moving_vector(offset: i32) -> vec3f {
    return vec3f(sinew_moving[offset], sinew_moving[offset + 1], sinew_moving[offset + 2]);
}

fn sinew_fixed_vector(offset: i32) -> vec4f {
    return bitcast<vec4f>(
        vec4u(sinew_fixed[offset], sinew_fixed[offset + 1], sinew_fixed[offset + 2], sinew_fixed[offset + 3]));
}

fn sinew_write(offset: i32, value: vec3f) {
    sinew_skinned[offset] = value.x;
    sinew_skinned[offset + 1] = value.y;
    sinew_skinned[offset + 2] = value.z;
}

// Returns a unit vector, or 0 if the length is 0.
fn sinew_unit(v: vec3f) -> vec3f {
    let size = length(v);
    if (size > 0.0) { return v / size; }
    return vec3f();
}

fn sinew_joint(i: i32) -> u32 {
    let two = sinew_fixed[sinew_arrays.fixed_offsets.y + i / 2];
    return select(two & 0xFFFFu, two >> 16u, i % 2 == 1);
}

fn sinew_vertex_sum(sum: ptr<function, sinew_matrix>, base: i32, vertex: i32) {
    if (sinew_arrays.vertices.w >= 0) {
        sinew_joint_sum(sum, base, u32(sinew_arrays.vertices.w), 1.0);
        return;
    }
    for (var i = vertex * SINEW_INFLUENCES; i < (vertex + 1) * SINEW_INFLUENCES; i++) {
        sinew_joint_sum(sum, base, sinew_joint(i), bitcast<f32>(sinew_fixed[sinew_arrays.fixed_offsets.z + i]));
    }
}

fn sinew_skin_vertex(vertex: i32) {
    let base = sinew_record_start(0u);
    var sum = sinew_identity();
    if (SINEW_INFLUENCES > 0) {
        sum = sinew_matrix();
        sinew_vertex_sum(&sum, base, vertex);
    }
    let skin = sinew_to_world(base, sum);
    let position = sinew_moving_vector(3 * vertex) + sinew_morph_sum(base, u32(vertex), 0);
    sinew_write(3 * vertex, sinew_skin_point(skin, position));

    if (sinew_arrays.vertices.y >= 0) {
        let offset = sinew_arrays.vertices.y + 3 * vertex;
        let normal = sinew_moving_vector(offset) + sinew_morph_sum(base, u32(vertex), 1);
        sinew_write(offset, sinew_unit(sinew_skin_normal(skin, normal)));
    }
    if (sinew_arrays.vertices.z >= 0) {
        let offset = sinew_arrays.vertices.z + 4 * vertex;
        let tangent = sinew_fixed_vector(sinew_arrays.fixed_offsets.x + 4 * vertex);
        let along = tangent.xyz + sinew_morph_sum(base, u32(vertex), 2);
        sinew_write(offset, sinew_unit(sinew_skin_tangent(skin, along)));
        sinew_skinned[offset + 3] = tangent.w * sinew_skin_hand(skin);
    }
}

@compute @workgroup_size(SINEW_GROUP_VERTICES)
fn sinew_skin_vertices(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var vertex = id.x; vertex < u32(sinew_arrays.vertices.x); vertex += SINEW_GROUP_VERTICES * groups.x) {
        sinew_skin_vertex(i32(vertex));
    }
}
