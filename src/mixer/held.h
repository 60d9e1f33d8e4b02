// Dead blending: the pose that was shown goes on by itself, ever slower, while the new one fades in over it. A kernel
// says where it is: see kernels/kernels.h.
#ifndef SINEW_HELD_H
#define SINEW_HELD_H

#include "pose/block.h"

// Gives a block of a held pose the velocities that it has come with from `before`, `dt` seconds, more than 0, earlier.
// They die away over the duration whose sinew_held_tau is `reach`, more than 0, in the end.
//
// They are limited by how far they bring the pose: a rotation turns a quarter at most, and so never round to where it came
// from; a scale changes by half of itself at most, so that it cannot pass 0, which would turn the node inside out; a
// morph weight in [0, 1] stays there.
void sinew_held_block_begin(sinew_held_block *held, const sinew_block *before, float dt, float reach);
void sinew_held_weight_block_begin(sinew_held_weight_block *held, const float *before, float dt, float reach);

// For how many seconds the velocities have worked, t seconds after the beginning. The speed that is left is
// (1 - t / d)^2, which reaches 0 at d without a jolt; its integral is d/3 (1 - (1 - t / d)^3), and d/3 from then on.
static inline float sinew_held_tau(float t, float duration) {
    if (!(t < duration)) return duration / 3.0f;
    float left = 1.0f - t / duration;
    return duration / 3.0f * (1.0f - left * left * left);
}

#endif
