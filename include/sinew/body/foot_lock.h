// SPDX-License-Identifier: MIT
/// Foot locking: keeps planted feet at their positions in the world, while clips are blended and the character turns or
/// changes its speed.
///
/// It edits a local pose, like the solvers of ik.h, whose rules for spaces, weights, matrices, definitions and threads
/// apply here. Each frame, after sinew_pose_to_model and before foot placement (foot_placement.h):
///
///     sinew_foot_contacts_evaluate(contacts, mixer, on_ground); // feet.h
///     sinew_foot_lock_solve(&lock, &world, on_ground, dt, &state, pose, model);
#ifndef SINEW_FOOT_LOCK_H
#define SINEW_FOOT_LOCK_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The feet of a character, and when they are locked and released. Start from sinew_foot_lock_default.
///
/// A foot is locked when its contact begins, its sole is within `height` of the ground, and the leg will still reach it
/// for release_time / 2. Its pivot, the lowest sole point, then stays at its position, and the foot keeps its heading;
/// height and tilt remain those of the pose, so the foot rolls from heel to toe, and the pivot moves on with it. It is
/// released when the contact ends. A released foot is inertialized: its offset from the pose starts with the velocity
/// that it had and decays. So positions are continuous at every step, and velocities too, except that a foot stops when
/// it is planted.
///
/// The heel rises as far as the leg needs to reach the foot, and then the leg lifts all of it: the knee stops short of
/// straight, however far the foot is. A foot steps if its contact lasts, but the leg will soon not reach it, or it will
/// soon be too far from the foot in the pose: within release_time / 2, at the velocity of its offset. With T = 0.75 ×
/// release_time, the foot is lifted at its position, t seconds later by H (t / 2T)² e^(2 - t / T), which is H at t =
/// 2T. After release_time / 2, or as soon as the leg does not reach it, it is released, and after 5.5 T, or earlier if
/// it is near the foot in the pose, it may be locked again. So it does not slide on the ground. As long as the leg
/// reaches it, it waits for the steps of other feet.
///
/// Solve foot locking before foot placement, which then finds the ground under the locked feet.
typedef struct sinew_foot_lock {
    const sinew_foot *feet; ///< [foot_count], with legs, of the caller; NULL is allowed if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< in model space, unit; default +Y
    float contact_on;       ///< a contact of at least this locks the foot; default 0.5
    float contact_off;      ///< a contact below this releases it; default 0.4: it doesn't flicker
    /// The largest distance of a locked foot from the foot in the pose, in model space, metres; default 0.5. Beyond it
    /// the foot is released. Once it is within a tenth of that, it is locked again if the contact lasts.
    float distance;
    float turn; ///< the same for the angle about `up`, radians; default 0.8, 46 degrees
    /// The fraction of the leg's length to which a locked foot may extend it; default 0.99. The last 6 % are approached
    /// ever more slowly, while the heel rises. Beyond `stretch`, and beyond the extension in the pose, the foot is
    /// released if the heel cannot rise further. A leg's softness also applies.
    float stretch;
    /// The largest angle by which the heel rises so that the leg reaches the foot, radians; default 0.6, 34 degrees. A
    /// foot with a sole point on its toes rolls over their joint, and the toes stay on the ground. Other feet roll over
    /// the sole point that is furthest from their joint. A foot whose toes are up in the pose rolls less.
    float roll;
    /// The largest H to which a stepping foot is lifted, as a fraction of the leg's length; default 0.1. H is at most
    /// half of the foot's path after the first tenth of `distance`, so short steps are low. 0: the foot slides.
    float lift_height;
    /// The time constant of released feet, seconds; default 0.08. Half of an offset at rest is left after 1.7 time
    /// constants, a tenth after 3.9. 0: at once.
    float release_time;
    /// Blends the rotations like sinew_pose_blend; default 1. The state is updated at weight 0, too.
    float weight;
    /// A foot is locked only while its lowest sole point is at most this far above the ground, metres in model space;
    /// default 0.02. Until then it follows the pose. Ignored for feet without sole points.
    float height;
    uint32_t cookie; ///< private: set by sinew_foot_lock_default
} sinew_foot_lock;

/// The defaults above; `feet` must be set. Any thread.
SINEW_API sinew_foot_lock sinew_foot_lock_default(void);

/// The state of one foot.
typedef struct sinew_locked_foot {
    sinew_vec3 position; ///< of the pivot when the foot was planted, or in the last frame, in the world, metres
    sinew_quat rotation; ///< of the foot, likewise
    sinew_vec3 offset;   ///< from the pivot in the pose to its corrected position, in the world, metres
    sinew_vec3 velocity; ///< of the offset, metres a second
    float yaw;           ///< of the correction, about `up` in model space, radians
    float yaw_velocity;  ///< radians a second
    float lift;          ///< of a stepping foot, along `up` in the world, metres
    float lift_velocity; ///< metres a second
    float lift_push;     ///< the decaying acceleration of the lift, metres a second squared
    int32_t pivot;       ///< the sole point that keeps its position
    bool locked;         ///< the foot is planted
    bool waiting;        ///< the foot steps, or was released by the program: not locked again before it has settled
} sinew_locked_foot;

/// The state of foot locking, 640 bytes. The caller owns one per character; {0} at the start and after a teleport.
/// Plain numbers: a copy is a snapshot, and the same state and calls give the same bits.
typedef struct sinew_foot_lock_state {
    sinew_locked_foot feet[SINEW_MAX_FEET]; ///< [foot_count] are used
} sinew_foot_lock_state;

/// Applies foot locking to the legs. `dt` is the time since the last call, seconds, 0 or more (asserted). `contacts`,
/// [foot_count], tells how far each foot is on the ground in the pose, 0 to 1: sinew_foot_contacts_evaluate computes
/// them, or they are morph weights of the pose that the clips animate as curves. Model matrices are current before
/// and after, as for sinew_ik_solve.
///
/// `world` is the character's transform from model space to the world in this frame, with root motion applied: a
/// rotation, a translation and a uniform scale, which may be mirrored. On a moving platform, pass the transform to
/// the platform's space: feet are then planted on the platform. Positions are floats: beyond 1 km from the origin
/// they have steps of 0.1 mm.
///
/// A pose that is cut, by a seek or a transition without duration, moves no locked foot; it steps if it is too far
/// then. A foot further away than the leg's length was teleported: it is released at once, without
/// inertialization. Input that is not finite changes neither pose nor state.
SINEW_API void sinew_foot_lock_solve(const sinew_foot_lock *lock, const sinew_affine *world, const float *contacts,
                                     float dt, sinew_foot_lock_state *state, sinew_pose *pose, sinew_affine *model);

/// Releases all locked feet, with inertialization: after a seek, and before clips in which the feet are not planted. A
/// foot is locked again when its contact begins anew, or when it has settled.
SINEW_API void sinew_foot_lock_release(sinew_foot_lock_state *state);

#ifdef __cplusplus
}
#endif
#endif
