// SPDX-License-Identifier: MIT
/// Foot placement: puts the feet on uneven ground, and the pelvis above them.
///
/// Each frame, after sinew_pose_to_model and foot locking (foot_lock.h):
///
///     sinew_foot_placement_solve(&placement, dt, &state, pose, model);
///
/// It edits a local pose. The rules of ik.h apply: spaces, weights, matrices, definitions, threads.
#ifndef SINEW_FOOT_PLACEMENT_H
#define SINEW_FOOT_PLACEMENT_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The ground above or below a position.
typedef struct sinew_foot_ground {
    float height;      ///< above model space's origin, along `up`, metres
    sinew_vec3 normal; ///< unit, in model space; a surface steeper than 80 degrees counts as level
} sinew_foot_ground;

/// A character's feet, and a callback that finds the ground. Start from sinew_foot_placement_default.
///
/// The clip is assumed to walk on level ground through model space's origin. Each foot is raised by the height of
/// the real ground below it, rotated by the ground's slope, and its leg is solved. It is raised further to keep
/// its sole points out of the ground: no deeper than in the clip, or than 1 % of the leg's length. On level
/// ground of height 0 the pose only changes by rounding.
///
/// The pelvis rises with the feet that are on the ground, by the smallest height added to them. Then it is
/// lowered until their legs reach: to 96 % of the leg's length, or as far as in the clip if its foot is raised
/// like the others. It comes back up over about a second, so it doesn't bob. A foot counts less the higher it is
/// lifted: half at 6 % of the leg's length.
///
/// Feet and pelvis never jump, and their velocities are continuous. Where the ground changes smoothly, on slopes
/// and lifts, feet follow it exactly. Where it jumps, a foot gets there over `foot_time` and the pelvis over
/// `pelvis_time`: at stairs, beyond `max_stair`, and where the ground ends. Ground counts as jumping if its
/// height under the foot accelerates by more than max_stair / (5 foot_time²), 28 m/s² by default; for the pelvis,
/// max_stair / (4 pelvis_time²), 8.7 m/s². While the pelvis is too high for a leg to reach, the leg lifts its
/// foot, so smoothly that knees don't snap.
///
/// A swinging foot steps over the edges ahead. It rises as if on a ramp, and is above an edge when its foremost
/// sole point gets there. It looks 5 × foot_time ahead along a straight path, at most 1.3 times the leg's length,
/// and not beyond where it will land.
typedef struct sinew_foot_placement {
    int32_t pelvis; ///< the node to move, above all legs; default SINEW_NO_NODE: none, and legs may not reach
    const sinew_foot *feet; ///< [foot_count], with legs; you own them. May be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    /// Finds the ground straight above or below `point`, a finite position in model space. Fill in all of
    /// `*ground` and return true, or return false without ground. Must be set. Each solve, at any weight, calls
    /// it once for each leg and each sole point. A moving foot takes 5 more calls, and 5 for each edge on its
    /// path.
    bool (*ground)(sinew_vec3 point, sinew_foot_ground *ground, void *user);
    void *user;    ///< passed to `ground`
    sinew_vec3 up; ///< in model space, unit; default +Y
    /// The height of model space's origin in the world, metres; default 0. Set it each frame if the character
    /// moves up or down. Feet and pelvis are smoothed in the world, so they don't jump when you raise the
    /// character by a stair. For a scaled character, divide the height by the scale.
    float elevation;
    /// The character's velocity in model space, metres per second: predicts where a swinging foot goes. Default
    /// {0}: estimated from the feet on the ground, which lags when the speed changes.
    sinew_vec3 velocity;
    /// Ground further than this above or below the clip's level ground is ignored, metres; default 0.5. A foot
    /// there is placed as if on level ground of height 0. This is also the most that the pelvis rises or sinks.
    float max_stair;
    /// The height in the clip where the ground's effect on a foot has faded to 0, metres, above 0; default 0.4.
    /// So a jump over a ditch stays a jump. Measured at the lowest sole point. A sole below the ground is raised
    /// at any height.
    float lift;
    float tilt; ///< the largest rotation of a foot to follow a slope, radians; default 0.7, 40 degrees
    /// The feet's time constant, seconds; default 0.06. Half of a jump takes 1.7 time constants, 90 % takes 3.9.
    /// 0: at once, and without stepping over edges.
    float foot_time;
    float pelvis_time; ///< the pelvis's time constant, seconds; default 0.12
    float weight;      ///< blends the whole effect, like sinew_pose_blend; default 1
    uint32_t cookie;   ///< private: set by sinew_foot_placement_default
} sinew_foot_placement;

/// Returns the defaults above; `ground` and `feet` must be set. Any thread.
SINEW_API sinew_foot_placement sinew_foot_placement_default(void);

/// Smooths a height. It follows a target exactly while the target moves smoothly, and with a decaying offset
/// after a jump.
typedef struct sinew_foot_settling {
    float target;          ///< in the last frame, above model space's origin, metres
    float velocity;        ///< the target's, in the world, metres per second
    float offset;          ///< from the target to the height, metres
    float offset_velocity; ///< metres per second
    bool jumped;           ///< in the last frame the target moved faster than its velocity allows
} sinew_foot_settling;

/// Smooths the ground's normal, with an offset that decays.
typedef struct sinew_foot_settling_normal {
    sinew_vec3 target;   ///< the ground's normal in the last frame
    sinew_vec3 offset;   ///< from the target to the smoothed normal; their sum isn't unit
    sinew_vec3 velocity; ///< the offset's, per second
} sinew_foot_settling_normal;

/// A foot's motion in the pose.
typedef struct sinew_foot_motion {
    sinew_vec3 joint;    ///< the foot's joint in the last frame, in model space
    sinew_vec3 sole;     ///< its lowest sole point in the last frame, in model space
    sinew_vec3 velocity; ///< the joint's, level, metres per second
    int32_t lowest;      ///< index of that sole point
} sinew_foot_motion;

/// The state of foot placement. Keep one per character; set it to {0} at the start and after a teleport. Plain
/// data: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_foot_placement_state {
    bool started;                                       ///< false before the first frame: nothing to smooth from
    float elevation;                                    ///< in the last frame
    sinew_foot_settling pelvis;                         ///< the pelvis's height offset
    float drop;                                         ///< how far the legs need the pelvis below its feet, metres
    sinew_foot_settling feet[SINEW_MAX_FEET];           ///< the height added to each foot
    sinew_foot_settling_normal normals[SINEW_MAX_FEET]; ///< the ground under each foot
    sinew_vec3 ground_velocity;                         ///< in model space, from planted feet, metres per second
    sinew_foot_motion motions[SINEW_MAX_FEET];          ///< each foot's motion in the pose
} sinew_foot_placement_state;

/// Moves the pelvis and rotates the legs. `dt` is the time since the last call, seconds; it must be finite and 0
/// or more (asserted). `model` must be current and stays current, like in sinew_ik_solve. At weight 0 only the
/// state changes.
SINEW_API void sinew_foot_placement_solve(const sinew_foot_placement *placement, float dt,
                                          sinew_foot_placement_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
