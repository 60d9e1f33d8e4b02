// SPDX-License-Identifier: MIT
/// Root motion extracts a character's movement from its pose. This lets your game move the character, so it can
/// handle collision or networking.
///
///     sinew_root_motion_def root = sinew_root_motion_default();
///     root.skeleton = skeleton;
///     root.node = sinew_skeleton_find(skeleton, "Hips");
///     mixer_def.root_motion = &root; // before sinew_mixer_create
///
/// After each sinew_mixer_advance or sinew_mixer_update, get the movement with sinew_mixer_root_delta (mixer.h) and
/// apply it to the character's position and facing.
///
/// The motion comes from one node, such as "Hips" or "root". It should be an ancestor of everything that moves with
/// the character, because all other nodes keep the clip's motion. The node's own ancestors are treated as if they
/// were in the rest pose.
///
/// Motion is relative to the first pose of the clip. That first position and rotation stay in the pose. If you
/// apply the accumulated motion to the remaining pose, you get the clip's pose at any time. Transitions blend the
/// motion's velocity like the pose (see sinew_mixer_root_delta). Compressed and 16-bit clips move exactly as far
/// per loop as the original clip.
///
/// Motion is in model space (pose.h), in meters and radians. If the character is scaled, multiply translations by
/// its scale.
#ifndef SINEW_ROOT_MOTION_H
#define SINEW_ROOT_MOTION_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which motion to extract. Start from sinew_root_motion_default.
typedef struct sinew_root_motion_def {
    const sinew_skeleton *skeleton; ///< required
    int32_t node;                   ///< the node that the motion comes from; required
    /// Extract translation along the x, y or z axis in model space. Motion along the other axes stays in the pose.
    /// The default is x and z, which is the ground if +Y is up. If +Z is up, set x and y, and clear z.
    bool x;
    bool y; ///< see x
    bool z; ///< see x
    /// Extract rotation around the up axis. This is the twist since the clip's first pose. The swing stays in the
    /// pose. Extracted translation is then relative to the character's heading. Turn this off for somersaults,
    /// because the twist is undefined while the node is upside down. Default true.
    bool yaw;
    /// Make repeating actions loop without a jump in the remaining pose. If the position at the end of the clip
    /// differs from the start, the difference is removed evenly over the clip. The same happens to rotation if
    /// `yaw` is off. Extracted motion doesn't change. For example, to straighten a walk that drifts sideways and
    /// turns a little, set z and close_loops, and clear x and yaw. Default false.
    bool close_loops;
    sinew_up up;     ///< the axis for `yaw`; use the asset's `up` (asset.h); default SINEW_UP_Y
    uint32_t cookie; ///< private: set by sinew_root_motion_default
} sinew_root_motion_def;

/// Returns the default definition. You must set `skeleton` and `node`. Any thread.
SINEW_API sinew_root_motion_def sinew_root_motion_default(void);

/// How a character moved in one step, in its own space at the start of the step. Apply it to the character's world
/// position and its facing, which is a rotation:
///
///     position = sinew_vec3_add(position, sinew_quat_rotate(facing, delta.translation));
///     facing = sinew_quat_multiply(facing, delta.rotation); // or heading += delta.yaw
typedef struct sinew_root_delta {
    sinew_vec3 translation; ///< in meters
    sinew_quat rotation;    ///< around the up axis, unit length
    float yaw;              ///< in radians around the up axis, right-handed; ranges from -pi to pi for one step
} sinew_root_delta;

#ifdef __cplusplus
}
#endif
#endif
