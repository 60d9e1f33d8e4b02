// SPDX-License-Identifier: MIT
// Linear-blend skinning. Works in passes over a few vertices at a time. The first pass reads joints and weights. The
// next one blends each vertex's matrix in registers and transposes the matrices to planes, one vector per element. The
// last one computes positions, normals and tangents for SIMD_WIDTH vertices at a time. Each pass is a short loop, so
// the processor can overlap its iterations. Include after the vectors of an instruction set. See kernels.h.
#ifndef SINEWI_KERNELS_SKIN_H
#define SINEWI_KERNELS_SKIN_H

#include <sinew/skin.h>

#include <string.h>

// Loops over a group's vertices are short, and their matrices must stay in registers.
#if defined(__GNUC__)
#define SKIN_UNROLL _Pragma("GCC unroll 16")
#else
#define SKIN_UNROLL
#endif

enum {
    SKIN_MAX_INFLUENCES = 8,
    SKIN_COPIES = 256, // copied matrices
    SKIN_RUN = 128,    // vertices per pass
    SKIN_GROUPS = SKIN_RUN / SIMD_WIDTH
};

// ---- Joints and weights --------------------------------------------------------------------------------------

SIMD_INLINE void copy_rows(const char *from, size_t stride, size_t size, size_t unit, size_t rows, char *to) {
    for (; rows > 0; rows--, from += stride, to += size) {
        for (size_t i = 0; i < size; i += unit) memcpy(to + i, from + i, unit);
    }
}

// Returns rows without gaps. This is either `from` itself or a copy in `buffer`.
SIMD_INLINE const void *pack_rows(const void *from, size_t stride, size_t size, size_t first, size_t rows,
                                  void *buffer) {
    const char *start = (const char *)from + first * stride;
    if (stride == size) return start;
    if (size % 8 == 0)
        copy_rows(start, stride, size, 8, rows, (char *)buffer);
    else
        copy_rows(start, stride, size, 4, rows, (char *)buffer);
    return buffer;
}

// Multiplies joints by a factor and returns the largest joint. If one is too large for the matrix copies, returns any
// such joint instead, because SSE2 can't compute an unsigned 16-bit maximum.
SIMD_INLINE int32_t multiply_joints(const void *joints, bool bytes, size_t count, size_t factor, uint16_t *to) {
    int16_t largest = 0;
    uint16_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t joint = bytes ? ((const uint8_t *)joints)[i] : ((const uint16_t *)joints)[i];
        largest = (int16_t)joint > largest ? (int16_t)joint : largest;
        bits |= joint;
        to[i] = (uint16_t)(joint * factor);
    }
    return bits < SKIN_COPIES ? largest : bits;
}

SINEWI_NOINLINE int32_t multiply_bytes(const void *joints, size_t count, size_t factor, uint16_t *to) {
    return multiply_joints(joints, true, count, factor, to);
}

SINEWI_NOINLINE int32_t multiply_words(const void *joints, size_t count, size_t factor, uint16_t *to) {
    return multiply_joints(joints, false, count, factor, to);
}

// Converts normalized integers (glTF 2.0, section 3.6.2.2). The bits match a division. 1 / 255 equals 1 / 256 + 1 /
// (256 × 255). The first product is exact, and the second is so small that only the sum gets rounded. The same works
// for 65535.
SIMD_INLINE void normalize_integers(const void *from, bool bytes, size_t count, float *to) {
    const vec high = vec_splat(bytes ? 1.0f / 256.0f : 1.0f / 65536.0f);
    const vec low = vec_splat(bytes ? 1.0f / 256.0f / 255.0f : 1.0f / 65536.0f / 65535.0f);
    for (size_t i = 0; i < count; i += SIMD_WIDTH) {
        vec v = bytes ? vec_load_u8((const uint8_t *)from + i) : vec_load_u16((const uint16_t *)from + i);
        vec_store(to + i, vec_add(vec_mul(v, high), vec_mul(v, low)));
    }
}

// Joints and weights for some vertices.
typedef struct skin_influences {
    uint16_t offsets[SKIN_RUN * SKIN_MAX_INFLUENCES]; // of matrices: bytes in the copies, or palette indices
    const char *weights;                              // floats
    size_t weight_stride;
    float normalized[SKIN_RUN * SKIN_MAX_INFLUENCES];
} skin_influences;

