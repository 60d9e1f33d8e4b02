// SPDX-License-Identifier: MIT
/// Foot placement: puts the feet on uneven ground, and the pelvis above them.
///
/// It edits a local pose, like the solvers of ik.h, whose rules for spaces, weights, matrices, definitions and threads
/// apply here. Each frame, after sinew_pose_to_model and foot locking (foot_lock.h):
///
///     sinew_foot_placement_solve(&placement, dt, &state, pose, model);
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

/// The feet of a character and the ground. Start from sinew_foot_placement_default.
///
/// The clip walks on level ground through model space's origin. Each foot keeps its motion relative to the ground: it
/// is raised by the height of the real ground below it, rotated by the ground's slope, and the leg is solved for it. It
/// is raised further if a sole point would be in the ground, deeper than the clip has it and than 1 % of the leg's
/// length. Over level ground of height 0 nothing changes except for rounding.
///
/// The pelvis follows the feet that are on the ground; a foot that is lifted by 6 % of its leg's length counts half.
/// The pelvis is raised by the smallest height that is added to them, and lowered until their legs reach them. For that
/// a leg extends to 96 % of its length, or as far as in the clip while its foot is raised like the others. The height
/// that the legs needed falls over a second, so the pelvis doesn't bob.
///
/// Feet and pelvis move without a jump, and with a continuous velocity. Where the ground under a foot moves smoothly,
/// on slopes and lifts, the foot follows it exactly. Where it jumps, at the edge of a stair, beyond `max_stair`, and
/// where there is none, the foot gets there over `foot_time`, and the pelvis over `pelvis_time`. Ground counts as
/// jumping if its height under the foot accelerates by more than max_stair / (5 foot_time²), 28 m/s² by default; for
/// the pelvis, max_stair / (4 pelvis_time²), 8.7 m/s². A leg that doesn't reach its foot, because the pelvis is still
/// too high, lifts it. So that knees don't snap, a leg whose foot is in the air begins to do so at 90 % of its length,
/// or where it is in the clip.
///
/// A swinging foot steps over the edges on its path: it rises as on a ramp, and is above an edge when its foremost sole
/// point gets there. The path is straight, and what the foot covers in 5 × foot_time, at most 1.3 times the leg's
/// length. It ends where a foot that comes down will land.
typedef struct sinew_foot_placement {
    /// The node to move, an ancestor of all legs. Default SINEW_NO_NODE: none, and a leg that cannot reach stays
    /// short.
    int32_t pelvis;
    const sinew_foot *feet; ///< [foot_count], with legs, of the caller; NULL is allowed if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    /// Finds the ground straight above or below `point`, a finite position in model space. Returns false if there is
    /// none; otherwise writes all of `*ground`. Must be set. In each solve, at any weight, it is called once for each
    /// leg and once for each of its sole points; for a moving foot 5 more times, and 5 times for each edge on its path.
    bool (*ground)(sinew_vec3 point, sinew_foot_ground *ground, void *user);
    void *user;    ///< passed to `ground`; not used otherwise
    sinew_vec3 up; ///< in model space, unit; default +Y
    /// The height of model space's origin in the world, metres; default 0. Set it in each frame if the character
    /// moves up or down. Heights are smoothed in the world, so that the feet and the pelvis do not jump when the
    /// program raises the character's origin by a stair. For a scaled character, divide the height by the
    /// scale.
    float elevation;
    /// The character's velocity in model space, metres a second: tells where a swinging foot goes. Default {0}: found
    /// from how the feet on the ground move in the pose, which is late when the speed changes.
    sinew_vec3 velocity;
    /// Ground more than this above or below the clip's level ground is ignored, metres; default 0.5. A foot above
    /// ignored ground is placed as on level ground of height 0, and a sole point above it is not raised. It also
    /// limits the goal of the pelvis.
    float max_stair;
    /// The height, metres, above 0, of a foot's lowest sole point in the clip from which on the ground no longer
    /// moves or rotates the foot; default 0.4. The effect decreases smoothly up to it, so a jump over a ditch stays a
    /// jump. A foot whose sole would be below the ground is raised at any height.
    float lift;
    float tilt; ///< the largest rotation of a foot to follow a slope, radians; default 0.7, 40 degrees
    /// The time constant of the feet, seconds; default 0.06; 0: at once, and without stepping over edges. Half of a
    /// jump takes 1.7 time constants, 90 % of it 3.9.
    float foot_time;
    float pelvis_time; ///< the same for the pelvis; default 0.12
    float weight;      ///< of the whole effect: blends all from the pose, like sinew_pose_blend; default 1
    uint32_t cookie;   ///< private: set by sinew_foot_placement_default
} sinew_foot_placement;

/// Returns the defaults above; `ground` and `feet` must be set. Any thread.
SINEW_API sinew_foot_placement sinew_foot_placement_default(void);

/// A height that follows a target height: exactly while the target moves smoothly, with a decaying offset after it
/// jumped.
typedef struct sinew_foot_settling {
    float target;          ///< in the last frame, above model space's origin, metres
    float velocity;        ///< of the target in the world, metres a second
    float offset;          ///< from the target to the height, metres
    float offset_velocity; ///< metres a second
    bool jumped;           ///< in the last frame the target moved faster than its velocity allows
} sinew_foot_settling;

/// A normal that follows the ground's, with an offset that decays.
typedef struct sinew_foot_settling_normal {
    sinew_vec3 target;   ///< the ground's normal in the last frame
    sinew_vec3 offset;   ///< from there; the sum of both is not unit
    sinew_vec3 velocity; ///< of the offset, per second
} sinew_foot_settling_normal;

/// How a foot moves in the pose: part of sinew_foot_placement_state.
typedef struct sinew_foot_motion {
    sinew_vec3 joint;    ///< the foot's joint in the last frame, in model space
    sinew_vec3 sole;     ///< its lowest sole point, likewise
    sinew_vec3 velocity; ///< of the joint, level, metres a second
    int32_t lowest;      ///< which sole point that was
} sinew_foot_motion;

/// The smoothing state of foot placement. The caller owns one per character; {0} at the start and after a teleport.
/// Plain numbers without pointers: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_foot_placement_state {
    bool started;                             ///< false: there is no previous frame to smooth from
    float elevation;                          ///< of the last frame
    sinew_foot_settling pelvis;               ///< the pelvis's height offset
    float drop;                               ///< how far the legs need the pelvis to be below its feet, metres
    sinew_foot_settling feet[SINEW_MAX_FEET]; ///< the height that is added to each foot
    sinew_foot_settling_normal normals[SINEW_MAX_FEET]; ///< the ground under each foot
    sinew_vec3 ground_velocity;                         ///< of the ground in model space, as planted feet move, m/s
    sinew_foot_motion motions[SINEW_MAX_FEET];          ///< of each foot in the pose
} sinew_foot_placement_state;

/// Applies foot placement: moves the pelvis and rotates the nodes of the legs. `dt` is the time since the last call,
/// seconds, 0 or more and finite (asserted). `model` must be current and is kept so, as by sinew_ik_solve. At weight
/// 0 only the state is changed.
SINEW_API void sinew_foot_placement_solve(const sinew_foot_placement *placement, float dt,
                                          sinew_foot_placement_state *state, sinew_pose *pose, sinew_affine *model);

#ifdef __cplusplus
}
#endif
#endif
