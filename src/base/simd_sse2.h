// SPDX-License-Identifier: MIT
// SSE2: four lanes. Every x86-64 processor has it.
#ifndef SINEWI_SIMD_SSE2_H
#define SINEWI_SIMD_SSE2_H

#include "base/simd.h"

#include <emmintrin.h>
#include <string.h>

#define SIMD_WIDTH  4
#define SIMD_INLINE SINEWI_INLINE

typedef __m128 vec;
typedef __m128 vec_mask;

#define vec_splat              _mm_set1_ps
#define vec_load               _mm_loadu_ps
#define vec_store              _mm_storeu_ps
#define vec_add                _mm_add_ps
#define vec_sub                _mm_sub_ps
#define vec_mul                _mm_mul_ps
#define vec_div                _mm_div_ps
#define vec_sqrt               _mm_sqrt_ps
#define vec_less               _mm_cmplt_ps
#define vec_select(mask, a, b) _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b))
#define vec_any(mask)          (_mm_movemask_ps(mask) != 0)
#define vec_bits(mask)         ((uint32_t)_mm_movemask_ps(mask))

SINEWI_INLINE vec vec_load_u16(const uint16_t *from) {
    __m128i words = _mm_loadl_epi64((const __m128i *)(const void *)from);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, _mm_setzero_si128()));
}

typedef __m128i vec_ints;

#define vec_ints_splat _mm_set1_epi32
#define vec_from_ints  _mm_cvtepi32_ps
#define vec_ints_add   _mm_add_epi32

#define vec_ints_decrement(a, mask) _mm_add_epi32(a, _mm_castps_si128(mask))

SINEWI_INLINE vec_ints vec_ints_load(const uint32_t *from) {
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

SINEWI_INLINE void vec_ints_store(uint32_t *to, vec_ints a) {
    _mm_storeu_si128((__m128i *)(void *)to, a);
}

SINEWI_INLINE vec_ints vec_ints_load_u8(const uint8_t *from) {
    int bytes;
    memcpy(&bytes, from, sizeof bytes);
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return _mm_unpacklo_epi16(words, _mm_setzero_si128());
}

// Multiplies even and odd lanes to 64 bits, then combines the low halves.
SINEWI_INLINE vec_ints vec_ints_multiply(vec_ints a, uint32_t b) {
    const __m128i factor = _mm_set1_epi32((int)b);
    __m128i even = _mm_mul_epu32(a, factor), odd = _mm_mul_epu32(_mm_srli_si128(a, 4), factor);
    return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, 0x08), _mm_shuffle_epi32(odd, 0x08));
}

SINEWI_INLINE vec vec_load_u8(const uint8_t *from) {
    return vec_from_ints(vec_ints_load_u8(from));
}

SINEWI_INLINE void vec_store_i16(int16_t *to, vec a) {
    __m128i ints = _mm_cvtps_epi32(a);
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packs_epi32(ints, ints));
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    __m128i words = _mm_loadu_si128((const __m128i *)(const void *)pairs);
    return _mm_add_epi32(a, _mm_madd_epi16(words, _mm_set1_epi32(vec_load_pair(pair))));
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)pairs);
    __m128i words = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    return _mm_add_epi32(a, _mm_madd_epi16(words, _mm_set1_epi32(vec_load_pair(pair))));
}

SINEWI_INLINE vec_mask vec_mask_from_bits(uint32_t bits) {
    const __m128i lanes = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), lanes), lanes));
}

typedef struct vec_lanes {
    uint32_t ranks[4]; // for each lane, how many set lanes come before it
    __m128 mask;
} vec_lanes;

SINEWI_INLINE vec_lanes vec_lanes_from_bits(uint32_t bits) {
    const uint32_t one = bits & 1, two = one + (bits >> 1 & 1);
    vec_lanes lanes = {{0, one, two, two + (bits >> 2 & 1)}, vec_mask_from_bits(bits)};
    return lanes;
}

SINEWI_INLINE vec vec_expand(vec_lanes lanes, vec packed, vec other) {
    float from[4];
    _mm_storeu_ps(from, packed);
    const uint32_t *at = lanes.ranks;
    return vec_select(lanes.mask, _mm_setr_ps(from[0], from[at[1]], from[at[2]], from[at[3]]), other);
}

#define vec_stream _mm_stream_ps
#define end_stream _mm_sfence

#define vec_shuffle(a, b, i, j, k, l) _mm_shuffle_ps(a, b, _MM_SHUFFLE(l, k, j, i)) // lanes of a, a, b and b
#define vec_lane(a, i)                _mm_shuffle_ps(a, a, _MM_SHUFFLE(i, i, i, i))

SINEWI_INLINE vec vec_last_or_minus_zero(vec a) {
    const __m128 signs = _mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f);
    return _mm_or_ps(_mm_and_ps(a, _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1))), signs);
}

SINEWI_INLINE void vec_transpose(vec v[4]) {
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    vec low = _mm_unpacklo_ps(a, b), high = _mm_unpackhi_ps(a, b);
    _mm_storel_pi((__m64 *)(void *)to, low);
    _mm_storeh_pi((__m64 *)(void *)(to + stride), low);
    _mm_storel_pi((__m64 *)(void *)(to + 2 * stride), high);
    _mm_storeh_pi((__m64 *)(void *)(to + 3 * stride), high);
}

#include "base/simd_quads.h"

#endif