SIMD_INLINE void read_weights(const sinew_skin_job *job, size_t first, size_t rows, skin_influences *out) {
    const size_t influences = (size_t)job->influences, stride = job->weight_stride;
    out->weights = (const char *)job->weights + first * stride;
    out->weight_stride = stride;
    if (job->weight_format == SINEW_WEIGHTS_FLOAT) return;
    uint16_t buffer[SKIN_RUN * SKIN_MAX_INFLUENCES];
    if (job->weight_format == SINEW_WEIGHTS_U8) {
        const void *bytes = pack_rows(job->weights, stride, influences, first, rows, buffer);
        normalize_integers(bytes, true, rows * influences, out->normalized);
    } else {
        const void *words = pack_rows(job->weights, stride, 2 * influences, first, rows, buffer);
        normalize_integers(words, false, rows * influences, out->normalized);
    }
    out->weights = (const char *)out->normalized;
    out->weight_stride = influences * sizeof(float);
}

// ---- Matrices ------------------------------------------------------------------------------------------------

// The matrices for a group of vertices, one vector per element.
typedef struct skin_planes {
    vec m[12];
} skin_planes;

// The palette, and padded copies of its first matrices.
typedef struct skin_matrices {
    padded_affine copies[SKIN_COPIES];
    const sinew_affine *palette;
    int32_t copied;
} skin_matrices;

// Copies the matrices before `end`, unless that's more work than `left` matrix loads.
SIMD_INLINE bool copy_matrices(skin_matrices *matrices, int32_t end, size_t left) {
    if (end <= matrices->copied) return true;
    if (end > SKIN_COPIES || (size_t)(end - matrices->copied) > left) return false;
    for (; matrices->copied < end; matrices->copied++) {
        matrices->copies[matrices->copied] = padded_load(&matrices->palette[matrices->copied]);
    }
    return true;
}

// Returns true if all matrices that the joints use are copied. Offsets are bytes then, otherwise indices.
SIMD_INLINE bool read_joints(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t rows,
                             size_t left, skin_influences *out) {
    const size_t influences = (size_t)job->influences, count = rows * influences;
    const bool bytes = job->joint_format == SINEW_JOINTS_U8;
    const size_t size = bytes ? influences : influences * sizeof(uint16_t);
    int32_t (*multiply)(const void *, size_t, size_t, uint16_t *) = bytes ? multiply_bytes : multiply_words;
    uint16_t buffer[SKIN_RUN * SKIN_MAX_INFLUENCES];
    const void *joints = pack_rows(job->joints, job->joint_stride, size, first, rows, buffer);
    int32_t last = multiply(joints, count, sizeof(padded_affine), out->offsets);
    bool copied = copy_matrices(matrices, last + 1, left * influences);
    if (!copied) multiply(joints, count, 1, out->offsets);
    return copied;
}

SIMD_INLINE padded_affine matrix_at(const skin_matrices *matrices, size_t offset, bool copied) {
    if (!copied) return padded_load(&matrices->palette[offset]);
    return *(const padded_affine *)(const void *)((const char *)matrices->copies + offset);
}

SIMD_INLINE padded_affine blend_matrix(const skin_matrices *matrices, const uint16_t *offsets, const float *weights,
                                       ptrdiff_t influences, bool copied) {
    padded_affine sum;
    for (ptrdiff_t four = 0; four < influences; four += 4) {
        padded_factor w[4];
        padded_factors(weights + four, w);
        for (ptrdiff_t i = 0; i < 4; i++) {
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): padded_factors has set it
            padded_affine term = padded_scale(matrix_at(matrices, offsets[four + i], copied), w[i]);
            sum = four + i == 0 ? term
                                : padded_add(sum, term); // NOLINT(clang-analyzer-core.CallAndMessage): it is set
        }
    }
    return sum;
}

// Blends matrices for whole groups.
SIMD_INLINE void blend_groups(const skin_matrices *matrices, const skin_influences *read, size_t count,
                              ptrdiff_t influences, bool copied, skin_planes *planes) {
    const uint16_t *offsets = read->offsets;
    const char *weights = read->weights;
    const size_t stride = read->weight_stride;
    for (size_t v = 0; v < count; v += SIMD_PADDED) {
        padded_affine sums[SIMD_PADDED];
        SKIN_UNROLL
        for (int l = 0; l < SIMD_PADDED; l++, offsets += influences, weights += stride) {
            sums[l] = blend_matrix(matrices, offsets, (const float *)(const void *)weights, influences, copied);
        }
        padded_to_planes(sums, (float *)planes[v / SIMD_WIDTH].m + v % SIMD_WIDTH);
    }
}

