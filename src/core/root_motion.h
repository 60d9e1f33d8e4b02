// SPDX-License-Identifier: MIT
// Root motion of single actions, and how it is blended: what a mixer calls. Nothing here takes memory, and nothing
// remembers: all follows from clips and times.
#ifndef SINEWI_ANIM_ROOT_MOTION_H
#define SINEWI_ANIM_ROOT_MOTION_H

#include <sinew/clip.h>
#include <sinew/root_motion.h>

#include "base/float_rules.h"

// A yaw about the up axis, then a translation. `move` has the two ground axes, in the order in which a quarter turn
// leads from the first to the second, and then the up axis. In double precision, so that ten thousand loops can be
// composed without noticeable error.
typedef struct sinewi_motion {
    double move[3];            // metres
    double half_cos, half_sin; // of half the yaw: the rotation's quaternion
} sinewi_motion;

// A checked definition, with everything that does not depend on clips.
typedef struct sinewi_root {
    int32_t node;
    sinew_transform rest; // the node's
    int32_t axes[3];      // x, y or z: the axes of move[0], [1] and [2]
    bool taken[3];        // whether the axis is extracted, in the same order
    bool yaw, close_loops;
    double parent[3][4],
        to_parent[3][3]; // the model matrix of the node's parent, with rows in that order; its inverse
    double up[3];        // the up axis in the parent's local space
} sinewi_root;

// Returns SINEW_ERROR_ARGUMENT for a node that does not exist, or whose ancestors have a scale of 0 in the rest
// pose, or non-uniform scale if yaw is extracted: the rest of the pose would be sheared.
sinew_result sinewi_root_init(sinewi_root *root, const sinew_root_motion_def *def, sinew_error *error);

// ---- Motions -------------------------------------------------------------------------------------------------

sinewi_motion sinewi_motion_identity(void);

// a, then b in the frame that a has moved.
sinewi_motion sinewi_motion_then(sinewi_motion a, sinewi_motion b);

sinewi_motion sinewi_motion_inverse(sinewi_motion motion);

// The motion applied `count` times, a whole number; the inverse if it is negative.
sinewi_motion sinewi_motion_repeat(sinewi_motion motion, double count);

// The sums of a weighted mean. Start from zeros.
typedef struct sinewi_motion_sum {
    sinewi_motion sum;
    double weight;
} sinewi_motion_sum;

void sinewi_motion_add(sinewi_motion_sum *sum, sinewi_motion motion, float weight);

// The mean; the identity if the weights sum to 0.
sinewi_motion sinewi_motion_mean(const sinewi_motion_sum *sum);

sinew_root_delta sinewi_root_delta_of(const sinewi_root *root, sinewi_motion motion);

// ---- Clips ---------------------------------------------------------------------------------------------------

// The node's transforms at the two ends of a clip, relative to which its motion is measured. Cached while the clip
// plays.
typedef struct sinewi_root_clip {
    const sinew_clip *clip;
    sinew_transform first, last;
    bool is_rounded;                   // the clip's keys are, but these ends are not
    sinew_transform at_first, at_last; // then, from the sampled ends to these
} sinewi_root_clip;

// `clip` is of the skeleton that the root was made for.
sinewi_root_clip sinewi_root_clip_of(const sinewi_root *root, const sinew_clip *clip);

// How a path continues past the clip's ends.
typedef enum sinewi_root_loop {
    SINEWI_ROOT_ONCE,     // the clip's time is clamped
    SINEWI_ROOT_REPEAT,   // it wraps; the motion accumulates
    SINEWI_ROOT_PING_PONG // it is mirrored
} sinewi_root_loop;

// The path of an action in one step: from `from` to `to`, seconds. They go on past the clip's ends, which are the
// multiples of its duration. If `backward`, both are negated.
typedef struct sinewi_root_path {
    double from, to;
    bool backward;
    sinewi_root_loop loop;
} sinewi_root_path;

// The motion of the character along a path.
sinewi_motion sinewi_root_motion_on(const sinewi_root *root, const sinewi_root_clip *clip,
                                    const sinewi_root_path *path);

// The contribution of one clip, held pose or rest pose to the root node. It is a struct of its own since
// src/clip does not depend on the mixer.
typedef struct sinewi_root_contribution {
    const sinewi_root_clip *clip; // NULL: a pose without motion
    const sinew_transform *held;  // the node's transform in that pose; NULL: the rest pose
    float time;
    float weight;
    bool repeats; // the action repeats, so that its loop is closed if close_loops is set
} sinewi_root_contribution;

// The node's local transform without the motion, mixed like poses. The contributions, at least one, are in the
// mixer's order, heaviest first. Their weights need not sum to 1.
sinew_transform sinewi_root_mix(const sinewi_root *root, const sinewi_root_contribution *contributions,
                                int32_t count);

#endif
