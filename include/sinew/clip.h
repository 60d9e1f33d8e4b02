/// A clip: keyframe channels on the nodes of one skeleton.
///
/// On creation, channels with the same key times are put on one shared timeline and stored key after key, so that
/// sampling searches once per timeline and reads two neighbouring rows. Keys stay what they are: nothing is
/// resampled. A clip is const after creation and may be sampled from any number of threads at once. Functions that
/// make and destroy clips may be called from any thread. Times are seconds.
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What of a node a channel moves.
typedef enum sinew_channel_target {
    SINEW_TARGET_TRANSLATION, ///< 3 floats a key, metres
    SINEW_TARGET_ROTATION,    ///< 4 floats a key, a quaternion
    SINEW_TARGET_SCALE,       ///< 3 floats a key
    SINEW_TARGET_WEIGHTS      ///< as many floats a key as the node has morph weights
} sinew_channel_target;

/// How a channel goes from key to key (glTF 2.0, appendix C).
typedef enum sinew_interpolation {
    SINEW_INTERPOLATION_STEP,       ///< holds the key before
    SINEW_INTERPOLATION_LINEAR,     ///< linear; slerp on the shorter arc for rotations
    SINEW_INTERPOLATION_CUBICSPLINE ///< Hermite; each key is in-tangent, value, out-tangent
} sinew_interpolation;

/// How a clip keeps the keys that share their times.
typedef enum sinew_key_format {
    SINEW_KEYS_FLOAT, ///< as they were given
    SINEW_KEYS_U16    ///< in 16 bits between each component's least and greatest: half the memory to read, inexact
} sinew_key_format;

/// One channel as its author wrote it. A channel with one key is constant; a rotation is normalised.
///
/// Finite keys make finite poses. Rotations may have any length. Other values beyond 3.4028e38 (half of that in 16-bit
/// rows) are clamped, and the tangents of two neighbouring CUBICSPLINE keys are shortened where the values and 4/27 of
/// the interval times the tangents come to more.
typedef struct sinew_channel_def {
    int32_t node;                      ///< index in the skeleton
    sinew_channel_target target;       ///< what of the node it moves
    sinew_interpolation interpolation; ///< how it goes from key to key
    int32_t key_count;                 ///< at least 1
    const float *times;                ///< [key_count], seconds, finite, not negative, strictly increasing
    const float *values;               ///< [key_count × floats a key], three times that for CUBICSPLINE; finite
} sinew_channel_def;

/// A moment of a clip that a mixer tells of when it is passed: a footstep, a hit.
typedef struct sinew_marker {
    const char *name; ///< UTF-8; NULL is the same as ""; a clip's is never NULL
    float time;       ///< seconds, from 0 to the clip's duration
} sinew_marker;

/// What a clip is made from. All of it is copied, but for the skeleton.
typedef struct sinew_clip_def {
    const char *name;                  ///< NULL is the same as ""
    const sinew_skeleton *skeleton;    ///< must outlive the clip
    int32_t channel_count;             ///< 0 or more
    const sinew_channel_def *channels; ///< at most one for each path of a node; all is copied
    int32_t marker_count;              ///< 0 or more
    const sinew_marker *markers;       ///< in any order; none later than the last key of all channels
    sinew_key_format key_format;       ///< default SINEW_KEYS_FLOAT; a channel whose times are its own stays exact
    bool additive;                     ///< the values are differences: see sinew_clip_make_additive; default false
    sinew_allocator allocator;         ///< zero: the C library's heap
} sinew_clip_def;

/// What a clip says of one of its channels.
typedef struct sinew_channel {
    int32_t node;                      ///< index in the skeleton
    sinew_channel_target target;       ///< what of the node it moves
    sinew_interpolation interpolation; ///< as it was given
    int32_t key_count;                 ///< as it was given
    int32_t timeline; ///< index into the clip's timelines, or -1: it never changes and costs nothing to sample
} sinew_channel;

/// The key times that one or more channels share.
typedef struct sinew_timeline {
    int32_t key_count;  ///< at least 1
    const float *times; ///< [key_count], seconds
    bool uniform;       ///< the key before a time is found without a search
} sinew_timeline;

