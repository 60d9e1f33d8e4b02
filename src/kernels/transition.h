// SPDX-License-Identifier: MIT
// The data of transitions: decaying offsets over the current animation, and a held pose that is extrapolated.
// In blocks of SINEW_LANES, without pointers, so that an array of them can be copied bytewise.
#ifndef SINEWI_TRANSITION_H
#define SINEWI_TRANSITION_H

#include "kernels/layout.h"

// ---- Inertialization -----------------------------------------------------------------------------------------

// An offset X0 with a velocity V0 at t = 0 decays over the duration d, with s = t / d, as
//
//     x(s) = (1 - s)^3 (X0 (1 - 9/4 s^2) + B (s + 3/2 s^2)),  B = V0 d + 3 X0
//
// (after Bollo, "Inertialization", GDC 2018). That is the quintic with x = X0 and dx/dt = V0 at t = 0, with x and its
// first two derivatives 0 at t = d, and with the acceleration -3/8 (20 X0 + 8 V0 d) / d^2 at t = 0. Bollo's own
// choice, without the 3/8, has a third derivative of 0 at t = d as well, and starts with so large an acceleration
// that it is seen as a corner. With the maxima of the two terms,
//
//     |x| <= |X0| + 0.1493 |V0| d,   |dx/dt| <= 1.730 |X0| / d + |V0|.
//
// Bollo cuts d to 5 X0·X0 / -(X0·V0), so that no offset changes its sign. Where a small difference closes fast that
// is a few milliseconds, in which the velocity changes as if at once. Here the offset overshoots instead, by at most
// 0.1493 |V0| d.
typedef struct sinewi_offset_decay {
    float start[3][SINEW_LANES]; // X0: metres, a rotation vector in radians, or factors
    float slope[3][SINEW_LANES]; // B
    float duration[SINEW_LANES]; // d, seconds; 0 without an offset
} sinewi_offset_decay;

// The offsets of a block of nodes. Those of translations and scales are added; rotations are multiplied by theirs
// on the left, in parent space.
typedef struct sinewi_offset_block {
    sinewi_offset_decay decays[SINEWI_GROUPS]; // by sinew_channel_target
} sinewi_offset_block;

typedef struct sinewi_weight_offset_block {
    float start[SINEW_LANES], slope[SINEW_LANES], duration[SINEW_LANES];
    float source[SINEW_LANES]; // the weight at t = 0: the result stays between it and the target
} sinewi_weight_offset_block;

// A transition from a source to a target, for a block of nodes or of morph weights: the source now and `dt` seconds
// (above 0) earlier, the target now and `dt` seconds later. Neither is read across the transition: a clip that
// starts there has no pose before it.
typedef struct sinewi_block_change {
    sinewi_block source, source_before, target, target_after;
} sinewi_block_change;

typedef struct sinewi_weight_change {
    float source[SINEW_LANES], source_before[SINEW_LANES], target[SINEW_LANES], target_after[SINEW_LANES];
} sinewi_weight_change;

// ---- Dead blending -------------------------------------------------------------------------------------------

// A pose and the velocities of its extrapolation (Holden, "Dead Blending", 2023).
typedef struct sinewi_held_block {
    sinewi_block pose;
    float translation_velocity[3][SINEW_LANES]; // metres a second
    float rotation_velocity[3][SINEW_LANES];    // in parent space, radians a second
    float scale_velocity[3][SINEW_LANES];
} sinewi_held_block;

typedef struct sinewi_held_weight_block {
    float weight[SINEW_LANES], velocity[SINEW_LANES];
} sinewi_held_weight_block;

// The seconds by which full velocities would move a pose as far as the decaying ones do in t seconds. The factor of
// the velocity is (1 - t / d)^2, which reaches 0 at d without a jolt; its integral is d/3 (1 - (1 - t / d)^3), and
// d/3 after d.
static inline float sinewi_held_tau(float t, float duration) {
    if (!(t < duration)) return duration / 3.0f;
    float left = 1.0f - t / duration;
    return duration / 3.0f * (1.0f - left * left * left);
}

#endif
