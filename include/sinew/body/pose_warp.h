// SPDX-License-Identifier: MIT
/// Pose warps: adapt a walk or run clip to a different direction or speed.
///
/// *Orientation warping* turns the hips and legs toward the direction of travel and turns the spine back, so the
/// torso keeps facing forward. This lets a character strafe using a forward walk. *Stride warping* makes strides
/// longer or shorter, so the character can move at a different speed with the same cadence.
///
/// Call them each frame after sinew_mixer_evaluate and before any solvers that depend on the feet:
///
///     sinew_orientation_warp_solve(&orientation, angle, dt, &turn, pose, model);
///     sinew_stride_warp_solve(&stride, scale, dt, &strides, pose, model);
///     sinew_foot_lock_solve(...);      // foot_lock.h; then, on slopes and stairs:
///     sinew_foot_placement_solve(...); // foot_placement.h
///
/// Both edit a local pose. The rules in ik.h about spaces, weights, matrices, definitions and threads also apply
/// here. Both keep `model`, an array of [node_count] matrices, up to date as in sinew_ik_solve.
///
/// See root_warp.h for root warps, which move a character to a goal.
#ifndef SINEW_POSE_WARP_H
#define SINEW_POSE_WARP_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Orientation warping -------------------------------------------------------------------------------------

/// The maximum number of spine nodes in an orientation warp.
#define SINEW_MAX_SPINE_NODES 8

/// Defines a character's hips and spine. Start from sinew_orientation_warp_default.
///
/// The hips rotate in place about `up` by the full angle, and the legs rotate with them. The spine nodes rotate
/// back in model space, and each one takes an equal share. This way, the last spine node and all nodes below it
/// keep their model-space rotation.
typedef struct sinew_orientation_warp {
    int32_t hips; ///< the node above the legs and the spine; default SINEW_NO_NODE, must be set
    /// [spine_count], from the hips up. Each node must be a descendant of the one before (asserted) and can't be
    /// above a leg. If there are no spine nodes, the whole body turns.
    int32_t spine[SINEW_MAX_SPINE_NODES];
    int32_t spine_count; ///< 0 to SINEW_MAX_SPINE_NODES (asserted); default 0
    sinew_vec3 up;       ///< unit vector in model space; default +Y
    float limit;         ///< maximum angle to either side, in radians, up to 3.1; default pi / 2
    /// The time constant for the angle, in seconds. Default 0.1. The angle covers half of a change in 1.7 time
    /// constants, and 90% in 3.9. If this is 0 or less, the angle changes instantly.
    float settle_time;
    float weight;    ///< multiplies the angle; default 1
    uint32_t cookie; ///< private: set by sinew_orientation_warp_default
} sinew_orientation_warp;

/// Smoothing state for an orientation warp. You need one per character. Initialize it to {0}. This is plain data,
/// so you can copy it to take a snapshot.
typedef struct sinew_orientation_warp_state {
    float angle;    ///< the current angle, in radians
    float velocity; ///< radians per second
} sinew_orientation_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_orientation_warp sinew_orientation_warp_default(void);

/// Returns the angle from the clip's direction of travel to `direction`, in radians from -pi to pi. The angle is
/// about `up`, which must be a unit vector. Both directions are in model space and can have any length. You'd
/// normally pass sinew_clip_speed.velocity (feet.h) and the character's velocity relative to its facing. Returns 0
/// if one of them is 0 or parallel to `up`. If the angle is more than 90 degrees, play a clip that moves backward
/// and pass that clip's direction instead. Any thread.
SINEW_API float sinew_orientation_warp_angle(sinew_vec3 clip_direction, sinew_vec3 direction, sinew_vec3 up);

/// Turns the hips toward `angle` and the spine back. `angle` is in radians about `up`, and is clamped to `limit`.
/// The actual angle follows smoothly and never passes directly behind. `dt` is the time since the last call in
/// seconds, and must be 0 or more (asserted).
///
/// If the angle is constant, you get the same poses at any frame rate. A non-finite angle is treated as 0. The
/// pose is left untouched while the angle in `state` is 0.
SINEW_API void sinew_orientation_warp_solve(const sinew_orientation_warp *warp, float angle, float dt,
                                            sinew_orientation_warp_state *state, sinew_pose *pose,
                                            sinew_affine *model);

// ---- Stride warping ------------------------------------------------------------------------------------------

/// Defines a character's feet, its direction of travel, and some limits. Start from sinew_stride_warp_default.
///
/// Stride warping takes each foot's distance from `origin` along the direction of travel, and multiplies it by the
/// scale. The foot keeps its height, its sideways distance and its rotation. Then the leg is solved as a two-bone
/// limb (ik.h). As a result, planted feet don't slide when the character moves at scale × the clip's speed.
///
/// The pelvis is lowered until no leg extends to more than 98% of its length, or more than it does in the pose.
/// The pelvis stays low between strides, because the drop decays with a time constant of 2 seconds. It also decays
/// as the scale returns to 1. After a sudden change, a leg might not reach its foot until the pelvis is low
/// enough.
typedef struct sinew_stride_warp {
    /// The node to lower. Must be an ancestor of all legs. If it's SINEW_NO_NODE (default), nothing is lowered,
    /// and legs might not reach their feet.
    int32_t pelvis;
    const sinew_foot *feet; ///< [foot_count], with legs; you own the array. Can be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< unit vector in model space; default +Y
    /// Direction of travel in model space. Can have any length. The component along `up` is ignored. Default +Z.
    sinew_vec3 direction;
    /// The center to scale from, which should be the hips' average position in the clip. Default {0}, which works
    /// if the hips are above the model-space origin. Only the component along `direction` is used.
    sinew_vec3 origin;
    float min_scale; ///< default 0.5
    float max_scale; ///< at least min_scale; default 1.5
    /// The time constant for the pelvis, in seconds. Default 0.1. The pelvis covers half of a change in 1.7 time
    /// constants, and 90% in 3.9. If this is 0 or less, the pelvis moves instantly.
    float pelvis_time;
    float weight;    ///< blends the scale toward 1; default 1. For example, 0.5 turns a scale of 1.4 into 1.2
    uint32_t cookie; ///< private: set by sinew_stride_warp_default
} sinew_stride_warp;

/// State for a stride warp. You need one per character. Initialize it to {0}, which puts the pelvis where it is in
/// the pose. This is plain data, so you can copy it to take a snapshot.
typedef struct sinew_stride_warp_state {
    float change;   ///< the scale minus 1 in the last call
    float needed;   ///< how far the pelvis should be lowered, in meters
    float lowered;  ///< how far it is lowered right now, in meters
    float velocity; ///< velocity of `lowered`, in meters per second
} sinew_stride_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_stride_warp sinew_stride_warp_default(void);

/// Moves the feet, bends the legs and lowers the pelvis. `scale` is the character's speed divided by its clip's
/// speed. It is clamped to [min_scale, max_scale], and NaN is treated as 1. If you need to go beyond the limits,
/// change the clip's playback rate to make up the difference. For a blend space, pass the `length` from
/// sinew_blend_space_stride (blend_space.h) as `scale`.
///
/// `dt` is the time since the last call in seconds. It must be finite and 0 or more (asserted). If the scale is 1
/// and the pelvis is back up, the pose is left untouched.
SINEW_API void sinew_stride_warp_solve(const sinew_stride_warp *warp, float scale, float dt,
                                       sinew_stride_warp_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
