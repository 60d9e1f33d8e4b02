// SPDX-License-Identifier: MIT
// Transition data: decaying offsets on top of the current animation, and a held pose that is extrapolated. Stored in
// blocks of SINEW_LANES without pointers, so you can copy an array of them bytewise.
#ifndef SINEWI_TRANSITION_H
#define SINEWI_TRANSITION_H

#include "kernels/layout.h"

// ---- Inertialization -----------------------------------------------------------------------------------------

// An offset X0 with a velocity V0 at t = 0 decays over the duration d, with s = t / d, as
//
//     x(s) = (1 - s)^3 (X0 (1 - 9/4 s^2) + B (s + 3/2 s^2)),  B = V0 d + 3 X0
//
// This is a quintic after Bollo, "Inertialization", GDC 2018. At t = 0, it has x = X0, dx/dt = V0 and the acceleration
// -3/8 (20 X0 + 8 V0 d) / d^2. At t = d, x and its first two derivatives are 0. Bollo doesn't use the factor 3/8, which
// makes the third derivative 0 at t = d. But his acceleration starts so high that you see a corner. The maxima of the
// two terms give
//
//     |x| <= |X0| + 0.1493 |V0| d,   |dx/dt| <= 1.730 |X0| / d + |V0|.
//
// Bollo limits d to 5 X0·X0 / -(X0·V0), which keeps offsets from changing sign. If a small difference closes fast, that
// is only a few milliseconds, and the velocity seems to jump. This version overshoots instead, by at most 0.1493 |V0|
// d.
typedef struct sinewi_offset_decay {
    float start[3][SINEW_LANES]; // X0: meters, a rotation vector in radians, or factors
    float slope[3][SINEW_LANES]; // B
    float duration[SINEW_LANES]; // d in seconds. 0 without an offset.
} sinewi_offset_decay;

// The offsets of a node block. Translations and scales add theirs. Rotations are multiplied by theirs on the left, in
// parent space.
typedef struct sinewi_offset_block {
    sinewi_offset_decay decays[SINEWI_GROUPS]; // by sinew_channel_target
} sinewi_offset_block;

typedef struct sinewi_weight_offset_block {
    float start[SINEW_LANES], slope[SINEW_LANES], duration[SINEW_LANES];
    float source[SINEW_LANES]; // weight at t = 0. The result stays between this and the target.
} sinewi_weight_offset_block;

// A transition from a source to a target, for a block of nodes or morph weights. It has the source now and `dt` seconds
// earlier, and the target now and `dt` seconds later. `dt` must be above 0. Neither is sampled across the transition,
// because a clip that starts there has no earlier pose.
typedef struct sinewi_block_change {
    sinewi_block source, source_before, target, target_after;
} sinewi_block_change;

typedef struct sinewi_weight_change {
    float source[SINEW_LANES], source_before[SINEW_LANES], target[SINEW_LANES], target_after[SINEW_LANES];
} sinewi_weight_change;

// ---- Dead blending -------------------------------------------------------------------------------------------

// A pose and the velocities that extrapolate it (Holden, "Dead Blending", 2023).
typedef struct sinewi_held_block {
    sinewi_block pose;
    float translation_velocity[3][SINEW_LANES]; // meters per second
    float rotation_velocity[3][SINEW_LANES];    // in parent space, radians per second
    float scale_velocity[3][SINEW_LANES];
} sinewi_held_block;

typedef struct sinewi_held_weight_block {
    float weight[SINEW_LANES], velocity[SINEW_LANES];
} sinewi_held_weight_block;

// Returns how many seconds full velocities would take to move the pose as far as the decaying velocities do in t
// seconds. The velocity's factor is (1 - t / d)^2, which reaches 0 at d without a jolt. Its integral is d/3 (1 - (1 - t
// / d)^3), and d/3 after d.
static inline float sinewi_held_tau(float t, float duration) {
    if (!(t < duration)) return duration / 3.0f;
    float left = 1.0f - t / duration;
    return duration / 3.0f * (1.0f - left * left * left);
}

#endif
