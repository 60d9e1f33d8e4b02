// SPDX-License-Identifier: MIT
/// Measures how far a character moves from one frame to the next: whether a transition pops.
///
/// It takes the model matrices, morph weights and root motion of each frame, from any source. Each node has four
/// virtual points: its origin, and one on each of its three local axes, a tenth of the model's height away in the rest
/// pose. They are fixed to the node, so that a rotation or a scale of a node without children is visible too.
///
/// Distances are relative to the model's size: the largest distance of a node from the mean of all node positions, in
/// the rest pose, or 1 m if all positions are equal. A step of 0.01 is a hundredth of the size. The height is the
/// longest side of the box around all node positions, in the rest pose, or 1 m.
///
/// An object may be used by one thread at a time. Functions that do not take one may be called from any thread.
#ifndef SINEW_CONTINUITY_H
#define SINEW_CONTINUITY_H

#include <sinew/root_motion.h>
#include <sinew/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The last frames of a character, and the distribution of its accelerations and jerks.
typedef struct sinew_continuity sinew_continuity;

/// What is measured in a frame.
typedef struct sinew_continuity_frame {
    const sinew_affine *model; ///< [node_count]
    const float *weights;      ///< [weight_count]; NULL: not measured
    sinew_root_delta root;     ///< the root motion of this frame; {.rotation = {0, 0, 0, 1}} means none
    float dt;                  ///< seconds since the last frame, more than 0, finite (asserted)
} sinew_continuity_frame;

/// The largest steps between two frames, and the nodes that made them; 0 and SINEW_NO_NODE if nothing moved, or if
/// there were too few frames.
typedef struct sinew_jump {
    float point;           ///< largest distance that a virtual point moved, in model sizes
    int32_t point_node;    ///< its node
    float position;        ///< largest distance that a node's origin moved, in model sizes
    int32_t position_node; ///< that node
    float rotation;        ///< largest rotation of a node's axes, degrees
    int32_t rotation_node; ///< that node
    float weight;          ///< largest change of a morph weight
    int32_t weight_index;  ///< that morph weight
    /// How far the root moved and turned other than at the last frame's velocity, in model sizes; a rotation counts
    /// at a tenth of the height. From the third frame on.
    float root;
    float velocity; ///< largest change of a virtual point's velocity, in model sizes a second; from the third
    int32_t velocity_node; ///< its node
} sinew_jump;

/// What percentiles are collected of: each node's fastest point in each frame.
typedef enum sinew_continuity_rate {
    SINEW_CONTINUITY_ACCELERATION, ///< model sizes a second squared; from the third frame on
    SINEW_CONTINUITY_JERK          ///< model sizes a second cubed; from the fourth frame on
} sinew_continuity_rate;

/// Creates an object for a skeleton, which must outlive it, to be freed with sinew_continuity_destroy. `allocator`
/// may be NULL: the C library's heap. SINEW_ERROR_OUT_OF_MEMORY; `*continuity` is NULL then.
sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity);

/// Frees an object. NULL is allowed.
void sinew_continuity_destroy(sinew_continuity *continuity);

/// Returns the model's size, in metres.
float sinew_continuity_size(const sinew_continuity *continuity);

/// Returns the model's height, in metres.
float sinew_continuity_height(const sinew_continuity *continuity);

/// Forgets all frames, so that the next one is the first: for intended cuts. Percentiles are kept.
void sinew_continuity_restart(sinew_continuity *continuity);

/// Measures a frame and returns its steps: from the second frame on. Allocates nothing. Numbers that are not finite
/// are a step of infinity.
sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_continuity_frame *frame);

/// Returns the largest distance that a point of one node moved in the last frame, in model sizes.
float sinew_continuity_node_step(const sinew_continuity *continuity, int32_t node);

/// Returns a percentile, 0 to 100, of all that was measured, to within 2 %; 0 if nothing was.
float sinew_continuity_percentile(const sinew_continuity *continuity, sinew_continuity_rate rate, float percent);

#ifdef __cplusplus
}
#endif
#endif
