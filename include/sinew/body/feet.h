// SPDX-License-Identifier: MIT
/// Feet: how fast they carry a character, and when they are on the ground.
///
/// A foot is a joint, the points of its sole, and its leg. sinew_foot_from_rest makes one of named nodes, and
/// sinew_feet_find finds all of them. Then:
///
///     the ground speed of a clip        sinew_clip_measure_speed
///     when a foot is on the ground      sinew_foot_contacts_create, and sinew_foot_contacts_evaluate each frame
///     planted feet that don't slide     foot_lock.h
///     feet on slopes and stairs         foot_placement.h
///     longer and shorter strides        pose_warp.h
///
/// Positions are in metres, in model space unless a comment says otherwise. Results have the same bits on every
/// machine.
#ifndef SINEW_FEET_H
#define SINEW_FEET_H

#include "ik.h"
#include "../mixer.h"

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

/// A foot, the points at which it touches the ground, and its leg. Made by sinew_foot_from_rest, sinew_feet_find or
/// sinew_feet_from_nodes. Plain data: the points may be replaced by those of the real sole.
typedef struct sinew_foot {
    int32_t node;                                   ///< the foot's joint, usually the ankle
    int32_t point_count;                            ///< 0 to SINEW_MAX_FOOT_POINTS
    sinew_foot_point points[SINEW_MAX_FOOT_POINTS]; ///< [point_count]: heel, ball, ...
    /// Thigh, shin and foot (`upper`, `lower`, `end`), bend_axis, pole, pole_weight and softness; `end` is `node`.
    /// Foot locking, foot placement and stride warps need it (asserted; no-op with NDEBUG), and set target, weight,
    /// end_mode and end_rotation themselves. A foot that was found has no leg: `upper` is SINEW_NO_NODE. Set it to
    /// sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot.node).
    sinew_ik_two_bone leg;
} sinew_foot;

/// Makes a foot with its leg: `thigh`, `shin` and `foot`, each below the one before. `toes` are below the foot, or the
/// foot, or SINEW_NO_NODE. If the nodes aren't, all nodes of the result are SINEW_NO_NODE.
///
/// It has one or two sole points: one below the foot's joint, which moves with the foot, and, with `toes`, one below
/// their joint, which moves with them. They are straight below the joints of the rest pose, on the plane through model
/// space's origin, perpendicular to `up` (unit). Stairs and edges also need the sole's corners: add them with
/// sinew_foot_add_point. Any thread.
SINEW_API sinew_foot sinew_foot_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                          int32_t toes, sinew_vec3 up);

/// Adds a sole point that moves with a node, the foot or a descendant. `point` is its position in model space in
/// the rest pose. At most SINEW_MAX_FOOT_POINTS (asserted). Any thread.
SINEW_API void sinew_foot_add_point(sinew_foot *foot, const sinew_skeleton *skeleton, int32_t node,
                                    sinew_vec3 point);

/// The feet of a skeleton, made by sinew_feet_find or sinew_feet_from_nodes. Plain data.
typedef struct sinew_feet {
    const sinew_skeleton *skeleton;  ///< must outlive this struct
    sinew_up up;                     ///< as given
    float height;                    ///< of the character in the rest pose, metres
    int32_t foot_count;              ///< 1 to SINEW_MAX_FEET; 0 after a failure
    sinew_foot feet[SINEW_MAX_FEET]; ///< [foot_count], each with 1 sole point or more, without legs
} sinew_feet;

/// Finds the feet by the shape of the rest pose; names are ignored. Candidates are the 64 lowest nodes without
/// children. Two of them are a pair if they are at the same depth of the hierarchy, at the same height, apart, and at
/// the same distance over the ground from their lowest common ancestor, each within 2 % of the rest pose's height.
/// The feet are the pairs within 1/8 of that height of the lowest pair, one foot for each limb, except pairs whose
/// common ancestor is lower than the highest one by more than 1/4 of that height. The foot's node is the highest one
/// of its limb within that 1/8. Continues as sinew_feet_from_nodes.
///
/// SINEW_ERROR_UNSUPPORTED if there is no such pair, as for a rest pose in which the feet are not lowest; then the
/// nodes must be given. Check the result: `sinew info` prints it. `error` may be NULL. Linear in the number of nodes.
/// Any thread.
SINEW_API sinew_result sinew_feet_find(const sinew_skeleton *skeleton, sinew_up up, sinew_feet *feet,
                                       sinew_error *error);

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

