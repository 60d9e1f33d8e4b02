// SPDX-License-Identifier: MIT
// Linear-blend skinning of SIMD_WIDTH vertices at a time: each vertex's matrix is blended in registers, then the
// matrices are transposed to planes, one vector per element. Included after the vectors of an instruction set: see
// kernels.h.
#ifndef SINEW_KERNELS_SKIN_H
#define SINEW_KERNELS_SKIN_H

#include <sinew/skin.h>

#include <string.h>

// Loops over the vertices of a group are short, and their matrices must stay in registers.
#if defined(__GNUC__)
#define SKIN_UNROLL _Pragma("GCC unroll 16")
#else
#define SKIN_UNROLL
#endif

enum {
    SKIN_MAX_INFLUENCES = 8,
    SKIN_COPIES = 256,  // of matrices
    SKIN_RUN = 256,     // vertices between two checks of their joint indices
    SKIN_UNPACKED = 64, // vertices unpacked at a time
};

// ---- Matrices ------------------------------------------------------------------------------------------------

// The palette, and copies of its first matrices in the layout of `affine`, which some instruction sets load faster.
typedef struct skin_matrices {
    affine copies[SKIN_COPIES];
    const sinew_affine *palette;
    int32_t copied;
} skin_matrices;

// One more than the largest joint index.
SINEW_INLINE int32_t end_of_joints(const uint16_t *joints, size_t count) {
    uint16_t last = 0;
    for (size_t i = 0; i < count; i++) last = joints[i] > last ? joints[i] : last;
    return last + 1;
}

// Copies the matrices before `end`, if that is no more work than `left` loads of a matrix.
SINEW_INLINE bool copy_matrices(skin_matrices *matrices, int32_t end, size_t left) {
    if (end <= matrices->copied) return true;
    if (end > SKIN_COPIES || (size_t)(end - matrices->copied) > left) return false;
    for (; matrices->copied < end; matrices->copied++) {
        matrices->copies[matrices->copied] = affine_load(&matrices->palette[matrices->copied]);
    }
    return true;
}

// Joint `i` of four that were loaded as one integer, because loads are the bottleneck.
SINEW_INLINE size_t joint_of(const uint16_t *joints, uint64_t four, int i) {
    return SIMD_WIDTH == 1 ? joints[i] : (uint16_t)(four >> 16 * (i % 4));
}

SINEW_INLINE affine blend_copies(const affine *copies, const uint16_t *joints, const float *weights,
                                 ptrdiff_t influences) {
    uint64_t four;
    memcpy(&four, joints, sizeof four);
    affine sum = affine_scale(copies[joint_of(joints, four, 0)], weights[0]);
    for (int i = 1; i < influences; i++) {
        if (i == 4) memcpy(&four, joints + i, sizeof four);
        sum = affine_add_scaled(sum, copies[joint_of(joints, four, i)], weights[i]);
    }
    return sum;
}

SINEW_INLINE void blend_group(const affine *copies, const uint16_t *joints, const float *weights,
                              ptrdiff_t influences, vec m[12]) {
    affine sums[SIMD_WIDTH];
    SKIN_UNROLL
    for (int l = 0; l < SIMD_WIDTH; l++) {
        sums[l] = blend_copies(copies, joints + l * influences, weights + l * influences, influences);
    }
    affine_to_planes(sums, m);
}

// ---- Joints and weights --------------------------------------------------------------------------------------

// Four bytes as four 16-bit words, stored at once: separate stores could not be forwarded to a load of all four.
SINEW_INLINE void widen_four(const char *from, uint16_t *to) {
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    uint64_t words = (bytes | (uint64_t)bytes << 16) & 0x0000ffff0000ffff;
    words = (words | words << 8) & 0x00ff00ff00ff00ff;
    memcpy(to, &words, sizeof words);
}

SINEW_INLINE void unpack_bytes(const char *from, size_t stride, size_t influences, size_t rows, uint16_t *to) {
    for (; rows > 0; rows--, from += stride, to += influences) {
        for (size_t i = 0; i < influences; i += 4) widen_four(from + i, to + i);
    }
}

// Rows of words or floats.
SINEW_INLINE void unpack_rows(const char *from, size_t stride, size_t size, size_t rows, void *to) {
    char *next = (char *)to;
    for (; rows > 0; rows--, from += stride) {
        for (size_t i = 0; i < size; i += 8, next += 8) memcpy(next, from + i, 8);
    }
}

SINEW_NOINLINE void unpack_joints(const sinew_skin_job *job, size_t first, size_t rows, uint16_t *to) {
    const size_t influences = (size_t)job->influences, stride = job->joint_stride;
    const char *from = (const char *)job->joints + first * stride;
    if (job->joint_format == SINEW_JOINTS_U8)
        unpack_bytes(from, stride, influences, rows, to);
    else
        unpack_rows(from, stride, influences * sizeof *to, rows, to);
}

