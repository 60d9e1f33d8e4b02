// SPDX-License-Identifier: MIT
/// Foot placement: puts the feet on uneven ground and moves the pelvis to match.
///
/// Call it each frame after sinew_pose_to_model and foot locking (foot_lock.h):
///
///     sinew_foot_placement_solve(&placement, dt, &state, pose, model);
///
/// Foot placement edits a local pose. The rules in ik.h about spaces, weights, matrices, definitions and threads
/// also apply here.
#ifndef SINEW_FOOT_PLACEMENT_H
#define SINEW_FOOT_PLACEMENT_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The ground above or below a position.
typedef struct sinew_foot_ground {
    float height;      ///< above the model-space origin along `up`, in meters
    sinew_vec3 normal; ///< unit vector in model space; surfaces steeper than 80 degrees are treated as level
} sinew_foot_ground;

/// Defines a character's feet and a callback that finds the ground. Start from sinew_foot_placement_default.
///
/// Clips are assumed to walk on level ground through the model-space origin. Each foot is raised by the height of
/// the actual ground below it and rotated to match its slope, and then the leg is solved. If a sole point would
/// sink deeper into the ground than it does in the clip, and deeper than 1% of the leg's length, the foot is
/// raised further. On level ground at height 0, the pose doesn't change except for rounding.
///
/// The pelvis is raised by the smallest height added to any foot on the ground. Then it is lowered until the legs
/// can reach their feet. A leg can extend to 96% of its length, or as far as it does in the clip if its foot is
/// raised as much as the others. After that, the pelvis takes about a second to come back up, so it doesn't bob.
/// Lifted feet have less influence on the pelvis: half as much at a height of 6% of the leg's length.
///
/// The feet and pelvis never jump, and their velocities are continuous. The feet follow the ground exactly where
/// it changes smoothly, such as on slopes and elevators. Where the ground height jumps, such as on stairs or at a
/// ledge, the feet move to the new height over `foot_time`, and the pelvis over `pelvis_time`. A jump is detected
/// when the ground height under the foot accelerates by more than max_stair / (5 foot_time²), which is 28 m/s² by
/// default. For the pelvis it's max_stair / (4 pelvis_time²), which is 8.7 m/s². While the pelvis is too high for
/// a leg to reach the ground, the foot is lifted to keep the knee from snapping.
///
/// A swinging foot steps over edges ahead of it. It rises as if it were on a ramp, and is above the edge by the
/// time its foremost sole point gets there. It looks 5 × foot_time ahead along a straight path, but at most 1.3
/// times the leg's length, and never past the point where it will land.
typedef struct sinew_foot_placement {
    /// The node to move. Must be an ancestor of all legs. If it is SINEW_NO_NODE (default), the pelvis doesn't
    /// move, and legs might not reach the ground.
    int32_t pelvis;
    const sinew_foot *feet; ///< [foot_count], with legs; you own the array. Can be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    /// Required. A callback that finds the ground directly above or below `point`, which is a finite position in
    /// model space. Fill in all of `*ground` and return true, or return false if there's no ground. Each solve
    /// calls it once per leg and once per sole point, even if the weight is 0. A moving foot needs 5 more calls,
    /// and another 5 for each edge in its path.
    bool (*ground)(sinew_vec3 point, sinew_foot_ground *ground, void *user);
    void *user;    ///< passed to `ground`
    sinew_vec3 up; ///< unit vector in model space; default +Y
    /// The world height of the model-space origin, in meters. Default 0. Set it each frame if the character moves
    /// up or down. The feet and pelvis are smoothed in world space, so they don't jump when you move the character
    /// up a stair. If the character is scaled, divide the height by the scale.
    float elevation;
    /// The character's velocity in model space, in meters per second. Used to predict where a swinging foot will
    /// go. If this is {0} (default), the velocity is estimated from the feet on the ground, but the estimate lags
    /// behind when the speed changes.
    sinew_vec3 velocity;
    /// Ground that's more than this many meters above or below the clip's level ground is ignored. Default 0.5.
    /// Feet there are placed as if they were on level ground at height 0. This also limits how far the pelvis can
    /// move up or down.
    float max_stair;
    /// The ground's effect on a foot fades out as the clip lifts the foot, and reaches 0 at this height. That way,
    /// a jump over a ditch stays a jump. In meters. Must be above 0. Default 0.4. The height is measured at the
    /// lowest sole point. A sole below the ground is always raised.
    float lift;
    float tilt; ///< how far a foot can rotate to follow a slope, in radians; default 0.7 (40 degrees)
    /// The time constant for the feet, in seconds. Default 0.06. A foot covers half of a jump in 1.7 time
    /// constants, and 90% in 3.9. If this is 0, feet move instantly and don't step over edges.
    float foot_time;
    float pelvis_time; ///< the time constant for the pelvis, in seconds; default 0.12
    float weight;      ///< blends the whole effect like sinew_pose_blend; default 1
    uint32_t cookie;   ///< private: set by sinew_foot_placement_default
} sinew_foot_placement;

