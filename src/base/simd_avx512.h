// SPDX-License-Identifier: MIT
// AVX-512 (F, BW, DQ, VL): sixteen lanes. A matrix is one vector. Its last four lanes are unused.
#ifndef SINEWI_SIMD_AVX512_H
#define SINEWI_SIMD_AVX512_H

#include "base/simd.h"

#include <immintrin.h>
#include <string.h>

#define SIMD_WIDTH  16
#define SIMD_INLINE SINEWI_INLINE

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#define SIMD_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#define SIMD_END _Pragma("GCC pop_options")
#endif

typedef __m512 vec;
typedef __mmask16 vec_mask;

#define vec_splat                _mm512_set1_ps
#define vec_load                 _mm512_loadu_ps
#define vec_store                _mm512_storeu_ps
#define vec_add                  _mm512_add_ps
#define vec_sub                  _mm512_sub_ps
#define vec_mul                  _mm512_mul_ps
#define vec_div                  _mm512_div_ps
#define vec_sqrt                 _mm512_sqrt_ps
#define vec_less(a, b)           _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define vec_select(mask, a, b)   _mm512_mask_blend_ps(mask, b, a)
#define vec_any(mask)            ((mask) != 0)
#define vec_bits(mask)           ((uint32_t)(mask))
#define vec_mask_from_bits(bits) ((vec_mask)(bits))

typedef __mmask16 vec_lanes;

#define vec_lanes_from_bits(bits)        ((vec_lanes)(bits))
#define vec_expand(lanes, packed, other) _mm512_mask_expand_ps(other, lanes, packed)

SINEWI_INLINE vec vec_load_u16(const uint16_t *from) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from)));
}

typedef __m512i vec_ints;

#define vec_ints_splat _mm512_set1_epi32
#define vec_from_ints  _mm512_cvtepi32_ps
#define vec_ints_add   _mm512_add_epi32

#define vec_ints_decrement(a, mask) _mm512_mask_sub_epi32(a, mask, a, _mm512_set1_epi32(1))

SINEWI_INLINE vec_ints vec_ints_load(const uint32_t *from) {
    return _mm512_loadu_si512(from);
}

SINEWI_INLINE void vec_ints_store(uint32_t *to, vec_ints a) {
    _mm512_storeu_si512(to, a);
}

SINEWI_INLINE vec_ints vec_ints_load_u8(const uint8_t *from) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

SINEWI_INLINE vec_ints vec_ints_multiply(vec_ints a, uint32_t b) {
    return _mm512_mullo_epi32(a, _mm512_set1_epi32((int)b));
}

SINEWI_INLINE vec vec_load_u8(const uint8_t *from) {
    return vec_from_ints(vec_ints_load_u8(from));
}

SINEWI_INLINE void vec_store_i16(int16_t *to, vec a) {
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(a)));
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    __m512i words = _mm512_loadu_si512(pairs);
    return _mm512_add_epi32(a, _mm512_madd_epi16(words, _mm512_set1_epi32(vec_load_pair(pair))));
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    __m512i words = _mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)pairs));
    return _mm512_add_epi32(a, _mm512_madd_epi16(words, _mm512_set1_epi32(vec_load_pair(pair))));
}

#include "base/simd_wide.h"

// Transposes the 4x4 matrix in each quarter.
SINEWI_INLINE void vec_transpose_quarters(vec v[4]) {
    __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(v[0], v[1]));
    __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(v[0], v[1]));
    __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(v[2], v[3]));
    __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(v[2], v[3]));
    v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
    v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
    v[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
    v[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
}

// Working in halves needs fewer permutations across quarters.
SINEWI_INLINE void vec_load_quads(const float *from, size_t stride, vec out[4]) {
    __m256 low[4], high[4];
    vec_load_eight_quads(from, stride, low);
    from += 8 * stride;
    SINEWI_OPAQUE(from);
    vec_load_eight_quads(from, stride, high);
    for (int i = 0; i < 4; i++) out[i] = _mm512_insertf32x8(_mm512_castps256_ps512(low[i]), high[i], 1);
}

// Loads the quads of lanes l, 4 + l, 8 + l and 12 + l. Four addresses at a time fit in registers.
SINEWI_INLINE void vec_load_lanes(const float *base, const uint32_t *at, int floats, vec (*quads)[4], int l) {
    const float *a = base + at[l], *b = base + at[4 + l], *c = base + at[8 + l], *d = base + at[12 + l];
    for (int q = 0; 4 * q < floats; q++) {
        const int start = sinewi_quad_start(q, floats);
        __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(a + start));
        v = _mm512_mask_broadcast_f32x4(v, 0x00f0, _mm_loadu_ps(b + start));
        v = _mm512_mask_broadcast_f32x4(v, 0x0f00, _mm_loadu_ps(c + start));
        quads[q][l] = _mm512_mask_broadcast_f32x4(v, 0xf000, _mm_loadu_ps(d + start));
    }
}

