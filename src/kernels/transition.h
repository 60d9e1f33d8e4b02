// What transitions keep of a motion: offsets that die away over what plays, and a pose that goes on by itself.
// In blocks of SINEW_LANES, without pointers: an array of them is copied as it is.
#ifndef SINEW_TRANSITION_H
#define SINEW_TRANSITION_H

#include "kernels/layout.h"

// ---- Inertialization -----------------------------------------------------------------------------------------

// An offset X0 with a velocity V0 at t = 0 dies away over the duration d, with s = t / d, as
//
//     x(s) = (1 - s)^4 (X0 + B s),  B = V0 d + 4 X0
//
// (Bollo, "Inertialization", GDC 2018). That is the quintic with x = X0 and dx/dt = V0 at t = 0, and with x and its
// first three derivatives 0 at t = d: four zeros there make (1 - s)^4 a factor, which leaves a linear one; it is X0
// at s = 0, and dx/ds = -4 X0 + B = V0 d gives B. The factor along X0,
//
//     X0·X0 + s (X0·V0 d + 4 X0·X0),
//
// is positive at s = 0, so it never changes sign before s = 1 if and only if it has not by then: 5 X0·X0 + X0·V0 d
// >= 0. Where X0·V0 < 0 that is d <= 5 X0·X0 / -(X0·V0), and a longer duration is cut to that, so that no offset
// swings past what it dies away to. With the largest values of its two parts,
//
//     |x| <= |X0| + 256/3125 |V0| d,   |dx/dt| <= 135/64 |X0| / d + |V0|,
//
// and of a duration that was cut, |X0| / d <= |V0| / 5.
typedef struct sinew_offset_decay {
    float start[3][SINEW_LANES]; // X0: metres, a rotation vector in radians, or factors
    float slope[3][SINEW_LANES]; // B
    float duration[SINEW_LANES]; // d, seconds; 0 where there is no offset
} sinew_offset_decay;

// Of a block of nodes. Translations and scales are added to what plays; rotations are turned by theirs last.
typedef struct sinew_offset_block {
    sinew_offset_decay decays[SINEW_GROUPS]; // by sinew_channel_target
} sinew_offset_block;

typedef struct sinew_weight_offset_block {
    float start[SINEW_LANES], slope[SINEW_LANES], duration[SINEW_LANES];
} sinew_weight_offset_block;

// ---- Dead blending -------------------------------------------------------------------------------------------

// A pose and the velocities with which it goes on (Holden, "Dead Blending", 2023). Rotations need not be unit: their
// length stays as it is.
typedef struct sinew_held_block {
    sinew_block pose;
    float translation_velocity[3][SINEW_LANES]; // metres a second
    float rotation_velocity[3][SINEW_LANES];    // about the parent's axes, radians a second
    float scale_velocity[3][SINEW_LANES];
} sinew_held_block;

typedef struct sinew_held_weight_block {
    float weight[SINEW_LANES], velocity[SINEW_LANES];
} sinew_held_weight_block;

#endif
