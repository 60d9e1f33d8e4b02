// SPDX-License-Identifier: MIT
// Transitions: adds decaying offsets to a pose, and extrapolates a held pose. Include after the vectors of an
// instruction set. See kernels.h.
#ifndef SINEWI_KERNELS_OFFSETS_H
#define SINEWI_KERNELS_OFFSETS_H

#include "base/rotation_vector.h"
#include "kernels/transition.h"

// ---- Rotations -----------------------------------------------------------------------------------------------

SIMD_INLINE vec series(const float *terms, int count, vec x) {
    vec sum = vec_splat(terms[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = vec_add(vec_splat(terms[i]), vec_mul(x, sum));
    return sum;
}

SIMD_INLINE vec squared_length(const vec v[3]) {
    return vec_add(vec_add(vec_mul(v[0], v[0]), vec_mul(v[1], v[1])), vec_mul(v[2], v[2]));
}

// The exponential from base/rotation_vector.h, without normalizing.
SIMD_INLINE void exponential(const vec r[3], vec q[4]) {
    vec s = squared_length(r), sine = series(sinewi_exponential_sine, SINEWI_EXPONENTIAL_TERMS, s);
    for (int i = 0; i < 3; i++) q[i] = vec_mul(sine, r[i]);
    q[3] = series(sinewi_exponential_cosine, SINEWI_EXPONENTIAL_TERMS, s);
}

// Normalizes a quaternion. Its length must not be 0.
SIMD_INLINE void make_unit(vec q[4]) {
    vec square = vec_add(squared_length(q), vec_mul(q[3], q[3]));
    vec factor = vec_div(vec_splat(1.0f), vec_sqrt(square));
    for (int i = 0; i < 4; i++) q[i] = vec_mul(q[i], factor);
}

// q = turn × q, like sinew_quat_multiply.
SIMD_INLINE void rotate_by(const vec turn[4], vec q[4]) {
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

// Returns q = a × b⁻¹, normalized with w >= 0. This is the rotation from b to a. Returns zeros if either length is 0.
SIMD_INLINE void turn_between(const vec a[4], const vec b[4], vec q[4]) {
    vec zero = vec_splat(0.0f);
    for (int i = 0; i < 3; i++) q[i] = vec_sub(zero, b[i]);
    q[3] = b[3];
    rotate_by(a, q);
    vec square = vec_add(squared_length(q), vec_mul(q[3], q[3]));
    vec factor = vec_div(vec_select(vec_less(q[3], zero), vec_splat(-1.0f), vec_splat(1.0f)), vec_sqrt(square));
    factor = vec_select(vec_less(zero, square), factor, zero);
    for (int i = 0; i < 4; i++) q[i] = vec_mul(q[i], factor);
}

// The logarithm from base/rotation_vector.h, for a unit quaternion with w >= 0.
SIMD_INLINE void logarithm(const vec q[4], vec r[3]) {
    vec arc = series(sinewi_logarithm_arc, SINEWI_LOGARITHM_TERMS, vec_sub(vec_splat(1.0f), q[3]));
    vec factor = vec_add(arc, arc);
    for (int i = 0; i < 3; i++) r[i] = vec_mul(factor, q[i]);
}

// ---- Velocities ----------------------------------------------------------------------------------------------

#define QUARTER_TURN 1.57079633f

SIMD_INLINE void load_planes(const sinewi_block *block, int plane, int32_t lane, int count, vec *out) {
    for (int i = 0; i < count; i++) out[i] = vec_load(block->lane[plane + i] + lane);
}

SIMD_INLINE vec clamp(vec v, vec low, vec high) {
    v = vec_select(vec_less(high, v), high, v);
    return vec_select(vec_less(v, low), low, v);
}

// Shortens a vector to at most `limit`.
SIMD_INLINE void limit_length(float limit, vec v[3]) {
    vec length = vec_sqrt(squared_length(v)), most = vec_splat(limit);
    vec factor = vec_select(vec_less(most, length), vec_div(most, length), vec_splat(1.0f));
    for (int i = 0; i < 3; i++) v[i] = vec_mul(v[i], factor);
}

// Limits each component of a scale's velocity to a fraction of the scale.
SIMD_INLINE void limit_growth(const vec scale[3], float part, vec v[3]) {
    vec zero = vec_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        vec limit = vec_mul(scale[i], vec_splat(part)), negative = vec_sub(zero, limit);
        vec_mask is_mirrored = vec_less(limit, zero);
        v[i] = clamp(v[i], vec_select(is_mirrored, limit, negative), vec_select(is_mirrored, negative, limit));
    }
}

// Mirrors a pose about `now`. What was some time ahead becomes an estimate of the pose the same time ago. For unit
// quaternions, the mirrored rotation is q a⁻¹ q = 2 (q·a) q - a.
static void mirror(const sinewi_block *now, sinewi_block *ahead) {
    vec two = vec_splat(2.0f);
    for (int32_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
        vec q[SINEWI_PLANES], a[SINEWI_PLANES], dot = vec_splat(0.0f);
        load_planes(now, 0, lane, SINEWI_PLANES, q);
        load_planes(ahead, 0, lane, SINEWI_PLANES, a);
        for (int i = SINEWI_RX; i <= SINEWI_RW; i++) dot = vec_add(dot, vec_mul(q[i], a[i]));
        for (int i = 0; i < SINEWI_PLANES; i++) {
            vec factor = i >= SINEWI_RX && i <= SINEWI_RW ? vec_mul(two, dot) : two;
            vec_store(ahead->lane[i] + lane, vec_sub(vec_mul(factor, q[i]), a[i]));
        }
    }
}

// ---- Offsets -------------------------------------------------------------------------------------------------

// How far an offset overshoots for a velocity of 1 and a duration of 1 s. See kernels/transition.h.
#define MAX_OVERSHOOT 0.1493f

SIMD_INLINE void store_decay(const vec start[3], const vec velocity[3], float duration, int32_t lane,
                             sinewi_offset_decay *decay) {
    vec d = vec_splat(duration), zero = vec_splat(0.0f);
    vec_mask is_offset = vec_less(zero, vec_add(squared_length(start), squared_length(velocity)));
    for (int i = 0; i < 3; i++) {
        vec_store(decay->start[i] + lane, start[i]);
        vec_store(decay->slope[i] + lane, vec_add(vec_mul(velocity[i], d), vec_mul(vec_splat(3.0f), start[i])));
    }
    vec_store(decay->duration + lane, vec_select(is_offset, d, zero));
}

// Measures the motion of a block's lanes in a transition. The offset's velocity is the source's velocity minus the
// target's. It compares the earlier source and the current target with the current source and the later target.
SIMD_INLINE void vector_motion(const sinewi_block_change *change, int plane, int32_t lane, float dt, vec start[3],
                               vec velocity[3]) {
    vec source[3], before[3], target[3], after[3], rate = vec_splat(1.0f / dt);
    load_planes(&change->source, plane, lane, 3, source);
    load_planes(&change->source_before, plane, lane, 3, before);
    load_planes(&change->target, plane, lane, 3, target);
    load_planes(&change->target_after, plane, lane, 3, after);
    for (int i = 0; i < 3; i++) {
        vec moved = vec_sub(vec_sub(source[i], after[i]), vec_sub(before[i], target[i]));
        start[i] = vec_sub(source[i], target[i]);
        velocity[i] = vec_mul(moved, rate);
    }
}

// Returns the rotation vector of `near` that is close to the vector of `now`. When a turn grows past half a turn, the
// shorter arc flips to the other side and reverses the vector. The longer vector of the same rotation continues the
// motion.
SIMD_INLINE void vector_near(const vec now[4], const vec near[4], vec r[3]) {
    vec zero = vec_splat(0.0f), one = vec_splat(1.0f), dot = vec_mul(now[0], near[0]);
    for (int i = 1; i < 4; i++) dot = vec_add(dot, vec_mul(now[i], near[i]));
    vec_mask is_past = vec_less(dot, zero);
    logarithm(near, r);
    if (!vec_any(is_past)) return;
    vec length = vec_sqrt(squared_length(r)),
        factor = vec_sub(one, vec_div(vec_splat(4.0f * QUARTER_TURN), length));
    factor = vec_select(is_past, vec_select(vec_less(zero, length), factor, one), one);
    for (int i = 0; i < 3; i++) r[i] = vec_mul(r[i], factor);
}

SIMD_INLINE void rotation_motion(const sinewi_block_change *change, int32_t lane, float dt, vec start[3],
                                 vec velocity[3]) {
    vec source[4], target[4], other[4], now[4], near[4], before[3], rate = vec_splat(1.0f / dt);
    load_planes(&change->source, SINEWI_RX, lane, 4, source);
    load_planes(&change->target, SINEWI_RX, lane, 4, target);
    turn_between(source, target, now);
    logarithm(now, start);
    load_planes(&change->source_before, SINEWI_RX, lane, 4, other);
    turn_between(other, target, near);
    vector_near(now, near, before);
    load_planes(&change->target_after, SINEWI_RX, lane, 4, other);
    turn_between(source, other, near);
    vector_near(now, near, velocity);
    for (int i = 0; i < 3; i++) velocity[i] = vec_mul(vec_sub(velocity[i], before[i]), rate);
}

static void start_offsets(const sinewi_block_change *change, float dt, float duration,
                          sinewi_offset_block *offsets) {
    const float reach = MAX_OVERSHOOT * duration;
    for (int32_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
        vec start[3], velocity[3], scale[3];
        vector_motion(change, SINEWI_TX, lane, dt, start, velocity);
        store_decay(start, velocity, duration, lane, &offsets->decays[SINEW_TARGET_TRANSLATION]);
        rotation_motion(change, lane, dt, start, velocity);
        limit_length(QUARTER_TURN / reach, velocity);
        store_decay(start, velocity, duration, lane, &offsets->decays[SINEW_TARGET_ROTATION]);
        vector_motion(change, SINEWI_SX, lane, dt, start, velocity);
        load_planes(&change->source, SINEWI_SX, lane, 3, scale);
        limit_growth(scale, 0.5f / reach, velocity);
        store_decay(start, velocity, duration, lane, &offsets->decays[SINEW_TARGET_SCALE]);
    }
}

// Limits the velocity of a weight's offset so the offset neither grows nor changes sign. With V0 d = v X0, the
// derivative of x / X0 is (1 - s)^2 (v (1 - s - 7.5 s^2) - 7.5 s - 11.25 s^2). It is never positive if -2.5 <= v <= 0.
// See kernels/transition.h.
SIMD_INLINE vec closing_velocity(vec start, vec velocity, float duration) {
    vec zero = vec_splat(0.0f), most = vec_div(vec_mul(vec_splat(-2.5f), start), vec_splat(duration));
    vec_mask is_above = vec_less(zero, start);
    return clamp(velocity, vec_select(is_above, most, zero), vec_select(is_above, zero, most));
}

static void start_weight_offsets(const sinewi_weight_change *change, float dt, float duration,
                                 sinewi_weight_offset_block *offsets) {
    vec d = vec_splat(duration), zero = vec_splat(0.0f);
    for (int32_t i = 0; i < SINEW_LANES; i += SIMD_WIDTH) {
        vec source = vec_load(change->source + i), target = vec_load(change->target + i);
        vec start = vec_sub(source, target), moved = vec_sub(source, vec_load(change->source_before + i));
        moved = vec_sub(vec_add(moved, target), vec_load(change->target_after + i));
        vec velocity = closing_velocity(start, vec_div(moved, vec_splat(dt)), duration);
        vec_mask is_above = vec_less(zero, start), is_below = vec_less(start, zero);
        vec_store(offsets->source + i, source);
        vec_store(offsets->start + i, start);
        vec_store(offsets->slope + i, vec_add(vec_mul(velocity, d), vec_mul(vec_splat(3.0f), start)));
        vec_store(offsets->duration + i, vec_select(is_above, d, vec_select(is_below, d, zero)));
    }
}

// The factors of an offset's start and slope at a time. They are only defined in active lanes, where the duration
// hasn't ended. Other lanes are never stored. With `line`, the offset first goes on for that many seconds with its
// current velocity.
typedef struct decay_at {
    vec start, slope;
    vec_mask active;
} decay_at;

SIMD_INLINE decay_at decay_at_time(const float *duration, vec t, const float *line) {
    vec d = vec_load(duration), one = vec_splat(1.0f);
    vec s = vec_div(t, d), square = vec_mul(s, s), rest = vec_sub(one, s);
    vec left = vec_mul(vec_mul(rest, rest), rest);
    decay_at at = {.active = vec_less(t, d)};
    at.start = vec_mul(left, vec_sub(one, vec_mul(vec_splat(2.25f), square)));
    at.slope = vec_mul(left, vec_add(s, vec_mul(vec_splat(1.5f), square)));
    if (!line) return at;
    vec step = vec_div(vec_splat(*line), d), rest2 = vec_mul(rest, rest);
    vec start_rate = vec_add(vec_splat(3.0f), vec_mul(s, vec_sub(vec_splat(4.5f), vec_mul(vec_splat(11.25f), s))));
    vec slope_rate = vec_sub(one, vec_mul(s, vec_add(one, vec_mul(vec_splat(7.5f), s))));
    at.start = vec_sub(at.start, vec_mul(vec_mul(rest2, start_rate), step));
    at.slope = vec_add(at.slope, vec_mul(vec_mul(rest2, slope_rate), step));
    return at;
}

SIMD_INLINE vec offset_at(decay_at at, const float *start, const float *slope) {
    return vec_add(vec_mul(at.start, vec_load(start)), vec_mul(at.slope, vec_load(slope)));
}

// Values keep their bits once the offset has ended.
SIMD_INLINE void add_offset(decay_at at, const float *start, const float *slope, float *to) {
    vec v = vec_load(to);
    vec_store(to, vec_select(at.active, vec_add(v, offset_at(at, start, slope)), v));
}

// The same for a morph weight. The result stays between its source and its target.
SIMD_INLINE void add_limited_offset(decay_at at, const sinewi_weight_offset_block *block, size_t lane, float *to) {
    vec target = vec_load(to), source = vec_load(block->source + lane);
    vec_mask is_above = vec_less(target, source);
    vec low = vec_select(is_above, target, source), high = vec_select(is_above, source, target);
    vec v = vec_add(target, offset_at(at, block->start + lane, block->slope + lane));
    v = vec_select(vec_less(v, low), low, v);
    v = vec_select(vec_less(high, v), high, v);
    vec_store(to, vec_select(at.active, v, target));
}

SIMD_INLINE void add_to_vectors(const sinewi_offset_decay *decay, int32_t lane, vec t, const float *line,
                                float *const planes[3], size_t to) {
    decay_at at = decay_at_time(decay->duration + lane, t, line);
    if (!vec_any(at.active)) return;
    for (int i = 0; i < 3; i++) add_offset(at, decay->start[i] + lane, decay->slope[i] + lane, planes[i] + to);
}

SIMD_INLINE void add_to_rotations(const sinewi_offset_decay *decay, int32_t lane, vec t, const float *line,
                                  float *const planes[4], size_t to) {
    decay_at at = decay_at_time(decay->duration + lane, t, line);
    if (!vec_any(at.active)) return;
    vec r[3], turn[4], q[4], turned[4];
    for (int i = 0; i < 3; i++) r[i] = offset_at(at, decay->start[i] + lane, decay->slope[i] + lane);
    for (int i = 0; i < 4; i++) turned[i] = q[i] = vec_load(planes[i] + to);
    exponential(r, turn);
    rotate_by(turn, turned);
    make_unit(turned);
    for (int i = 0; i < 4; i++) vec_store(planes[i] + to, vec_select(at.active, turned[i], q[i]));
}

SIMD_INLINE void add_offsets_at(const sinewi_offset_block *offsets, float time, const float *line, size_t first,
                                size_t end, float *const planes[SINEWI_PLANES]) {
    vec t = vec_splat(time);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinewi_offset_decay *decays = offsets[first + to / SINEW_LANES].decays;
        int32_t lane = (int32_t)(to % SINEW_LANES);
        add_to_rotations(&decays[SINEW_TARGET_ROTATION], lane, t, line, planes + SINEWI_RX, to);
        add_to_vectors(&decays[SINEW_TARGET_TRANSLATION], lane, t, line, planes + SINEWI_TX, to);
        add_to_vectors(&decays[SINEW_TARGET_SCALE], lane, t, line, planes + SINEWI_SX, to);
    }
}

static void add_offsets(const sinewi_offset_block *offsets, float t, size_t first, size_t end,
                        float *const planes[SINEWI_PLANES]) {
    add_offsets_at(offsets, t, NULL, first, end, planes);
}

static void add_offsets_on_line(const sinewi_offset_block *offsets, float t, float dt, sinewi_block *pose) {
    float *planes[SINEWI_PLANES];
    for (int i = 0; i < SINEWI_PLANES; i++) planes[i] = pose->lane[i];
    add_offsets_at(offsets, t, &dt, 0, 1, planes);
}

static void add_weight_offsets(const sinewi_weight_offset_block *offsets, float time, size_t first, size_t end,
                               float *weights) {
    vec t = vec_splat(time);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinewi_weight_offset_block *block = &offsets[first + to / SINEW_LANES];
        size_t lane = to % SINEW_LANES;
        decay_at at = decay_at_time(block->duration + lane, t, NULL);
        add_limited_offset(at, block, lane, weights + to);
    }
}

