// SPDX-License-Identifier: MIT
// Frustum culling for SIMD_WIDTH boxes at a time. Include after the vectors of an instruction set and bounds.h. See
// kernels.h.
#ifndef SINEWI_KERNELS_CULL_H
#define SINEWI_KERNELS_CULL_H

#include <float.h>
#include <string.h>

// A box is outside a plane if its innermost corner is: n·c + |n|·e + d < 0. The terms of this sum are at most (|nx| +
// |ny| + |nz|) m + |d|, where m is the largest |c| + e of any axis. The sum has at most 8 roundings of 2^-24 of this,
// and the plane and the box were each rounded once. So a result within 16 roundings isn't significant. Neither is one
// that underflows.
#define CULL_SLACK 9.5367431640625e-07f // 16 × 2^-24

typedef struct cull_plane {
    float normal[3], absolute[3], rest;
    float slack, least_slack; // tolerance per meter of m, and its constant part
} cull_plane;

SIMD_INLINE float absolute_of(float x) {
    return x < 0.0f ? -x : x;
}

SIMD_INLINE cull_plane cull_plane_from(const float plane[4]) {
    cull_plane out = {.rest = plane[3], .least_slack = CULL_SLACK * absolute_of(plane[3]) + FLT_MIN};
    for (int i = 0; i < 3; i++) {
        out.normal[i] = plane[i];
        out.absolute[i] = absolute_of(plane[i]);
        out.slack += CULL_SLACK * out.absolute[i];
    }
    return out;
}

// Returns n·p + d of the innermost corner, plus the rounding tolerance.
SIMD_INLINE vec innermost(const cull_plane *p, const vec c[3], const vec e[3], vec m) {
    vec sum = vec_add(vec_mul(vec_splat(p->slack), m), vec_splat(p->least_slack));
    sum = vec_add(sum, vec_splat(p->rest));
    for (int i = 0; i < 3; i++) {
        vec term = vec_add(vec_mul(vec_splat(p->normal[i]), c[i]), vec_mul(vec_splat(p->absolute[i]), e[i]));
        sum = vec_add(sum, term);
    }
    return sum;
}

// Returns a bit for each of SIMD_WIDTH boxes, set if the box is visible. A NaN is never less than 0, so it culls
// nothing.
SIMD_INLINE uint32_t visible_bits(const cull_plane planes[6], const float *const in[6], size_t at) {
    vec c[3], e[3], m = vec_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        c[i] = vec_load(in[i] + at), e[i] = vec_load(in[3 + i] + at);
        m = vec_largest(m, vec_add(vec_absolute(c[i]), e[i]));
    }
    vec worst = vec_least(vec_least(e[0], e[1]), e[2]);
    for (int p = 0; p < 6; p++) worst = vec_least(worst, innermost(&planes[p], c, e, m));
    uint32_t all = (uint32_t)((UINT64_C(1) << SIMD_WIDTH) - 1);
    return all ^ vec_bits(vec_less(worst, vec_splat(0.0f)));
}

// Tests up to 32 boxes from index `at` on, in whole vectors.
SIMD_INLINE uint32_t visible_word(const cull_plane planes[6], const float *const in[6], size_t at, size_t count) {
    uint32_t word = 0;
    for (size_t i = 0; i < count; i += SIMD_WIDTH) word |= visible_bits(planes, in, at + i) << i;
    return word;
}

// Tests the last, incomplete word. Works on padded copies, so it can read whole vectors.
SINEWI_NOINLINE uint32_t visible_last(const cull_plane planes[6], const float *const in[6], size_t at,
                                      size_t count) {
    float copies[6][32];
    const float *from[6];
    memset(copies, 0, sizeof copies);
    for (int i = 0; i < 6; i++) {
        memcpy(copies[i], in[i] + at, count * sizeof(float));
        from[i] = copies[i];
    }
    return visible_word(planes, from, 0, 32) & (uint32_t)((UINT64_C(1) << count) - 1);
}

// `from` has the frustum planes, `in` the centers and extents of all boxes along x, y and z.
static void cull_boxes(const float from[6][4], const float *const in[6], size_t first, size_t count,
                       uint32_t *visible) {
    cull_plane planes[6];
    for (int p = 0; p < 6; p++) planes[p] = cull_plane_from(from[p]);
    size_t at = first, end = first + count;
    for (; at + 32 <= end; at += 32) visible[at / 32] = visible_word(planes, in, at, 32);
    if (at < end) visible[at / 32] = visible_last(planes, in, at, end - at);
}

#endif
