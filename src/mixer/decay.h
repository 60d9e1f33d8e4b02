// SPDX-License-Identifier: MIT
// The start of what decays after a transition: the velocities of an extrapolated pose (dead blending), and the
// offsets of an inertialization. Kernels apply them to poses: see kernels/transition.h.
#ifndef SINEW_DECAY_H
#define SINEW_DECAY_H

#include "pose/block.h"

// ---- Dead blending -------------------------------------------------------------------------------------------

// Gives a block of a held pose its velocities: the difference to `before`, the pose `dt` seconds (above 0) earlier.
// They decay over the duration whose sinew_held_tau in the end is `reach`, above 0.
//
// Velocities are limited by the motion they cause: a rotation by a quarter turn, so that it never wraps; a scale by
// half of itself, so that it cannot pass 0, which would mirror the node; a morph weight in [0, 1] stays there.
void sinew_held_block_begin(sinew_held_block *held, const sinew_block *before, float dt, float reach);
void sinew_held_weight_block_begin(sinew_held_weight_block *held, const float *before, float dt, float reach);

// The seconds by which full velocities would move a pose as far as the decaying ones do in t seconds. The factor of
// the velocity is (1 - t / d)^2, which reaches 0 at d without a jolt; its integral is d/3 (1 - (1 - t / d)^3), and
// d/3 after d.
static inline float sinew_held_tau(float t, float duration) {
    if (!(t < duration)) return duration / 3.0f;
    float left = 1.0f - t / duration;
    return duration / 3.0f * (1.0f - left * left * left);
}

// ---- Inertialization -----------------------------------------------------------------------------------------

// A transition from a source to a target, for a block of nodes or of morph weights: the source now and `dt` seconds
// (above 0) earlier, the target now and `dt` seconds later. Neither is read across the transition: a clip that
// starts there has no pose before it.
typedef struct sinew_block_change {
    sinew_block source, source_before, target, target_after;
} sinew_block_change;

typedef struct sinew_weight_change {
    float source[SINEW_LANES], source_before[SINEW_LANES], target[SINEW_LANES], target_after[SINEW_LANES];
} sinew_weight_change;

// Starts a transition of `duration` seconds, above 0: added to the target, the offsets start with the source's pose
// and velocity. The source may include the offsets of another transition.
//
// The velocity of an offset is limited, because a jump between the two poses is no velocity: what it adds stays
// within a quarter turn and half of a node's scale. Translations have no such limit. The offset of a morph weight
// only shrinks, so that the weight stays between its source and its target.
void sinew_offset_block_begin(sinew_offset_block *offsets, const sinew_block_change *change, float dt,
                              float duration);
void sinew_weight_offset_block_begin(sinew_weight_offset_block *offsets, const sinew_weight_change *change,
                                     float dt, float duration);

// Adds offsets as they would be `dt` seconds, which may be negative, after `t` if they went on with their velocity
// at `t`: the motion that the offsets have at that moment. Rotations, unit, stay unit but for rounding.
void sinew_offset_block_add_on_line(const sinew_offset_block *offsets, float t, float dt, sinew_block *pose);
void sinew_weight_offset_block_add_on_line(const sinew_weight_offset_block *offsets, float t, float dt,
                                           float *weights);

#endif
