// Skins vertices once, for as many passes as will draw them: a compute shader for WebGPU. It stands in a module with
// shaders/skin.wgsl and a preamble for shaders without attributes, which says, beside the rest:
//
//   const SINEW_INFLUENCES                                    joints a vertex: 4, 8, or 0 where nothing is skinned
//   fn sinew_influences_at(i: u32) -> sinew_influences        entry i of binding 5
//
// Beside what the preamble binds there are, of the same group:
//   4  the vertices, floats: x, y, z of all positions, x, y, z of all normals and x, y, z, w of all tangents
//   5  their joints and weights: SINEW_INFLUENCES / 4 entries a vertex; not there for 0 influences
//   6  the skinned vertices, as in 4. Normals and tangents are of unit length, or 0 where nothing is left of them
//   7  x: how many vertices there are; y and z: at which floats of 4 and 6 normals and tangents begin, 0: there are none
//
// An invocation of sinew_skin_vertices skins one vertex, of the draw's first character. It takes a group for every 64
// vertices, in x, or in x and y together where they are more than x may have.

struct sinew_influences {
    joints: vec4u,
    weights: vec4f,
}

@group(SINEW_GROUP) @binding(4) var<storage, read> sinew_vertices: array<f32>;
@group(SINEW_GROUP) @binding(6) var<storage, read_write> sinew_skinned: array<f32>;
@group(SINEW_GROUP) @binding(7) var<uniform> sinew_arrays: vec4u;

const SINEW_GROUP_VERTICES = 64;

fn sinew_read(at: u32) -> vec3f {
    return vec3f(sinew_vertices[at], sinew_vertices[at + 1u], sinew_vertices[at + 2u]);
}

fn sinew_write(at: u32, value: vec3f) {
    sinew_skinned[at] = value.x;
    sinew_skinned[at + 1u] = value.y;
    sinew_skinned[at + 2u] = value.z;
}

fn sinew_unit(v: vec3f) -> vec3f {
    let squared = dot(v, v);
    return select(vec3f(), v * inverseSqrt(squared), squared > 0.0);
}

fn sinew_vertex_matrix(vertex: u32) -> sinew_matrix {
    const entries = SINEW_INFLUENCES / 4;
    if (entries == 0) { return sinew_skin_matrix0(0u); }
    let base = sinew_record(0u);
    var sum = sinew_matrix();
    for (var i = 0u; i < entries; i++) {
        let entry = sinew_influences_at(vertex * entries + i);
        sinew_joints_sum(&sum, base, entry.joints, entry.weights);
    }
    return sinew_placed(base, sum);
}

@compute @workgroup_size(SINEW_GROUP_VERTICES)
fn sinew_skin_vertices(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let vertex = id.x + id.y * groups.x * SINEW_GROUP_VERTICES;
    if (vertex >= sinew_arrays.x) { return; }
    let matrix = sinew_vertex_matrix(vertex);
    let position = 3u * vertex;
    sinew_write(position, sinew_skin_point(matrix, sinew_morph_point(sinew_read(position), 0u, vertex)));
    if (sinew_arrays.y != 0u) {
        let normal = sinew_arrays.y + 3u * vertex;
        sinew_write(normal, sinew_unit(sinew_skin_normal(matrix, sinew_morph_normal(sinew_read(normal), 0u, vertex))));
    }
    if (sinew_arrays.z != 0u) {
        let tangent = sinew_arrays.z + 4u * vertex;
        let turned = sinew_skin_tangent(matrix, sinew_morph_tangent(sinew_read(tangent), 0u, vertex));
        sinew_write(tangent, sinew_unit(turned));
        sinew_skinned[tangent + 3u] = sinew_vertices[tangent + 3u] * sinew_skin_hand(matrix);
    }
}
