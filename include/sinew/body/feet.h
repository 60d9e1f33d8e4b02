// SPDX-License-Identifier: MIT
/// Feet: how fast they carry a character, and when they touch the ground.
///
/// A foot has a joint, a few points on its sole, and a leg. If you know the nodes, use sinew_foot_from_rest to
/// make one. Otherwise use sinew_feet_find to find all of a skeleton's feet. Then:
///
///     a clip's ground speed             sinew_clip_measure_speed
///     when a foot is on the ground      sinew_foot_contacts_create, and sinew_foot_contacts_evaluate each frame
///     planted feet that don't slide     foot_lock.h
///     feet on slopes and stairs         foot_placement.h
///     longer and shorter strides        pose_warp.h
///
/// Positions are in model space and in meters unless otherwise noted. Results are bit-identical on every machine.
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

/// A point on a foot's sole.
typedef struct sinew_foot_point {
    int32_t node;     ///< the foot or a descendant
    sinew_vec3 point; ///< position in the node's local space, in meters
} sinew_foot_point;

/// A foot with its sole points and its leg. Use sinew_foot_from_rest, sinew_feet_find or sinew_feet_from_nodes to
/// make one. This is plain data, so you can replace the sole points with points from the real shoe.
typedef struct sinew_foot {
    int32_t node;                                   ///< the foot's joint, usually the ankle
    int32_t point_count;                            ///< 0 to SINEW_MAX_FOOT_POINTS
    sinew_foot_point points[SINEW_MAX_FOOT_POINTS]; ///< [point_count]: heel, ball, ...
    /// The leg: thigh, shin and foot are `upper`, `lower` and `end`. Foot locking, foot placement and stride
    /// warps need it (asserted; a no-op with NDEBUG). They use your bend_axis, pole, pole_weight and softness,
    /// and set target, weight, end_mode and end_rotation themselves.
    ///
    /// Feet from sinew_feet_find and sinew_feet_from_nodes don't have a leg yet, so `upper` is SINEW_NO_NODE. To
    /// add one, call sinew_ik_two_bone_from_rest(skeleton, thigh, shin, foot.node).
    sinew_ik_two_bone leg;
} sinew_foot;

/// Makes a foot with its leg. Each of `thigh`, `shin` and `foot` must be a descendant of the one before. `toes`
/// can be a descendant of the foot, the foot itself, or SINEW_NO_NODE. If the nodes don't meet these rules, all
/// nodes in the result are SINEW_NO_NODE. `up` must be a unit vector. Any thread.
///
/// The foot gets one sole point below its joint. If you pass `toes`, it also gets one below that joint. Each point
/// moves with its joint. In the rest pose the points are directly below the joints, on the ground plane through
/// the model-space origin. On stairs and edges you also need the sole's corners, which you can add with
/// sinew_foot_add_point.
SINEW_API sinew_foot sinew_foot_from_rest(const sinew_skeleton *skeleton, int32_t thigh, int32_t shin, int32_t foot,
                                          int32_t toes, sinew_vec3 up);

/// Adds a sole point that moves with a node, which must be the foot or one of its descendants. `point` is its
/// model-space position in the rest pose. A foot can have up to SINEW_MAX_FOOT_POINTS points (asserted). Any
/// thread.
SINEW_API void sinew_foot_add_point(sinew_foot *foot, const sinew_skeleton *skeleton, int32_t node,
                                    sinew_vec3 point);

/// A skeleton's feet. You get them from sinew_feet_find or sinew_feet_from_nodes. Plain data.
typedef struct sinew_feet {
    const sinew_skeleton *skeleton;  ///< must outlive this struct
    sinew_up up;                     ///< as passed in
    float height;                    ///< the character's height in the rest pose, in meters
    int32_t foot_count;              ///< 1 to SINEW_MAX_FEET; 0 after a failure
    sinew_foot feet[SINEW_MAX_FEET]; ///< [foot_count]; each has at least 1 sole point, but no leg
} sinew_feet;

