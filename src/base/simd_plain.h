// SPDX-License-Identifier: MIT
// Plain C: one lane. All instruction sets must match its bits.
#ifndef SINEWI_SIMD_PLAIN_H
#define SINEWI_SIMD_PLAIN_H

#include "base/simd.h"

#include <math.h>
#include <string.h>

#define SIMD_WIDTH 1

// On machines with vectors this level only serves as the reference for the others, so optimize it for size.
#ifdef SINEWI_HAS_128
#define SIMD_INLINE SINEWI_MAY_INLINE
#else
#define SIMD_INLINE SINEWI_INLINE
#endif

typedef float vec;
typedef bool vec_mask;

#define vec_splat(a)             (a)
#define vec_load(from)           (*(from))
#define vec_store(to, a)         (*(to) = (a))
#define vec_load_u8(from)        ((float)*(from))
#define vec_load_u16(from)       ((float)*(from))
#define vec_add(a, b)            ((a) + (b))
#define vec_sub(a, b)            ((a) - (b))
#define vec_mul(a, b)            ((a) * (b))
#define vec_div(a, b)            ((a) / (b))
#define vec_sqrt(a)              sqrtf(a)
#define vec_less(a, b)           ((a) < (b))
#define vec_select(mask, a, b)   ((mask) ? (a) : (b))
#define vec_any(mask)            (mask)
#define vec_bits(mask)           ((uint32_t)(mask))
#define vec_mask_from_bits(bits) (((bits)&1) != 0)

typedef bool vec_lanes;

#define vec_lanes_from_bits              vec_mask_from_bits
#define vec_expand(lanes, packed, other) ((lanes) ? (packed) : (other))

typedef uint32_t vec_ints; // unsigned, so sums wrap

#define vec_ints_splat(a)           ((uint32_t)(a))
#define vec_from_ints(a)            ((float)(int32_t)(a))
#define vec_ints_add(a, b)          ((a) + (b))
#define vec_ints_decrement(a, mask) ((a) - (mask))
#define vec_ints_multiply(a, b)     ((a) * (b))
#define vec_ints_load(from)         (*(from))
#define vec_ints_load_u8(from)      ((uint32_t) * (from))
#define vec_ints_store(to, a)       (*(to) = (a))

// Rounds to nearest even: a float above 2^23 has no fraction.
SINEWI_INLINE void vec_store_i16(int16_t *to, vec a) {
    *to = (int16_t)(int32_t)((a + 12582912.0f) - 12582912.0f);
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    return a + ((uint32_t)(pairs[0] * pair[0]) + (uint32_t)(pairs[1] * pair[1]));
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    return a + (uint32_t)(pairs[0] * pair[0] + pairs[1] * pair[1]);
}

SINEWI_INLINE void vec_load_quads(const float *from, size_t stride, vec out[4]) {
    (void)stride; // there is one lane
    for (int i = 0; i < 4; i++) out[i] = from[i];
}

SINEWI_INLINE void vec_load_records(const float *base, const uint32_t at[SIMD_WIDTH], int floats, vec *out) {
    for (int i = 0; i < floats; i++) out[i] = base[at[0] + (uint32_t)i];
}

SINEWI_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    (void)stride;
    for (int i = 0; i < 4; i++) to[i] = in[i];
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    (void)stride;
    to[0] = a, to[1] = b;
}

SINEWI_INLINE void vec_load_triples(const float *from, vec out[3]) {
    for (int i = 0; i < 3; i++) out[i] = from[i];
}

SINEWI_INLINE void vec_store_triples(float *to, const vec in[3]) {
    for (int i = 0; i < 3; i++) to[i] = in[i];
}

typedef sinew_affine affine;

SINEWI_INLINE affine affine_load(const sinew_affine *from) {
    return *from;
}

SINEWI_INLINE void affine_store(sinew_affine *to, affine a) {
    *to = a;
}

#define affine_stream affine_store
#define end_stream()  ((void)0)

SINEWI_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
    affine c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            float last = a.m[i][2] * b->m[2][j];
            if (j == 3) last += a.m[i][3];
            c.m[i][j] = a.m[i][0] * b->m[0][j] + a.m[i][1] * b->m[1][j] + last;
        }
    }
    return c;
}

SINEWI_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    for (int i = 0; i < 12; i++) to->m[i / 4][i % 4] = in[i];
}

SINEWI_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    for (int i = 0; i < 12; i++) out[i] = m->m[i / 4][i % 4];
}

#define SIMD_PADDED 1

typedef float padded_factor;
typedef sinew_affine padded_affine;

SINEWI_INLINE padded_affine padded_load(const sinew_affine *from) {
    return *from;
}

SINEWI_INLINE void padded_factors(const float *four, padded_factor out[4]) {
    for (int i = 0; i < 4; i++) out[i] = four[i];
}

SINEWI_INLINE padded_affine padded_scale(padded_affine b, padded_factor w) {
    padded_affine c;
    for (int i = 0; i < 12; i++) c.m[i / 4][i % 4] = b.m[i / 4][i % 4] * w;
    return c;
}

SINEWI_INLINE padded_affine padded_add(padded_affine a, padded_affine b) {
    for (int i = 0; i < 12; i++) a.m[i / 4][i % 4] += b.m[i / 4][i % 4];
    return a;
}

SINEWI_INLINE void padded_to_planes(const padded_affine m[SIMD_PADDED], float *to) {
    for (int i = 0; i < 12; i++) to[i] = m->m[i / 4][i % 4];
}

#endif
