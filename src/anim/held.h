// Dead blending: the pose that was shown goes on by itself, ever slower, while the new one fades in over it. A kernel
// says where it is: see kernels/kernels.h.
#ifndef SINEW_HELD_H
#define SINEW_HELD_H

#include "anim/block.h"

// Where the pose and its velocities lie: arrays of floats alone, side by side, to be copied with what they are laid
// out in.
typedef struct sinew_held {
    sinew_held_block *nodes;          // [blocks of nodes]
    sinew_held_weight_block *weights; // [blocks of morph weights]
} sinew_held;

// Places the arrays; they are valid once the layout has a base, and hold nothing before sinew_held_begin.
void sinew_held_lay_out(sinew_layout *layout, const sinew_skeleton *skeleton, sinew_held *held);

// Holds the pose `now`, with the velocities that it has come with from `before`, a pose of the same skeleton
// `dt_before` seconds, more than 0, earlier. `before` may be NULL: the pose stays where it is. The velocities die away
// over `duration` seconds, more than 0.
//
// They are limited by how far they bring the pose in the end: a rotation turns a quarter at most, and so never round
// to where it came from; a scale changes by half of itself at most, so that it cannot pass 0, which would turn the node
// inside out; a morph weight in [0, 1] stays there.
void sinew_held_begin(const sinew_held *held, const sinew_pose *now, const sinew_pose *before, float dt_before,
                      float duration);

// For how many seconds the velocities have worked, t seconds after the beginning. The speed that is left is
// (1 - t / d)^2, which reaches 0 at d without a jolt; its integral is d/3 (1 - (1 - t / d)^3), and d/3 from then on.
static inline float sinew_held_tau(float t, float duration) {
    if (!(t < duration)) return duration / 3.0f;
    float left = 1.0f - t / duration;
    return duration / 3.0f * (1.0f - left * left * left);
}

#endif