// ---- Contacts ------------------------------------------------------------------------------------------------

/// An interval in which a foot is on the ground. Both times are within the clip. If `end` is before `start`, the
/// contact goes on across the end of the loop: from `start` to the clip's duration, and from 0 to `end`.
typedef struct sinew_foot_contact {
    int32_t foot; ///< index of the foot
    float start;  ///< seconds
    float end;    ///< seconds
} sinew_foot_contact;

/// What contacts are made from. Start from sinew_foot_contacts_default.
typedef struct sinew_foot_contacts_def {
    const sinew_skeleton *skeleton; ///< the skeleton of all clips; must be set, and outlive the contacts
    const sinew_clip *const *clips; ///< [clip_count], not additive; must outlive the contacts
    int32_t clip_count;             ///< 0 or more
    int32_t foot_count;             ///< 1 to SINEW_MAX_FEET
    /// [foot_count], the markers at which a foot comes down and is lifted, not NULL each. A clip that has a pair of
    /// them uses its markers, for all feet. NULL (default): markers are ignored.
    const char *const *down_names;
    const char *const *up_names; ///< see down_names; both or neither
    /// [foot_count], with sole points: contacts of the other clips are found from their motion. Legs aren't needed.
    /// NULL (default): those clips have no contacts.
    const sinew_foot *feet;
    sinew_vec3 up; ///< in model space, unit; default +Y
    /// A sole point below this height above the ground plane through model space's origin can be in contact, metres;
    /// default 0.03.
    float height;
    /// A sole point slower than this over the ground is in contact, metres a second; default 0.4. The ground moves
    /// under a clip that walks on the spot: with the median velocity of all low sole points.
    float speed;
    float duration;            ///< shorter contacts are dropped and shorter gaps closed, seconds; default 0.05
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_foot_contacts_default
} sinew_foot_contacts_def;

/// The defaults above. Any thread.
SINEW_API sinew_foot_contacts_def sinew_foot_contacts_default(void);

/// The source of a clip's contacts.
typedef enum sinew_foot_contact_source {
    SINEW_FOOT_CONTACT_SOURCE_NONE,    ///< the clip has none
    SINEW_FOOT_CONTACT_SOURCE_MARKERS, ///< pairs of markers
    SINEW_FOOT_CONTACT_SOURCE_MOTION   ///< the motion of the soles
} sinew_foot_contact_source;

/// The contacts of a clip, read-only.
typedef struct sinew_clip_contacts {
    const sinew_clip *clip;             ///< as given
    sinew_foot_contact_source source;   ///< where they are from
    int32_t contact_count;              ///< number of contacts of all feet
    const sinew_foot_contact *contacts; ///< [contact_count], sorted by foot, then start
} sinew_clip_contacts;

/// The contacts of clips, read-only. Only those returned by sinew_foot_contacts_create are valid. May be used by any
/// number of threads at once.
typedef struct sinew_foot_contacts {
    int32_t foot_count;                          ///< as given
    int32_t clip_count;                          ///< as given
    const sinew_clip_contacts *clips;            ///< [clip_count], in the given order
    size_t memory;                               ///< total bytes
    const struct sinew_foot_contacts_data *data; ///< private
} sinew_foot_contacts;

/// Creates the contacts of clips, once, at load; free them with sinew_foot_contacts_destroy. Clips whose contacts are
/// found are sampled 240 times a second, at most 4096 times. SINEW_ERROR_ARGUMENT, with the clip or foot in `error`,
/// for a clip of another skeleton or an additive one, for only one of the two lists of names, for a foot without sole
/// points or with nodes of another skeleton, and for numbers out of range; SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*contacts` is NULL. `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_foot_contacts_create(const sinew_foot_contacts_def *def,
                                                  sinew_foot_contacts **contacts, sinew_error *error);

/// Frees contacts; clips are not freed. NULL is allowed. Any thread.
SINEW_API void sinew_foot_contacts_destroy(sinew_foot_contacts *contacts);

