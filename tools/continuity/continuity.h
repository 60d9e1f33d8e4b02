// SPDX-License-Identifier: MIT
/// Measures the largest jump of a character's nodes from one frame to the next: whether a transition pops.
///
/// It is given the model matrices of each frame, from any source. All results are relative to the model's size: the
/// largest distance of a node from the mean of all node positions, in the rest pose, or 1 m if all positions are
/// equal. A step of 0.01 is a hundredth of the size.
///
/// An object may be used by one thread at a time. Functions that do not take one may be called from any thread.
#ifndef SINEW_CONTINUITY_H
#define SINEW_CONTINUITY_H

#include <sinew/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The positions and velocities of a character's nodes in the last frame.
typedef struct sinew_continuity sinew_continuity;

/// The largest jumps between two frames, and the nodes that made them; 0 and SINEW_NO_NODE if no node moved, or if
/// there were too few frames. Positions are those of the nodes' origins in model space.
typedef struct sinew_jump {
    float position;        ///< largest distance that a node moved, in model sizes
    int32_t position_node; ///< that node
    float velocity;        ///< largest change of a node's velocity, in model sizes a second
    int32_t velocity_node; ///< that node
} sinew_jump;

/// Creates an object for a skeleton, which must outlive it, to be freed with sinew_continuity_destroy. `allocator`
/// may be NULL: the C library's heap. SINEW_ERROR_OUT_OF_MEMORY; `*continuity` is NULL then.
sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                     sinew_continuity **continuity);

/// Frees an object. NULL is allowed.
void sinew_continuity_destroy(sinew_continuity *continuity);

/// Returns the model's size, in metres.
float sinew_continuity_size(const sinew_continuity *continuity);

/// Forgets all frames, so that the next one is the first: for intended cuts.
void sinew_continuity_restart(sinew_continuity *continuity);

/// Measures a frame, [node_count] model matrices, `dt` seconds (more than 0, finite: asserted) after the last one,
/// and returns its jumps: of positions from the second frame on, of velocities from the third. Takes no memory.
/// Numbers that are not finite are a jump of infinity.
sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_affine *model, float dt);

#ifdef __cplusplus
}
#endif
#endif
