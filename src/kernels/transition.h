// SPDX-License-Identifier: MIT
// The data of transitions: decaying offsets over the current animation, and a held pose that is extrapolated.
// In blocks of SINEW_LANES, without pointers, so that an array of them can be copied bytewise.
#ifndef SINEW_TRANSITION_H
#define SINEW_TRANSITION_H

#include "kernels/layout.h"

// ---- Inertialization -----------------------------------------------------------------------------------------

// An offset X0 with a velocity V0 at t = 0 decays over the duration d, with s = t / d, as
//
//     x(s) = (1 - s)^4 (X0 + B s),  B = V0 d + 4 X0
//
// (Bollo, "Inertialization", GDC 2018). That is the quintic with x = X0 and dx/dt = V0 at t = 0, and with x and its
// first three derivatives 0 at t = d: the four zeros there make (1 - s)^4 a factor, which leaves a linear one; it
// is X0 at s = 0, and dx/ds = -4 X0 + B = V0 d gives B. The linear factor projected on X0,
//
//     X0·X0 + s (X0·V0 d + 4 X0·X0),
//
// is positive at s = 0, so it does not change sign before s = 1 if and only if 5 X0·X0 + X0·V0 d >= 0. For X0·V0 <
// 0 that means d <= 5 X0·X0 / -(X0·V0). A longer duration is cut to that, so that no offset overshoots. With the
// maxima of the two terms,
//
//     |x| <= |X0| + 256/3125 |V0| d,   |dx/dt| <= 135/64 |X0| / d + |V0|,
//
// and for a duration that was cut, |X0| / d <= |V0| / 5.
typedef struct sinew_offset_decay {
    float start[3][SINEW_LANES]; // X0: metres, a rotation vector in radians, or factors
    float slope[3][SINEW_LANES]; // B
    float duration[SINEW_LANES]; // d, seconds; 0 without an offset
} sinew_offset_decay;

// The offsets of a block of nodes. Those of translations and scales are added; rotations are multiplied by theirs
// on the left, in parent space.
typedef struct sinew_offset_block {
    sinew_offset_decay decays[SINEW_GROUPS]; // by sinew_channel_target
} sinew_offset_block;

typedef struct sinew_weight_offset_block {
    float start[SINEW_LANES], slope[SINEW_LANES], duration[SINEW_LANES];
} sinew_weight_offset_block;

// ---- Dead blending -------------------------------------------------------------------------------------------

// A pose and the velocities of its extrapolation (Holden, "Dead Blending", 2023). Rotations need not be unit: their
// length is kept.
typedef struct sinew_held_block {
    sinew_block pose;
    float translation_velocity[3][SINEW_LANES]; // metres a second
    float rotation_velocity[3][SINEW_LANES];    // in parent space, radians a second
    float scale_velocity[3][SINEW_LANES];
} sinew_held_block;

typedef struct sinew_held_weight_block {
    float weight[SINEW_LANES], velocity[SINEW_LANES];
} sinew_held_weight_block;

#endif
