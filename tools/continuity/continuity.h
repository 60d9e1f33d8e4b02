// SPDX-License-Identifier: MIT
/// Measures how far a character moves from one frame to the next, to find whether a transition pops.
///
/// You pass in each frame's model matrices, morph weights and root motion, from any source. Each node has four virtual
/// points: its origin, and one on each of its three local axes, a tenth of the model's height away in the rest pose.
/// They move with the node. This shows rotation and scale even on nodes without children.
///
/// Distances are relative to the model's size. That's the largest distance between a node and the mean of all node
/// positions in the rest pose, or 1 m if all positions are equal. A step of 0.01 is a hundredth of the size. The height
/// is the longest side of the box around all node positions in the rest pose, or 1 m.
///
/// Only one thread can use an object at a time. You can call functions that don't take one from any thread.
#ifndef SINEW_CONTINUITY_H
#define SINEW_CONTINUITY_H

#include <sinew/root_motion.h>
#include <sinew/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A character's last frames, and the distribution of its accelerations and jerks.
typedef struct sinew_continuity sinew_continuity;

/// What to measure in a frame.
typedef struct sinew_continuity_frame {
    const sinew_affine *model; ///< [node_count]
    const float *weights;      ///< [weight_count]; NULL to skip
    sinew_root_delta root;     ///< this frame's root motion; {.rotation = {0, 0, 0, 1}} for none
    float dt;                  ///< seconds since the last frame, above 0 and finite (asserted)
} sinew_continuity_frame;

/// The largest steps between two frames, and the nodes that made them. 0 and SINEW_NO_NODE if nothing moved or there
/// were too few frames.
typedef struct sinew_jump {
    float point;           ///< largest distance that a virtual point moved, in model sizes
    int32_t point_node;    ///< its node
    float position;        ///< largest distance that a node's origin moved, in model sizes
    int32_t position_node; ///< that node
    float rotation;        ///< largest rotation of a node's axes in degrees
    int32_t rotation_node; ///< that node
    float weight;          ///< largest change of a morph weight
    int32_t weight_index;  ///< that morph weight
    /// How far the root moved and turned, other than at the last frame's velocity, in model sizes. A rotation counts at
    /// a tenth of the height. Starts with the third frame.
    float root;
    float velocity;        ///< largest change in a point's velocity, in model sizes/s; starts with the third frame
    int32_t velocity_node; ///< its node
} sinew_jump;

/// What percentiles are collected of. Each frame counts every node's fastest point.
typedef enum sinew_continuity_rate {
    SINEW_CONTINUITY_ACCELERATION, ///< model sizes/s²; starts with the third frame
    SINEW_CONTINUITY_JERK          ///< model sizes/s³; starts with the fourth frame
} sinew_continuity_rate;

/// Creates an object for a skeleton, which must outlive it. Free it with sinew_continuity_destroy. `allocator` may be
/// NULL to use the C library's heap. On SINEW_ERROR_OUT_OF_MEMORY, `*continuity` is NULL.
sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity);

/// Frees an object. NULL is a no-op.
void sinew_continuity_destroy(sinew_continuity *continuity);

/// Returns the model's size in meters.
float sinew_continuity_size(const sinew_continuity *continuity);

/// Returns the model's height in meters.
float sinew_continuity_height(const sinew_continuity *continuity);

/// Forgets all frames, for intended cuts. The next one is the first. Keeps the percentiles.
void sinew_continuity_restart(sinew_continuity *continuity);

/// Measures a frame and returns its steps, starting with the second frame. Doesn't allocate memory. If a number isn't
/// finite, the step is infinite.
sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_continuity_frame *frame);

/// Returns the largest distance that one of a node's points moved in the last frame, in model sizes.
float sinew_continuity_node_step(const sinew_continuity *continuity, int32_t node);

/// Returns a percentile, 0 to 100, of everything measured, to within 2%, or 0 if nothing was measured.
float sinew_continuity_percentile(const sinew_continuity *continuity, sinew_continuity_rate rate, float percent);

#ifdef __cplusplus
}
#endif
#endif