static void add_weight_offsets_on_line(const sinewi_weight_offset_block *offsets, float t, float dt,
                                       float *weights) {
    for (size_t i = 0; i < SINEW_LANES; i += SIMD_WIDTH) {
        decay_at at = decay_at_time(offsets->duration + i, vec_splat(t), &dt);
        add_offset(at, offsets->start + i, offsets->slope + i, weights + i);
    }
}

// ---- Held poses ----------------------------------------------------------------------------------------------

static void start_held(const sinewi_block *other, float dt, float reach, sinewi_held_block *held) {
    vec rate = vec_splat(1.0f / dt);
    for (int32_t lane = 0; lane < SINEW_LANES; lane += SIMD_WIDTH) {
        vec now[SINEWI_PLANES], then[SINEWI_PLANES], turn[4], r[3], v[SINEWI_PLANES];
        load_planes(&held->pose, 0, lane, SINEWI_PLANES, now);
        load_planes(other, 0, lane, SINEWI_PLANES, then);
        turn_between(then + SINEWI_RX, now + SINEWI_RX, turn);
        logarithm(turn, r);
        for (int i = 0; i < 3; i++) r[i] = vec_mul(r[i], rate);
        for (int i = 0; i < SINEWI_PLANES; i++) v[i] = vec_mul(vec_sub(then[i], now[i]), rate);
        limit_length(QUARTER_TURN / reach, r);
        limit_growth(now + SINEWI_SX, 0.5f / reach, v + SINEWI_SX);
        for (int i = 0; i < 3; i++) {
            vec_store(held->translation_velocity[i] + lane, v[SINEWI_TX + i]);
            vec_store(held->rotation_velocity[i] + lane, r[i]);
            vec_store(held->scale_velocity[i] + lane, v[SINEWI_SX + i]);
        }
    }
}