SINEWI_NOINLINE void blend_matrices(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t count,
                                    size_t left, skin_planes *planes) {
    skin_influences read;
    read_weights(job, first, count, &read);
    if (!read_joints(job, matrices, first, count, left, &read))
        blend_groups(matrices, &read, count, job->influences, false, planes);
    else if (job->influences == 4)
        blend_groups(matrices, &read, count, 4, true, planes);
    else
        blend_groups(matrices, &read, count, 8, true, planes);
}

// ---- Vectors -------------------------------------------------------------------------------------------------

SIMD_INLINE vec dot3(const vec a[3], const vec b[3]) {
    return vec_add(vec_add(vec_mul(a[0], b[0]), vec_mul(a[1], b[1])), vec_mul(a[2], b[2]));
}

SIMD_INLINE void cross3(const vec a[3], const vec b[3], vec out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = vec_sub(vec_mul(a[j], b[k]), vec_mul(a[k], b[j]));
    }
}

// Scales a vector to the given length. If a singular matrix mapped the vector to 0, it stays 0.
SIMD_INLINE void resize3(vec v[3], vec length) {
    vec zero = vec_splat(0.0f), square = dot3(v, v);
    vec factor = vec_select(vec_less(zero, square), vec_div(length, vec_sqrt(square)), zero);
    for (int i = 0; i < 3; i++) v[i] = vec_mul(v[i], factor);
}

SIMD_INLINE void load_rows(const float *base, size_t stride, size_t first, vec out[4]) {
    const char *from = (const char *)base + first * stride;
    SINEWI_OPAQUE(from);
    vec_load_quads((const float *)(const void *)from, stride / sizeof(float), out);
}

SIMD_INLINE void store_singles(float *to, size_t stride, vec a) {
    float lanes[SIMD_WIDTH];
    vec_store(lanes, a);
    for (size_t l = 0; l < SIMD_WIDTH; l++) to[l * stride] = lanes[l];
}

SIMD_INLINE float *row_at(float *base, size_t stride, size_t first) {
    char *row = (char *)base + first * stride;
    SINEWI_OPAQUE(row);
    return (float *)(void *)row;
}

SIMD_INLINE void load_triples(const float *base, size_t stride, size_t first, bool tight, vec out[4]) {
    if (tight)
        vec_load_triples(base + 3 * first, out);
    else
        load_rows(base, stride, first, out);
}

SIMD_INLINE void store_triples(float *base, size_t stride, size_t first, bool tight, const vec in[3]) {
    float *to = row_at(base, stride, first);
    if (tight) {
        vec_store_triples(to, in);
        return;
    }
    vec_store_pairs(to, stride / sizeof(float), in[0], in[1]);
    store_singles(to + 2, stride / sizeof(float), in[2]);
}

// ---- Vertices ------------------------------------------------------------------------------------------------

// The rows of the cofactor matrix of m's 3x3 part are cross products of m's rows. It equals det(m) × inverse transpose
// and also exists for singular matrices. If m mirrors, det < 0, and you must negate normals to keep them pointing
// outward. Returns this sign, 1 or -1.
SIMD_INLINE vec normal_matrix(const vec m[12], vec cofactors[3][3]) {
    for (ptrdiff_t i = 0; i < 3; i++) cross3(m + 4 * ((i + 1) % 3), m + 4 * ((i + 2) % 3), cofactors[i]);
    vec mirrors = vec_splat(-1.0f), keeps = vec_splat(1.0f);
    return vec_select(vec_less(dot3(m, cofactors[0]), vec_splat(0.0f)), mirrors, keeps);
}

// Vectors for a group of vertices, before scaling them to their lengths: x, y, z, and the length or w.
typedef struct skin_vectors {
    vec v[4];
} skin_vectors;

// May read four bytes past a vertex.
SIMD_INLINE void transform_positions(const sinew_skin_job *job, const vec m[12], size_t first, bool tight,
                                     vec out[3]) {
    vec in[4];
    load_triples(job->positions, job->position_stride, first, tight, in);
    for (int i = 0; i < 3; i++) out[i] = vec_add(dot3(m + 4 * (ptrdiff_t)i, in), m[4 * i + 3]);
}