SINEWI_INLINE void vec_load_records(const float *base, const uint32_t at[SIMD_WIDTH], int floats, vec *out) {
    vec quads[6][4]; // up to 24 floats
    for (int l = 0; l < 4; l++) vec_load_lanes(base, at, floats, quads, l);
    for (int q = 0; 4 * q < floats; q++) {
        const int start = sinewi_quad_start(q, floats);
        vec_transpose_quarters(quads[q]);
        for (int i = 0; i < 4; i++) out[start + i] = quads[q][i];
    }
}

SINEWI_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    __m256 low[4], high[4];
    for (int i = 0; i < 4; i++) low[i] = _mm512_castps512_ps256(in[i]), high[i] = _mm512_extractf32x8_ps(in[i], 1);
    vec_store_eight_quads(to, stride, low);
    to += 8 * stride;
    SINEWI_OPAQUE(to);
    vec_store_eight_quads(to, stride, high);
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    vec low = _mm512_unpacklo_ps(a, b), high = _mm512_unpackhi_ps(a, b);
    vec_store_four_pairs(to, stride, _mm512_castps512_ps128(low), _mm512_castps512_ps128(high));
    to += 4 * stride;
    vec_store_four_pairs(to, stride, _mm512_extractf32x4_ps(low, 1), _mm512_extractf32x4_ps(high, 1));
    to += 4 * stride;
    vec_store_four_pairs(to, stride, _mm512_extractf32x4_ps(low, 2), _mm512_extractf32x4_ps(high, 2));
    to += 4 * stride;
    vec_store_four_pairs(to, stride, _mm512_extractf32x4_ps(low, 3), _mm512_extractf32x4_ps(high, 3));
}

// Component c of lane l is float 3 l + c of x y z x y z ..., in lane (3 l + c) % 16 of its vector. Over all three
// vectors, a component occupies each lane once. The permutations only use the low four bits of their indices.
SINEWI_INLINE void vec_load_triples(const float *from, vec out[3]) {
    const __m512i thrice = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45);
    vec a = vec_load(from), b = vec_load(from + 16), c = vec_load(from + 32);
    vec x = vec_select(0x2492, c, vec_select(0x4924, b, a));
    vec y = vec_select(0x4924, c, vec_select(0x9249, b, a));
    vec z = vec_select(0x9249, c, vec_select(0x2492, b, a));
    out[0] = _mm512_permutexvar_ps(thrice, x);
    out[1] = _mm512_permutexvar_ps(_mm512_add_epi32(thrice, _mm512_set1_epi32(1)), y);
    out[2] = _mm512_permutexvar_ps(_mm512_add_epi32(thrice, _mm512_set1_epi32(2)), z);
}

SINEWI_INLINE void vec_store_triples(float *to, const vec in[3]) {
    const __m512i third = _mm512_setr_epi32(0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10, 5); // 3 × 11 is 1
    vec x = _mm512_permutexvar_ps(third, in[0]);
    vec y = _mm512_permutexvar_ps(_mm512_sub_epi32(third, _mm512_set1_epi32(11)), in[1]);
    vec z = _mm512_permutexvar_ps(_mm512_sub_epi32(third, _mm512_set1_epi32(22)), in[2]);
    vec_store(to, vec_select(0x2492, y, vec_select(0x4924, z, x)));
    vec_store(to + 16, vec_select(0x9249, y, vec_select(0x2492, z, x)));
    vec_store(to + 32, vec_select(0x4924, y, vec_select(0x9249, z, x)));
}

