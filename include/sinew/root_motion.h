/// Root motion: what moves a character as a whole is taken out of its pose and handed out, so that the game moves the
/// character by it, and walls, other characters and the network have their say.
///
/// One node carries the motion ("Hips", "root"). It should stand above everything that moves along: what does not
/// hang on it stays where the clip brings it. The nodes above it count as standing in their rest pose.
///
/// What is taken out of a clip is measured against the clip's own first pose: there, the character shows what the
/// clip shows. Over any stretch, what was taken out followed by what is left is what the clip says.
#ifndef SINEW_ROOT_MOTION_H
#define SINEW_ROOT_MOTION_H

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whose motion is taken out, and which parts of it. Start from sinew_root_motion_default.
typedef struct sinew_root_motion_def {
    const sinew_skeleton *skeleton; ///< whose node it is
    int32_t node; ///< the node that carries the motion; default SINEW_NO_NODE, which must be replaced
    /// The axes of model space along which the node's way is taken out; along the others it stays in the pose. Default
    /// x and z, the ground where +Y is up; where +Z is up, set x and y.
    bool x;
    bool y; ///< see x
    bool z; ///< see x
    /// Takes out the turn about the axis that points up: of the rotation since the clip's first pose the part about
    /// that axis, the rest being the tilt that is left (swing and twist). The character then moves along the way as it
    /// has turned. A node that stands on its head has no such turn: a somersault wants it off. Default true.
    bool yaw;
    /// In actions that repeat, what stays in the pose closes: whatever the node's place, and without `yaw` its turn,
    /// have gained at the end of the clip is taken back evenly over the whole of it, so that the end joins the start
    /// without a jump. So a walk that drifts aside and turns a little goes straight: take out z, and not x, and not
    /// yaw, and close. What is taken out is not changed by it. Default false.
    bool close_loops;
    sinew_up up;     ///< default SINEW_UP_Y
    uint32_t cookie; ///< private: set by sinew_root_motion_default
} sinew_root_motion_def;

/// x, z and yaw of no node of no skeleton: both must be given. Any thread.
SINEW_API sinew_root_motion_def sinew_root_motion_default(void);

/// How a character moves in a step, seen from where it stood and faced at the start of the step:
///
///     position += rotate(facing, delta.translation);
///     facing = facing * delta.rotation;              // or heading += delta.yaw
typedef struct sinew_root_delta {
    sinew_vec3 translation; ///< metres
    sinew_quat rotation;    ///< about the axis that points up; unit
    float yaw;              ///< radians about that axis, by the right hand; of one step in [-pi, pi]
} sinew_root_delta;

/// No motion. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_identity(void);

/// Two motions as one, first `a`, then `b`. The yaws are added, and so may pass pi. Any thread.
SINEW_API sinew_root_delta sinew_root_delta_compose(sinew_root_delta a, sinew_root_delta b);

#ifdef __cplusplus
}
#endif
#endif
