// SPDX-License-Identifier: MIT
/// Foot locking: keeps planted feet where they are in the world while clips blend and the character turns or
/// changes speed.
///
/// Each frame, after sinew_pose_to_model and before foot placement (foot_placement.h), which then finds the
/// ground under the locked feet:
///
///     sinew_foot_contacts_evaluate(contacts, mixer, on_ground); // feet.h
///     sinew_foot_lock_solve(&lock, &world, on_ground, dt, &state, pose, model);
///
/// It edits a local pose. The rules of ik.h apply: spaces, weights, matrices, definitions, threads.
#ifndef SINEW_FOOT_LOCK_H
#define SINEW_FOOT_LOCK_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A character's feet, and when to lock and release them. Start from sinew_foot_lock_default.
///
/// A foot locks when its contact begins and its sole is within `height` of the ground. The leg must also reach it
/// for another release_time / 2. Its lowest sole point, the *pivot*, then stays in place, and the foot keeps its
/// heading. Height and tilt still come from the pose, so the foot rolls from heel to toe and the pivot moves
/// along the sole.
///
/// It is released when the contact ends. A released foot is inertialized: its offset from the pose keeps its
/// velocity and decays. So positions are continuous, and so are velocities, except that a foot stops when it is
/// planted.
///
/// If the leg can't reach the locked foot, first the heel rises, then the whole foot. The knee stops short of
/// straight.
///
/// A locked foot *steps* before it gets out of reach, or too far from the pose. The test looks release_time / 2
/// ahead, at the offset's velocity. The foot is lifted in place, and released after release_time / 2, or earlier
/// if the leg can't reach it. So it doesn't slide on the ground. While the leg reaches it, it waits until other
/// feet have stepped. The lift peaks after 1.5 × release_time. The foot may lock again after about 4 ×
/// release_time, or as soon as it is near the pose.
typedef struct sinew_foot_lock {
    const sinew_foot *feet; ///< [foot_count], with legs; you own them. May be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< in model space, unit; default +Y
    float contact_on;       ///< a contact of at least this locks the foot; default 0.5
    float contact_off; ///< a contact below this releases it; default 0.4, lower than contact_on to avoid flicker
    /// The maximum distance of a locked foot from the pose, in model space, metres; default 0.5. Beyond it the
    /// foot is released. If the contact lasts, it locks again within a tenth of that distance.
    float distance;
    float turn; ///< the same for the angle about `up`, radians; default 0.8, 46 degrees
    /// How far a locked foot may extend the leg, as a fraction of the leg's length; default 0.99. The last 6 %
    /// are soft, and the leg's softness also applies. Beyond `stretch` and the pose's own extension, the foot is
    /// released once the heel can't rise further.
    float stretch;
    /// The maximum angle by which the heel rises to let the leg reach the foot, radians; default 0.6, 34 degrees.
    /// With a sole point on the toes, the foot rolls over their joint and the toes stay on the ground. Otherwise
    /// it rolls over the sole point furthest from its joint. A foot with raised toes in the pose rolls less.
    float roll;
    /// The maximum lift of a stepping foot, as a fraction of the leg's length; default 0.1. Short steps are
    /// lower: at most half the foot's path beyond a tenth of `distance`. 0: the foot slides.
    float lift_height;
    /// The time constant of released feet, seconds; default 0.08. An offset at rest halves in 1.7 time constants,
    /// and falls to a tenth in 3.9. 0: at once.
    float release_time;
    float weight; ///< blends the rotations like sinew_pose_blend; default 1. At 0 the state is still updated
    /// A foot locks only while its lowest sole point is at most this far above the ground, metres in model space;
    /// default 0.02. Until then it follows the pose. Ignored for feet without sole points.
    float height;
    uint32_t cookie; ///< private: set by sinew_foot_lock_default
} sinew_foot_lock;

/// Returns the defaults above; `feet` must be set. Any thread.
SINEW_API sinew_foot_lock sinew_foot_lock_default(void);

/// The state of one foot.
typedef struct sinew_locked_foot {
    sinew_vec3 position; ///< the pivot when it was planted, or in the last frame; world, metres
    sinew_quat rotation; ///< the foot's rotation at that time, in the world
    sinew_vec3 offset;   ///< from the pivot in the pose to its corrected position; world, metres
    sinew_vec3 velocity; ///< the offset's, metres per second
    float yaw;           ///< the correction's angle about `up` in model space, radians
    float yaw_velocity;  ///< radians per second
    float lift;          ///< a stepping foot's height along `up` in the world, metres
    float lift_velocity; ///< metres per second
    float lift_push;     ///< the lift's decaying acceleration, metres per second squared
    int32_t pivot;       ///< the sole point that stays in place
    bool locked;         ///< the foot is planted
    bool waiting;        ///< the foot steps, or was released by the program: it locks only after it has settled
} sinew_locked_foot;

/// The state of foot locking, 640 bytes. Keep one per character; set it to {0} at the start and after a teleport.
/// Plain data: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_foot_lock_state {
    sinew_locked_foot feet[SINEW_MAX_FEET]; ///< the first foot_count are used
} sinew_foot_lock_state;

/// Locks and releases the feet, and solves the legs. `dt` is the time since the last call, seconds; it must be
/// finite and 0 or more (asserted). `contacts`, [foot_count], says how much each foot is on the ground in the
/// pose, 0 to 1. Get them from sinew_foot_contacts_evaluate, or animate them in the clips as morph weights.
/// `model` must be current and stays current, like in sinew_ik_solve.
///
/// `world` is this frame's transform from model space to the world, with root motion applied: rotation,
/// translation and uniform scale, which may be mirrored. On a moving platform, pass the transform to the
/// platform's space to plant the feet on the platform. Positions are floats: beyond 1 km from the origin their
/// resolution is 0.1 mm.
///
/// A cut in the pose, from a seek or an instant transition, doesn't move locked feet. They step if they are too
/// far away then. A foot further away than the leg's length was teleported, so it is released without
/// inertialization. Non-finite input changes neither pose nor state.
SINEW_API void sinew_foot_lock_solve(const sinew_foot_lock *lock, const sinew_affine *world, const float *contacts,
                                     float dt, sinew_foot_lock_state *state, sinew_pose *pose, sinew_affine *model);

/// Releases all locked feet, with inertialization. Call it after a seek, and before clips without planted feet. A
/// foot can lock again when its next contact begins, or when it has settled.
SINEW_API void sinew_foot_lock_release(sinew_foot_lock_state *state);

#ifdef __cplusplus
}
#endif
#endif