/// Returns the defaults above. You must set `ground` and `feet`. Any thread.
SINEW_API sinew_foot_placement sinew_foot_placement_default(void);

/// Smooths a height. It follows a target exactly while the target moves smoothly. After a jump it follows with an
/// offset that decays.
typedef struct sinew_foot_settling {
    float target;          ///< in the last frame, in meters above the model-space origin
    float velocity;        ///< the target's world velocity, in meters per second
    float offset;          ///< from the target to the height, in meters
    float offset_velocity; ///< meters per second
    bool jumped;           ///< true if the target moved faster in the last frame than its velocity allows
} sinew_foot_settling;

/// Smooths the ground's normal, with an offset that decays.
typedef struct sinew_foot_settling_normal {
    sinew_vec3 target;   ///< the ground's normal in the last frame
    sinew_vec3 offset;   ///< from the target to the smoothed normal; the sum of the two isn't unit length
    sinew_vec3 velocity; ///< velocity of the offset, per second
} sinew_foot_settling_normal;

/// How a foot moves in the pose.
typedef struct sinew_foot_motion {
    sinew_vec3 joint;    ///< model-space position of the foot's joint in the last frame
    sinew_vec3 sole;     ///< model-space position of its lowest sole point in the last frame
    sinew_vec3 velocity; ///< horizontal velocity of the joint, in meters per second
    int32_t lowest;      ///< index of that sole point
} sinew_foot_motion;

/// Foot placement state. You need one per character. Set it to {0} initially and after a teleport. This is plain
/// data, so you can copy it to take a snapshot. Repeating the same calls from the same state gives bit-identical
/// results.
typedef struct sinew_foot_placement_state {
    bool started;               ///< false before the first frame, when there's nothing to smooth from
    float elevation;            ///< in the last frame
    sinew_foot_settling pelvis; ///< the pelvis's height offset
    float drop; ///< how far the pelvis drops from the raised height so the legs can reach, in meters
    sinew_foot_settling feet[SINEW_MAX_FEET];           ///< the height added to each foot
    sinew_foot_settling_normal normals[SINEW_MAX_FEET]; ///< the ground under each foot
    sinew_vec3 ground_velocity;                ///< in model space, from the planted feet, in meters per second
    sinew_foot_motion motions[SINEW_MAX_FEET]; ///< each foot's motion in the pose
} sinew_foot_placement_state;

/// Moves the pelvis and rotates the legs. `dt` is the time since the last call in seconds. It must be finite and 0
/// or more (asserted). `model` must be up to date and is kept up to date, as in sinew_ik_solve. If the weight is
/// 0, only the state changes.
SINEW_API void sinew_foot_placement_solve(const sinew_foot_placement *placement, float dt,
                                          sinew_foot_placement_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