/// A clip, to be read. Clips come from sinew_clip_create, sinew_clip_bind, sinew_clip_make_additive or an asset; one
/// that was put together by hand or copied is none.
typedef struct sinew_clip {
    const char *name;                ///< UTF-8, never NULL
    const sinew_skeleton *skeleton;  ///< the one that it was made for; only its poses can be sampled
    float duration;                  ///< seconds: the last key of all channels; 0 for a clip without keys
    int32_t channel_count;           ///< how many channels
    const sinew_channel *channels;   ///< sorted by node, then path
    int32_t timeline_count;          ///< how many different lists of key times
    const sinew_timeline *timelines; ///< each list of key times once
    int32_t marker_count;            ///< how many markers
    const sinew_marker *markers;     ///< by time; those of one time as they were given
    size_t memory;                   ///< bytes that the clip takes in all
    sinew_key_format key_format;     ///< as it was asked for
    bool additive;                   ///< what it shows are differences, to be added to another pose
    float
        quantization_error; ///< metres by which SINEW_KEYS_U16 moves a node or a place 0.1 m from it, at most; 0 for floats
        ///< (looked for at each key and between; only at some where a few channels of very many keys
        ///< move one of very many nodes; of an additive clip, when it is added to the rest pose)
    const struct sinew_clip_data *data; ///< private
} sinew_clip;

/// No channels, the C library's heap.
SINEW_API sinew_clip_def sinew_clip_default(void);

/// Makes a clip, to be freed with sinew_clip_destroy; the skeleton must outlive it. Any thread.
/// SINEW_ERROR_ARGUMENT, with the channel and key in `error`, for input that breaks the rules above;
/// SINEW_ERROR_UNSUPPORTED for SINEW_KEYS_U16 if the library is built with SINEW_NO_KEYS_U16; SINEW_ERROR_OUT_OF_MEMORY. Then
/// `*clip` is NULL. `error` may be NULL.
SINEW_API sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error);

/// Frees a clip that sinew_clip_create, sinew_clip_bind or sinew_clip_make_additive made; those of an asset go with
/// the asset. NULL is allowed. No mixer may still play it. Any thread.
SINEW_API void sinew_clip_destroy(sinew_clip *clip);

/// Writes the pose at a time in seconds, clamped to each channel's own keys; nodes without a channel get the rest
/// pose, or with an additive clip what changes nothing. Stateless: any time costs the same as the next one. `pose` must be of the clip's skeleton (asserted). Any
/// thread, a pose in one at a time. The pose of a time that is not finite is not defined.
SINEW_API void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);

/// The local transform of one node at a time in seconds: what sinew_clip_sample writes for it, bit for bit, at the cost
/// of that node. For attach points at the moment of an event, for speeds, for paths. 0 <= node < node_count of the
/// clip's skeleton (asserted). Stateless. Any thread.
SINEW_API sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node);

/// What sinew_clip_bind could and could not match.
typedef struct sinew_bind_report {
    int32_t bound_channel_count;     ///< channels that the copy has
    int32_t unmatched_channel_count; ///< no node of that name, or another number of morph weights
    int32_t unmatched_name_count;    ///< nodes that lost at least one channel
    const char *unmatched_names[16]; ///< the first of them; strings of the clip's own skeleton, gone when that is
} sinew_bind_report;

/// Makes a copy of a clip that plays on another skeleton, channel by channel to the first node of the same name.
/// Unnamed nodes match nothing. Values are taken as they are: the two characters should share proportions; those of
/// an additive clip, which stays one, are differences and ask less of them.
/// Free it with sinew_clip_destroy; `skeleton` must outlive it, the clip that it was copied from need not.
/// `allocator`, `report` and `error` may be NULL. A clip that matches nothing at all is SINEW_ERROR_ARGUMENT. Any
/// thread.
SINEW_API sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton,
                                       const sinew_allocator *allocator, sinew_clip **bound,
                                       sinew_bind_report *report, sinew_error *error);

/// Makes an additive clip: what a clip does beyond a reference pose, to be added to whatever else plays. A reference
/// of NULL is the rest pose. A moment of a clip, of this or of another, is sampled first:
///
///     sinew_clip_sample(clip, 0.0f, pose);
///     result = sinew_clip_make_additive(clip, pose, NULL, &difference, &error);
///
/// Its translations and morph weights are the clip's less the reference's, its rotations reference⁻¹ × the clip's, its
/// scales the clip's over the reference's; sinew_pose_add puts a difference back. Where nothing differs it changes
/// nothing: translation 0, no rotation, scale 1, weight 0. This is done on the keys, whatever their interpolation, so
/// that at any time reference + difference is what the clip shows, within the rounding of floats, also on nodes where
/// the clip has no channel and the reference is not the rest pose. Name, markers, duration and row format are the
/// clip's.
///
/// Free it with sinew_clip_destroy; the skeleton must outlive it, the clip and the reference need not. `allocator` and
/// `error` may be NULL. The reference's rotations must be unit. SINEW_ERROR_ARGUMENT, with the node and the component
/// in `error`, where the difference is no number, as over a scale of 0; also for a clip that is additive already, and
/// for a reference of another skeleton. SINEW_ERROR_OUT_OF_MEMORY. Then `*additive` is NULL. Any thread.
SINEW_API sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                                const sinew_allocator *allocator, sinew_clip **additive,
                                                sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
