// SPDX-License-Identifier: MIT
// Skinning and morphing, the same text for OpenGL (3.3 core and later), OpenGL ES (3.0 and later) and Vulkan. Put it
// after the version line and these defines, and before your main().
//
// Where the records are (see sinew/gpu/gpu_record.h). Define one of these. Without any, nothing is skinned and the
// matrix is the identity:
//   SINEW_GPU_RESOURCE_UNIFORMS   plain uniforms: an array of SINEW_RECORD_TEXELS vec4
//   SINEW_GPU_RESOURCE_BLOCK      a uniform block with the same array
//   SINEW_GPU_RESOURCE_TEXTURE    a 2D texture with SINEW_TEXTURE_WIDTH (a power of two) texels per row
//   SINEW_GPU_RESOURCE_BUFFER     a buffer texture
//   SINEW_GPU_RESOURCE_STORAGE    a storage buffer, at SINEW_RECORD_BINDING
// How a record stores a joint's matrix. Define one of these:
//   SINEW_GPU_RECORD_ROWS         three texels, the rows of the upper 3x4
//   SINEW_GPU_RECORD_MAT4         four texels, the columns of the 4x4
//   SINEW_GPU_RECORD_TRS          two texels: translation and uniform scale, rotation
//   SINEW_GPU_RECORD_BAKED        none: the record says which frames of an animation texture to blend
// The draw:
//   SINEW_PER_INSTANCE_TRANSFORM  records start with a world matrix, and each instance has a record
//   SINEW_MORPH                   morph targets: their weights end the record, their deltas are in a texture
//   SINEW_INFLUENCES              joints per vertex: 4, 8, or 0 for vertices without joints
// Attribute locations: SINEW_JOINTS_LOCATION and SINEW_WEIGHTS_LOCATION; with 8 influences, also
// SINEW_JOINTS2_LOCATION and SINEW_WEIGHTS2_LOCATION; with SINEW_PER_INSTANCE_TRANSFORM or SINEW_MORPH, also
// SINEW_DRAW_LOCATION. Shaders without attributes (compute) define SINEW_NO_ATTRIBUTES. That removes the attributes
// and the functions that read them. For Vulkan, SINEW_VULKAN_SET is the descriptor set of the bindings 0 (records), 1
// (deltas), 2 (the draw, in place of the attribute) and 3 (animations). SINEW_DRAW_SET and SINEW_DRAW_BINDING can move
// the draw to another binding.
//
// It defines:
//   vec3 sinew_morph_point(vec3 position)     the vertex's position with its morph targets
//   vec3 sinew_morph_normal(vec3 normal)      the same for normals, not normalized
//   vec3 sinew_morph_tangent(vec3 tangent)    the same for x, y, z of tangents
//   sinew_matrix sinew_skin_matrix()          the vertex's blended matrix, times the world matrix if records have one
//   vec3 sinew_skin_point(sinew_matrix m, vec3 point)
//   vec3 sinew_skin_normal(sinew_matrix m, vec3 normal)    not normalized
//   vec3 sinew_skin_tangent(sinew_matrix m, vec3 tangent)  the same
//   float sinew_skin_hand(sinew_matrix m)     -1 if m mirrors, else 1: multiply a tangent's handedness by it
// and, for shaders without attributes, sinew_joint_sum(sum, base, joint, weight) and sinew_to_world(base, matrix).

// The upper three rows of a 4x4 matrix, like sinew_affine.
struct sinew_matrix {
    vec4 x;
    vec4 y;
    vec4 z;
};