/// The contacts of a clip; NULL for a clip that was not given. Any thread.
SINEW_API const sinew_clip_contacts *sinew_foot_contacts_find(const sinew_foot_contacts *contacts,
                                                              const sinew_clip *clip);

/// Whether a foot is on the ground at a time in the clip, seconds. Any thread.
SINEW_API bool sinew_clip_contacts_at(const sinew_clip_contacts *clip, int32_t foot, float time);

/// Blends the contacts of the clips that a mixer plays in its base: `blended`, [foot_count], is for each foot the sum
/// of the weights of the clips in which it is on the ground, divided by the sum of all weights. Clips that were not
/// given are ignored; without any other clip the contacts are 0. A blend space counts as its clip of the largest
/// weight, held poses and poses that are inertialized do not count: a transition that ends the old clips at once has
/// the new clip's contacts from its first frame. Allocates nothing. Call it after sinew_mixer_advance, in the mixer's
/// thread.
SINEW_API void sinew_foot_contacts_evaluate(const sinew_foot_contacts *contacts, const sinew_mixer *mixer,
                                            float *blended);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// What the feet of a clip do.
typedef enum sinew_gait {
    SINEW_GAIT_NONE,   ///< no speed: planted feet disagree, fewer than two feet are planted, or the clip is no loop
    SINEW_GAIT_STANDS, ///< the character stands: slower than a tenth of its height a second
    SINEW_GAIT_MOVES   ///< the feet carry the character over the ground
} sinew_gait;

/// The largest number of contacts of a foot that are listed in a sinew_clip_speed.
#define SINEW_MAX_FOOT_CONTACTS 8

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
    int32_t contact_count; ///< at most SINEW_MAX_FOOT_CONTACTS for each foot
    /// [contact_count], the intervals in which feet are planted, sorted by foot, then start: the first ones of each
    /// foot.
    sinew_foot_contact contacts[SINEW_MAX_FEET * SINEW_MAX_FOOT_CONTACTS];
} sinew_clip_speed;

/// Measures the velocity of a character over the ground, from the planted feet of a clip. A planted foot does not move
/// over the ground. In a clip that walks on the spot, planted feet move backward at the ground speed; in a clip with
/// root motion they rest while the character moves. The measurement covers both, and any mixture. Returns false, with
/// SINEW_GAIT_NONE, for a clip without a speed, an additive clip, and feet that could not be made.
///
/// In each of at most 512 steps the lowest sole point of each foot is its contact. A contact is low within 2 % of the
/// character's height above the lowest one of its foot. If the foot is planted, the character's velocity is that of the
/// root motion minus that of the contact; the root motion is that of the feet's lowest common ancestor, from the
/// first pose to the last. The result is the mean of the densest cluster of these velocities, at least 60 % of all low
/// contacts. Of a loop whose planted feet keep one velocity it is that velocity within 0.5 %; if they do not, it is
/// their mean and `spread` says how much they differ. Of a clip longer than 17 s with two feet, 8.5 s with four, only
/// the start is measured.
///
/// Measure once, after loading: a clip with two feet takes about 0.2 ms for each second. `clip` and `feet` must be of
/// one skeleton (asserted). Allocates nothing; uses about 24 KB of stack. Any thread.
SINEW_API bool sinew_clip_measure_speed(const sinew_clip *clip, const sinew_feet *feet, sinew_clip_speed *speed);

/// Sets the positions of samples to the ground velocities of their clips, so that no numbers need to be typed in. For
/// SINEW_BLEND_SPACE_LINE, x is the speed, negative if the character moves backward; y is 0. For the other kinds, x is
/// the velocity to the character's right and y the velocity forward. Forward is +Z in model space if +Y is up and -Y
/// if +Z is up; right is -X. Metres a second, times the sample's `speed`. A clip that stands is at (0, 0).
///
/// SINEW_ERROR_ARGUMENT, with the sample in `error`, for a sample without a clip, with a clip of another skeleton than
/// that of the feet, with a speed of 0, or with a clip whose speed sinew_clip_measure_speed cannot measure. `error` may
/// be NULL. The cost is that of measuring each clip. Uses about 25 KB of stack. Any thread.
SINEW_API sinew_result sinew_blend_samples_measure(sinew_blend_sample *samples, int32_t sample_count,
                                                   sinew_blend_space_kind kind, const sinew_feet *feet,
                                                   sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