// A weight in [0, 1] stays in this range. A weight outside doesn't move farther out.
static void start_held_weights(const float *other, float dt, float reach, sinewi_held_weight_block *held) {
    vec zero = vec_splat(0.0f), one = vec_splat(1.0f), rate = vec_splat(1.0f / dt), most = vec_splat(reach);
    for (int32_t i = 0; i < SINEW_LANES; i += SIMD_WIDTH) {
        vec now = vec_load(held->weight + i), v = vec_mul(vec_sub(vec_load(other + i), now), rate);
        vec low = vec_select(vec_less(zero, now), vec_div(vec_sub(zero, now), most), zero);
        vec high = vec_select(vec_less(now, one), vec_div(vec_sub(one, now), most), zero);
        vec_store(held->velocity + i, clamp(v, low, high));
    }
}

SIMD_INLINE vec extrapolate_value(const float *from, const float *velocity, vec tau) {
    return vec_add(vec_load(from), vec_mul(vec_load(velocity), tau));
}

SIMD_INLINE void extrapolate_rotation(const sinewi_held_block *block, int32_t lane, vec tau, vec q[4]) {
    vec r[3], turn[4];
    for (int i = 0; i < 3; i++) r[i] = vec_mul(vec_load(block->rotation_velocity[i] + lane), tau);
    for (int i = 0; i < 4; i++) q[i] = vec_load(block->pose.lane[SINEWI_RX + i] + lane);
    exponential(r, turn);
    make_unit(turn);
    rotate_by(turn, q);
}

