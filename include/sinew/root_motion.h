// SPDX-License-Identifier: MIT
/// Root motion: the motion of a character as a whole is extracted from its pose, and the program moves the
/// character by it, so that collisions and the network can change it.
///
/// One node carries the motion ("Hips", "root"). It should be an ancestor of everything that moves with the
/// character; nodes that are not its descendants keep the clip's motion. Its own ancestors count as being in the
/// rest pose.
///
/// The extracted motion is relative to the clip's first pose, in which the character is where the clip has it. At
/// any time, the extracted motion followed by the remaining pose is the clip's pose.
#ifndef SINEW_ROOT_MOTION_H
#define SINEW_ROOT_MOTION_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The node whose motion is extracted, and the parts of it. Start from sinew_root_motion_default.
typedef struct sinew_root_motion_def {
    const sinew_skeleton *skeleton; ///< the skeleton of `node`; must be given
    int32_t node;                   ///< the node that carries the motion; default SINEW_NO_NODE; must be given
    /// The axes of model space along which the node's translation is extracted; along the others it stays in the
    /// pose. Default x and z, the ground plane if +Y is up. If +Z is up, set x and y.
    bool x;
    bool y; ///< see x
    bool z; ///< see x
    /// Extracts the rotation about the up axis: the twist about it of the rotation since the clip's first pose; the
    /// swing stays in the pose. The extracted translation is relative to the character's heading. The twist is
    /// undefined for a node that is upside down: set it to false for a somersault. Default true.
    bool yaw;
    /// Closes the loop of the remaining pose in repeating actions: the offset of the node's position at the clip's
    /// end, and without `yaw` of its rotation, is removed evenly over the clip, so that the end meets the start
    /// without a jump. To make a walk straight that drifts sideways and turns a little, set z, not x and not yaw,
    /// and close_loops. The extracted motion does not change. Default false.
    bool close_loops;
    sinew_up up;     ///< default SINEW_UP_Y
    uint32_t cookie; ///< private: set by sinew_root_motion_default
} sinew_root_motion_def;

/// The defaults above; `skeleton` and `node` must be set. Any thread.
SINEW_API sinew_root_motion_def sinew_root_motion_default(void);

/// The motion of a character in one step, relative to its position and heading at the start of the step:
///
///     position += rotate(facing, delta.translation);
///     facing = facing * delta.rotation;              // or heading += delta.yaw
typedef struct sinew_root_delta {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< about the up axis; unit
    float yaw;              ///< radians about the up axis, right-handed; of one step in [-pi, pi]
} sinew_root_delta;

/// No motion. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_identity(void);

/// Combines two motions, first `a`, then `b`. The yaws are added, so the sum may exceed pi. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b);

#ifdef __cplusplus
}
#endif
#endif