/// Finds a skeleton's feet from the shape of its rest pose. Names are ignored. Make sure to check the result. For
/// example, `sinew info` prints it.
///
/// Fails with SINEW_ERROR_UNSUPPORTED if it doesn't find any, for example because the feet aren't the lowest nodes
/// in the rest pose. In that case use sinew_feet_from_nodes. See that function for the other errors. `error` may
/// be NULL. Takes linear time in the number of nodes. Any thread.
///
/// How it works: it looks for symmetric pairs among the 64 lowest nodes without children. The two nodes in a pair
/// are at the same depth in the hierarchy, at the same height, and at the same horizontal distance from their
/// lowest common ancestor. "The same" means within 2% of the rest pose's height h. Pairs within h / 8 of the
/// lowest pair are feet, unless their common ancestor is more than h / 4 below the highest one. Each limb gets one
/// foot, which is its highest node within that h / 8.
SINEW_API sinew_result sinew_feet_find(const sinew_skeleton *skeleton, sinew_up up, sinew_feet *feet,
                                       sinew_error *error);

/// Makes feet from `count` nodes, such as the ankles. In the rest pose the sole points are on the ground, directly
/// below each node and its first seven descendants. Takes linear time in the number of nodes. Any thread.
///
/// The ground is the plane through the model-space origin. If the lowest of these nodes is below that plane, or
/// more than half the character's height above it, the ground is at that node's height instead. The character's
/// height is measured up to the highest descendant of the feet's lowest common ancestor.
///
/// `error` may be NULL. Otherwise it names the node. Fails with:
///   - SINEW_ERROR_ARGUMENT if `count` isn't in [1, SINEW_MAX_FEET], if a node doesn't exist, is listed twice or
///     is a descendant of another node, or if the character's height is 0.
///   - SINEW_ERROR_LIMIT if a node is more than 64 levels deep.
SINEW_API sinew_result sinew_feet_from_nodes(const sinew_skeleton *skeleton, const int32_t *nodes, int32_t count,
                                             sinew_up up, sinew_feet *feet, sinew_error *error);

// ---- Contacts ------------------------------------------------------------------------------------------------

/// A time interval when a foot is on the ground. If `end` is before `start`, the interval wraps around the end of
/// the loop, so it runs from `start` to the clip's duration and from 0 to `end`.
typedef struct sinew_foot_contact {
    int32_t foot; ///< index of the foot
    float start;  ///< seconds, within the clip
    float end;    ///< seconds, within the clip
} sinew_foot_contact;

/// Parameters for sinew_foot_contacts_create. Start from sinew_foot_contacts_default.
typedef struct sinew_foot_contacts_def {
    const sinew_skeleton *skeleton; ///< required; the skeleton of all clips; must outlive the contacts
    const sinew_clip *const *clips; ///< [clip_count]; can't be additive; must outlive the contacts
    int32_t clip_count;             ///< 0 or more
    int32_t foot_count;             ///< 1 to SINEW_MAX_FEET
    /// [foot_count], the marker names for each foot coming down. The names must not be NULL. If a clip has a pair
    /// of these markers, all of its contacts come from markers. NULL (default) means that markers are ignored.
    const char *const *down_names;
    /// [foot_count], the marker names for each foot lifting off. Set both lists or neither.
    const char *const *up_names;
    /// [foot_count]. They need sole points, but not legs. Used for clips without markers, where contacts are
    /// detected from foot movement. If NULL (default), those clips get no contacts.
    const sinew_foot *feet;
    sinew_vec3 up; ///< unit vector in model space; default +Y
    /// Height threshold for a contact. A sole point must be less than this many meters above the model-space
    /// origin. Default 0.03.
    float height;
    /// Speed threshold for a contact. A low sole point must be moving over the ground slower than this, in meters
    /// per second. Default 0.4. If the clip walks in place, the ground is assumed to move with the median velocity
    /// of all low sole points.
    float speed;
    float duration; ///< Shorter contacts are dropped, and shorter gaps are closed. In seconds. Default 0.05.
    sinew_allocator allocator; ///< zero (default) means the C library's heap
    uint32_t cookie;           ///< private: set by sinew_foot_contacts_default
} sinew_foot_contacts_def;

