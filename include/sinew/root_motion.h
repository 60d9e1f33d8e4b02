// SPDX-License-Identifier: MIT
/// Root motion: the motion of a character as a whole is extracted from its pose, and the program moves the
/// character by it, so that collisions and the network can change it.
///
/// Set sinew_mixer_def.root_motion (mixer.h) to a sinew_root_motion_def. After each sinew_mixer_advance or
/// sinew_mixer_update, apply sinew_mixer_root_delta to the position and heading that the program keeps for the
/// character.
///
/// One node of the skeleton carries the motion ("Hips", "root"). It should be an ancestor of everything that moves
/// with the character; nodes that are not its descendants keep the clip's motion. Its own ancestors count as being in
/// the rest pose.
///
/// The velocity of the motion is part of transitions, as the pose is: see sinew_mixer_root_delta.
///
/// The extracted motion is relative to the clip's first pose, whose position and rotation stay in the pose. At any
/// time, the motion extracted so far, applied to the remaining pose, gives the clip's pose. Compressed clips and those
/// with 16-bit keys travel as far as the exact clip in each loop.
///
/// Motion is in model space (pose.h), metres and radians. For a character that is drawn with a scale, multiply
/// translations by it.
#ifndef SINEW_ROOT_MOTION_H
#define SINEW_ROOT_MOTION_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The node whose motion is extracted, and the parts of it. Start from sinew_root_motion_default.
typedef struct sinew_root_motion_def {
    const sinew_skeleton *skeleton; ///< the skeleton of `node`; default NULL, must be set
    int32_t node;                   ///< the node that carries the motion; default SINEW_NO_NODE, must be set
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
    /// The axis that points up, about which `yaw` is extracted: `up` of the asset (asset.h); default SINEW_UP_Y. For
    /// SINEW_UP_Z set `y` instead of `z`, too.
    sinew_up up;
    uint32_t cookie; ///< private: set by sinew_root_motion_default
} sinew_root_motion_def;

/// Returns the defaults above; `skeleton` and `node` must be set. Any thread.
SINEW_API sinew_root_motion_def sinew_root_motion_default(void);

/// The motion of a character in one step, in its own space at the start of the step. The program applies it to the
/// character's position and facing, a rotation, in the world:
///
///     position = sinew_vec3_add(position, sinew_quat_rotate(facing, delta.translation));
///     facing = sinew_quat_multiply(facing, delta.rotation); // or heading += delta.yaw
typedef struct sinew_root_delta {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< about the up axis; unit
    float yaw;              ///< radians about the up axis, right-handed; of one step in [-pi, pi]
} sinew_root_delta;

/// Returns no motion: translation 0, the identity rotation, yaw 0. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_identity(void);

#ifdef __cplusplus
}
#endif
#endif
