// SPDX-License-Identifier: MIT
/// Foot locking: keeps planted feet from sliding in the world while clips blend and the character turns or changes
/// speed.
///
/// Call it each frame after sinew_pose_to_model. If you also use foot placement (foot_placement.h), lock the feet
/// first so it finds the ground under the locked feet:
///
///     sinew_foot_contacts_evaluate(contacts, mixer, on_ground); // feet.h
///     sinew_foot_lock_solve(&lock, &world, on_ground, dt, &state, pose, model);
///
/// Foot locking edits a local pose. The rules in ik.h about spaces, weights, matrices, definitions and threads
/// also apply here.
#ifndef SINEW_FOOT_LOCK_H
#define SINEW_FOOT_LOCK_H

#include "feet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Defines a character's feet, and when to lock and release them. Start from sinew_foot_lock_default.
///
/// A foot locks when its contact begins and its sole is within `height` of the ground. The leg must also be able
/// to reach that spot for the next release_time / 2 seconds. While the foot is locked, its lowest sole point, the
/// *pivot*, stays in place, and the foot keeps its heading. Height and tilt still come from the pose. This lets
/// the foot roll from heel to toe as the pivot moves along the sole.
///
/// The foot is released when the contact ends. A released foot is inertialized: its offset from the pose starts
/// out with its current velocity and decays. Positions and velocities are continuous. A foot that's still moving
/// when it locks brakes: from 1.6 m/s, it slides 1 cm.
///
/// If the leg can't reach the locked foot, the heel rises first, followed by the whole foot. The knee never
/// straightens completely.
///
/// A locked foot takes a *step* before it gets out of reach or too far from the pose. To predict this, the offset
/// is extrapolated by release_time / 2. A step lifts the foot in place, so it doesn't slide along the ground. The
/// foot is then released after release_time / 2, or earlier if the leg can't reach it. If other feet are stepping,
/// the foot waits for them as long as the leg can reach it. The lift peaks after 1.5 × release_time. The foot can
/// lock again after about 4 × release_time, or as soon as it is close to the pose.
///
/// A foot doesn't step while all others are in the air. If it gets too far away, it slides to its pose. A foot that is
/// already stepping comes down faster. A character's only foot always steps.
typedef struct sinew_foot_lock {
    const sinew_foot *feet; ///< [foot_count], with legs; you own the array. Can be NULL if foot_count is 0
    int32_t foot_count;     ///< 0 to SINEW_MAX_FEET
    sinew_vec3 up;          ///< unit vector in model space; default +Y
    float contact_on;       ///< the foot locks if its contact is at least this; default 0.5
    /// The foot is released if its contact is below this. It's lower than contact_on to avoid flicker. Default
    /// 0.4.
    float contact_off;
    /// The maximum distance between a locked foot and the pose, measured in model space, in meters. Default 0.5. A
    /// foot that's farther away is released. If it stays in contact, it locks again once it's within a tenth of
    /// this distance.
    float distance;
    float turn; ///< like `distance`, but for the angle about `up`; in radians; default 0.8 (46 degrees)
    /// How far a locked foot can extend the leg, as a fraction of the leg's length. Default 0.99. The last 6% is
    /// soft, and the leg's own softness also applies. If the leg would have to extend beyond both `stretch` and
    /// its extension in the pose, the heel rises. The foot is released when the heel can't rise any further.
    float stretch;
    /// How far the heel can rise to help the leg reach the foot, in radians. Default 0.6 (34 degrees). If the toes
    /// have a sole point, the foot rolls over the toe joint and the toes stay on the ground. Otherwise it rolls
    /// over the sole point farthest from its joint. A foot whose toes are raised in the pose rolls less.
    float roll;
    /// The maximum step height, as a fraction of the leg's length. Default 0.1. Short steps are lower: the lift is
    /// at most half the length of the foot's path, not counting a tenth of `distance`. If this is 0, the foot
    /// slides instead.
    float lift_height;
    /// The time constant for released feet, in seconds. Default 0.08. It takes 1.7 time constants for an offset at
    /// rest to decay to half, and 3.9 to decay to a tenth. Use 0 to release feet instantly.
    float release_time;
    /// Blends the rotations like sinew_pose_blend. Default 1. The state is updated even if the weight is 0.
    float weight;
    /// A foot only locks while its lowest sole point is at most this many meters above the ground, in model space.
    /// Default 0.02. A higher foot follows the pose. This is ignored for feet without sole points.
    float height;
    uint32_t cookie; ///< private: set by sinew_foot_lock_default
} sinew_foot_lock;

/// Returns the defaults above. You must set `feet`. Any thread.
SINEW_API sinew_foot_lock sinew_foot_lock_default(void);

/// One foot's state.
typedef struct sinew_locked_foot {
    sinew_vec3 position; ///< world position of the pivot when it was planted, or in the last frame; in meters
    sinew_quat rotation; ///< world rotation of the foot at that time
    sinew_vec3 offset;   ///< from the pivot in the pose to its corrected position; world space, in meters
    sinew_vec3 velocity; ///< velocity of the offset, in meters per second
    float yaw;           ///< correction angle about `up` in model space, in radians
    float yaw_velocity;  ///< radians per second
    float lift;          ///< world height of a stepping foot along `up`, in meters
    float lift_velocity; ///< meters per second
    float lift_push;     ///< decaying acceleration of the lift, in meters per second squared
    sinew_vec3 slide;    ///< world velocity of a planted foot until it has come to rest, in meters per second
    int32_t pivot;       ///< the sole point that stays in place
    bool locked;         ///< true if the foot is planted
    /// True if the foot is stepping or if you released it. It has to settle before it can lock again.
    bool waiting;
} sinew_locked_foot;

/// Foot locking state, 736 bytes. You need one per character. Set it to {0} initially and after a teleport. This
/// is plain data, so you can copy it to take a snapshot. Repeating the same calls from the same state gives
/// bit-identical results.
typedef struct sinew_foot_lock_state {
    sinew_locked_foot feet[SINEW_MAX_FEET]; ///< only the first foot_count are used
} sinew_foot_lock_state;

/// Locks and releases the feet, and solves the legs. `dt` is the time since the last call in seconds. It must be
/// finite and 0 or more (asserted). `contacts` has [foot_count] values, one for each foot in the pose, from 0 (off
/// the ground) to 1 (on the ground). You can get them from sinew_foot_contacts_evaluate, or animate them in your
/// clips as morph weights. `model` must be up to date and is kept up to date, as in sinew_ik_solve.
///
/// `world` is this frame's transform from model space to world space, after root motion is applied. It can have
/// rotation, translation and uniform scale, and it can be mirrored. If the character stands on a moving platform,
/// pass the transform to the platform's space instead, so the feet stay planted on the platform. Positions are
/// floats, so their resolution is only 0.1 mm once you're more than 1 km from the origin.
///
/// If the pose jumps because of a seek or an instant transition, locked feet stay where they are. They take a step
/// if they're now too far away. If a foot is more than a leg length away, the character must have been teleported,
/// so the foot is released without inertialization. Non-finite input leaves the pose and the state unchanged.
SINEW_API void sinew_foot_lock_solve(const sinew_foot_lock *lock, const sinew_affine *world, const float *contacts,
                                     float dt, sinew_foot_lock_state *state, sinew_pose *pose, sinew_affine *model);

/// Releases all locked feet smoothly, with inertialization. Call this after a seek, or before you play a clip
/// without planted feet. A foot can lock again when its next contact begins or when it has settled.
SINEW_API void sinew_foot_lock_release(sinew_foot_lock_state *state);

#ifdef __cplusplus
}
#endif
#endif