// Writes whole vectors.
SINEW_NOINLINE void unpack_weights(const sinew_skin_job *job, size_t first, size_t rows, float *to) {
    const size_t influences = (size_t)job->influences, stride = job->weight_stride;
    const char *from = (const char *)job->weights + first * stride;
    if (job->weight_format == SINEW_WEIGHTS_FLOAT) {
        unpack_rows(from, stride, influences * sizeof *to, rows, to);
        return;
    }
    uint16_t words[SKIN_UNPACKED * SKIN_MAX_INFLUENCES] = {0};
    bool bytes = job->weight_format == SINEW_WEIGHTS_U8;
    if (bytes)
        unpack_bytes(from, stride, influences, rows, words);
    else
        unpack_rows(from, stride, influences * sizeof *words, rows, words);
    const vec one = vec_splat(bytes ? 255.0f : 65535.0f); // glTF 2.0, section 3.6.2.2
    for (size_t i = 0; i < rows * influences; i += SIMD_WIDTH) {
        vec_store(to + i, vec_div(vec_load_u16(words + i), one));
    }
}

// Joints and weights of some vertices, without gaps.
typedef struct skin_influences {
    const uint16_t *joints;
    const float *weights;
    uint16_t unpacked_joints[SKIN_UNPACKED * SKIN_MAX_INFLUENCES];
    float unpacked_weights[SKIN_UNPACKED * SKIN_MAX_INFLUENCES];
} skin_influences;

// Finds or unpacks the joints and weights of at most `count` vertices; returns for how many.
SINEW_NOINLINE size_t read_influences(const sinew_skin_job *job, size_t first, size_t count, skin_influences *out) {
    const size_t joint_size = (size_t)job->influences * sizeof *out->joints;
    const size_t weight_size = (size_t)job->influences * sizeof *out->weights;
    bool words = job->joint_format == SINEW_JOINTS_U16 && job->joint_stride == joint_size;
    bool floats = job->weight_format == SINEW_WEIGHTS_FLOAT && job->weight_stride == weight_size;
    out->joints = words ? (const uint16_t *)job->joints + first * (size_t)job->influences : out->unpacked_joints;
    out->weights = floats ? (const float *)job->weights + first * (size_t)job->influences : out->unpacked_weights;
    size_t limit = words && floats ? SKIN_RUN : SKIN_UNPACKED;
    if (count > limit) count = limit;
    if (!words) unpack_joints(job, first, count, out->unpacked_joints);
    if (!floats) unpack_weights(job, first, count, out->unpacked_weights);
    return count;
}

// ---- Vectors -------------------------------------------------------------------------------------------------

SINEW_INLINE vec dot3(const vec a[3], const vec b[3]) {
    return vec_add(vec_add(vec_mul(a[0], b[0]), vec_mul(a[1], b[1])), vec_mul(a[2], b[2]));
}

SINEW_INLINE void cross3(const vec a[3], const vec b[3], vec out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = vec_sub(vec_mul(a[j], b[k]), vec_mul(a[k], b[j]));
    }
}

// Scales to the given length. A vector that a singular matrix mapped to 0 stays 0.
SINEW_INLINE void resize3(vec v[3], vec length) {
    vec zero = vec_splat(0.0f), square = dot3(v, v);
    vec factor = vec_select(vec_less(zero, square), vec_div(length, vec_sqrt(square)), zero);
    for (int i = 0; i < 3; i++) v[i] = vec_mul(v[i], factor);
}

SINEW_INLINE void load_rows(const float *base, size_t stride, size_t first, vec out[4]) {
    const char *from = (const char *)base + first * stride;
    const float *each[SIMD_WIDTH];
    for (size_t l = 0; l < SIMD_WIDTH; l++) each[l] = (const float *)(const void *)(from + l * stride);
    vec_load_quads(each, out);
}

SINEW_INLINE void store_rows(float *base, size_t stride, size_t first, size_t size, const vec in[4]) {
    char *to = (char *)base + first * stride;
    float rows[4 * SIMD_WIDTH];
    vec_store_quads(rows, 4, in);
    for (size_t l = 0; l < SIMD_WIDTH; l++) memcpy(to + l * stride, rows + 4 * l, size);
}

SINEW_INLINE void load_triples(const float *base, size_t stride, size_t first, bool tight, vec out[4]) {
    if (tight)
        vec_load_triples(base + 3 * first, out);
    else
        load_rows(base, stride, first, out);
}