SIMD_INLINE void skin_positions(const sinew_skin_job *job, const skin_planes *planes, size_t first, size_t groups,
                                bool tight) {
    const sinew_skin_job kept = *job; // a local copy, because stores to the output can't change it
    for (size_t g = 0; g < groups; g++, first += SIMD_WIDTH) {
        vec out[3];
        transform_positions(&kept, planes[g].m, first, tight, out);
        store_triples(kept.out_positions, kept.out_position_stride, first, tight, out);
    }
}

SIMD_INLINE void transform_normals(const sinew_skin_job *job, const skin_planes *planes, size_t first,
                                   size_t groups, bool tight, skin_vectors *out) {
    for (size_t g = 0; g < groups; g++, first += SIMD_WIDTH) {
        vec in[4], cofactors[3][3], side = normal_matrix(planes[g].m, cofactors);
        load_triples(job->normals, job->normal_stride, first, tight, in);
        for (int i = 0; i < 3; i++) out[g].v[i] = dot3(cofactors[i], in);
        out[g].v[3] = side;
    }
}

SIMD_INLINE void transform_tangents(const sinew_skin_job *job, const skin_planes *planes, size_t first,
                                    size_t groups, skin_vectors *out) {
    for (size_t g = 0; g < groups; g++, first += SIMD_WIDTH) {
        vec in[4], cofactors[3][3], side = normal_matrix(planes[g].m, cofactors);
        load_rows(job->tangents, job->tangent_stride, first, in);
        for (int i = 0; i < 3; i++) out[g].v[i] = dot3(planes[g].m + 4 * (ptrdiff_t)i, in);
        out[g].v[3] = vec_mul(in[3], side);
    }
}

// If a vertex's normal follows its position, two stores cover the seven floats.
SIMD_INLINE void store_adjacent(float *to, size_t stride, const vec position[3], const vec normal[3]) {
    vec quad[4] = {position[0], position[1], position[2], normal[0]};
    vec_store_quads(to, stride, quad);
    vec_store_pairs(to + 4, stride, normal[1], normal[2]);
}

// Writes positions and the transformed normals. They share a loop, so the processor can divide while it does the rest.
SIMD_INLINE void skin_surface(const sinew_skin_job *job, const skin_planes *planes, const skin_vectors *normals,
                              size_t first, size_t groups, bool tight) {
    const sinew_skin_job kept = *job; // a local copy, because stores to the output can't change it
    const bool adjacent =
        !tight && kept.out_normals == kept.out_positions + 3 && kept.out_normal_stride == kept.out_position_stride;
    for (size_t g = 0; g < groups; g++, first += SIMD_WIDTH) {
        vec position[3], normal[3] = {normals[g].v[0], normals[g].v[1], normals[g].v[2]};
        resize3(normal, normals[g].v[3]);
        transform_positions(&kept, planes[g].m, first, tight, position);
        if (adjacent) {
            store_adjacent(row_at(kept.out_positions, kept.out_position_stride, first),
                           kept.out_position_stride / sizeof(float), position, normal);
            continue;
        }
        store_triples(kept.out_positions, kept.out_position_stride, first, tight, position);
        store_triples(kept.out_normals, kept.out_normal_stride, first, tight, normal);
    }
}

SIMD_INLINE void store_tangents(const sinew_skin_job *job, const skin_vectors *in, size_t first, size_t groups) {
    const size_t stride = job->out_tangent_stride / sizeof(float);
    float *to = row_at(job->out_tangents, job->out_tangent_stride, first);
    for (size_t g = 0; g < groups; g++, to += stride * SIMD_WIDTH) {
        vec out[4] = {in[g].v[0], in[g].v[1], in[g].v[2], in[g].v[3]};
        resize3(out, vec_splat(1.0f));
        vec_store_quads(to, stride, out);
    }
}

SIMD_INLINE void transform_groups(const sinew_skin_job *job, const skin_planes *planes, size_t first, size_t groups,
                                  bool tight) {
    skin_vectors vectors[SKIN_GROUPS];
    if (job->normals) {
        transform_normals(job, planes, first, groups, tight, vectors);
        skin_surface(job, planes, vectors, first, groups, tight);
    } else {
        skin_positions(job, planes, first, groups, tight);
    }
    if (job->tangents) {
        transform_tangents(job, planes, first, groups, vectors);
        store_tangents(job, vectors, first, groups);
    }
}

