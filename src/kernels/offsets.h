// SPDX-License-Identifier: MIT
// Transitions: adding decaying offsets to a pose, and extrapolating a held pose.
// Included after the vectors of an instruction set: see kernels.h.
#ifndef SINEW_KERNELS_OFFSETS_H
#define SINEW_KERNELS_OFFSETS_H

#include "core/rotation_vector.h"
#include "kernels/transition.h"

// ---- Rotations -----------------------------------------------------------------------------------------------

SINEW_INLINE vec exponential_series(const float terms[SINEW_EXPONENTIAL_TERMS], vec s) {
    vec sum = vec_splat(terms[SINEW_EXPONENTIAL_TERMS - 1]);
    for (int i = SINEW_EXPONENTIAL_TERMS - 2; i >= 0; i--) sum = vec_add(vec_splat(terms[i]), vec_mul(s, sum));
    return sum;
}

// The exponential of core/rotation_vector.h, not normalized.
SINEW_INLINE void exponential(const vec r[3], vec q[4]) {
    vec s = vec_add(vec_add(vec_mul(r[0], r[0]), vec_mul(r[1], r[1])), vec_mul(r[2], r[2]));
    vec sine = exponential_series(sinew_exponential_sine, s);
    for (int i = 0; i < 3; i++) q[i] = vec_mul(sine, r[i]);
    q[3] = exponential_series(sinew_exponential_cosine, s);
}

// Normalizes a quaternion whose length is not 0.
SINEW_INLINE void make_unit(vec q[4]) {
    vec xy = vec_add(vec_mul(q[0], q[0]), vec_mul(q[1], q[1]));
    vec square = vec_add(vec_add(xy, vec_mul(q[2], q[2])), vec_mul(q[3], q[3]));
    vec factor = vec_div(vec_splat(1.0f), vec_sqrt(square));
    for (int i = 0; i < 4; i++) q[i] = vec_mul(q[i], factor);
}

// q = turn × q, like sinew_quat_multiply.
SINEW_INLINE void rotate_by(const vec turn[4], vec q[4]) {
    vec x = q[0], y = q[1], z = q[2], w = q[3];
    const vec next[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        vec sum = vec_add(vec_mul(turn[3], next[i]), vec_mul(turn[i], w));
        q[i] = vec_sub(vec_add(sum, vec_mul(turn[j], next[k])), vec_mul(turn[k], next[j]));
    }
    vec rest = vec_sub(vec_mul(turn[3], w), vec_mul(turn[0], x));
    q[3] = vec_sub(vec_sub(rest, vec_mul(turn[1], y)), vec_mul(turn[2], z));
}

// ---- Offsets -------------------------------------------------------------------------------------------------

// The factors of an offset's start and slope at a time, in active lanes: those whose duration has not ended. In other
// lanes they are undefined, and never stored.
typedef struct decay_at {
    vec start, slope;
    vec_mask active;
} decay_at;

SINEW_INLINE decay_at decay_at_time(const float *duration, vec t) {
    vec d = vec_load(duration), one = vec_splat(1.0f);
    vec s = vec_div(t, d), square = vec_mul(s, s), rest = vec_sub(one, s);
    vec left = vec_mul(vec_mul(rest, rest), rest);
    decay_at at = {.active = vec_less(t, d)};
    at.start = vec_mul(left, vec_sub(one, vec_mul(vec_splat(2.25f), square)));
    at.slope = vec_mul(left, vec_add(s, vec_mul(vec_splat(1.5f), square)));
    return at;
}

SINEW_INLINE vec offset_at(decay_at at, const float *start, const float *slope) {
    return vec_add(vec_mul(at.start, vec_load(start)), vec_mul(at.slope, vec_load(slope)));
}

// A value whose offset has ended keeps its bits.
SINEW_INLINE void add_offset(decay_at at, const float *start, const float *slope, float *to) {
    vec v = vec_load(to);
    vec_store(to, vec_select(at.active, vec_add(v, offset_at(at, start, slope)), v));
}

// The same for a morph weight, which stays between its source and its target.
SINEW_INLINE void add_limited_offset(decay_at at, const sinew_weight_offset_block *block, size_t lane, float *to) {
    vec target = vec_load(to), source = vec_load(block->source + lane);
    vec_mask is_above = vec_less(target, source);
    vec low = vec_select(is_above, target, source), high = vec_select(is_above, source, target);
    vec v = vec_add(target, offset_at(at, block->start + lane, block->slope + lane));
    v = vec_select(vec_less(v, low), low, v);
    v = vec_select(vec_less(high, v), high, v);
    vec_store(to, vec_select(at.active, v, target));
}

