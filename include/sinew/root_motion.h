// SPDX-License-Identifier: MIT
/// Root motion: takes a character's travel out of its pose, so your game moves the character and can apply
/// collisions or networking.
///
///     sinew_root_motion_def root = sinew_root_motion_default();
///     root.skeleton = skeleton;
///     root.node = sinew_skeleton_find(skeleton, "Hips");
///     mixer_def.root_motion = &root; // before sinew_mixer_create
///
/// After each sinew_mixer_advance or sinew_mixer_update, apply sinew_mixer_root_delta (mixer.h) to the position and
/// facing that you keep for the character.
///
/// One node carries the motion ("Hips", "root"). It should be an ancestor of everything that moves with the
/// character: other nodes keep the clip's motion. Its own ancestors count as being in the rest pose.
///
/// Motion is relative to the clip's first pose, whose position and rotation stay in the pose. The motion so far,
/// applied to the remaining pose, gives the clip's pose at any time. Transitions blend the motion's velocity like
/// the pose (see sinew_mixer_root_delta). Compressed and 16-bit clips travel as far per loop as the exact clip.
///
/// Motion is in model space (pose.h), in metres and radians. Multiply translations by the character's scale, if it
/// has one.
#ifndef SINEW_ROOT_MOTION_H
#define SINEW_ROOT_MOTION_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which motion to extract. Start from sinew_root_motion_default.
typedef struct sinew_root_motion_def {
    const sinew_skeleton *skeleton; ///< must be set
    int32_t node;                   ///< the node that carries the motion; must be set
    /// Extract translation along x, y or z of model space. Other axes stay in the pose. Default x and z, the ground
    /// for +Y up. For +Z up, set x and y.
    bool x;
    bool y; ///< see x
    bool z; ///< see x
    /// Extract rotation about the up axis: the twist since the clip's first pose. The swing stays in the pose.
    /// Extracted translation is relative to the character's heading. Turn it off for somersaults: the twist is
    /// undefined while the node is upside down. Default true.
    bool yaw;
    /// Close the loop of the remaining pose in repeating actions. The position offset at the clip's end is removed
    /// evenly over the clip, and the rotation offset if `yaw` is off. So the end meets the start without a jump. To
    /// straighten a walk that drifts sideways and turns a little, set z and close_loops, and clear x and yaw.
    /// Extracted motion doesn't change. Default false.
    bool close_loops;
    sinew_up up;     ///< the axis for `yaw`: `up` of the asset (asset.h); default SINEW_UP_Y
    uint32_t cookie; ///< private: set by sinew_root_motion_default
} sinew_root_motion_def;

/// Returns the default definition. Set `skeleton` and `node`. Any thread.
SINEW_API sinew_root_motion_def sinew_root_motion_default(void);

/// A character's motion in one step, in its own space at the start of the step. Apply it to the position and facing
/// (a rotation) in the world:
///
///     position = sinew_vec3_add(position, sinew_quat_rotate(facing, delta.translation));
///     facing = sinew_quat_multiply(facing, delta.rotation); // or heading += delta.yaw
typedef struct sinew_root_delta {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< about the up axis; unit
    float yaw;              ///< radians about the up axis, right-handed; -pi to pi for one step
} sinew_root_delta;

/// Returns no motion: translation 0, identity rotation, yaw 0. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_identity(void);

#ifdef __cplusplus
}
#endif
#endif
