// SPDX-License-Identifier: MIT
/// Feet: how fast they carry a character, and when they are on the ground.
///
/// A foot is a joint, the points of its sole, and its leg. Make one with sinew_foot_from_rest if you know the
/// nodes, or find all feet of a skeleton with sinew_feet_find. Then:
///
///     the ground speed of a clip        sinew_clip_measure_speed
///     when a foot is on the ground      sinew_foot_contacts_create, and sinew_foot_contacts_evaluate each frame
///     planted feet that don't slide     foot_lock.h
///     feet on slopes and stairs         foot_placement.h
///     longer and shorter strides        pose_warp.h
///
/// Positions are in metres and in model space, unless a comment says otherwise. Results have the same bits on
/// every machine.
#ifndef SINEW_FEET_H
#define SINEW_FEET_H

#include "ik.h"
#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Feet ----------------------------------------------------------------------------------------------------

/// The maximum number of feet per character.
#define SINEW_MAX_FEET 8

/// The maximum number of sole points per foot.
#define SINEW_MAX_FOOT_POINTS 8

/// A point on the sole of a foot.
typedef struct sinew_foot_point {
    int32_t node;     ///< the foot or a descendant
    sinew_vec3 point; ///< position in the node's local space, metres
} sinew_foot_point;

/// A foot, its sole points and its leg. Made by sinew_foot_from_rest, sinew_feet_find or sinew_feet_from_nodes.
/// Plain data: you can replace the sole points with points of the real sole.
typedef struct sinew_foot {
    int32_t node;                                   ///< the foot's joint, usually the ankle
    int32_t point_count;                            ///< 0 to SINEW_MAX_FOOT_POINTS
    sinew_foot_point points[SINEW_MAX_FOOT_POINTS]; ///< [point_count]: heel, ball, ...
    /// Thigh, shin and foot as `upper`, `lower` and `end`. Foot locking, foot placement and stride warps need it
    /// (asserted; a no-op with NDEBUG). They use your bend_axis, pole, pole_weight and softness, and set target,
    /// weight, end_mode and end_rotation themselves. Feet from sinew_feet_find and sinew_feet_from_nodes have no
    /// leg: `upper` is SINEW_NO_NODE. Set it to sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot.node).
    sinew_ik_two_bone leg;
} sinew_foot;

/// Returns a foot with its leg. `thigh`, `shin` and `foot` must each be below the one before. `toes` is below the
/// foot, or the foot itself, or SINEW_NO_NODE. Otherwise all nodes of the result are SINEW_NO_NODE. `up` must be
/// unit. Any thread.
///
/// The foot gets one sole point below its joint, and, with `toes`, one below the toes' joint. Each moves with its
/// joint. They are straight below the joints in the rest pose, on the plane through model space's origin. On
/// stairs and edges you also need the sole's corners: add them with sinew_foot_add_point.
SINEW_API sinew_foot sinew_foot_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                          int32_t toes, sinew_vec3 up);

/// Adds a sole point that moves with a node: the foot or a descendant. `point` is its position in model space in
/// the rest pose. At most SINEW_MAX_FOOT_POINTS per foot (asserted). Any thread.
SINEW_API void sinew_foot_add_point(sinew_foot *foot, const sinew_skeleton *skeleton, int32_t node,
                                    sinew_vec3 point);

/// The feet of a skeleton, from sinew_feet_find or sinew_feet_from_nodes. Plain data.
typedef struct sinew_feet {
    const sinew_skeleton *skeleton;  ///< must outlive this struct
    sinew_up up;                     ///< as passed in
    float height;                    ///< the character's height in the rest pose, metres
    int32_t foot_count;              ///< 1 to SINEW_MAX_FEET; 0 after a failure
    sinew_foot feet[SINEW_MAX_FEET]; ///< [foot_count], each with at least 1 sole point, without legs
} sinew_feet;

/// Finds the feet by the shape of the rest pose. It ignores names. Check the result: `sinew info` prints it.
///
/// SINEW_ERROR_UNSUPPORTED if there are no feet, for example if they aren't the lowest nodes in the rest pose.
/// Then use sinew_feet_from_nodes, which also lists the other errors. `error` may be NULL. Linear in the number
/// of nodes. Any thread.
///
/// It looks for symmetric pairs among the 64 lowest nodes without children. A pair has the same depth in the
/// hierarchy, the same height, and the same level distance from the lowest common ancestor. "Same" means within 2 % of
/// the rest pose's height h.
/// Feet are the pairs within h / 8 of the lowest pair, unless their common ancestor is more than h / 4 below the
/// highest. Each limb gets one foot: its highest node within that h / 8.
SINEW_API sinew_result sinew_feet_find(const sinew_skeleton *skeleton, sinew_up up, sinew_feet *feet,
                                       sinew_error *error);