typedef __m512 affine;

#define SIMD_AFFINE_LANES 0x0fff
#define SIMD_AFFINE_LAST  0x8888 // lane 3 of each row

// Loads in two parts, because the processor can forward each from a recent store. One 48-byte load would have to wait
// for the stores to finish.
SINEWI_INLINE affine affine_load(const sinew_affine *from) {
    __m512 rows01 = _mm512_castps256_ps512(_mm256_loadu_ps(from->m[0]));
    return _mm512_insertf32x4(rows01, _mm_loadu_ps(from->m[2]), 2);
}

SINEWI_INLINE void affine_store(sinew_affine *to, affine a) {
    _mm256_storeu_ps(to->m[0], _mm512_castps512_ps256(a));
    _mm_storeu_ps(to->m[2], _mm512_extractf32x4_ps(a, 2));
}

SINEWI_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
    __m512 sum = _mm512_mul_ps(_mm512_permute_ps(a, 0x00), _mm512_broadcast_f32x4(_mm_loadu_ps(b->m[0])));
    __m512 one = _mm512_mul_ps(_mm512_permute_ps(a, 0x55), _mm512_broadcast_f32x4(_mm_loadu_ps(b->m[1])));
    __m512 two = _mm512_mul_ps(_mm512_permute_ps(a, 0xaa), _mm512_broadcast_f32x4(_mm_loadu_ps(b->m[2])));
    two = _mm512_mask_add_ps(two, SIMD_AFFINE_LAST, two, a);
    return _mm512_add_ps(_mm512_add_ps(sum, one), two);
}

// Transposes a 4x4 matrix of quarters.
SINEWI_INLINE void vec_transpose_of_quarters(vec v[4]) {
    vec low01 = _mm512_shuffle_f32x4(v[0], v[1], 0x44), high01 = _mm512_shuffle_f32x4(v[0], v[1], 0xee);
    vec low23 = _mm512_shuffle_f32x4(v[2], v[3], 0x44), high23 = _mm512_shuffle_f32x4(v[2], v[3], 0xee);
    v[0] = _mm512_shuffle_f32x4(low01, low23, 0x88);
    v[1] = _mm512_shuffle_f32x4(low01, low23, 0xdd);
    v[2] = _mm512_shuffle_f32x4(high01, high23, 0x88);
    v[3] = _mm512_shuffle_f32x4(high01, high23, 0xdd);
}

// Row i of matrix 4l + k is in quarter l of quads[4i + k]. In memory it is quad 3 (4l + k) + i.
SINEWI_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    vec row[3][4];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) row[i][j] = in[4 * i + j];
        vec_transpose_quarters(row[i]);
    }
    vec quads[3][4] = {{row[0][0], row[1][0], row[2][0], row[0][1]},
                       {row[1][1], row[2][1], row[0][2], row[1][2]},
                       {row[2][2], row[0][3], row[1][3], row[2][3]}};
    float *floats = (float *)(void *)to; // sixteen matrices in a row
    for (int i = 0; i < 3; i++) {
        vec_transpose_of_quarters(quads[i]);
        for (int l = 0; l < 4; l++) _mm512_storeu_ps(floats + 48 * (ptrdiff_t)l + 16 * (ptrdiff_t)i, quads[i][l]);
    }
}

SINEWI_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    vec group[4][4]; // [group of four matrices][column]: a quarter holds one row's element of all four
    for (int g = 0; g < 4; g++) {
        for (int i = 0; i < 4; i++) group[g][i] = m[4 * g + i];
        vec_transpose_quarters(group[g]);
    }
    for (int j = 0; j < 4; j++) {
        vec rows[4] = {group[0][j], group[1][j], group[2][j], group[3][j]};
        vec_transpose_of_quarters(rows);
        for (int i = 0; i < 3; i++) out[4 * i + j] = rows[i];
    }
}

#endif
