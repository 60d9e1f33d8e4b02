// SPDX-License-Identifier: MIT
/// Pose warps: adapt a walk or run to another direction or speed than its clip has.
///
/// *Orientation warping* turns the hips and legs to the direction of travel, and the spine back, so the torso
/// keeps facing ahead. Use it to strafe with a forward walk. *Stride warping* makes strides longer or shorter, so
/// the feet move over the ground at another speed with the same cadence.
///
/// Each frame, after sinew_mixer_evaluate and before the solvers that depend on the feet:
///
///     sinew_orientation_warp_solve(&orientation, angle, dt, &turn, pose, model);
///     sinew_stride_warp_solve(&stride, scale, dt, &strides, pose, model);
///     sinew_foot_lock_solve(...);      // foot_lock.h; then, on slopes and stairs:
///     sinew_foot_placement_solve(...); // foot_placement.h
///
/// Both edit a local pose. The rules of ik.h apply: spaces, weights, matrices, definitions, threads. Both keep
/// `model`, [node_count], current, like sinew_ik_solve.
///
/// Root warps, which move a character to a goal, are in root_warp.h.
#ifndef SINEW_POSE_WARP_H
#define SINEW_POSE_WARP_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Orientation warping -------------------------------------------------------------------------------------

/// The maximum number of spine nodes of an orientation warp.
#define SINEW_MAX_SPINE_NODES 8

/// A character's hips and spine. Start from sinew_orientation_warp_default.
///
/// The hips rotate in place about `up` by the whole angle, and the legs with them. Each spine node rotates back
/// by an equal part, in model space. So the last spine node and everything below it keep their rotation in model
/// space.
typedef struct sinew_orientation_warp {
    int32_t hips; ///< the node above legs and spine; default SINEW_NO_NODE, must be set
    /// [spine_count], from `hips` upwards: each must be a descendant of the one before (asserted), and not above
    /// a leg. Without spine nodes the whole body turns.
    int32_t spine[SINEW_MAX_SPINE_NODES];
    int32_t spine_count; ///< 0 to SINEW_MAX_SPINE_NODES (asserted); default 0
    sinew_vec3 up;       ///< in model space, unit; default +Y
    float limit;         ///< the maximum angle to either side, radians, at most 3.1; default pi / 2
    /// The angle's time constant, seconds; default 0.1. Half of a change takes 1.7 time constants, 90 % takes
    /// 3.9. 0 or less: at once.
    float settle_time;
    float weight;    ///< multiplies the angle; default 1
    uint32_t cookie; ///< private: set by sinew_orientation_warp_default
} sinew_orientation_warp;

/// The smoothing state of an orientation warp. Keep one per character; start with {0}. Plain data: a copy is a
/// snapshot.
typedef struct sinew_orientation_warp_state {
    float angle;    ///< the current angle, radians
    float velocity; ///< radians per second
} sinew_orientation_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_orientation_warp sinew_orientation_warp_default(void);

/// Returns the angle about `up`, a unit vector, from the clip's direction of travel to `direction`: radians, -pi
/// to pi. Both directions are in model space and may have any length. Pass sinew_clip_speed.velocity (feet.h), and
/// the character's velocity relative to its facing. Returns 0 if either is 0 or along `up`. Beyond a right angle,
/// play a clip that moves backward and pass that clip's direction. Any thread.
SINEW_API float sinew_orientation_warp_angle(sinew_vec3 clip_direction, sinew_vec3 direction, sinew_vec3 up);

/// Turns the hips towards `angle`, radians about `up`, within `limit`, and the spine back. The angle follows
/// smoothly and never passes straight behind. `dt` is the time since the last call, seconds, 0 or more
/// (asserted).
///
/// A constant angle gives the same poses at every frame rate. A non-finite angle counts as 0. While the state's
/// angle is 0, the pose keeps its bits.
SINEW_API void sinew_orientation_warp_solve(const sinew_orientation_warp *warp, float angle, float dt,
                                            sinew_orientation_warp_state *state, sinew_pose *pose,
                                            sinew_affine *model);

// ---- Stride warping ------------------------------------------------------------------------------------------

/// A character's feet, its direction of travel, and limits. Start from sinew_stride_warp_default.
///
/// Multiplies each foot's distance from `origin` along the direction of travel by the scale. The foot keeps its
/// height, its distance to the side and its rotation, and the leg is solved as a two-bone limb (ik.h). So planted
/// feet don't slide when the character moves at scale × the clip's speed.
///
/// The pelvis sinks until no leg is extended beyond 0.98 of its length, or beyond its extension in the pose. It
/// stays low between strides: the drop decays with a time constant of 2 seconds, and as the scale goes back to 1.
/// After a sudden change, a leg may not reach its foot until the pelvis is low enough.
typedef struct sinew_stride_warp {
    int32_t pelvis; ///< the node to lower, above all legs; default SINEW_NO_NODE: none, and legs may not reach
    const sinew_foot *feet; ///< [foot_count], with legs; you own them. May be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< in model space, unit; default +Y
    sinew_vec3 direction;   ///< of travel, in model space; any length; ignores the part along `up`; default +Z
    /// The center of scaling: where the clip's hips are on average. Default {0}, model space's origin, for hips
    /// above it. Only the part along `direction` counts.
    sinew_vec3 origin;
    float min_scale; ///< default 0.5
    float max_scale; ///< at least min_scale; default 1.5
    /// The pelvis's time constant, seconds; default 0.1. Half of a change takes 1.7 time constants, 90 % takes
    /// 3.9. 0 or less: at once.
    float pelvis_time;
    float weight;    ///< blends the scale towards 1; default 1. At 0.5 a scale of 1.4 counts as 1.2
    uint32_t cookie; ///< private: set by sinew_stride_warp_default
} sinew_stride_warp;

/// The state of a stride warp. Keep one per character; start with {0}, the pelvis as in the pose. Plain data: a
/// copy is a snapshot.
typedef struct sinew_stride_warp_state {
    float change;   ///< the scale minus 1, in the last call
    float needed;   ///< how far the pelvis should be lowered, metres
    float lowered;  ///< how far it is lowered, metres
    float velocity; ///< the velocity of `lowered`, metres per second
} sinew_stride_warp_state;

/// Returns the defaults above. Any thread.
SINEW_API sinew_stride_warp sinew_stride_warp_default(void);

/// Moves the feet, bends the legs and lowers the pelvis. `scale` is the character's speed divided by its clip's
/// speed, clamped to min_scale and max_scale; NaN counts as 1. Beyond the limits, make up the rest with the
/// playback rate. For a blend space, `scale` is the `length` of sinew_blend_space_stride (blend_space.h).
///
/// `dt` is the time since the last call, seconds; it must be finite and 0 or more (asserted). At a scale of 1,
/// once the pelvis is back, the pose keeps its bits.
SINEW_API void sinew_stride_warp_solve(const sinew_stride_warp *warp, float scale, float dt,
                                       sinew_stride_warp_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
