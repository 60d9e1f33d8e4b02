// SPDX-License-Identifier: MIT
// AVX2: eight lanes. A matrix has two rows in one vector and its third row in a half vector.
#ifndef SINEWI_SIMD_AVX2_H
#define SINEWI_SIMD_AVX2_H

#include "base/simd.h"

#include <immintrin.h>
#include <string.h>

#define SIMD_WIDTH  8
#define SIMD_INLINE SINEWI_INLINE

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define SIMD_END _Pragma("clang attribute pop")
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#define SIMD_END _Pragma("GCC pop_options")
#endif

typedef __m256 vec;
typedef __m256 vec_mask;

#define vec_splat              _mm256_set1_ps
#define vec_load               _mm256_loadu_ps
#define vec_store              _mm256_storeu_ps
#define vec_add                _mm256_add_ps
#define vec_sub                _mm256_sub_ps
#define vec_mul                _mm256_mul_ps
#define vec_div                _mm256_div_ps
#define vec_sqrt               _mm256_sqrt_ps
#define vec_less(a, b)         _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define vec_select(mask, a, b) _mm256_blendv_ps(b, a, mask)
#define vec_any(mask)          (_mm256_movemask_ps(mask) != 0)
#define vec_bits(mask)         ((uint32_t)_mm256_movemask_ps(mask))

SINEWI_INLINE vec vec_load_u16(const uint16_t *from) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from)));
}

typedef __m256i vec_ints;

#define vec_ints_splat _mm256_set1_epi32
#define vec_from_ints  _mm256_cvtepi32_ps
#define vec_ints_add   _mm256_add_epi32

#define vec_ints_decrement(a, mask) _mm256_add_epi32(a, _mm256_castps_si256(mask))

SINEWI_INLINE vec_ints vec_ints_load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

SINEWI_INLINE void vec_ints_store(uint32_t *to, vec_ints a) {
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}

SINEWI_INLINE vec_ints vec_ints_load_u8(const uint8_t *from) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

SINEWI_INLINE vec_ints vec_ints_multiply(vec_ints a, uint32_t b) {
    return _mm256_mullo_epi32(a, _mm256_set1_epi32((int)b));
}

SINEWI_INLINE vec vec_load_u8(const uint8_t *from) {
    return vec_from_ints(vec_ints_load_u8(from));
}

SINEWI_INLINE void vec_store_i16(int16_t *to, vec a) {
    __m256i ints = _mm256_cvtps_epi32(a);
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(ints), _mm256_extracti128_si256(ints, 1));
    _mm_storeu_si128((__m128i *)(void *)to, words);
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)pairs);
    return _mm256_add_epi32(a, _mm256_madd_epi16(words, _mm256_set1_epi32(vec_load_pair(pair))));
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    __m256i words = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)pairs));
    return _mm256_add_epi32(a, _mm256_madd_epi16(words, _mm256_set1_epi32(vec_load_pair(pair))));
}

SINEWI_INLINE vec_mask vec_mask_from_bits(uint32_t bits) {
    const __m256i lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), lanes), lanes));
}

typedef struct vec_lanes {
    __m256i ranks; // for each lane, how many set lanes come before it
    __m256 mask;
} vec_lanes;

// Counts the set bits below each lane's own, four bits at a time. The upper bytes of a lane add 0.
SINEWI_INLINE vec_lanes vec_lanes_from_bits(uint32_t bits) {
    const __m256i below = _mm256_setr_epi32(0, 1, 3, 7, 15, 31, 63, 127), four = _mm256_set1_epi32(15);
    const __m256i counts =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    __m256i before = _mm256_and_si256(_mm256_set1_epi32((int)bits), below);
    __m256i low = _mm256_shuffle_epi8(counts, _mm256_and_si256(before, four));
    __m256i high = _mm256_shuffle_epi8(counts, _mm256_srli_epi32(before, 4));
    vec_lanes lanes = {_mm256_add_epi32(low, high), vec_mask_from_bits(bits)};
    return lanes;
}

SINEWI_INLINE vec vec_expand(vec_lanes lanes, vec packed, vec other) {
    return vec_select(lanes.mask, _mm256_permutevar8x32_ps(packed, lanes.ranks), other);
}

#include "base/simd_wide.h"

SINEWI_INLINE void vec_load_quads(const float *from, size_t stride, vec out[4]) {
    vec_load_eight_quads(from, stride, out);
}

// Two lanes at a time keep the addresses in registers.
SINEWI_INLINE void vec_load_records(const float *base, const uint32_t at[SIMD_WIDTH], int floats, vec *out) {
    for (int q = 0; 4 * q < floats; q++) {
        const int start = sinewi_quad_start(q, floats);
        vec quad[4];
        for (int i = 0; i < 4; i++) quad[i] = _mm256_loadu2_m128(base + at[4 + i] + start, base + at[i] + start);
        vec_transpose_halves(quad);
        for (int i = 0; i < 4; i++) out[start + i] = quad[i];
    }
}

SINEWI_INLINE void vec_store_quads(float *to, size_t stride, const vec in[4]) {
    vec v[4] = {in[0], in[1], in[2], in[3]};
    vec_store_eight_quads(to, stride, v);
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    vec low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
    vec_store_four_pairs(to, stride, _mm256_castps256_ps128(low), _mm256_castps256_ps128(high));
    to += 4 * stride;
    vec_store_four_pairs(to, stride, _mm256_extractf128_ps(low, 1), _mm256_extractf128_ps(high, 1));
}

