// SPDX-License-Identifier: MIT
// The velocities of dead blending and the offsets of inertialization, made from poses.
#include "mixer/decay.h"
#include "mixer/velocity.h"

#include <assert.h>

// ---- Dead blending -------------------------------------------------------------------------------------------

static void set_velocity(float velocity[3][SINEW_LANES], size_t lane, sinew_vec3 v) {
    velocity[0][lane] = v.x;
    velocity[1][lane] = v.y;
    velocity[2][lane] = v.z;
}

static sinew_vec3 velocity_of(const sinew_block *now, const sinew_block *before, int plane, int32_t lane,
                              float rate) {
    return sinew_scaled(sinew_difference(sinew_vector_in(now, plane, lane), sinew_vector_in(before, plane, lane)),
                        rate);
}

void sinew_held_block_begin(sinew_held_block *held, const sinew_block *before, float dt, float reach) {
    assert(dt > 0.0f && reach > 0.0f);
    float rate = 1.0f / dt;
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        sinew_quat turn = sinew_turn_between(sinew_rotation_in(&held->pose, lane), sinew_rotation_in(before, lane));
        sinew_vec3 turning = sinew_scaled(sinew_rotation_logarithm(turn), rate);
        sinew_vec3 growing = velocity_of(&held->pose, before, SINEW_SX, lane, rate);
        sinew_vec3 scale = sinew_vector_in(&held->pose, SINEW_SX, lane);
        set_velocity(held->translation_velocity, (size_t)lane,
                     velocity_of(&held->pose, before, SINEW_TX, lane, rate));
        set_velocity(held->rotation_velocity, (size_t)lane,
                     sinew_limit_length(turning, SINEW_QUARTER_TURN / reach));
        set_velocity(held->scale_velocity, (size_t)lane, sinew_limit_scale_velocity(growing, scale, 0.5f / reach));
    }
}

// Keeps a weight within [0, 1], or as far outside as it is.
static float weight_velocity(float now, float before, float rate, float reach) {
    float down = now > 0.0f ? now / reach : 0.0f, up = now < 1.0f ? (1.0f - now) / reach : 0.0f;
    return sinew_clamp_between((now - before) * rate, down, up);
}

void sinew_held_weight_block_begin(sinew_held_weight_block *held, const float *before, float dt, float reach) {
    assert(dt > 0.0f && reach > 0.0f);
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        held->velocity[i] = weight_velocity(held->weight[i], before[i], 1.0f / dt, reach);
    }
}

// ---- Inertialization -----------------------------------------------------------------------------------------

// How far an offset of a duration of 1 s overshoots by a velocity of 1: see kernels/transition.h.
#define MAX_OVERSHOOT 0.1493f

// The difference of two blocks in a lane.
typedef struct difference {
    sinew_vec3 translation, scale;
    sinew_quat turn; // w >= 0
} difference;

static difference between(const sinew_block *a, const sinew_block *b, int32_t lane) {
    return (difference){
        .translation = sinew_difference(sinew_vector_in(a, SINEW_TX, lane), sinew_vector_in(b, SINEW_TX, lane)),
        .scale = sinew_difference(sinew_vector_in(a, SINEW_SX, lane), sinew_vector_in(b, SINEW_SX, lane)),
        .turn = sinew_turn_between(sinew_rotation_in(a, lane), sinew_rotation_in(b, lane)),
    };
}

// The rotation vector of `near` that is close to the vector of `now`. When a turn grows past half a turn, the
// shorter arc changes sides and the vector its direction; the longer vector of the same rotation continues the
// motion.
static sinew_vec3 vector_near(sinew_quat now, sinew_quat near) {
    sinew_vec3 r = sinew_rotation_logarithm(near);
    if (now.x * near.x + now.y * near.y + now.z * near.z + now.w * near.w >= 0.0f) return r;
    float length = sqrtf(sinew_dot(r, r));
    return length > 0.0f ? sinew_scaled(r, 1.0f - 4.0f * SINEW_QUARTER_TURN / length) : r;
}

static void set_decay(sinew_offset_decay *decay, size_t lane, sinew_vec3 start, sinew_vec3 velocity, float d) {
    bool is_offset = sinew_dot(start, start) > 0.0f || sinew_dot(velocity, velocity) > 0.0f;
    decay->start[0][lane] = start.x;
    decay->start[1][lane] = start.y;
    decay->start[2][lane] = start.z;
    decay->slope[0][lane] = velocity.x * d + 3.0f * start.x;
    decay->slope[1][lane] = velocity.y * d + 3.0f * start.y;
    decay->slope[2][lane] = velocity.z * d + 3.0f * start.z;
    decay->duration[lane] = is_offset ? d : 0.0f;
}

static sinew_vec3 change_rate(sinew_vec3 before, sinew_vec3 after, float dt) {
    return sinew_scaled(sinew_difference(after, before), 1.0f / dt);
}