sinew_matrix sinew_identity() {
    return sinew_matrix(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
}

// ---- Texels ----------------------------------------------------------------------------------------------------

#if defined(SINEW_VULKAN_SET)
#define SINEW_BINDING(number) layout(set = SINEW_VULKAN_SET, binding = number)
#define SINEW_BLOCK_BINDING(number, packing) layout(packing, set = SINEW_VULKAN_SET, binding = number)
#else
#define SINEW_BINDING(number)
#define SINEW_BLOCK_BINDING(number, packing) layout(packing)
#endif

// Textures hold texels one after another, row by row. Read them with integer coordinates, unfiltered.
#define SINEW_TEXEL_COORDINATES(i) ivec2((i) % SINEW_TEXTURE_WIDTH, (i) / SINEW_TEXTURE_WIDTH)

#if defined(SINEW_GPU_RESOURCE_UNIFORMS)
#define SINEW_HAS_RECORDS
uniform highp vec4 sinew_records[SINEW_RECORD_TEXELS];
vec4 sinew_texel(int i) { return sinew_records[i]; }
#elif defined(SINEW_GPU_RESOURCE_BLOCK)
#define SINEW_HAS_RECORDS
SINEW_BLOCK_BINDING(0, std140) uniform sinew_records_block {
    highp vec4 sinew_records[SINEW_RECORD_TEXELS];
};
vec4 sinew_texel(int i) { return sinew_records[i]; }
#elif defined(SINEW_GPU_RESOURCE_TEXTURE)
#define SINEW_HAS_RECORDS
SINEW_BINDING(0) uniform highp sampler2D sinew_records;
vec4 sinew_texel(int i) { return texelFetch(sinew_records, SINEW_TEXEL_COORDINATES(i), 0); }
#elif defined(SINEW_GPU_RESOURCE_BUFFER)
#define SINEW_HAS_RECORDS
SINEW_BINDING(0) uniform highp samplerBuffer sinew_records;
vec4 sinew_texel(int i) { return texelFetch(sinew_records, i); }
#elif defined(SINEW_GPU_RESOURCE_STORAGE)
#define SINEW_HAS_RECORDS
#if defined(SINEW_VULKAN_SET)
SINEW_BLOCK_BINDING(0, std430)
#else
layout(std430, binding = SINEW_RECORD_BINDING)
#endif
readonly buffer sinew_records_block {
    highp vec4 sinew_records[];
};
vec4 sinew_texel(int i) { return sinew_records[i]; }
#endif

// ---- The draw --------------------------------------------------------------------------------------------------

// x: first texel of the first record; y: texels per record; z: the mesh's first morph weight, in floats from the start
// of its record; w: 4 x morph targets + deltas per vertex and target (2, or 3 with tangents). This is an attribute with
// one value for all vertices, so programs need no uniform for it.
#if defined(SINEW_PER_INSTANCE_TRANSFORM) || defined(SINEW_MORPH)
#if defined(SINEW_VULKAN_SET)
#if !defined(SINEW_DRAW_SET)
#define SINEW_DRAW_SET SINEW_VULKAN_SET
#define SINEW_DRAW_BINDING 2
#endif
layout(std140, set = SINEW_DRAW_SET, binding = SINEW_DRAW_BINDING) uniform sinew_draw_block {
    highp ivec4 sinew_draw;
};
#elif defined(SINEW_NO_ATTRIBUTES)
uniform highp ivec4 sinew_draw;
#else
layout(location = SINEW_DRAW_LOCATION) in highp ivec4 sinew_draw;
#endif
// The first texel of an instance's record.
int sinew_record_start(int instance) { return sinew_draw.x + instance * sinew_draw.y; }
#else
int sinew_record_start(int instance) { return 0; }
#endif

#if defined(SINEW_VULKAN_SET)
#define SINEW_INSTANCE gl_InstanceIndex
#define SINEW_VERTEX gl_VertexIndex
#else
#define SINEW_INSTANCE gl_InstanceID
#define SINEW_VERTEX gl_VertexID
#endif

// How many texels of a record come before its joints.
#if defined(SINEW_PER_INSTANCE_TRANSFORM)
#define SINEW_WORLD_TEXELS 3
#else
#define SINEW_WORLD_TEXELS 0
#endif

// ---- Joints ----------------------------------------------------------------------------------------------------

#if defined(SINEW_HAS_RECORDS) && SINEW_INFLUENCES > 0

void sinew_add_rows(inout sinew_matrix sum, vec4 x, vec4 y, vec4 z, float weight) {
    sum.x += weight * x;
    sum.y += weight * y;
    sum.z += weight * z;
}

// sum += weight x a joint's matrix, from the record that starts at texel `base`.
#if defined(SINEW_GPU_RECORD_ROWS)
void sinew_joint_sum(inout sinew_matrix sum, int base, uint joint, float weight) {
    int i = base + SINEW_WORLD_TEXELS + 3 * int(joint);
    sinew_add_rows(sum, sinew_texel(i), sinew_texel(i + 1), sinew_texel(i + 2), weight);
}
#elif defined(SINEW_GPU_RECORD_MAT4)
void sinew_joint_sum(inout sinew_matrix sum, int base, uint joint, float weight) {
    int i = base + SINEW_WORLD_TEXELS + 4 * int(joint);
    mat4 rows = transpose(mat4(sinew_texel(i), sinew_texel(i + 1), sinew_texel(i + 2), sinew_texel(i + 3)));
    sinew_add_rows(sum, rows[0], rows[1], rows[2], weight);
}
#elif defined(SINEW_GPU_RECORD_TRS)
void sinew_joint_sum(inout sinew_matrix sum, int base, uint joint, float weight) {
    int i = base + SINEW_WORLD_TEXELS + 2 * int(joint);
    vec4 t = sinew_texel(i);
    vec4 q = sinew_texel(i + 1);
    vec3 q2 = 2.0 * q.xyz;
    vec3 xx = q.xyz * q2.x, yy = q.xyz * q2.y, ww = q.w * q2;
    float zz = q.z * q2.z;
    vec3 x = t.w * vec3(1.0 - yy.y - zz, yy.x - ww.z, xx.z + ww.y);
    vec3 y = t.w * vec3(yy.x + ww.z, 1.0 - xx.x - zz, yy.z - ww.x);
    vec3 z = t.w * vec3(xx.z - ww.y, yy.z + ww.x, 1.0 - xx.x - yy.y);
    sinew_add_rows(sum, vec4(x, t.x), vec4(y, t.y), vec4(z, t.z), weight);
}
#elif defined(SINEW_GPU_RECORD_BAKED)
// The rows of the joints' matrices, frame after frame, clip after clip.
SINEW_BINDING(3) uniform highp sampler2D sinew_animations;

void sinew_frame_sum(inout sinew_matrix sum, int frame, int joint, float weight) {
    int i = frame + 3 * joint;
    sinew_add_rows(sum, texelFetch(sinew_animations, SINEW_TEXEL_COORDINATES(i), 0),
                   texelFetch(sinew_animations, SINEW_TEXEL_COORDINATES(i + 1), 0),
                   texelFetch(sinew_animations, SINEW_TEXEL_COORDINATES(i + 2), 0), weight);
}

// A record has the first texels of four frames, two from each of two clips, and their weights.
void sinew_joint_sum(inout sinew_matrix sum, int base, uint joint, float weight) {
    int i = base + SINEW_WORLD_TEXELS;
    ivec4 frames = ivec4(sinew_texel(i));
    vec4 weights = weight * sinew_texel(i + 1);
    sinew_frame_sum(sum, frames.x, int(joint), weights.x);
    sinew_frame_sum(sum, frames.y, int(joint), weights.y);
    if (weights.z == 0.0 && weights.w == 0.0) return;
    sinew_frame_sum(sum, frames.z, int(joint), weights.z);
    sinew_frame_sum(sum, frames.w, int(joint), weights.w);
}
#endif

#endif

// ---- The world matrix ------------------------------------------------------------------------------------------

// a x b.
sinew_matrix sinew_multiply(sinew_matrix a, sinew_matrix b) {
    vec4 w = vec4(0.0, 0.0, 0.0, 1.0);
    return sinew_matrix(a.x.x * b.x + a.x.y * b.y + a.x.z * b.z + a.x.w * w,
                        a.y.x * b.x + a.y.y * b.y + a.y.z * b.z + a.y.w * w,
                        a.z.x * b.x + a.z.y * b.y + a.z.z * b.z + a.z.w * w);
}

sinew_matrix sinew_to_world(int base, sinew_matrix matrix) {
#if defined(SINEW_PER_INSTANCE_TRANSFORM) && defined(SINEW_HAS_RECORDS)
    return sinew_multiply(sinew_matrix(sinew_texel(base), sinew_texel(base + 1), sinew_texel(base + 2)), matrix);
#else
    return matrix;
#endif
}

// ---- Morph targets ---------------------------------------------------------------------------------------------

// A vertex's deltas, target after target: position, normal and, if there are three, tangent.
#if defined(SINEW_MORPH)
SINEW_BINDING(1) uniform highp sampler2D sinew_deltas;

float sinew_morph_weight(int base, int target) {
    int i = sinew_draw.z + target;
    return sinew_texel(base + i / 4)[i % 4];
}

vec3 sinew_morph_sum(int base, int vertex, int delta) {
    int targets = sinew_draw.w / 4, deltas = sinew_draw.w % 4;
    vec3 sum = vec3(0.0);
    if (delta >= deltas) return sum;
    for (int target = 0; target < targets; target++) {
        float weight = sinew_morph_weight(base, target);
        if (weight == 0.0) continue;
        int i = (vertex * targets + target) * deltas + delta;
        sum += weight * texelFetch(sinew_deltas, SINEW_TEXEL_COORDINATES(i), 0).xyz;
    }
    return sum;
}
#else
vec3 sinew_morph_sum(int base, int vertex, int delta) { return vec3(0.0); }
#endif

// ---- Attributes ------------------------------------------------------------------------------------------------

#if !defined(SINEW_NO_ATTRIBUTES)

#if defined(SINEW_HAS_RECORDS) && SINEW_INFLUENCES > 0
layout(location = SINEW_JOINTS_LOCATION) in highp uvec4 sinew_joints;
layout(location = SINEW_WEIGHTS_LOCATION) in highp vec4 sinew_weights;
#if SINEW_INFLUENCES == 8
layout(location = SINEW_JOINTS2_LOCATION) in highp uvec4 sinew_joints2;
layout(location = SINEW_WEIGHTS2_LOCATION) in highp vec4 sinew_weights2;
#endif

sinew_matrix sinew_skin_matrix() {
    int base = sinew_record_start(SINEW_INSTANCE);
    sinew_matrix sum = sinew_matrix(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int i = 0; i < 4; i++) sinew_joint_sum(sum, base, sinew_joints[i], sinew_weights[i]);
#if SINEW_INFLUENCES == 8
    for (int i = 0; i < 4; i++) sinew_joint_sum(sum, base, sinew_joints2[i], sinew_weights2[i]);
#endif
    return sinew_to_world(base, sum);
}
#else
sinew_matrix sinew_skin_matrix() { return sinew_to_world(sinew_record_start(SINEW_INSTANCE), sinew_identity()); }
#endif

vec3 sinew_morph_point(vec3 position) {
    return position + sinew_morph_sum(sinew_record_start(SINEW_INSTANCE), SINEW_VERTEX, 0);
}

vec3 sinew_morph_normal(vec3 normal) {
    return normal + sinew_morph_sum(sinew_record_start(SINEW_INSTANCE), SINEW_VERTEX, 1);
}

vec3 sinew_morph_tangent(vec3 tangent) {
    return tangent + sinew_morph_sum(sinew_record_start(SINEW_INSTANCE), SINEW_VERTEX, 2);
}

#endif

// ---- Skinning --------------------------------------------------------------------------------------------------

vec3 sinew_skin_point(sinew_matrix m, vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(m.x, p), dot(m.y, p), dot(m.z, p));
}

float sinew_skin_hand(sinew_matrix m) { return dot(m.x.xyz, cross(m.y.xyz, m.z.xyz)) < 0.0 ? -1.0 : 1.0; }

// Transforms a normal by the cofactor matrix of the blended matrix. That's its inverse transpose times its determinant,
// so it's correct under non-uniform scale and needs no division. The determinant's sign keeps the normals of mirrored
// vertices pointing out.
vec3 sinew_skin_normal(sinew_matrix m, vec3 normal) {
    vec3 x = cross(m.y.xyz, m.z.xyz);
    vec3 y = cross(m.z.xyz, m.x.xyz);
    vec3 z = cross(m.x.xyz, m.y.xyz);
    return sinew_skin_hand(m) * vec3(dot(x, normal), dot(y, normal), dot(z, normal));
}

vec3 sinew_skin_tangent(sinew_matrix m, vec3 tangent) {
    return vec3(dot(m.x.xyz, tangent), dot(m.y.xyz, tangent), dot(m.z.xyz, tangent));
}
