// SPDX-License-Identifier: MIT
// WebAssembly's simd128: four lanes. You choose it when you compile the module.
#ifndef SINEWI_SIMD_WASM_H
#define SINEWI_SIMD_WASM_H

#include "base/simd.h"

#include <wasm_simd128.h>

#define SIMD_WIDTH  4
#define SIMD_INLINE SINEWI_INLINE

typedef v128_t vec;
typedef v128_t vec_mask;

#define vec_splat          wasm_f32x4_splat
#define vec_load           wasm_v128_load
#define vec_store          wasm_v128_store
#define vec_add            wasm_f32x4_add
#define vec_sub            wasm_f32x4_sub
#define vec_mul            wasm_f32x4_mul
#define vec_div            wasm_f32x4_div
#define vec_sqrt           wasm_f32x4_sqrt
#define vec_less           wasm_f32x4_lt
#define vec_any            wasm_v128_any_true
#define vec_bits(mask)     ((uint32_t)wasm_i32x4_bitmask(mask))
#define vec_load_u16(from) wasm_f32x4_convert_u32x4(wasm_u32x4_load16x4(from))

typedef v128_t vec_ints;

#define vec_ints_splat          wasm_i32x4_splat
#define vec_from_ints           wasm_f32x4_convert_i32x4
#define vec_ints_add            wasm_i32x4_add
#define vec_ints_decrement      wasm_i32x4_add
#define vec_ints_load           wasm_v128_load
#define vec_ints_store          wasm_v128_store
#define vec_ints_multiply(a, b) wasm_i32x4_mul(a, wasm_i32x4_splat((int32_t)(b)))

SINEWI_INLINE vec_ints vec_ints_load_u8(const uint8_t *from) {
    v128_t words = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(from));
    return wasm_u32x4_extend_low_u16x8(words);
}

SINEWI_INLINE vec vec_load_u8(const uint8_t *from) {
    return vec_from_ints(vec_ints_load_u8(from));
}

SINEWI_INLINE void vec_store_i16(int16_t *to, vec a) {
    v128_t ints = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(a));
    wasm_v128_store64_lane(to, wasm_i16x8_narrow_i32x4(ints, ints), 0);
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    return wasm_i32x4_add(a, wasm_i32x4_dot_i16x8(wasm_v128_load(pairs), wasm_v128_load32_splat(pair)));
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    return wasm_i32x4_add(a, wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(pairs), wasm_v128_load32_splat(pair)));
}

SINEWI_INLINE vec vec_select(vec_mask mask, vec a, vec b) {
    return wasm_v128_or(wasm_v128_and(a, mask), wasm_v128_andnot(b, mask)); // clang simplifies this if b is 0
}

SINEWI_INLINE vec_mask vec_mask_from_bits(uint32_t bits) {
    const v128_t lanes = wasm_i32x4_const(1, 2, 4, 8);
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)bits), lanes), lanes);
}

typedef struct vec_lanes {
    v128_t from; // for each lane, which bytes of the packed floats to take
    v128_t mask;
} vec_lanes;

SINEWI_INLINE vec_lanes vec_lanes_from_bits(uint32_t bits) {
    const uint32_t one = bits & 1, two = one + (bits >> 1 & 1), three = two + (bits >> 2 & 1);
    // Rank r takes the bytes 4 r to 4 r + 3.
    const v128_t ranks = wasm_u32x4_make(0, one, two, three);
    const v128_t bytes = wasm_i32x4_mul(ranks, wasm_i32x4_const_splat(0x04040404));
    vec_lanes lanes = {wasm_i32x4_add(bytes, wasm_i32x4_const_splat(0x03020100)), vec_mask_from_bits(bits)};
    return lanes;
}

SINEWI_INLINE vec vec_expand(vec_lanes lanes, vec packed, vec other) {
    return vec_select(lanes.mask, wasm_i8x16_swizzle(packed, lanes.from), other);
}

#define vec_shuffle(a, b, i, j, k, l) wasm_i32x4_shuffle(a, b, i, j, k + 4, l + 4)
#define vec_lane(a, i)                wasm_i32x4_shuffle(a, a, i, i, i, i)

SINEWI_INLINE vec vec_last_or_minus_zero(vec a) {
    return wasm_i32x4_shuffle(wasm_f32x4_const_splat(-0.0f), a, 0, 1, 2, 7);
}

SINEWI_INLINE void vec_transpose(vec v[4]) {
    v128_t low01 = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5), high01 = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
    v128_t low23 = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5), high23 = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
    v[0] = wasm_i64x2_shuffle(low01, low23, 0, 2);
    v[1] = wasm_i64x2_shuffle(low01, low23, 1, 3);
    v[2] = wasm_i64x2_shuffle(high01, high23, 0, 2);
    v[3] = wasm_i64x2_shuffle(high01, high23, 1, 3);
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    v128_t low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
    wasm_v128_store64_lane(to, low, 0);
    wasm_v128_store64_lane(to + stride, low, 1);
    wasm_v128_store64_lane(to + 2 * stride, high, 0);
    wasm_v128_store64_lane(to + 3 * stride, high, 1);
}

#include "base/simd_quads.h"

#endif
