// SPDX-License-Identifier: MIT
/// Pose warps: a walk or a run in another direction, or at another speed, than that of its clip.
///
/// *Orientation warping* rotates the hips, and the legs with them, to the direction of travel, and rotates the spine back,
/// so that the torso keeps facing ahead: strafing with a forward walk. *Stride warping* lengthens or shortens the
/// steps, so that the feet move over the ground at another speed at the same cadence.
///
/// Pose warps edit a local pose, like the solvers of ik.h, whose rules for spaces, weights, matrices, definitions and
/// threads apply here. Apply them in each frame between sinew_mixer_evaluate and the solvers that depend on the feet:
///
///     sinew_orientation_warp_solve(&orientation, angle, dt, &turn, pose, model);
///     sinew_stride_warp_solve(&stride, scale, dt, &strides, pose, model);
///     sinew_foot_lock_solve(...);      // foot_lock.h; then, on slopes and stairs:
///     sinew_foot_placement_solve(...); // foot_placement.h
///
/// Root warps, which move a character to a goal, are in root_warp.h.
///
/// Both keep `model` current, [node_count], as sinew_ik_solve does.
#ifndef SINEW_POSE_WARP_H
#define SINEW_POSE_WARP_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Orientation warping -------------------------------------------------------------------------------------

/// The largest number of spine nodes of an orientation warp.
#define SINEW_MAX_SPINE_NODES 8

/// The hips and the spine of a character. Start from sinew_orientation_warp_default.
///
/// The hips rotate about `up` by the whole angle, at their position. Each spine node rotates back by an equal part of
/// it, in model space. So the last spine node, and all that is below it, has the same rotation in model space as
/// before, and the legs are rotated rigidly with the hips.
typedef struct sinew_orientation_warp {
    int32_t hips; ///< the node above legs and spine; default SINEW_NO_NODE, must be set
    /// [spine_count], each a descendant of the one before (asserted), the first one of `hips`, none above a leg.
    /// Without spine nodes the whole body turns.
    int32_t spine[SINEW_MAX_SPINE_NODES];
    int32_t spine_count; ///< 0 to SINEW_MAX_SPINE_NODES (asserted); default 0
    sinew_vec3 up;       ///< in model space, unit; default +Y
    float limit;         ///< the largest angle to either side, radians, at most 3.1; default pi / 2
    /// The time constant with which the angle follows, seconds; default 0.1. Half of a change takes 1.7 time constants,
    /// 90 % of it 3.9. 0 or less: at once.
    float settle_time;
    float weight;    ///< of the angle; default 1
    uint32_t cookie; ///< private: set by sinew_orientation_warp_default
} sinew_orientation_warp;

/// The smoothing state of an orientation warp. The caller owns one per character; {0} is the start. Plain numbers: a
/// copy is a snapshot.
typedef struct sinew_orientation_warp_state {
    float angle;    ///< the current angle, radians
    float velocity; ///< radians a second
} sinew_orientation_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_orientation_warp sinew_orientation_warp_default(void);

/// Returns the angle about `up`, a unit vector, from the clip's direction of travel to `direction`, radians from -pi to
/// pi; 0 for a direction that is 0 or along `up`. Both are in model space and need not be unit:
/// sinew_clip_speed.velocity (feet.h), and the velocity of the character relative to its facing. Beyond a right angle,
/// play a clip that moves backward, and pass its direction. Any thread.
SINEW_API float sinew_orientation_warp_angle(sinew_vec3 clip_direction, sinew_vec3 direction, sinew_vec3 up);

/// Rotates the hips about `up` by an angle that follows `angle`, radians, within `limit`, and the spine back. It
/// follows smoothly and does not pass straight behind. `dt` is the time since the last call, seconds, 0 or more
/// (asserted). A resting angle gives the same poses at every frame rate. An angle that is not finite counts as 0. While
/// the angle of the state is 0, the bits of the pose are unchanged.
SINEW_API void sinew_orientation_warp_solve(const sinew_orientation_warp *warp, float angle, float dt,
                                            sinew_orientation_warp_state *state, sinew_pose *pose,
                                            sinew_affine *model);

// ---- Stride warping ------------------------------------------------------------------------------------------

/// The feet of a character, the direction of travel, and limits. Start from sinew_stride_warp_default.
///
/// The foot's distance from `origin` along the direction of travel is multiplied by the scale; its height, its distance
/// to the side and its rotation stay. So a planted foot moves over the ground at the scale times its speed in the clip,
/// which is the speed of the character if it moves that much faster: it does not slide. The legs are solved as two-bone
/// limbs (ik.h).
///
/// The pelvis is lowered so far that no leg is extended to more than 0.98 of its length, unless it is in the pose. It
/// stays low from one step to the next: it follows the largest height that was needed, which falls by 63 % in 2
/// seconds, and with the scale. Until it is low enough, after a sudden change, a leg that cannot reach stays short.
typedef struct sinew_stride_warp {
    /// The node to lower, an ancestor of all legs. Default SINEW_NO_NODE: none, and a leg that cannot reach stays
    /// short.
    int32_t pelvis;
    const sinew_foot *feet; ///< [foot_count], with legs, of the caller; NULL is allowed if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< in model space, unit; default +Y
    /// Of travel, in model space; need not be unit. The part along `up` is ignored. Default +Z.
    sinew_vec3 direction;
    /// The position about which strides are scaled: where the clip's hips are on average. Default {0}, the origin of
    /// model space, for hips that are above it. Only its part along `direction` has an effect.
    sinew_vec3 origin;
    float min_scale; ///< default 0.5
    float max_scale; ///< at least min_scale; default 1.5
    /// The time constant of the pelvis, seconds; default 0.1. Half of a change takes 1.7 time constants, 90 % of it
    /// 3.9. 0 or less: at once.
    float pelvis_time;
    float weight;    ///< of the scale; default 1: at 0.5 a scale of 1.4 counts as 1.2
    uint32_t cookie; ///< private: set by sinew_stride_warp_default
} sinew_stride_warp;

/// The state of a stride warp. The caller owns one per character; {0} is the start, with the pelvis as in the pose.
/// Plain numbers: a copy is a snapshot.
typedef struct sinew_stride_warp_state {
    float change;   ///< of the scale from 1, in the last call
    float needed;   ///< the height by which the pelvis is to be lowered, metres
    float lowered;  ///< the height by which it is, metres
    float velocity; ///< of `lowered`, metres a second
} sinew_stride_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_stride_warp sinew_stride_warp_default(void);

/// Moves the feet, bends the legs and lowers the pelvis. `scale` is the speed of the character divided by the speed of
/// its clip, limited to min_scale and max_scale; a NaN counts as 1. Beyond the limits, play the clip faster or slower
/// by what is left. For a blend space, the scale is `length` of sinew_blend_space_stride (blend_space.h). `dt` is the
/// time since the last call, seconds, 0 or more (asserted). At a scale of 1, once the pelvis is back, the bits of the
/// pose are unchanged.
SINEW_API void sinew_stride_warp_solve(const sinew_stride_warp *warp, float scale, float dt,
                                       sinew_stride_warp_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