/// Makes feet from `count` nodes, such as the ankles. The sole points are on the ground in the rest pose,
/// straight below the node and its first seven descendants. Linear in the number of nodes. Any thread.
///
/// The ground is the plane through model space's origin. If the lowest of these nodes is below it, or above it by
/// more than half the character's height, the ground is at that node. The character's height reaches up to the
/// highest descendant of the feet's lowest common ancestor.
///
/// Errors name the node in `error`, which may be NULL:
///   - SINEW_ERROR_ARGUMENT: `count` isn't 1 to SINEW_MAX_FEET; a node doesn't exist, is given twice, or is a
///     descendant of another; the character's height is 0.
///   - SINEW_ERROR_LIMIT: a node is more than 64 levels deep.
SINEW_API sinew_result sinew_feet_from_nodes(const sinew_skeleton *skeleton, const int32_t *nodes, int32_t count,
                                             sinew_up up, sinew_feet *feet, sinew_error *error);

// ---- Contacts ------------------------------------------------------------------------------------------------

/// An interval in which a foot is on the ground. If `end` is before `start`, it wraps around the end of the loop:
/// from `start` to the clip's duration, and from 0 to `end`.
typedef struct sinew_foot_contact {
    int32_t foot; ///< index of the foot
    float start;  ///< seconds, within the clip
    float end;    ///< seconds, within the clip
} sinew_foot_contact;

/// Parameters for sinew_foot_contacts_create. Start from sinew_foot_contacts_default.
typedef struct sinew_foot_contacts_def {
    const sinew_skeleton *skeleton; ///< the skeleton of all clips; must be set, and outlive the contacts
    const sinew_clip *const *clips; ///< [clip_count], not additive; must outlive the contacts
    int32_t clip_count;             ///< 0 or more
    int32_t foot_count;             ///< 1 to SINEW_MAX_FEET
    /// [foot_count], names of the markers where each foot comes down; none may be NULL. If a clip has a pair of
    /// these markers, all its contacts come from markers. NULL (default): ignores markers.
    const char *const *down_names;
    const char *const *up_names; ///< [foot_count], the markers where each foot lifts; set both lists or neither
    /// [foot_count], with sole points; legs aren't needed. The other clips' contacts are found from these feet's
    /// motion. NULL (default): those clips have no contacts.
    const sinew_foot *feet;
    sinew_vec3 up; ///< in model space, unit; default +Y
    float height;  ///< contact: a sole point lower than this above model space's origin, metres; default 0.03
    /// Contact: a low sole point slower than this over the ground, metres per second; default 0.4. If the clip
    /// walks on the spot, the ground moves, with the median velocity of all low sole points.
    float speed;
    float duration;            ///< seconds; default 0.05: drops shorter contacts and closes shorter gaps
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_foot_contacts_default
} sinew_foot_contacts_def;

/// Returns the defaults above. Any thread.
SINEW_API sinew_foot_contacts_def sinew_foot_contacts_default(void);

/// Where a clip's contacts come from.
typedef enum sinew_foot_contact_source {
    SINEW_FOOT_CONTACT_SOURCE_NONE,    ///< the clip has no contacts
    SINEW_FOOT_CONTACT_SOURCE_MARKERS, ///< pairs of markers
    SINEW_FOOT_CONTACT_SOURCE_MOTION   ///< the motion of the soles
} sinew_foot_contact_source;

/// The contacts of one clip. Read-only.
typedef struct sinew_clip_contacts {
    const sinew_clip *clip;             ///< as passed in
    sinew_foot_contact_source source;   ///< where the contacts come from
    int32_t contact_count;              ///< number of contacts of all feet
    const sinew_foot_contact *contacts; ///< [contact_count], sorted by foot, then start
} sinew_clip_contacts;

/// The contacts of several clips, made by sinew_foot_contacts_create. Read-only: any number of threads may use
/// it.
typedef struct sinew_foot_contacts {
    int32_t foot_count;                          ///< as passed in
    int32_t clip_count;                          ///< as passed in
    const sinew_clip_contacts *clips;            ///< [clip_count], in the order passed in
    size_t memory;                               ///< total bytes
    const struct sinew_foot_contacts_data *data; ///< private
} sinew_foot_contacts;

/// Creates the contacts of clips; call it once, at load. Free them with sinew_foot_contacts_destroy. Clips
/// without markers are sampled 240 times a second, at most 4096 times. On failure `*contacts` is NULL. `error`
/// may be NULL. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY or SINEW_ERROR_ARGUMENT. `error` names the clip or foot:
///   - a clip is additive or of another skeleton
///   - only one list of names is set
///   - a foot has no sole points, or nodes of another skeleton
///   - a number is out of range
SINEW_API sinew_result sinew_foot_contacts_create(const sinew_foot_contacts_def *def,
                                                  sinew_foot_contacts **contacts, sinew_error *error);