SINEWI_NOINLINE void transform_tight(const sinew_skin_job *job, const skin_planes *planes, size_t first,
                                     size_t groups) {
    transform_groups(job, planes, first, groups, true);
}

SINEWI_NOINLINE void transform_strided(const sinew_skin_job *job, const skin_planes *planes, size_t first,
                                       size_t groups) {
    transform_groups(job, planes, first, groups, false);
}

SIMD_INLINE bool is_tight(const sinew_skin_job *job) {
    const size_t triple = 3 * sizeof(float);
    return job->position_stride == triple && job->out_position_stride == triple &&
           (!job->normals || (job->normal_stride == triple && job->out_normal_stride == triple));
}

// Skins whole groups. `left` vertices remain, and copying matrices pays off for these only.
SINEWI_NOINLINE void skin_groups(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t groups,
                                 size_t left) {
    skin_planes planes[SKIN_GROUPS];
    const bool tight = is_tight(job);
    for (size_t batch; groups > 0; groups -= batch) {
        batch = groups < SKIN_GROUPS ? groups : SKIN_GROUPS;
        blend_matrices(job, matrices, first, batch * SIMD_WIDTH, left, planes);
        if (tight)
            transform_tight(job, planes, first, batch);
        else
            transform_strided(job, planes, first, batch);
        first += batch * SIMD_WIDTH;
        left -= batch * SIMD_WIDTH;
    }
}

// Repeats the last of `count` rows to fill a whole group.
SIMD_INLINE void fill_rows(void *rows, size_t size, size_t count) {
    char *row = (char *)rows;
    for (size_t l = 1; l < SIMD_WIDTH; l++) {
        if (l >= count) memcpy(row + l * size, row + (l - 1) * size, size);
    }
}

SINEWI_NOINLINE void copy_in(const void *base, size_t stride, size_t first, size_t count, size_t size, void *to) {
    const char *from = (const char *)base + first * stride;
    for (size_t l = 0; l < count; l++) memcpy((char *)to + l * size, from + l * stride, size);
    fill_rows(to, size, count);
}

SINEWI_NOINLINE void copy_out(const float *from, size_t size, size_t count, float *base, size_t stride,
                              size_t first) {
    for (size_t l = 0; l < count; l++) {
        memcpy((char *)base + (first + l) * stride, (const char *)from + l * size, size);
    }
}

typedef struct skin_aside {
    float positions[4 * SIMD_WIDTH], normals[4 * SIMD_WIDTH], tangents[4 * SIMD_WIDTH];
} skin_aside;

SIMD_INLINE size_t size_of_weight(sinew_weight_format format) {
    if (format == SINEW_WEIGHTS_FLOAT) return sizeof(float);
    return format == SINEW_WEIGHTS_U8 ? sizeof(uint8_t) : sizeof(uint16_t);
}

// Skins the last vertices, at most a group. Works on padded copies, so it can read and write whole vectors.
SINEWI_NOINLINE void skin_last(const sinew_skin_job *job, skin_matrices *matrices, size_t first, size_t count) {
    const size_t triple = 3 * sizeof(float), quad = 4 * sizeof(float), influences = (size_t)job->influences;
    const size_t joint_size = influences * (job->joint_format == SINEW_JOINTS_U8 ? 1 : 2);
    const size_t weight_size = influences * size_of_weight(job->weight_format);
    uint16_t joints[SIMD_WIDTH * SKIN_MAX_INFLUENCES];
    float weights[SIMD_WIDTH * SKIN_MAX_INFLUENCES];
    copy_in(job->joints, job->joint_stride, first, count, joint_size, joints);
    copy_in(job->weights, job->weight_stride, first, count, weight_size, weights);
    skin_aside in = {{0}, {0}, {0}}, out;
    copy_in(job->positions, job->position_stride, first, count, triple, in.positions);
    if (job->normals) copy_in(job->normals, job->normal_stride, first, count, triple, in.normals);
    if (job->tangents) copy_in(job->tangents, job->tangent_stride, first, count, quad, in.tangents);

    sinew_skin_job aside = *job;
    aside.joints = joints, aside.joint_stride = joint_size;
    aside.weights = weights, aside.weight_stride = weight_size;
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