SINEWI_INLINE void vec_load_triples(const float *from, vec out[3]) {
    vec a = _mm256_loadu2_m128(from + 12, from), b = _mm256_loadu2_m128(from + 16, from + 4); // xyzx yzxy
    vec c = _mm256_loadu2_m128(from + 20, from + 8);                                          // zxyz
    vec yz = _mm256_shuffle_ps(a, b, 0x49), xy = _mm256_shuffle_ps(b, c, 0x9e);
    out[0] = _mm256_shuffle_ps(a, xy, 0x8c);
    out[1] = _mm256_shuffle_ps(yz, xy, 0xd8);
    out[2] = _mm256_shuffle_ps(yz, c, 0xcd);
}

SINEWI_INLINE void vec_store_triples(float *to, const vec in[3]) {
    vec xy = _mm256_shuffle_ps(in[0], in[1], 0x88), yz = _mm256_shuffle_ps(in[1], in[2], 0xdd);
    vec zx = _mm256_shuffle_ps(in[2], in[0], 0xd8);
    vec a = _mm256_shuffle_ps(xy, zx, 0x88), b = _mm256_shuffle_ps(yz, xy, 0xd8),
        c = _mm256_shuffle_ps(zx, yz, 0xdd);
    vec_store(to, _mm256_permute2f128_ps(a, b, 0x20));
    vec_store(to + 8, _mm256_blend_ps(c, a, 0xf0));
    vec_store(to + 16, _mm256_permute2f128_ps(b, c, 0x31));
}

typedef struct affine {
    __m256 rows01;
    __m128 row2;
} affine;

SINEWI_INLINE affine affine_load(const sinew_affine *from) {
    affine a = {_mm256_loadu_ps(from->m[0]), _mm_loadu_ps(from->m[2])};
    return a;
}

SINEWI_INLINE void affine_store(sinew_affine *to, affine a) {
    _mm256_storeu_ps(to->m[0], a.rows01);
    _mm_storeu_ps(to->m[2], a.row2);
}

// Stores 16 bytes at a time because a matrix may start at any multiple of 16 bytes.
SINEWI_INLINE void affine_stream(sinew_affine *to, affine a) {
    _mm_stream_ps(to->m[0], _mm256_castps256_ps128(a.rows01));
    _mm_stream_ps(to->m[1], _mm256_extractf128_ps(a.rows01, 1));
    _mm_stream_ps(to->m[2], a.row2);
}

#define end_stream _mm_sfence

SINEWI_INLINE affine affine_multiply(affine a, const sinew_affine *b) {
    __m256 b0 = _mm256_broadcast_ps((const __m128 *)(const void *)b->m[0]);
    __m256 b1 = _mm256_broadcast_ps((const __m128 *)(const void *)b->m[1]);
    __m256 b2 = _mm256_broadcast_ps((const __m128 *)(const void *)b->m[2]);
    __m256 upper = _mm256_add_ps(_mm256_mul_ps(_mm256_permute_ps(a.rows01, 0x00), b0),
                                 _mm256_mul_ps(_mm256_permute_ps(a.rows01, 0x55), b1));
    __m128 lower = _mm_add_ps(_mm_mul_ps(_mm_permute_ps(a.row2, 0x00), _mm256_castps256_ps128(b0)),
                              _mm_mul_ps(_mm_permute_ps(a.row2, 0x55), _mm256_castps256_ps128(b1)));
    __m256 upper2 = _mm256_mul_ps(_mm256_permute_ps(a.rows01, 0xaa), b2);
    __m128 lower2 = _mm_mul_ps(_mm_permute_ps(a.row2, 0xaa), _mm256_castps256_ps128(b2));
    upper2 = _mm256_blend_ps(upper2, _mm256_add_ps(upper2, a.rows01), 0x88);
    lower2 = _mm_blend_ps(lower2, _mm_add_ps(lower2, a.row2), 0x8);
    affine c = {_mm256_add_ps(upper, upper2), _mm_add_ps(lower, lower2)};
    return c;
}

SINEWI_INLINE void affine_from_planes(const vec in[12], sinew_affine to[SIMD_WIDTH]) {
    for (int i = 0; i < 3; i++) vec_store_quads(to->m[i], 12, in + 4 * (ptrdiff_t)i);
}

// Uses the third rows twice, pair by pair. If sums are used only once, gcc postpones them and spills their terms.
SINEWI_INLINE void affine_to_planes(const affine m[SIMD_WIDTH], vec out[12]) {
    vec first[4], second[4], third[4];
    for (int i = 0; i < 4; i++) first[i] = m[i].rows01, second[i] = m[4 + i].rows01;
    for (int i = 0; i < 2; i++) {
        const affine *a = m + 2 * (ptrdiff_t)i, *b = a + 4;
        __m128 low = _mm_unpacklo_ps(a[0].row2, a[1].row2), high = _mm_unpackhi_ps(a[0].row2, a[1].row2);
        third[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(low), _mm_unpacklo_ps(b[0].row2, b[1].row2), 1);
        third[2 + i] = _mm256_insertf128_ps(_mm256_castps128_ps256(high), _mm_unpackhi_ps(b[0].row2, b[1].row2), 1);
    }
    vec_transpose_halves(first);
    vec_transpose_halves(second);
    for (int i = 0; i < 4; i++) {
        out[i] = _mm256_permute2f128_ps(first[i], second[i], 0x20);
        out[4 + i] = _mm256_permute2f128_ps(first[i], second[i], 0x31);
    }
    for (int i = 0; i < 4; i += 2) {
        out[8 + i] = _mm256_shuffle_ps(third[i], third[i + 1], 0x44);
        out[9 + i] = _mm256_shuffle_ps(third[i], third[i + 1], 0xee);
    }
}

#endif
