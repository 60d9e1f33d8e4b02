// Root motion of single actions, and how it is blended. Nothing here allocates or has state: everything is computed from
// clips and times.
#ifndef SINEW_ANIM_ROOT_MOTION_H
#define SINEW_ANIM_ROOT_MOTION_H

#include <sinew/clip.h>
#include <sinew/root_motion.h>

#include "core/float_rules.h"

// A turn about the axis that points up, then a move. `move` has the two axes of the ground and then the one that points
// up, in an order in which a quarter turn leads from the first to the second. In double, so that ten thousand loops can
// be put together without losing any of them.
typedef struct sinew_motion {
    double move[3];            // metres
    double half_cos, half_sin; // of half the yaw: the rotation's quaternion
} sinew_motion;

// A checked definition, with what does not depend on clips.
typedef struct sinew_root {
    int32_t node;
    sinew_transform rest; // the node's
    int32_t axes[3];      // x, y or z: what move[0], [1] and [2] go along
    bool taken[3];        // the same order
    bool yaw, close_loops;
    double parent[3][4], to_parent[3][3]; // the model matrix above the node, its rows in that order; its inverse
    double up[3];                         // the axis that points up, as the node's parent sees it
} sinew_root;

// SINEW_ERROR_ARGUMENT for a node that is not there, or above which the rest pose shrinks an axis to nothing, or scales
// unevenly where turns are to be taken out: what is left of the pose would be sheared.
sinew_result sinew_root_init(sinew_root *root, const sinew_root_motion_def *def, sinew_error *error);

// ---- Motions -------------------------------------------------------------------------------------------------

sinew_motion sinew_motion_identity(void);

// First a, then b, as seen by one who was moved by a.
sinew_motion sinew_motion_then(sinew_motion a, sinew_motion b);

sinew_motion sinew_motion_inverse(sinew_motion motion);

// `count` times the same motion, a whole number; backward where it is negative.
sinew_motion sinew_motion_repeat(sinew_motion motion, double count);

// A weighted mean being formed. Start from zeros.
typedef struct sinew_motion_sum {
    sinew_motion sum;
    double weight;
} sinew_motion_sum;

void sinew_motion_add(sinew_motion_sum *sum, sinew_motion motion, float weight);

// The mean; no motion where nothing of any weight was added.
sinew_motion sinew_motion_mean(const sinew_motion_sum *sum);

sinew_root_delta sinew_root_delta_of(const sinew_root *root, sinew_motion motion);

// ---- Clips ---------------------------------------------------------------------------------------------------

// The node at the two ends of a clip, which its motion is measured against. Worth keeping while the clip plays.
typedef struct sinew_root_clip {
    const sinew_clip *clip;
    sinew_transform first, last;
} sinew_root_clip;

// `clip` is of the skeleton that the root was made for.
sinew_root_clip sinew_root_clip_of(const sinew_root *root, const sinew_clip *clip);

// How a path continues past the clip's ends.
typedef enum sinew_root_loop {
    SINEW_ROOT_ONCE,     // the clip's time is clamped
    SINEW_ROOT_REPEAT,   // it wraps; the motion accumulates
    SINEW_ROOT_PING_PONG // it is mirrored
} sinew_root_loop;

// The path of an action in one step: from `from` to `to`, seconds. They go on past the clip's ends, which are the multiples of
// its duration. If `backward`, both are negated.
typedef struct sinew_root_path {
    double from, to;
    bool backward;
    sinew_root_loop loop;
} sinew_root_path;

// The motion of the character along a path.
sinew_motion sinew_root_motion_on(const sinew_root *root, const sinew_root_clip *clip, const sinew_root_path *path);

// The contribution of one clip, held pose or rest pose to the root node. It is not the mixer's contribution, of which this
// room knows nothing.
typedef struct sinew_root_contribution {
    const sinew_root_clip *clip; // NULL: a pose without motion
    const sinew_transform *held; // the node's transform in that pose; NULL: the rest pose
    float time;
    float weight;
    bool repeats; // the action repeats, so that its loop is closed if close_loops is set
} sinew_root_contribution;

// The node's local transform without the motion, mixed like poses. The contributions, at least one, are in the mixer's
// order, heaviest first. Their weights need not sum to 1.
sinew_transform sinew_root_mix(const sinew_root *root, const sinew_root_contribution *contributions, int32_t count);

#endif