/// Frees contacts, but not their clips. NULL is allowed. Any thread.
SINEW_API void sinew_foot_contacts_destroy(sinew_foot_contacts *contacts);

/// Returns the contacts of a clip, or NULL if the clip wasn't passed to sinew_foot_contacts_create. Any thread.
SINEW_API const sinew_clip_contacts *sinew_foot_contacts_find(const sinew_foot_contacts *contacts,
                                                              const sinew_clip *clip);

/// Returns whether a foot is on the ground at a time in the clip, seconds. Any thread.
SINEW_API bool sinew_clip_contacts_at(const sinew_clip_contacts *clip, int32_t foot, float time);

/// Computes how much each foot is on the ground now, 0 to 1, for all clips on a mixer's base layer. `blended`,
/// [foot_count], gets the weight of the clips with that foot down, divided by the total weight. Call it after
/// sinew_mixer_advance, on the mixer's thread. Allocates nothing.
///
/// Clips without an entry in `contacts` are ignored; if there are no others, the result is 0. A blend space
/// counts as its clip with the largest weight. Held and inertialized poses don't count. So a transition that ends
/// the old clips at once has the new clip's contacts from its first frame.
SINEW_API void sinew_foot_contacts_evaluate(const sinew_foot_contacts *contacts, const sinew_mixer *mixer,
                                            float *blended);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// What the feet of a clip do.
typedef enum sinew_gait {
    SINEW_GAIT_NONE,   ///< no speed: planted feet disagree, fewer than two are planted, or the clip doesn't loop
    SINEW_GAIT_STANDS, ///< the character stands: slower than a tenth of its height per second
    SINEW_GAIT_MOVES   ///< the feet carry the character over the ground
} sinew_gait;

/// The maximum number of contacts per foot in a sinew_clip_speed.
#define SINEW_MAX_FOOT_CONTACTS 8

/// The ground speed of a clip.
typedef struct sinew_clip_speed {
    sinew_gait gait; ///< unless it is SINEW_GAIT_MOVES, velocity and speed are 0
    /// Metres per second in model space, 0 along the up axis. If the clip turns by root motion, it is relative to
    /// the heading, which equals model space's at the start of the clip.
    sinew_vec3 velocity;
    float speed;    ///< the length of `velocity`
    float spread;   ///< standard deviation of the planted feet's velocities, metres per second; 0 is certain
    float yaw_rate; ///< the feet's lowest common ancestor about the up axis, radians per second; 0 without a speed
    float planted;  ///< the mean fraction of the time that a foot is planted
    int32_t contact_count; ///< at most SINEW_MAX_FOOT_CONTACTS for each foot
    /// [contact_count], the intervals in which feet are planted, sorted by foot, then start: each foot's first
    /// ones.
    sinew_foot_contact contacts[SINEW_MAX_FEET * SINEW_MAX_FOOT_CONTACTS];
} sinew_clip_speed;

/// Measures how fast a clip's planted feet carry the character over the ground. It works for clips that walk on
/// the spot, where planted feet move backward, for clips with root motion, and for any mixture. Returns false,
/// with SINEW_GAIT_NONE, for a clip without a speed, an additive clip, or a `feet` without feet.
///
/// Measure once, after loading: a clip with two feet takes about 0.2 ms per second of animation. `clip` and
/// `feet` must be of one skeleton (asserted). Allocates nothing; uses about 24 KB of stack. Any thread.
///
/// The clip is sampled at most 1024 / foot_count times. If that isn't enough for 30 samples a second, only its
/// start is measured: 17 s with two feet, 8.5 s with four. At least 60 % of the low sole points must agree on a
/// velocity; the result is their mean. It is within 0.5 % if planted feet keep one velocity; otherwise see
/// `spread`. Root motion is taken from the feet's lowest common ancestor.
SINEW_API bool sinew_clip_measure_speed(const sinew_clip *clip, const sinew_feet *feet, sinew_clip_speed *speed);

/// Sets the samples' positions in a blend space to their clips' measured ground velocities, metres per second,
/// times the sample's `speed`. A clip that stands is at (0, 0).
///
///   - SINEW_BLEND_SPACE_LINE: x is the speed, negative if the character moves backward; y is 0.
///   - Other kinds: x is the velocity to the character's right, y the velocity forward. Right is -X. Forward is
///     +Z if +Y is up, and -Y if +Z is up.
///
/// SINEW_ERROR_ARGUMENT, with the sample in `error`: it has no clip, a clip of another skeleton than `feet`, a
/// speed of 0, or a clip that sinew_clip_measure_speed can't measure. `error` may be NULL. Takes as long as
/// measuring each clip. Uses about 25 KB of stack. Any thread.
SINEW_API sinew_result sinew_blend_samples_measure(sinew_blend_sample *samples, int32_t sample_count,
                                                   sinew_blend_space_kind kind, const sinew_feet *feet,
                                                   sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
