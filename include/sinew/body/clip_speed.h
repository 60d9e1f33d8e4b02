// SPDX-License-Identifier: MIT
/// Ground speeds: the velocity of a character over the ground, measured from the planted feet of a clip.
///
/// A planted foot does not move over the ground. In a clip that walks on the spot, planted feet move backward at the
/// ground speed; in a clip with root motion they rest while the character moves. The measurement covers both,
/// and any mixture.
///
/// Measure once, after loading, never per frame: a clip with two feet takes about 0.2 ms for each second. Nothing here
/// allocates. Results have the same bits on every machine.
#ifndef SINEW_CLIP_SPEED_H
#define SINEW_CLIP_SPEED_H

#include "../clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Feet ----------------------------------------------------------------------------------------------------

/// The largest number of feet of a character.
#define SINEW_MAX_FEET 8

/// The largest number of sole points of a foot.
#define SINEW_MAX_FOOT_POINTS 8

/// A point on the sole of a foot.
typedef struct sinew_foot_point {
    int32_t node;     ///< the foot or a descendant
    sinew_vec3 point; ///< position in the node's local space, metres
} sinew_foot_point;

/// A foot, and the points at which it touches the ground.
typedef struct sinew_foot {
    int32_t node;                                   ///< the foot's joint, usually the ankle
    int32_t point_count;                            ///< 1 to SINEW_MAX_FOOT_POINTS
    sinew_foot_point points[SINEW_MAX_FOOT_POINTS]; ///< [point_count]
} sinew_foot;

/// The feet of a skeleton, made by sinew_feet_find or sinew_feet_from_nodes. Plain data: the points may be replaced by
/// those of the real sole.
typedef struct sinew_feet {
    const sinew_skeleton *skeleton;  ///< must outlive this struct
    sinew_up up;                     ///< as given
    float height;                    ///< of the character in the rest pose, metres
    int32_t foot_count;              ///< 1 to SINEW_MAX_FEET; 0 after a failure
    sinew_foot feet[SINEW_MAX_FEET]; ///< [foot_count]
} sinew_feet;

/// Makes feet from `count` nodes, such as the ankles. The sole points are those straight below the node and its first
/// seven descendants on the ground, in the rest pose. The ground is the plane through model space's origin; but if the
/// lowest of these nodes is below it, or higher above it than half of the character's height, the plane through that
/// node. The character's height is measured to the highest descendant of the feet's lowest common ancestor.
///
/// SINEW_ERROR_ARGUMENT, with the node in `error`, for a count that is not 1 to SINEW_MAX_FEET, a node that does not
/// exist, is given twice or is a descendant of another, and a character of height 0; SINEW_ERROR_LIMIT for a node more
/// than 64 levels deep. `error` may be NULL. Linear in the number of nodes. Any thread.
SINEW_API sinew_result sinew_feet_from_nodes(const sinew_skeleton *skeleton, const int32_t *nodes, int32_t count,
                                             sinew_up up, sinew_feet *feet, sinew_error *error);

/// Finds the feet by the shape of the rest pose; names are ignored. Candidates are the 64 lowest nodes without
/// children. Two of them are a pair if they are at the same depth of the hierarchy, at the same height, apart, and at
/// the same distance over the ground from their lowest common ancestor, each within 2 % of the rest pose's height.
/// The feet are the pairs within 1/8 of that height of the lowest pair, one foot for each limb, except pairs whose
/// common ancestor is lower than the highest one by more than 1/4 of that height. The foot's node is the highest one
/// of its limb within that 1/8. Continues as sinew_feet_from_nodes.
///
/// SINEW_ERROR_UNSUPPORTED if there is no such pair, as for a rest pose in which the feet are not lowest; then the
/// nodes must be given. Check the result: `sinew info` prints it. `error` may be NULL. Linear in the number of nodes.
/// Uses about 9 KB of stack. Any thread.
SINEW_API sinew_result sinew_feet_find(const sinew_skeleton *skeleton, sinew_up up, sinew_feet *feet,
                                       sinew_error *error);

// ---- Speed ---------------------------------------------------------------------------------------------------

/// What the feet of a clip do.
typedef enum sinew_gait {
    SINEW_GAIT_NONE,   ///< no speed: planted feet disagree, fewer than two feet are planted, or the clip is no loop
    SINEW_GAIT_STANDS, ///< the character stands: slower than a tenth of its height a second
    SINEW_GAIT_MOVES   ///< the feet carry the character over the ground
} sinew_gait;

/// The largest number of planted intervals that are listed for a foot.
#define SINEW_MAX_FOOT_PLANTS 8

/// An interval in which a foot is planted, seconds.
typedef struct sinew_foot_plant {
    float start; ///< from 0 to the clip's duration
    float end;   ///< later than start; beyond the clip's duration if the interval continues in the next loop
} sinew_foot_plant;

/// The planted intervals of a foot.
typedef struct sinew_foot_plants {
    int32_t count;                                  ///< of all intervals; may exceed SINEW_MAX_FOOT_PLANTS
    sinew_foot_plant plants[SINEW_MAX_FOOT_PLANTS]; ///< the first of them, sorted by start
} sinew_foot_plants;

/// The ground speed of a clip.
typedef struct sinew_clip_speed {
    sinew_gait gait; ///< unless it is SINEW_GAIT_MOVES, velocity and speed are 0
    /// Metres a second in model space, 0 along the up axis. In a clip that turns by root motion, relative to the
    /// heading, which at the start of the clip is that of model space.
    sinew_vec3 velocity;
    float speed;    ///< the length of `velocity`
    float spread;   ///< standard deviation of the planted feet's velocities, metres a second; 0 is certain
    float yaw_rate; ///< of the feet's lowest common ancestor about the up axis, radians a second; 0 without a speed
    float planted;  ///< the mean fraction of the time that a foot is planted
    int32_t foot_count;                     ///< that of the feet
    sinew_foot_plants feet[SINEW_MAX_FEET]; ///< [foot_count], in the order of the feet
} sinew_clip_speed;

/// Measures the ground speed of a clip. Returns false, with SINEW_GAIT_NONE, if it has none, for an additive clip, and
/// for feet that could not be made.
///
/// In each of at most 512 steps the lowest sole point of each foot is its contact. A contact is low within 2 % of the
/// character's height above the lowest one of its foot. If the foot is planted, the character's velocity is that of the
/// root motion minus that of the contact; the root motion is that of the feet's lowest common ancestor, from the
/// first pose to the last. The result is the mean of the densest cluster of these velocities, at least 60 % of all low
/// contacts. Of a loop whose planted feet keep one velocity it is that velocity within 0.5 %; if they do not, it is
/// their mean and `spread` says how much they differ. Of a clip longer than 17 s with two feet, 8.5 s with four, only
/// the start is measured.
///
/// `clip` and `feet` must be of one skeleton (asserted). Allocates nothing; uses about 24 KB of stack. Any thread.
SINEW_API bool sinew_clip_measure_speed(const sinew_clip *clip, const sinew_feet *feet, sinew_clip_speed *speed);

#ifdef __cplusplus
}
#endif
#endif