static void extrapolate(const sinewi_held_block *held, float tau, size_t first, size_t end,
                        float *const out[SINEWI_PLANES]) {
    vec seconds = vec_splat(tau);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinewi_held_block *block = &held[first + to / SINEW_LANES];
        int32_t lane = (int32_t)(to % SINEW_LANES);
        vec t[3], q[4], s[3];
        extrapolate_rotation(block, lane, seconds, q);
        for (int i = 0; i < 3; i++) {
            t[i] = extrapolate_value(block->pose.lane[SINEWI_TX + i] + lane, block->translation_velocity[i] + lane,
                                     seconds);
            s[i] =
                extrapolate_value(block->pose.lane[SINEWI_SX + i] + lane, block->scale_velocity[i] + lane, seconds);
        }
        for (int i = 0; i < 3; i++) vec_store(out[SINEWI_TX + i] + to, t[i]);
        for (int i = 0; i < 4; i++) vec_store(out[SINEWI_RX + i] + to, q[i]);
        for (int i = 0; i < 3; i++) vec_store(out[SINEWI_SX + i] + to, s[i]);
    }
}

static void extrapolate_weights(const sinewi_held_weight_block *held, float tau, size_t first, size_t end,
                                float *out) {
    vec seconds = vec_splat(tau);
    for (size_t to = 0; to < (end - first) * SINEW_LANES; to += SIMD_WIDTH) {
        const sinewi_held_weight_block *block = &held[first + to / SINEW_LANES];
        size_t lane = to % SINEW_LANES;
        vec_store(out + to, extrapolate_value(block->weight + lane, block->velocity + lane, seconds));
    }
}

#endif