// The velocity of an offset is that of the source less that of the target: from the earlier source and the current
// target to the current source and the later target.
static void begin_node(sinew_offset_block *block, int32_t lane, const sinew_block_change *change, float dt,
                       float duration) {
    difference now = between(&change->source, &change->target, lane);
    difference before = between(&change->source_before, &change->target, lane);
    difference after = between(&change->source, &change->target_after, lane);
    float reach = MAX_OVERSHOOT * duration;
    sinew_vec3 turn = sinew_rotation_logarithm(now.turn), scale = sinew_vector_in(&change->source, SINEW_SX, lane);
    sinew_vec3 moving = change_rate(before.translation, after.translation, dt);
    sinew_vec3 turning = change_rate(vector_near(now.turn, before.turn), vector_near(now.turn, after.turn), dt);
    sinew_vec3 growing = change_rate(before.scale, after.scale, dt);
    size_t l = (size_t)lane;
    set_decay(&block->decays[SINEW_TARGET_TRANSLATION], l, now.translation, moving, duration);
    set_decay(&block->decays[SINEW_TARGET_ROTATION], l, turn,
              sinew_limit_length(turning, SINEW_QUARTER_TURN / reach), duration);
    set_decay(&block->decays[SINEW_TARGET_SCALE], l, now.scale,
              sinew_limit_scale_velocity(growing, scale, 0.5f / reach), duration);
}

void sinew_offset_block_begin(sinew_offset_block *offsets, const sinew_block_change *change, float dt,
                              float duration) {
    assert(dt > 0.0f && duration > 0.0f);
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) begin_node(offsets, lane, change, dt, duration);
}

// The velocity of a weight's offset, limited so that the offset neither grows nor changes its sign: the derivative of
// x / X0 with V0 d = v X0 is (1 - s)^2 (v (1 - s - 7.5 s^2) - 7.5 s - 11.25 s^2), which is nowhere above 0 if
// -2.5 <= v <= 0 (see kernels/transition.h).
static float closing_velocity(float start, float velocity, float duration) {
    float most = -2.5f * start / duration;
    return start > 0.0f ? sinew_clamp_between(velocity, -most, 0.0f) : sinew_clamp_between(velocity, 0.0f, most);
}

void sinew_weight_offset_block_begin(sinew_weight_offset_block *offsets, const sinew_weight_change *change,
                                     float dt, float duration) {
    assert(dt > 0.0f && duration > 0.0f);
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        float start = change->source[i] - change->target[i];
        float moved = change->source[i] - change->source_before[i] + change->target[i] - change->target_after[i];
        float velocity = closing_velocity(start, moved / dt, duration);
        offsets->source[i] = change->source[i];
        offsets->start[i] = start;
        offsets->slope[i] = velocity * duration + 3.0f * start;
        offsets->duration[i] = start != 0.0f ? duration : 0.0f;
    }
}

// ---- Offsets in linear motion --------------------------------------------------------------------------------

// The factors of start and slope in an offset's value at `t`, continued in a straight line for `dt` seconds.
typedef struct line_factors {
    float start, slope;
} line_factors;

static line_factors factors_on_line(float duration, float t, float dt) {
    if (!(t < duration)) return (line_factors){0.0f, 0.0f};
    float s = t / duration, left = 1.0f - s, square = left * left, cube = square * left, step = dt / duration;
    float start_rate = -square * (3.0f + s * (4.5f - 11.25f * s));
    float slope_rate = square * (1.0f - s * (1.0f + 7.5f * s));
    return (line_factors){
        .start = cube * (1.0f - 2.25f * s * s) + start_rate * step,
        .slope = cube * (s + 1.5f * s * s) + slope_rate * step,
    };
}

static sinew_vec3 offset_on_line(const sinew_offset_decay *decay, int32_t lane, float t, float dt) {
    line_factors f = factors_on_line(decay->duration[lane], t, dt);
    return (sinew_vec3){
        f.start * decay->start[0][lane] + f.slope * decay->slope[0][lane],
        f.start * decay->start[1][lane] + f.slope * decay->slope[1][lane],
        f.start * decay->start[2][lane] + f.slope * decay->slope[2][lane],
    };
}

static void add_vector(sinew_block *pose, int plane, int32_t lane, sinew_vec3 v) {
    pose->lane[plane][lane] += v.x;
    pose->lane[plane + 1][lane] += v.y;
    pose->lane[plane + 2][lane] += v.z;
}

void sinew_offset_block_add_on_line(const sinew_offset_block *offsets, float t, float dt, sinew_block *pose) {
    const sinew_offset_decay *decays = offsets->decays;
    for (int32_t lane = 0; lane < SINEW_LANES; lane++) {
        sinew_vec3 turn = offset_on_line(&decays[SINEW_TARGET_ROTATION], lane, t, dt);
        sinew_quat q = sinew_quat_multiply(sinew_rotation_exponential(turn), sinew_rotation_in(pose, lane));
        sinew_set_rotation_in(pose, lane, q);
        add_vector(pose, SINEW_TX, lane, offset_on_line(&decays[SINEW_TARGET_TRANSLATION], lane, t, dt));
        add_vector(pose, SINEW_SX, lane, offset_on_line(&decays[SINEW_TARGET_SCALE], lane, t, dt));
    }
}

void sinew_weight_offset_block_add_on_line(const sinew_weight_offset_block *offsets, float t, float dt,
                                           float *weights) {
    for (int32_t i = 0; i < SINEW_LANES; i++) {
        line_factors f = factors_on_line(offsets->duration[i], t, dt);
        weights[i] += f.start * offsets->start[i] + f.slope * offsets->slope[i];
    }
}