/// Returns the defaults above. Any thread.
SINEW_API sinew_foot_contacts_def sinew_foot_contacts_default(void);

/// Where a clip's contacts come from.
typedef enum sinew_foot_contact_source {
    SINEW_FOOT_CONTACT_SOURCE_NONE,    ///< the clip has no contacts
    SINEW_FOOT_CONTACT_SOURCE_MARKERS, ///< pairs of markers
    SINEW_FOOT_CONTACT_SOURCE_MOTION   ///< detected from how the soles move
} sinew_foot_contact_source;

/// The contacts in one clip. Read-only.
typedef struct sinew_clip_contacts {
    const sinew_clip *clip;             ///< as passed in
    sinew_foot_contact_source source;   ///< where they come from
    int32_t contact_count;              ///< total for all feet
    const sinew_foot_contact *contacts; ///< [contact_count], sorted by foot, then by start time
} sinew_clip_contacts;

/// The contacts for several clips, from sinew_foot_contacts_create. Read-only, so any number of threads can use
/// them.
typedef struct sinew_foot_contacts {
    int32_t foot_count;                          ///< as passed in
    int32_t clip_count;                          ///< as passed in
    const sinew_clip_contacts *clips;            ///< [clip_count], in the order passed in
    size_t memory;                               ///< in bytes
    const struct sinew_foot_contacts_data *data; ///< private
} sinew_foot_contacts;

/// Finds the contacts in your clips. Call this once when you load them, because clips without markers are sampled
/// 240 times per second, up to 4096 times. Free the result with sinew_foot_contacts_destroy. On failure
/// `*contacts` is NULL. `error` may be NULL. Any thread.
///
/// Fails with SINEW_ERROR_OUT_OF_MEMORY. Fails with SINEW_ERROR_ARGUMENT, and names the clip or foot in `error`,
/// if:
///   - a clip is additive or uses a different skeleton
///   - only one of the two name lists is set
///   - a foot has no sole points, or its nodes are from a different skeleton
///   - a number is out of range
SINEW_API sinew_result sinew_foot_contacts_create(const sinew_foot_contacts_def *def,
                                                  sinew_foot_contacts **contacts, sinew_error *error);

/// Frees the contacts, but not their clips. NULL is allowed. Any thread.
SINEW_API void sinew_foot_contacts_destroy(sinew_foot_contacts *contacts);

/// Returns a clip's contacts, or NULL if the clip wasn't passed to sinew_foot_contacts_create. Any thread.
SINEW_API const sinew_clip_contacts *sinew_foot_contacts_find(const sinew_foot_contacts *contacts,
                                                              const sinew_clip *clip);

/// Returns true if a foot is on the ground `time` seconds into the clip. Any thread.
SINEW_API bool sinew_clip_contacts_at(const sinew_clip_contacts *clip, int32_t foot, float time);

/// Computes each foot's current contact, from 0 (off the ground) to 1 (on the ground). For each foot it adds up
/// the weights of the clips on the mixer's base layer that have that foot down, and divides by the total weight.
/// Results are written to `blended`, [foot_count]. Call this after sinew_mixer_advance on the mixer's thread. It
/// doesn't allocate.
///
/// Clips without an entry in `contacts` are ignored. If there are no other clips, the result is 0. A blend space
/// uses the contacts from whichever of its clips has the largest weight. Clips that never lift the foot, such as an
/// idle, don't count there while other clips have a tenth of the weight or more, so the feet of a slow walk come off
/// the ground. Held and inertialized poses are ignored, so if a transition ends the old clips immediately, you get
/// the new clip's contacts from the first frame.
SINEW_API void sinew_foot_contacts_evaluate(const sinew_foot_contacts *contacts, const sinew_mixer *mixer,
                                            float *blended);