SINEW_INLINE void store_triples(float *base, size_t stride, size_t first, bool tight, const vec in[4]) {
    if (tight)
        vec_store_triples(base + 3 * first, in);
    else
        store_rows(base, stride, first, 3 * sizeof(float), in);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

// The rows of the cofactor matrix of m's 3x3 part are cross products of m's rows. It equals det(m) × inverse
// transpose, but exists for singular matrices, too. If m mirrors, det < 0, and normals must be negated to keep
// pointing outward. Returns that sign, 1 or -1.
SINEW_INLINE vec normal_matrix(const vec m[12], vec cofactors[3][3]) {
    for (ptrdiff_t i = 0; i < 3; i++) cross3(m + 4 * ((i + 1) % 3), m + 4 * ((i + 2) % 3), cofactors[i]);
    vec mirrors = vec_splat(-1.0f), keeps = vec_splat(1.0f);
    return vec_select(vec_less(dot3(m, cofactors[0]), vec_splat(0.0f)), mirrors, keeps);
}

// Skins vertices [first, first + SIMD_WIDTH) by their matrices. Four bytes after a vertex may be read, and written
// if the arrays are tightly packed.
SINEW_INLINE void skin_group(const sinew_skin_job *job, const vec m[12], size_t first, bool tight) {
    vec in[4], out[4];
    load_triples(job->positions, job->position_stride, first, tight, in);
    for (int i = 0; i < 3; i++) out[i] = vec_add(dot3(m + 4 * (ptrdiff_t)i, in), m[4 * i + 3]);
    out[3] = out[2];
    store_triples(job->out_positions, job->out_position_stride, first, tight, out);
    if (!job->normals && !job->tangents) return;

    vec cofactors[3][3], side = normal_matrix(m, cofactors);
    if (job->normals) {
        load_triples(job->normals, job->normal_stride, first, tight, in);
        for (int i = 0; i < 3; i++) out[i] = dot3(cofactors[i], in);
        resize3(out, side);
        store_triples(job->out_normals, job->out_normal_stride, first, tight, out);
    }
    if (job->tangents) {
        const size_t size = 4 * sizeof(float);
        load_rows(job->tangents, tight ? size : job->tangent_stride, first, in);
        for (int i = 0; i < 3; i++) out[i] = dot3(m + 4 * (ptrdiff_t)i, in);
        resize3(out, vec_splat(1.0f));
        out[3] = vec_mul(in[3], side);
        if (tight)
            vec_store_quads(job->out_tangents + 4 * first, 4, out);
        else
            store_rows(job->out_tangents, job->out_tangent_stride, first, size, out);
    }
}

// Groups whose matrices are copied. The loop calls no function, so that constants stay in registers.
SINEW_INLINE void skin_run(const sinew_skin_job *job, const affine *copies, const skin_influences *read,
                           size_t first, size_t groups, ptrdiff_t influences, bool tight) {
    const sinew_skin_job kept = *job; // a local copy, which stores to the output cannot change
    const uint16_t *joints = read->joints;
    const float *weights = read->weights;
    for (; groups > 0; groups--, first += SIMD_WIDTH) {
        vec m[12];
        blend_group(copies, joints, weights, influences, m);
        skin_group(&kept, m, first, tight);
        joints += influences * SIMD_WIDTH;
        weights += influences * SIMD_WIDTH;
    }
}

SINEW_NOINLINE void skin_four(const sinew_skin_job *job, const affine *copies, const skin_influences *read,
                              size_t first, size_t groups, bool tight) {
    if (tight)
        skin_run(job, copies, read, first, groups, 4, true);
    else
        skin_run(job, copies, read, first, groups, 4, false);
}

SINEW_NOINLINE void skin_eight(const sinew_skin_job *job, const affine *copies, const skin_influences *read,
                               size_t first, size_t groups, bool tight) {
    if (tight)
        skin_run(job, copies, read, first, groups, 8, true);
    else
        skin_run(job, copies, read, first, groups, 8, false);
}

// Groups with more matrices than are copied.
SINEW_NOINLINE void skin_uncopied(const sinew_skin_job *job, const sinew_affine *matrices,
                                  const skin_influences *read, size_t first, size_t groups) {
    const int influences = job->influences;
    const uint16_t *joints = read->joints;
    const float *weights = read->weights;
    for (; groups > 0; groups--, first += SIMD_WIDTH) {
        affine sums[SIMD_WIDTH];
        for (int l = 0; l < SIMD_WIDTH; l++, joints += influences, weights += influences) {
            sums[l] = affine_scale(affine_load(&matrices[joints[0]]), weights[0]);
            for (int i = 1; i < influences; i++) {
                sums[l] = affine_add_scaled(sums[l], affine_load(&matrices[joints[i]]), weights[i]);
            }
        }
        vec m[12];
        affine_to_planes(sums, m);
        skin_group(job, m, first, false);
    }
}

SINEW_INLINE bool is_tight(const sinew_skin_job *job) {
    const size_t triple = 3 * sizeof(float), quad = 4 * sizeof(float);
    return job->position_stride == triple && job->out_position_stride == triple &&
           (!job->normals || (job->normal_stride == triple && job->out_normal_stride == triple)) &&
           (!job->tangents || (job->tangent_stride == quad && job->out_tangent_stride == quad));
}

// Skins whole groups. `left` is the number of vertices still to skin, after which copies of matrices are useless.
SINEW_NOINLINE void skin_groups(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t groups,
                                size_t left) {
    const size_t influences = (size_t)job->influences, end = first + groups * SIMD_WIDTH;
    const bool tight = is_tight(job);
    while (first < end) {
        skin_influences read;
        size_t count = read_influences(job, first, end - first, &read);
        int32_t joint_end = end_of_joints(read.joints, count * influences);
        if (!copy_matrices(matrices, joint_end, left * influences)) {
            skin_uncopied(job, matrices->palette, &read, first, count / SIMD_WIDTH);
        } else if (influences == 4) {
            skin_four(job, matrices->copies, &read, first, count / SIMD_WIDTH, tight);
        } else {
            skin_eight(job, matrices->copies, &read, first, count / SIMD_WIDTH, tight);
        }
        first += count;
        left -= count;
    }
}

// Repeats the last of `count` rows up to a whole group.
SINEW_INLINE void fill_rows(void *rows, size_t size, size_t count) {
    char *row = (char *)rows;
    for (size_t l = 1; l < SIMD_WIDTH; l++) {
        if (l >= count) memcpy(row + l * size, row + (l - 1) * size, size);
    }
}

SINEW_INLINE void copy_in(const float *base, size_t stride, size_t first, size_t count, size_t size, float *to) {
    const char *from = (const char *)base + first * stride;
    for (size_t l = 0; l < count; l++) memcpy((char *)to + l * size, from + l * stride, size);
    fill_rows(to, size, count);
}

SINEW_INLINE void copy_out(const float *from, size_t size, size_t count, float *base, size_t stride, size_t first) {
    for (size_t l = 0; l < count; l++) {
        memcpy((char *)base + (first + l) * stride, (const char *)from + l * size, size);
    }
}

typedef struct skin_aside {
    float positions[4 * SIMD_WIDTH], normals[4 * SIMD_WIDTH], tangents[4 * SIMD_WIDTH];
} skin_aside;

// The last vertices, at most a group: in padded copies, so that whole vectors can be read and written.
SINEW_NOINLINE void skin_last(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t count) {
    const size_t triple = 3 * sizeof(float), quad = 4 * sizeof(float), influences = (size_t)job->influences;
    uint16_t joints[SIMD_WIDTH * SKIN_MAX_INFLUENCES];
    float weights[SIMD_WIDTH * SKIN_MAX_INFLUENCES];
    unpack_joints(job, first, count, joints);
    unpack_weights(job, first, count, weights);
    fill_rows(joints, influences * sizeof *joints, count);
    fill_rows(weights, influences * sizeof *weights, count);
    skin_aside in = {{0}, {0}, {0}}, out;
    copy_in(job->positions, job->position_stride, first, count, triple, in.positions);
    if (job->normals) copy_in(job->normals, job->normal_stride, first, count, triple, in.normals);
    if (job->tangents) copy_in(job->tangents, job->tangent_stride, first, count, quad, in.tangents);

    sinew_skin_job aside = *job;
    aside.joint_format = SINEW_JOINTS_U16, aside.weight_format = SINEW_WEIGHTS_FLOAT;
    aside.joints = joints, aside.joint_stride = influences * sizeof *joints;
    aside.weights = weights, aside.weight_stride = influences * sizeof *weights;
    aside.positions = in.positions, aside.out_positions = out.positions;
    aside.normals = job->normals ? in.normals : NULL, aside.out_normals = out.normals;
    aside.tangents = job->tangents ? in.tangents : NULL, aside.out_tangents = out.tangents;
    aside.position_stride = aside.normal_stride = aside.out_position_stride = aside.out_normal_stride = triple;
    aside.tangent_stride = aside.out_tangent_stride = quad;
    skin_groups(&aside, matrices, 0, 1, count);

    copy_out(out.positions, triple, count, job->out_positions, job->out_position_stride, first);
    if (job->normals) copy_out(out.normals, triple, count, job->out_normals, job->out_normal_stride, first);
    if (job->tangents) copy_out(out.tangents, quad, count, job->out_tangents, job->out_tangent_stride, first);
}

static void skin_vertices(const sinew_skin_job *job, const sinew_affine *palette_in, size_t first, size_t count) {
    skin_matrices matrices;
    matrices.palette = palette_in;
    matrices.copied = 0;
    size_t groups = (count - 1) / SIMD_WIDTH;
    skin_groups(job, &matrices, first, groups, count);
    skin_last(job, &matrices, first + groups * SIMD_WIDTH, count - groups * SIMD_WIDTH);
}

#endif
