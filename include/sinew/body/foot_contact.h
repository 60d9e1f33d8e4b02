// SPDX-License-Identifier: MIT
/// Foot contacts: when each foot of a clip is on the ground, for foot locking (ik.h).
///
/// A clip's contacts are those of its markers ("L_down", "L_up"), or are found from the motion of the soles. Both
/// happen once, at load. In a frame, the contacts of a mixer's clips are blended by their weights.
#ifndef SINEW_FOOT_CONTACT_H
#define SINEW_FOOT_CONTACT_H

#include "../clip.h"
#include "ik.h"
#include "../mixer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What contacts are made from. Start from sinew_foot_contacts_default.
typedef struct sinew_foot_contacts_def {
    const sinew_skeleton *skeleton; ///< the skeleton of all clips; must be given, and outlive the contacts
    const sinew_clip *const *clips; ///< [clip_count], not additive; must outlive the contacts
    int32_t clip_count;             ///< 0 or more
    int32_t leg_count;              ///< 1 to SINEW_MAX_LEGS
    /// [leg_count], the markers at which a foot comes down and is lifted, not NULL each. A clip that has a pair of them
    /// uses its markers, for all legs. NULL (default): markers are ignored.
    const char *const *down_names;
    const char *const *up_names; ///< see down_names; both or neither
    /// [leg_count], the legs of which the contacts of the other clips are found. NULL (default): those clips have no
    /// contacts.
    const sinew_ik_leg *legs;
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

/// One contact of a foot with the ground.
typedef struct sinew_foot_contact {
    int32_t leg; ///< index of the leg
    float start; ///< seconds in the clip
    float end;   ///< seconds in the clip; before `start` for a contact across the end of the loop
} sinew_foot_contact;

/// The contacts of a clip, read-only.
typedef struct sinew_clip_contacts {
    const sinew_clip *clip;             ///< as given
    sinew_foot_contact_source source;   ///< where they are from
    int32_t contact_count;              ///< number of contacts of all feet
    const sinew_foot_contact *contacts; ///< [contact_count], sorted by leg, then start
} sinew_clip_contacts;

/// The contacts of clips, read-only. Only those returned by sinew_foot_contacts_create are valid. May be used by any
/// number of threads at once.
typedef struct sinew_foot_contacts {
    int32_t leg_count;                           ///< as given
    int32_t clip_count;                          ///< as given
    const sinew_clip_contacts *clips;            ///< [clip_count], in the given order
    size_t memory;                               ///< total bytes
    const struct sinew_foot_contacts_data *data; ///< private
} sinew_foot_contacts;

/// Creates the contacts of clips; free them with sinew_foot_contacts_destroy. Clips whose contacts are found are
/// sampled 240 times a second, at most 4096 times. SINEW_ERROR_ARGUMENT, with the clip in `error`, for a clip of
/// another skeleton or an additive one, for only one of the two lists of names, and for numbers out of range;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*contacts` is NULL. `error` may be NULL. Uses about 7 KB of stack. Any thread.
SINEW_API sinew_result sinew_foot_contacts_create(const sinew_foot_contacts_def *def,
                                                  sinew_foot_contacts **contacts, sinew_error *error);

/// Frees contacts; clips are not freed. NULL is allowed. Any thread.
SINEW_API void sinew_foot_contacts_destroy(sinew_foot_contacts *contacts);

/// The contacts of a clip; NULL for a clip that was not given. Any thread.
SINEW_API const sinew_clip_contacts *sinew_foot_contacts_find(const sinew_foot_contacts *contacts,
                                                              const sinew_clip *clip);

/// Whether a foot is on the ground at a time in the clip, seconds. Any thread.
SINEW_API bool sinew_clip_contacts_at(const sinew_clip_contacts *clip, int32_t leg, float time);

/// Blends the contacts of the clips that a mixer plays in its base: `blended`, [leg_count], is for each foot the sum of
/// the weights of the clips in which it is on the ground, divided by the sum of all weights. Clips that were not
/// given are ignored; without any other clip the contacts are 0. A blend space counts as its clip of the largest
/// weight, held poses and poses that are inertialized do not count: a transition that ends the old clips at once has
/// the new clip's contacts from its first frame. Allocates nothing. Call it after sinew_mixer_advance, in
/// the mixer's thread.
SINEW_API void sinew_foot_contacts_evaluate(const sinew_foot_contacts *contacts, const sinew_mixer *mixer,
                                            float *blended);

#ifdef __cplusplus
}
#endif
#endif
