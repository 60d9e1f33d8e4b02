// SPDX-License-Identifier: MIT
// Skins a mesh's vertices once, for any number of passes that draw them. A compute shader for OpenGL 4.3, OpenGL ES
// 3.1 and Vulkan. Put it after the version line, the defines of src/gpu/shaders/skin.glsl with SINEW_NO_ATTRIBUTES,
// and that text itself. It skins with the draw's first record. Dispatch any number of groups along x. Together they
// skin all vertices.
//
// It uses three storage buffers. In OpenGL they are at SINEW_MOVING_BINDING, SINEW_FIXED_BINDING and
// SINEW_SKINNED_BINDING, which default to 0, 1 and 2. In Vulkan they are at bindings 4, 5 and 6 of SINEW_VULKAN_SET,
// and binding 7 is a block with OpenGL's uniforms.
//
//   moving     x, y, z of all positions, then of all normals: floats
//   fixed      arrays of words: tangents (x, y, z, w), joints (16 bits each, the first of two in the lower half),
//              weights (as many as joints); sinew_fixed_offsets says where each starts
//   skinned    x, y, z of all positions, then of all normals, then x, y, z, w of all tangents: floats. Normals and
//              tangents have unit length, or are 0 if skinning makes them 0

#if defined(SINEW_VULKAN_SET)
#define SINEW_MOVING_BINDING 4
#define SINEW_FIXED_BINDING 5
#define SINEW_SKINNED_BINDING 6
#define SINEW_STORAGE_BINDING(number) layout(std430, set = SINEW_VULKAN_SET, binding = number)
#else
#if !defined(SINEW_MOVING_BINDING)
#define SINEW_MOVING_BINDING 0
#define SINEW_FIXED_BINDING 1
#define SINEW_SKINNED_BINDING 2
#endif
#define SINEW_STORAGE_BINDING(number) layout(std430, binding = number)
#endif

layout(local_size_x = 64) in;

SINEW_STORAGE_BINDING(SINEW_MOVING_BINDING) readonly buffer sinew_moving_block {
    highp float sinew_moving[];
};
SINEW_STORAGE_BINDING(SINEW_FIXED_BINDING) readonly buffer sinew_fixed_block {
    highp uint sinew_fixed[];
};
SINEW_STORAGE_BINDING(SINEW_SKINNED_BINDING) writeonly buffer sinew_skinned_block {
    highp float sinew_skinned[];
};

// Offsets are in words. -1 means that the mesh has no such array.
// sinew_vertices: x is the vertex count. y is the offset of the normals in moving and in skinned. z is the offset of
// the tangents in skinned. w is the joint of all vertices, or -1 if each vertex has its own joints.
// sinew_fixed_offsets: offsets in fixed of the tangents (x), the joints (y) and the weights (z).
#if defined(SINEW_VULKAN_SET)
SINEW_BLOCK_BINDING(7, std140) uniform sinew_mesh_block {
    highp ivec4 sinew_vertices;
    highp ivec4 sinew_fixed_offsets;
};
#else
uniform highp ivec4 sinew_vertices;
uniform highp ivec4 sinew_fixed_offsets;
#endif

vec3 sinew_moving_vector(int offset) {
    return vec3(sinew_moving[offset], sinew_moving[offset + 1], sinew_moving[offset + 2]);
}

vec4 sinew_fixed_vector(int offset) {
    return uintBitsToFloat(
        uvec4(sinew_fixed[offset], sinew_fixed[offset + 1], sinew_fixed[offset + 2], sinew_fixed[offset + 3]));
}

void sinew_write(int offset, vec3 value) {
    sinew_skinned[offset] = value.x;
    sinew_skinned[offset + 1] = value.y;
    sinew_skinned[offset + 2] = value.z;
}

// Returns a unit vector, or 0 if the length is 0.
vec3 sinew_unit(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : vec3(0.0);
}

#if defined(SINEW_HAS_RECORDS) && SINEW_INFLUENCES > 0
uint sinew_joint(int i) {
    uint two = sinew_fixed[sinew_fixed_offsets.y + i / 2];
    return i % 2 == 0 ? two & 0xFFFFu : two >> 16;
}

sinew_matrix sinew_vertex_matrix(int base, int vertex) {
    sinew_matrix sum = sinew_matrix(vec4(0.0), vec4(0.0), vec4(0.0));
    if (sinew_vertices.w >= 0) {
        sinew_joint_sum(sum, base, uint(sinew_vertices.w), 1.0);
        return sum;
    }
    for (int i = vertex * SINEW_INFLUENCES; i < (vertex + 1) * SINEW_INFLUENCES; i++) {
        sinew_joint_sum(sum, base, sinew_joint(i), uintBitsToFloat(sinew_fixed[sinew_fixed_offsets.z + i]));
    }
    return sum;
}
#else
sinew_matrix sinew_vertex_matrix(int base, int vertex) { return sinew_identity(); }
#endif

void sinew_skin_vertex(int vertex) {
    int base = sinew_record_start(0);
    sinew_matrix skin = sinew_to_world(base, sinew_vertex_matrix(base, vertex));
    vec3 position = sinew_moving_vector(3 * vertex) + sinew_morph_sum(base, vertex, 0);
    sinew_write(3 * vertex, sinew_skin_point(skin, position));

    if (sinew_vertices.y >= 0) {
        int offset = sinew_vertices.y + 3 * vertex;
        vec3 normal = sinew_moving_vector(offset) + sinew_morph_sum(base, vertex, 1);
        sinew_write(offset, sinew_unit(sinew_skin_normal(skin, normal)));
    }
    if (sinew_vertices.z >= 0) {
        int offset = sinew_vertices.z + 4 * vertex;
        vec4 tangent = sinew_fixed_vector(sinew_fixed_offsets.x + 4 * vertex);
        vec3 along = tangent.xyz + sinew_morph_sum(base, vertex, 2);
        sinew_write(offset, sinew_unit(sinew_skin_tangent(skin, along)));
        sinew_skinned[offset + 3] = tangent.w * sinew_skin_hand(skin);
    }
}

void main() {
    int step = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    for (int vertex = int(gl_GlobalInvocationID.x); vertex < sinew_vertices.x; vertex += step) {
        sinew_skin_vertex(vertex);
    }
}
