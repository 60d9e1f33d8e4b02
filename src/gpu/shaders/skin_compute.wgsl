// Skins a mesh's vertices once, for as many passes as will draw them: a compute shader for WebGPU, as
// src/gpu/shaders/skin_compute.glsl is for the others. It stands in a module with src/gpu/shaders/skin.wgsl and a preamble for shaders
// without attributes, which has, beside the rest:
//   const SINEW_GROUP         the group of all bindings, its own and these
//   const SINEW_INFLUENCES    joints a vertex: 4, 8, or 0 where nothing is skinned
//
//   binding 4, moving     x, y, z of all positions, then of all normals: floats
//   binding 5, fixed      arrays of words: tangents (x, y, z, w), joints (16 bits each, the first of two in the lower
//                         half), weights (as many as joints); where each begins is said in binding 7
//   binding 6, skinned    x, y, z of all positions, then of all normals, then x, y, z, w of all tangents: floats.
//                         Normals and tangents are of unit length, or 0 where nothing is left of them
//   binding 7, mesh       what they hold
//
// The vertices are of the draw's first character. Any number of groups along x does all of them.

struct sinew_mesh {
    // x: how many there are; y: where normals begin, in moving and in skinned alike; z: where tangents begin in skinned;
    // w: the joint that all of them hang on, or -1 where each has joints of its own. All that begins somewhere is
    // counted in words, here and below; what there is not begins at -1.
    vertices: vec4i,
    // Where tangents (x), joints (y) and weights (z) begin in fixed.
    fixed_at: vec4i,
}

@group(SINEW_GROUP) @binding(4) var<storage, read> sinew_moving: array<f32>;
@group(SINEW_GROUP) @binding(5) var<storage, read> sinew_fixed: array<u32>;
@group(SINEW_GROUP) @binding(6) var<storage, read_write> sinew_skinned: array<f32>;
@group(SINEW_GROUP) @binding(7) var<uniform> sinew_this: sinew_mesh;

const SINEW_GROUP_VERTICES = 64;

fn sinew_moving_vector(at: i32) -> vec3f {
    return vec3f(sinew_moving[at], sinew_moving[at + 1], sinew_moving[at + 2]);
}

fn sinew_fixed_vector(at: i32) -> vec4f {
    return bitcast<vec4f>(vec4u(sinew_fixed[at], sinew_fixed[at + 1], sinew_fixed[at + 2], sinew_fixed[at + 3]));
}

fn sinew_write(at: i32, value: vec3f) {
    sinew_skinned[at] = value.x;
    sinew_skinned[at + 1] = value.y;
    sinew_skinned[at + 2] = value.z;
}

// Of unit length, or 0 where nothing is left of it.
fn sinew_unit(v: vec3f) -> vec3f {
    let size = length(v);
    if (size > 0.0) { return v / size; }
    return vec3f();
}

fn sinew_joint(i: i32) -> u32 {
    let two = sinew_fixed[sinew_this.fixed_at.y + i / 2];
    return select(two & 0xFFFFu, two >> 16u, i % 2 == 1);
}

fn sinew_vertex_sum(sum: ptr<function, sinew_matrix>, base: i32, vertex: i32) {
    if (sinew_this.vertices.w >= 0) {
        sinew_joint_sum(sum, base, u32(sinew_this.vertices.w), 1.0);
        return;
    }
    for (var i = vertex * SINEW_INFLUENCES; i < (vertex + 1) * SINEW_INFLUENCES; i++) {
        sinew_joint_sum(sum, base, sinew_joint(i), bitcast<f32>(sinew_fixed[sinew_this.fixed_at.z + i]));
    }
}

fn sinew_skin_vertex(vertex: i32) {
    let base = sinew_record(0u);
    var sum = sinew_identity();
    if (SINEW_INFLUENCES > 0) {
        sum = sinew_matrix();
        sinew_vertex_sum(&sum, base, vertex);
    }
    let skin = sinew_placed(base, sum);
    let position = sinew_moving_vector(3 * vertex) + sinew_morph_sum(base, u32(vertex), 0);
    sinew_write(3 * vertex, sinew_skin_point(skin, position));

    if (sinew_this.vertices.y >= 0) {
        let at = sinew_this.vertices.y + 3 * vertex;
        let normal = sinew_moving_vector(at) + sinew_morph_sum(base, u32(vertex), 1);
        sinew_write(at, sinew_unit(sinew_skin_normal(skin, normal)));
    }
    if (sinew_this.vertices.z >= 0) {
        let at = sinew_this.vertices.z + 4 * vertex;
        let tangent = sinew_fixed_vector(sinew_this.fixed_at.x + 4 * vertex);
        let along = tangent.xyz + sinew_morph_sum(base, u32(vertex), 2);
        sinew_write(at, sinew_unit(sinew_skin_tangent(skin, along)));
        sinew_skinned[at + 3] = tangent.w * sinew_skin_hand(skin);
    }
}

@compute @workgroup_size(SINEW_GROUP_VERTICES)
fn sinew_skin_vertices(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var vertex = id.x; vertex < u32(sinew_this.vertices.x); vertex += SINEW_GROUP_VERTICES * groups.x) {
        sinew_skin_vertex(i32(vertex));
    }
}
