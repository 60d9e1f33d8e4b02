/// How far nodes jump from one frame to the next: the measure of whether a transition pops.
///
/// It is fed with the model matrices of each frame, wherever they come from. Everything is relative to the model's
/// size: the largest distance of any node from the middle of all nodes (the mean of their places) in the rest pose, or
/// 1 m where all are in one place. A step of 0.01 is a hundredth of that.
///
/// One belongs to one thread at a time, with every function here that takes it.
#ifndef SINEW_CONTINUITY_H
#define SINEW_CONTINUITY_H

#include <sinew/skeleton.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The places of a character's nodes in its last two frames.
typedef struct sinew_continuity sinew_continuity;

/// The largest jumps between two frames, and whose they are; 0 and SINEW_NO_NODE where nothing moved, or where there
/// were not yet frames enough to say. Places are those of the nodes' own origins in model space.
typedef struct sinew_jump {
    float position;        ///< how far a node has moved, of the model's size
    int32_t position_node; ///< which one
    float velocity;        ///< by how much a node's velocity has changed, of the model's size a second
    int32_t velocity_node; ///< which one
} sinew_jump;

/// Makes one for a skeleton, which must outlive it, to be freed with sinew_continuity_destroy. `allocator` may be NULL.
/// SINEW_ERROR_OUT_OF_MEMORY, and `*continuity` is NULL then. Any thread.
SINEW_API sinew_result sinew_continuity_create(const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                                               sinew_continuity **continuity);

/// Frees one. NULL is allowed. Any thread.
SINEW_API void sinew_continuity_destroy(sinew_continuity *continuity);

/// The model's size as above, in metres.
SINEW_API float sinew_continuity_size(const sinew_continuity *continuity);

/// Forgets the frames so far: for cuts that are meant.
SINEW_API void sinew_continuity_restart(sinew_continuity *continuity);

/// Takes a frame, [node_count] model matrices, `dt` seconds (more than 0, finite: asserted) after the one before, and says
/// what jumped: positions from the second frame on, velocities from the third. Takes no memory. What is not a finite
/// number anywhere in it is a jump of infinity.
SINEW_API sinew_jump sinew_continuity_measure(sinew_continuity *continuity, const sinew_affine *model, float dt);

#ifdef __cplusplus
}
#endif
#endif