SINEW_INLINE void add_to_vectors(const sinew_offset_decay *decay, int32_t lane, vec t, float *const planes[3],
                                 size_t to) {
    decay_at at = decay_at_time(decay->duration + lane, t);
    if (!vec_any(at.active)) return;
    for (int i = 0; i < 3; i++) add_offset(at, decay->start[i] + lane, decay->slope[i] + lane, planes[i] + to);
}

SINEW_INLINE void add_to_rotations(const sinew_offset_decay *decay, int32_t lane, vec t, float *const planes[4],
                                   size_t to) {
    decay_at at = decay_at_time(decay->duration + lane, t);
    if (!vec_any(at.active)) return;
    vec r[3], turn[4], q[4], turned[4];
    for (int i = 0; i < 3; i++) r[i] = offset_at(at, decay->start[i] + lane, decay->slope[i] + lane);
    for (int i = 0; i < 4; i++) turned[i] = q[i] = vec_load(planes[i] + to);
    exponential(r, turn);
    rotate_by(turn, turned);
    make_unit(turned);
    for (int i = 0; i < 4; i++) vec_store(planes[i] + to, vec_select(at.active, turned[i], q[i]));
}

static void add_offsets(const sinew_offset_block *offsets, float time, size_t first, size_t end,
                        float *const planes[SINEW_PLANES]) {
    vec t = vec_splat(time);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinew_offset_block *block = &offsets[first + to / SINEW_LANES];
        int32_t lane = (int32_t)(to % SINEW_LANES);
        add_to_rotations(&block->decays[SINEW_TARGET_ROTATION], lane, t, planes + SINEW_RX, to);
        add_to_vectors(&block->decays[SINEW_TARGET_TRANSLATION], lane, t, planes + SINEW_TX, to);
        add_to_vectors(&block->decays[SINEW_TARGET_SCALE], lane, t, planes + SINEW_SX, to);
    }
}

static void add_weight_offsets(const sinew_weight_offset_block *offsets, float time, size_t first, size_t end,
                               float *weights) {
    vec t = vec_splat(time);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinew_weight_offset_block *block = &offsets[first + to / SINEW_LANES];
        size_t lane = to % SINEW_LANES;
        decay_at at = decay_at_time(block->duration + lane, t);
        add_limited_offset(at, block, lane, weights + to);
    }
}

// ---- Held poses ----------------------------------------------------------------------------------------------

SINEW_INLINE vec extrapolate_value(const float *from, const float *velocity, vec tau) {
    return vec_add(vec_load(from), vec_mul(vec_load(velocity), tau));
}

SINEW_INLINE void extrapolate_rotation(const sinew_held_block *block, int32_t lane, vec tau, vec q[4]) {
    vec r[3], turn[4];
    for (int i = 0; i < 3; i++) r[i] = vec_mul(vec_load(block->rotation_velocity[i] + lane), tau);
    for (int i = 0; i < 4; i++) q[i] = vec_load(block->pose.lane[SINEW_RX + i] + lane);
    exponential(r, turn);
    make_unit(turn);
    rotate_by(turn, q);
}

static void extrapolate(const sinew_held_block *held, float tau, size_t first, size_t end,
                        float *const out[SINEW_PLANES]) {
    vec seconds = vec_splat(tau);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinew_held_block *block = &held[first + to / SINEW_LANES];
        int32_t lane = (int32_t)(to % SINEW_LANES);
        vec t[3], q[4], s[3];
        extrapolate_rotation(block, lane, seconds, q);
        for (int i = 0; i < 3; i++) {
            t[i] = extrapolate_value(block->pose.lane[SINEW_TX + i] + lane, block->translation_velocity[i] + lane,
                                     seconds);
            s[i] =
                extrapolate_value(block->pose.lane[SINEW_SX + i] + lane, block->scale_velocity[i] + lane, seconds);
        }
        for (int i = 0; i < 3; i++) vec_store(out[SINEW_TX + i] + to, t[i]);
        for (int i = 0; i < 4; i++) vec_store(out[SINEW_RX + i] + to, q[i]);
        for (int i = 0; i < 3; i++) vec_store(out[SINEW_SX + i] + to, s[i]);
    }
}

static void extrapolate_weights(const sinew_held_weight_block *held, float tau, size_t first, size_t end,
                                float *out) {
    vec seconds = vec_splat(tau);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinew_held_weight_block *block = &held[first + to / SINEW_LANES];
        size_t lane = to % SINEW_LANES;
        vec_store(out + to, extrapolate_value(block->weight + lane, block->velocity + lane, seconds));
    }
}

#endif
