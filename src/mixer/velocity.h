// SPDX-License-Identifier: MIT
// Velocities of nodes: differences of poses, and their limits.
#ifndef SINEW_VELOCITY_H
#define SINEW_VELOCITY_H

#include "core/rotation_vector.h"
#include "kernels/layout.h"

#define SINEW_QUARTER_TURN 1.57079633f

static inline sinew_vec3 sinew_difference(sinew_vec3 a, sinew_vec3 b) {
    return (sinew_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline sinew_vec3 sinew_scaled(sinew_vec3 v, float factor) {
    return (sinew_vec3){v.x * factor, v.y * factor, v.z * factor};
}

static inline float sinew_dot(sinew_vec3 a, sinew_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// The vector in the three planes of a block that start at `plane`, and the rotation, of one lane.
static inline sinew_vec3 sinew_vector_in(const sinew_block *block, int plane, int32_t lane) {
    return (sinew_vec3){block->lane[plane][lane], block->lane[plane + 1][lane], block->lane[plane + 2][lane]};
}

static inline sinew_quat sinew_rotation_in(const sinew_block *block, int32_t lane) {
    return (sinew_quat){block->lane[SINEW_RX][lane], block->lane[SINEW_RY][lane], block->lane[SINEW_RZ][lane],
                        block->lane[SINEW_RW][lane]};
}

static inline void sinew_set_rotation_in(sinew_block *block, int32_t lane, sinew_quat q) {
    block->lane[SINEW_RX][lane] = q.x;
    block->lane[SINEW_RY][lane] = q.y;
    block->lane[SINEW_RZ][lane] = q.z;
    block->lane[SINEW_RW][lane] = q.w;
}

// a × b⁻¹ of unit quaternions, with w >= 0: the rotation from b to a.
static inline sinew_quat sinew_turn_between(sinew_quat a, sinew_quat b) {
    sinew_quat q = sinew_quat_multiply(a, (sinew_quat){-b.x, -b.y, -b.z, b.w});
    if (q.w < 0.0f) q = (sinew_quat){-q.x, -q.y, -q.z, -q.w};
    return sinew_quat_normalize(q);
}

// A vector, shortened to `limit` if it is longer.
static inline sinew_vec3 sinew_limit_length(sinew_vec3 v, float limit) {
    float length = sqrtf(sinew_dot(v, v));
    return length > limit ? sinew_scaled(v, limit / length) : v;
}

// A number, clamped to [-down, up].
static inline float sinew_clamp_between(float v, float down, float up) {
    if (v > up) return up;
    return v < -down ? -down : v;
}

// The velocity of a scale, each component clamped to `part` of the scale.
static inline sinew_vec3 sinew_limit_scale_velocity(sinew_vec3 v, sinew_vec3 scale, float part) {
    sinew_vec3 limit = {fabsf(scale.x) * part, fabsf(scale.y) * part, fabsf(scale.z) * part};
    return (sinew_vec3){sinew_clamp_between(v.x, limit.x, limit.x), sinew_clamp_between(v.y, limit.y, limit.y),
                        sinew_clamp_between(v.z, limit.z, limit.z)};
}

#endif