// ---- Ground speeds -------------------------------------------------------------------------------------------

/// What the feet do in a clip.
typedef enum sinew_gait {
    /// No speed, because planted feet disagree, fewer than two are planted, or the clip doesn't loop.
    SINEW_GAIT_NONE,
    SINEW_GAIT_STANDS, ///< the character stands still, or moves slower than a tenth of its height per second
    SINEW_GAIT_MOVES   ///< the feet carry the character over the ground
} sinew_gait;

/// The maximum number of contacts per foot in a sinew_clip_speed.
#define SINEW_MAX_FOOT_CONTACTS 8

/// A clip's ground speed.
typedef struct sinew_clip_speed {
    sinew_gait gait; ///< velocity and speed are 0 unless this is SINEW_GAIT_MOVES
    /// In model space, in meters per second. The component along the up axis is 0. If root motion turns the
    /// character, the velocity is relative to the character's heading, which matches model space at the start of
    /// the clip.
    sinew_vec3 velocity;
    float speed; ///< length of `velocity`
    /// Standard deviation of the planted feet's velocities, in meters per second. 0 means the result is reliable.
    float spread;
    /// How fast the feet's lowest common ancestor turns about the up axis, in radians per second. 0 if there is
    /// no speed.
    float yaw_rate;
    float planted;         ///< fraction of the time a foot is planted, averaged over all feet
    int32_t contact_count; ///< at most SINEW_MAX_FOOT_CONTACTS for each foot
    /// [contact_count], the time intervals when feet are planted, sorted by foot, then by start time. If a foot
    /// has more than SINEW_MAX_FOOT_CONTACTS of them, only the first ones are listed.
    sinew_foot_contact contacts[SINEW_MAX_FEET * SINEW_MAX_FOOT_CONTACTS];
} sinew_clip_speed;

/// Measures how fast a clip's planted feet carry the character over the ground. This works for clips that walk in
/// place, where planted feet move backward. It also works for clips with root motion, and any mix of the two.
/// Returns false and sets the gait to SINEW_GAIT_NONE if the clip doesn't have a speed, if it's additive, or if
/// `feet` is empty.
///
/// Measure each clip once after loading. With two feet, this takes about 0.2 ms per second of animation. `clip`
/// and `feet` must use the same skeleton (asserted). This doesn't allocate, but uses about 24 KB of stack. Any
/// thread.
///
/// The clip is sampled up to 1024 / foot_count times. If that isn't enough for 30 samples per second, only the
/// start of the clip is measured. That's 17 s for two feet and 8.5 s for four. At least 60% of the low sole points
/// must agree on a velocity, and the result is their mean. It's accurate to within 0.5% if planted feet move at a
/// constant velocity. If they don't, check `spread`. Root motion is taken from the feet's lowest common ancestor.
SINEW_API bool sinew_clip_measure_speed(const sinew_clip *clip, const sinew_feet *feet, sinew_clip_speed *speed);

/// Measures the clip in each blend space sample, and sets the sample's position to the clip's ground velocity in
/// meters per second. The velocity is multiplied by the sample's `speed`. A clip that stands still is placed at
/// (0, 0).
///
///   - SINEW_BLEND_SPACE_LINE: x is the speed, which is negative if the character moves backward. y is 0.
///   - Other kinds: x is the velocity to the character's right, and y is the velocity forward. Right is -X.
///     Forward is +Z if +Y is up, and -Y if +Z is up.
///
/// Fails with SINEW_ERROR_ARGUMENT if a sample has no clip or a speed of 0, if its clip uses a different skeleton
/// than `feet`, or if sinew_clip_measure_speed can't measure the clip. `error` names the sample, and may be NULL.
/// Uses about 25 KB of stack. Any thread.
SINEW_API sinew_result sinew_blend_samples_measure(sinew_blend_sample *samples, int32_t sample_count,
                                                   sinew_blend_space_kind kind, const sinew_feet *feet,
                                                   sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
