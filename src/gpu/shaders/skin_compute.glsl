// Skins a mesh's vertices ahead of the draws that want them: a compute shader, for OpenGL 4.3, OpenGL ES 3.1 and Vulkan.
// It stands after the version line, the defines of src/gpu/shaders/skin.glsl with SINEW_NO_ATTRIBUTES, and that text itself.
//
// It reads and writes three storage buffers. OpenGL has them at SINEW_MOVING_BINDING, SINEW_FIXED_BINDING and
// SINEW_SKINNED_BINDING, which are 0, 1 and 2 where they are not defined; Vulkan at 4, 5 and 6 of SINEW_VULKAN_SET, and
// at 7 a block of what are uniforms for OpenGL. Any number of groups along x does all the vertices.
//
//   moving     x, y, z of all positions, then of all normals: floats
//   fixed      arrays of words: tangents (x, y, z, w), joints (16 bits each, the first of two in the lower half),
//              weights (as many as joints); where each begins is said below
//   skinned    x, y, z of all positions, then of all normals, then x, y, z, w of all tangents: floats

#if defined(SINEW_VULKAN_SET)
#define SINEW_MOVING_BINDING 4
#define SINEW_FIXED_BINDING 5
#define SINEW_SKINNED_BINDING 6
#define SINEW_STORAGE_AT(number) layout(std430, set = SINEW_VULKAN_SET, binding = number)
#else
#if !defined(SINEW_MOVING_BINDING)
#define SINEW_MOVING_BINDING 0
#define SINEW_FIXED_BINDING 1
#define SINEW_SKINNED_BINDING 2
#endif
#define SINEW_STORAGE_AT(number) layout(std430, binding = number)
#endif

layout(local_size_x = 64) in;

SINEW_STORAGE_AT(SINEW_MOVING_BINDING) readonly buffer sinew_moving_block {
    highp float sinew_moving[];
};
SINEW_STORAGE_AT(SINEW_FIXED_BINDING) readonly buffer sinew_fixed_block {
    highp uint sinew_fixed[];
};
SINEW_STORAGE_AT(SINEW_SKINNED_BINDING) writeonly buffer sinew_skinned_block {
    highp float sinew_skinned[];
};

// sinew_vertices: x: how many there are; y: where normals begin, in moving and in skinned alike; z: where tangents
// begin in skinned; w: the joint that all of them hang on, or -1 where each has joints of its own. sinew_fixed_at:
// where x: tangents, y: joints, z: weights begin in fixed. All are counted in words; what there is not begins at -1.
#if defined(SINEW_VULKAN_SET)
SINEW_BLOCK_AT(7, std140) uniform sinew_mesh_block {
    highp ivec4 sinew_vertices;
    highp ivec4 sinew_fixed_at;
};
#else
uniform highp ivec4 sinew_vertices;
uniform highp ivec4 sinew_fixed_at;
#endif

vec3 sinew_moving_vector(int at) {
    return vec3(sinew_moving[at], sinew_moving[at + 1], sinew_moving[at + 2]);
}

vec4 sinew_fixed_vector(int at) {
    return uintBitsToFloat(
        uvec4(sinew_fixed[at], sinew_fixed[at + 1], sinew_fixed[at + 2], sinew_fixed[at + 3]));
}

void sinew_write(int at, vec3 value) {
    sinew_skinned[at] = value.x;
    sinew_skinned[at + 1] = value.y;
    sinew_skinned[at + 2] = value.z;
}

// Of unit length, or 0 where nothing is left of it.
vec3 sinew_unit(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : vec3(0.0);
}

#if defined(SINEW_HAS_RECORDS) && SINEW_INFLUENCES > 0
uint sinew_joint(int i) {
    uint two = sinew_fixed[sinew_fixed_at.y + i / 2];
    return i % 2 == 0 ? two & 0xFFFFu : two >> 16;
}

sinew_matrix sinew_vertex_matrix(int base, int vertex) {
    sinew_matrix sum = sinew_matrix(vec4(0.0), vec4(0.0), vec4(0.0));
    if (sinew_vertices.w >= 0) {
        sinew_joint_sum(sum, base, uint(sinew_vertices.w), 1.0);
        return sum;
    }
    for (int i = vertex * SINEW_INFLUENCES; i < (vertex + 1) * SINEW_INFLUENCES; i++) {
        sinew_joint_sum(sum, base, sinew_joint(i), uintBitsToFloat(sinew_fixed[sinew_fixed_at.z + i]));
    }
    return sum;
}
#else
sinew_matrix sinew_vertex_matrix(int base, int vertex) { return sinew_identity(); }
#endif

void sinew_skin_vertex(int vertex) {
    int base = sinew_record(0);
    sinew_matrix skin = sinew_placed(base, sinew_vertex_matrix(base, vertex));
    vec3 position = sinew_moving_vector(3 * vertex) + sinew_morph_sum(base, vertex, 0);
    sinew_write(3 * vertex, sinew_skin_point(skin, position));

    if (sinew_vertices.y >= 0) {
        int at = sinew_vertices.y + 3 * vertex;
        vec3 normal = sinew_moving_vector(at) + sinew_morph_sum(base, vertex, 1);
        sinew_write(at, sinew_unit(sinew_skin_normal(skin, normal)));
    }
    if (sinew_vertices.z >= 0) {
        int at = sinew_vertices.z + 4 * vertex;
        vec4 tangent = sinew_fixed_vector(sinew_fixed_at.x + 4 * vertex);
        vec3 along = tangent.xyz + sinew_morph_sum(base, vertex, 2);
        sinew_write(at, sinew_unit(sinew_skin_tangent(skin, along)));
        sinew_skinned[at + 3] = tangent.w * sinew_skin_hand(skin);
    }
}

void main() {
    int step = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    for (int vertex = int(gl_GlobalInvocationID.x); vertex < sinew_vertices.x; vertex += step) {
        sinew_skin_vertex(vertex);
    }
}
