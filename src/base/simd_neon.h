// SPDX-License-Identifier: MIT
// NEON: four lanes. Every 64-bit ARM processor has it.
#ifndef SINEWI_SIMD_NEON_H
#define SINEWI_SIMD_NEON_H

#include "base/simd.h"

#include <arm_neon.h>
#include <string.h>

#define SIMD_WIDTH  4
#define SIMD_INLINE SINEWI_INLINE

typedef float32x4_t vec;
typedef uint32x4_t vec_mask;

#define vec_splat          vdupq_n_f32
#define vec_load           vld1q_f32
#define vec_store          vst1q_f32
#define vec_add            vaddq_f32
#define vec_sub            vsubq_f32
#define vec_mul            vmulq_f32
#define vec_div            vdivq_f32
#define vec_sqrt           vsqrtq_f32
#define vec_less           vcltq_f32
#define vec_select         vbslq_f32
#define vec_any(mask)      (vmaxvq_u32(mask) != 0)
#define vec_load_u16(from) vcvtq_f32_u32(vmovl_u16(vld1_u16(from)))

typedef int32x4_t vec_ints;

#define vec_ints_splat              vdupq_n_s32
#define vec_from_ints               vcvtq_f32_s32
#define vec_ints_add                vaddq_s32
#define vec_ints_decrement(a, mask) vaddq_s32(a, vreinterpretq_s32_u32(mask))
#define vec_ints_load(from)         vreinterpretq_s32_u32(vld1q_u32(from))
#define vec_ints_store(to, a)       vst1q_u32(to, vreinterpretq_u32_s32(a))
#define vec_ints_multiply(a, b)     vmulq_n_s32(a, (int32_t)(b))
#define vec_store_i16(to, a)        vst1_s16(to, vmovn_s32(vcvtnq_s32_f32(a)))

SINEWI_INLINE vec_ints vec_ints_load_u8(const uint8_t *from) {
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    uint16x8_t words = vmovl_u8(vcreate_u8(bytes));
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(words)));
}

SINEWI_INLINE vec vec_load_u8(const uint8_t *from) {
    return vec_from_ints(vec_ints_load_u8(from));
}

SINEWI_INLINE vec_ints vec_dot_i16(vec_ints a, const int16_t *pairs, const int16_t pair[2]) {
    int16x4x2_t words = vld2_s16(pairs);
    return vmlal_n_s16(vmlal_n_s16(a, words.val[0], pair[0]), words.val[1], pair[1]);
}

SINEWI_INLINE vec_ints vec_dot_i8(vec_ints a, const int8_t *pairs, const int16_t pair[2]) {
    int16x8_t all = vmovl_s8(vld1_s8(pairs));
    int16x4x2_t words = vuzp_s16(vget_low_s16(all), vget_high_s16(all));
    return vmlal_n_s16(vmlal_n_s16(a, words.val[0], pair[0]), words.val[1], pair[1]);
}

SINEWI_INLINE vec_mask vec_mask_from_bits(uint32_t bits) {
    static const uint32_t lane_bits[4] = {1, 2, 4, 8};
    return vtstq_u32(vdupq_n_u32(bits), vld1q_u32(lane_bits));
}

SINEWI_INLINE uint32_t vec_bits(vec_mask mask) {
    static const uint32_t lane_bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, vld1q_u32(lane_bits)));
}

typedef struct vec_lanes {
    uint8x16_t from; // for each lane, which bytes of the packed floats to take
    uint32x4_t mask;
} vec_lanes;

SINEWI_INLINE vec_lanes vec_lanes_from_bits(uint32_t bits) {
    const uint32_t one = bits & 1, two = one + (bits >> 1 & 1), three = two + (bits >> 2 & 1);
    const uint32_t ranks[4] = {0, one, two, three};
    // Rank r takes the bytes 4 r to 4 r + 3.
    const uint32x4_t bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100), vld1q_u32(ranks), 0x04040404);
    vec_lanes lanes = {vreinterpretq_u8_u32(bytes), vec_mask_from_bits(bits)};
    return lanes;
}

SINEWI_INLINE vec vec_expand(vec_lanes lanes, vec packed, vec other) {
    return vec_select(lanes.mask, vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(packed), lanes.from)),
                      other);
}

#define vec_lane(a, i) vdupq_laneq_f32(a, i)

#define vec_last_or_minus_zero(a) vcopyq_laneq_f32(vdupq_n_f32(-0.0f), 3, a, 3)

SINEWI_INLINE void vec_transpose(vec v[4]) {
    float32x4x2_t a = vtrnq_f32(v[0], v[1]), b = vtrnq_f32(v[2], v[3]);
    v[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
    v[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
    v[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
    v[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

SINEWI_INLINE void vec_store_pairs(float *to, size_t stride, vec a, vec b) {
    float32x4x2_t pairs = vzipq_f32(a, b);
    for (int i = 0; i < 2; i++) {
        vst1_f32(to + 2 * (size_t)i * stride, vget_low_f32(pairs.val[i]));
        vst1_f32(to + (2 * (size_t)i + 1) * stride, vget_high_f32(pairs.val[i]));
    }
}

SINEWI_INLINE void vec_load_triples(const float *from, vec out[3]) {
    float32x4x3_t all = vld3q_f32(from);
    for (int i = 0; i < 3; i++) out[i] = all.val[i];
}

SINEWI_INLINE void vec_store_triples(float *to, const vec in[3]) {
    float32x4x3_t all = {{in[0], in[1], in[2]}};
    vst3q_f32(to, all);
}

#include "base/simd_quads.h"

#endif
