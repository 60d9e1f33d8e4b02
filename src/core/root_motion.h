// SPDX-License-Identifier: MIT
// Root motion of single actions, and blending it. The mixer calls this. Nothing here allocates. Everything follows from
// clips and times.
#ifndef SINEWI_ANIM_ROOT_MOTION_H
#define SINEWI_ANIM_ROOT_MOTION_H

#include <sinew/clip.h>
#include <sinew/root_motion.h>

#include "base/float_rules.h"

// A yaw about the up axis, then a translation. `move` has two ground axes and then the up axis. A quarter turn leads
// from the first ground axis to the second. Uses double precision, so you can compose ten thousand loops without
// noticeable error.
typedef struct sinewi_motion {
    double move[3];            // in meters
    double half_cos, half_sin; // of half the yaw, which is the rotation's quaternion
} sinewi_motion;

// A checked definition, with everything that doesn't depend on clips.
typedef struct sinewi_root {
    int32_t node;
    sinew_transform rest; // the node's
    int32_t axes[3];      // x, y or z: axes of move[0], [1] and [2]
    bool taken[3];        // axes that are extracted, in the same order
    bool yaw, close_loops;
    double parent[3][4],
        to_parent[3][3]; // model matrix of the node's parent, with rows in this order. Its inverse.
    double up[3];        // up axis in the parent's local space
} sinewi_root;

// Returns SINEW_ERROR_ARGUMENT if the node doesn't exist, or if its ancestors have a scale of 0 in the rest pose. If
// yaw is extracted, their scale must also be uniform. Otherwise the rest of the pose would be sheared.
sinew_result sinewi_root_init(sinewi_root *root, const sinew_root_motion_def *def, sinew_error *error);

// ---- Motions -------------------------------------------------------------------------------------------------

sinewi_motion sinewi_motion_identity(void);

// Returns a, then b in the frame that a has moved.
sinewi_motion sinewi_motion_then(sinewi_motion a, sinewi_motion b);

sinewi_motion sinewi_motion_inverse(sinewi_motion motion);

// Applies the motion `count` times, a whole number. Negative counts apply the inverse.
sinewi_motion sinewi_motion_repeat(sinewi_motion motion, double count);

// The sums of a weighted mean. Start with zeros.
typedef struct sinewi_motion_sum {
    sinewi_motion sum;
    double weight;
} sinewi_motion_sum;

void sinewi_motion_add(sinewi_motion_sum *sum, sinewi_motion motion, float weight);

// Returns the mean. The identity if the weights sum to 0.
sinewi_motion sinewi_motion_mean(const sinewi_motion_sum *sum);

sinew_root_delta sinewi_root_delta_of(const sinewi_root *root, sinewi_motion motion);

// ---- Clips ---------------------------------------------------------------------------------------------------

// The node at a clip time.
typedef struct sinewi_root_moment {
    bool is_known;
    float time;
    sinew_transform node;
    sinewi_motion motion; // since time 0
} sinewi_root_moment;

// The node's transforms at both ends of a clip. Its motion is measured relative to these. The mixer keeps them while
// the clip plays.
typedef struct sinewi_root_clip {
    const sinew_clip *clip;
    sinew_transform first, last;
    bool is_rounded;                   // the clip's keys are rounded, but these ends aren't
    sinew_transform at_first, at_last; // if so, the corrections from sampled to exact ends
    sinewi_root_moment moment;         // the last one sampled, because a path starts where the one before it ended
} sinewi_root_clip;

// `clip` must have the same skeleton as the root.
sinewi_root_clip sinewi_root_clip_of(const sinewi_root *root, const sinew_clip *clip);

// How a path continues past the clip's ends.
typedef enum sinewi_root_loop {
    SINEWI_ROOT_ONCE,     // clamps the clip's time
    SINEWI_ROOT_REPEAT,   // wraps, and the motion accumulates
    SINEWI_ROOT_PING_PONG // mirrors
} sinewi_root_loop;

// An action's path in one step, from `from` to `to` in seconds. These may be past the clip's ends, which are multiples
// of its duration. If `backward`, both are negated.
typedef struct sinewi_root_path {
    double from, to;
    bool backward;
    sinewi_root_loop loop;
} sinewi_root_path;

// Returns the character's motion along a path.
sinewi_motion sinewi_root_motion_on(const sinewi_root *root, sinewi_root_clip *clip, const sinewi_root_path *path);

// Returns the node's local transform at a clip time, without the motion. If the action repeats, close_loops applies.
sinew_transform sinewi_root_remainder(const sinewi_root *root, sinewi_root_clip *clip, float time, bool repeats);

// What one clip, held pose or rest pose contributes to the root node.
typedef struct sinewi_root_contribution {
    sinew_transform node; // local, without the motion
    float weight;
} sinewi_root_contribution;

// Mixes the contributions like poses. There must be at least one. They are in the mixer's order, heaviest first. Their
// weights don't have to sum to 1.
sinew_transform sinewi_root_mix(const sinewi_root_contribution *contributions, int32_t count);

#endif
