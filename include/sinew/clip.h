// SPDX-License-Identifier: MIT
/// Clips: keyframe animation for the nodes and curves of a skeleton (skeleton.h).
///
/// A *channel* animates one property of a node, or one curve. Its *keys* are values at increasing times. Channels
/// with the same key times share a *timeline*, so sampling only searches once per timeline. Keys are never
/// resampled. Values are local, which means relative to the node's parent.
///
/// Clips don't loop or end by themselves. Use a mixer to play them (mixer.h). Clips are const after creation, so
/// any number of threads can sample the same clip. Any thread can create and destroy clips. Times are in seconds.
/// Allocators are copied. If you pass a NULL `allocator`, the C library's heap is used.
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a channel animates.
typedef enum sinew_channel_target {
    SINEW_TARGET_TRANSLATION, ///< 3 floats per key, in meters
    SINEW_TARGET_ROTATION,    ///< 4 floats per key, a quaternion
    SINEW_TARGET_SCALE,       ///< 3 floats per key
    SINEW_TARGET_WEIGHTS,     ///< one float per morph weight per key; the node must have morph weights
    SINEW_TARGET_CURVE        ///< one float per key; `node` is the index of a curve
} sinew_channel_target;

/// How a channel interpolates between its keys (glTF 2.0, appendix C).
typedef enum sinew_interpolation {
    SINEW_INTERPOLATION_STEP,       ///< holds the previous key
    SINEW_INTERPOLATION_LINEAR,     ///< linear; rotations slerp along the shorter arc
    SINEW_INTERPOLATION_CUBICSPLINE ///< Hermite spline; each key has an in-tangent, a value and an out-tangent
} sinew_interpolation;

/// How a clip stores its keys.
typedef enum sinew_key_format {
    SINEW_KEYS_FLOAT,     ///< exact floats
    SINEW_KEYS_U16,       ///< 16 bits per component, scaled to the component's range; half the memory, but inexact
    SINEW_KEYS_COMPRESSED ///< made by sinew_clip_compress, within an error you choose; not allowed in a definition
} sinew_key_format;

/// Defines one channel. Before the first key, the channel holds that key's value. After the last key, it holds that
/// one's value. A channel with a single key is constant.
///
/// You don't have to normalize rotation keys, because sampled rotations are always normalized. Finite keys always
/// give finite poses. To guarantee this, values beyond 3.4028e38 (half of that for SINEW_KEYS_U16) are clamped, and
/// CUBICSPLINE tangents that could overshoot this limit are shortened.
typedef struct sinew_channel_def {
    int32_t node;                      ///< node index, or curve index for SINEW_TARGET_CURVE
    sinew_channel_target target;       ///< what it animates
    sinew_interpolation interpolation; ///< interpolation between keys
    int32_t key_count;                 ///< at least 1
    const float *times;                ///< [key_count], in seconds; finite, not negative and strictly increasing
    const float *values; ///< [key_count × floats per key], finite; three times as many for CUBICSPLINE
} sinew_channel_def;

/// A named time in a clip, such as a footstep or a hit. Mixers report it as SINEW_EVENT_MARKER (mixer.h).
typedef struct sinew_marker {
    const char *name; ///< UTF-8; NULL means ""; never NULL in a clip
    float time;       ///< in seconds, from 0 to the clip's duration
} sinew_marker;

/// Defines a clip. Everything is copied except the skeleton. Start from sinew_clip_default.
typedef struct sinew_clip_def {
    const char *name;               ///< UTF-8; NULL means ""
    const sinew_skeleton *skeleton; ///< required; must outlive the clip
    int32_t channel_count;          ///< 0 or more
    /// [channel_count]; at most one per curve, and at most one per node and target.
    const sinew_channel_def *channels;
    /// Minimum duration in seconds, 0 or more. The last keys are held until then. Default 0: the clip ends at its
    /// last key.
    float duration;
    int32_t marker_count;        ///< 0 or more
    const sinew_marker *markers; ///< [marker_count], in any order; must not be past the end of the clip
    /// Default SINEW_KEYS_FLOAT. SINEW_KEYS_U16 still stores a channel exactly if no other channel shares its key
    /// times.
    sinew_key_format key_format;
    bool additive;             ///< values are differences (see sinew_clip_make_additive); default false
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_clip_default
} sinew_clip_def;

/// A channel in a clip. Read-only.
typedef struct sinew_channel {
    int32_t node;                      ///< node index, or curve index for SINEW_TARGET_CURVE
    sinew_channel_target target;       ///< what it animates
    sinew_interpolation interpolation; ///< interpolation between keys
    int32_t key_count;                 ///< number of keys, including filled-in ones
    int32_t timeline; ///< index into the clip's timelines; -1 for constant channels, which are free to sample
} sinew_channel;

/// Key times that one or more channels share.
typedef struct sinew_timeline {
    const float *times; ///< in seconds, increasing; key k is at times[k * stride] (see sinew_timeline_time)
    int32_t key_count;  ///< at least 1
    int32_t stride;     ///< number of floats from one time to the next
    bool uniform;       ///< evenly spaced, so sampling doesn't have to search
} sinew_timeline;

/// A read-only clip. It owns its arrays. Get one from a function that creates or copies clips, or from an asset
/// (asset.h). Don't copy the struct, because copies aren't valid.
typedef struct sinew_clip {
    const char *name;               ///< UTF-8, never NULL
    const sinew_skeleton *skeleton; ///< the clip's skeleton; poses must use the same skeleton
    float duration; ///< in seconds: the time of the last key, or the duration that you requested if it's longer
    int32_t channel_count;           ///< number of channels
    const sinew_channel *channels;   ///< [channel_count], sorted by node, then target; curves last
    int32_t timeline_count;          ///< number of timelines
    const sinew_timeline *timelines; ///< [timeline_count]
    int32_t filled_key_count;    ///< keys that sinew_clip_create_filled added, included in all counts; 0 in copies
    int32_t marker_count;        ///< number of markers
    const sinew_marker *markers; ///< [marker_count], sorted by time; equal times keep their order
    size_t memory;               ///< total size in bytes
    sinew_key_format key_format; ///< how the clip stores its keys
    bool additive;               ///< sampled poses are differences that you add to another pose
    /// An upper bound on how far the key format can move any point near a node, in meters in model space. 0 for
    /// SINEW_KEYS_FLOAT. Points are near if they're within 0.1 m for SINEW_KEYS_U16, or within point_distance in
    /// sinew_compress_def for SINEW_KEYS_COMPRESSED. Both distances are in the node's own units. Morph weights and
    /// curves don't change by more than this number either.
    ///
    /// The bound is guaranteed, even between keys. It's usually 2% above the largest actual error, but more for
    /// some clips. It doesn't include float rounding, which is about a ten-millionth of the model's
    /// size. For an additive clip, the bound assumes that you add it to the rest pose. A copy's bound also includes
    /// its source's bound, which assumes the source's skeleton and point distance.
    float max_error;
    const struct sinew_clip_data *data; ///< private
} sinew_clip;

/// Returns a key's time in seconds. `key` must be at least 0 and less than timeline->key_count (asserted).
SINEW_API float sinew_timeline_time(const sinew_timeline *timeline, int32_t key);

/// Returns the default definition: no skeleton, no channels, and the C library's heap.
SINEW_API sinew_clip_def sinew_clip_default(void);

/// Creates a clip. Free it with sinew_clip_destroy. `error` may be NULL. Any thread. On failure, `*clip` is NULL.
/// Errors:
///   - SINEW_ERROR_ARGUMENT: the definition is invalid. The message identifies the channel and key.
///   - SINEW_ERROR_UNSUPPORTED: the key format is SINEW_KEYS_U16, but the library was built with SINEW_NO_KEYS_U16.
///   - SINEW_ERROR_LIMIT: the keys at a single time take more than 4 GiB.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error);

/// Creates a clip and fills in keys that an exporter dropped. If LINEAR node keys lie on a regular grid with gaps,
/// the missing keys are added. This makes sampling more than twice as fast, and motion stays the same within 2e-7.
/// Your own keys keep their exact bits. Nothing is added if the clip would grow by more than a factor of `growth`.
/// Otherwise, this is the same as sinew_clip_create.
SINEW_API sinew_result sinew_clip_create_filled(const sinew_clip_def *def, float growth, sinew_clip **clip,
                                                sinew_error *error);

/// Frees a clip that you created or copied. NULL is allowed. Make sure no mixer is still playing it. Don't pass an
/// asset's clip, because the asset frees it. Any thread.
SINEW_API void sinew_clip_destroy(sinew_clip *clip);

/// Returns the number of floats per key in a channel: 3, 4, the number of morph weights, or 1 for a curve.
/// CUBICSPLINE has three times as many, because each key has two tangents. `channel` must be in range (asserted).
/// Any thread.
SINEW_API int32_t sinew_clip_key_width(const sinew_clip *clip, int32_t channel);

/// Reads a channel's keys and returns how many there are. The layout is the same as in sinew_channel_def. `times`
/// is [key count] and `values` is [key count × sinew_clip_key_width]. Both may be NULL, for example to get the
/// number of keys first. `channel` must be in range (asserted). This takes linear time and doesn't allocate. Any
/// thread.
///
/// You get the original floats, except in these cases:
///   - LINEAR and STEP rotations are normalized. Each is in the same hemisphere as the one before.
///   - Extreme values are clamped (see sinew_channel_def).
///   - SINEW_KEYS_U16 returns the stored values, and SINEW_KEYS_COMPRESSED returns the values sampled
///     at the original key times.
///   - A constant channel has one key at 0 seconds.
///
/// To recreate a clip from its keys, also copy `duration`, the markers and `additive`. If the keys are floats, the
/// new poses have the same bits. The only exception is a rotation whose only keys are q and -q, which matches
/// within rounding.
SINEW_API int32_t sinew_clip_channel_keys(const sinew_clip *clip, int32_t channel, float *times, float *values);

/// Samples a clip at a time in seconds and writes the whole pose, including morph weights and curves. If the time
/// is outside a channel's keys, the first or last key is used. Anything without a channel gets its rest value, or
/// no difference if the clip is additive. The pose is undefined if the time isn't finite.
///
/// `pose` must have the same skeleton as the clip (asserted). Sampling is stateless, so it costs the same anywhere
/// in the clip. Uses about 7 KB of stack. Any thread, as long as no other thread uses the pose.
SINEW_API void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);

/// Samples the local transform of one node at a time in seconds. You only pay for this node. Use it to find an
/// attachment point at the time of an event, or to compute speeds and paths. You get the same bits as from
/// sinew_clip_sample. `node` must be a node in the clip's skeleton (asserted). Stateless. Any thread.
SINEW_API sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node);

/// Maps node names for sinew_clip_bind. Nodes in the clip named `source` are bound to the node named `target`.
typedef struct sinew_bind_name {
    const char *source; ///< node name in the clip's skeleton
    /// Node name in the target skeleton. If it's NULL or "", these channels are left out and not counted.
    const char *target;
} sinew_bind_name;

/// How sinew_clip_bind matches nodes. Start from sinew_bind_default.
typedef struct sinew_bind_def {
    int32_t name_count;           ///< 0 or more
    const sinew_bind_name *names; ///< [name_count], full names; other nodes need the same name in both skeletons
    /// Ignores a common prefix such as "mixamorig:", "Bip01 " or "DEF-" in both skeletons. More than half of a
    /// skeleton's named nodes must share it. It ends in one of ": | . _ - / ", in a space, or before a capital
    /// letter. Default false.
    bool ignore_prefixes;
    /// Leaves out translations, scales and morph weights. Turn this on if the characters have different
    /// proportions. Curves are kept. Default false.
    bool rotations_only;
    /// The fraction of node channels that must match, from 0 to 1. Curves and channels that are left out aren't
    /// counted. Default 0.5.
    float min_match;
    /// Optional output, [channel_count of the clip]. Receives the node or curve that each channel is bound to, or
    /// SINEW_NO_NODE. Default NULL.
    int32_t *bound_nodes;
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bind_default
} sinew_bind_def;

/// What sinew_clip_bind matched. Channels that the definition leaves out aren't counted.
typedef struct sinew_bind_report {
    int32_t bound_channel_count; ///< number of channels in the copy
    /// Number of channels without a match. Either no node or curve has that name, too few nodes have it, or the
    /// number of morph weights differs.
    int32_t unmatched_channel_count;
    int32_t unmatched_name_count; ///< number of nodes and curves with an unmatched channel
    /// The names of the first 16 of these nodes and curves. Unused entries are NULL. The clip's skeleton owns the
    /// strings.
    const char *unmatched_names[16];
    /// The most similar name for each of these names, or NULL. The target skeleton owns the strings.
    const char *nearest_names[16];
    /// Number of bound nodes that share their name with other nodes, and were matched by order because their
    /// parents didn't tell them apart.
    int32_t ordered_name_count;
    /// The names of the first 16 of these nodes. Unused entries are NULL. The clip's skeleton owns the strings.
    const char *ordered_names[16];
} sinew_bind_report;

/// Returns the default definition: names must match exactly, at least half of the channels must match, and the C
/// library's heap is used.
SINEW_API sinew_bind_def sinew_bind_default(void);

/// Copies a clip to a different skeleton. Nodes and curves are matched by name. Use `def` to change how nodes
/// match, or pass NULL to use sinew_bind_default. Values are copied unchanged, so the two characters should have
/// similar proportions. Additive clips depend less on proportions, and they stay additive.
///
/// Unnamed nodes don't match. If several nodes share a name, the one below the parent's match is used. If that
/// doesn't settle it, the next one in order is used. The copy keeps the clip's name, markers, duration and key
/// format, except that copies of compressed clips use SINEW_KEYS_FLOAT.
///
/// Free the copy with sinew_clip_destroy. `skeleton` must outlive the copy, but the clip doesn't have to. `report`
/// and `error` may be NULL. `report` is also written on failure. Any thread. On failure, `*bound` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: nothing matches, fewer channels match than `min_match` requires, or `min_match` is
///     invalid. The message lists nodes with similar names.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton,
                                       const sinew_bind_def *def, sinew_clip **bound, sinew_bind_report *report,
                                       sinew_error *error);

/// Makes an additive clip: the difference between a clip and a reference pose. You can add it to any pose with
/// sinew_pose_add, or in an additive mixer layer. If `reference` is NULL, the rest pose is used. To use a frame of
/// a clip as the reference, sample it first:
///
///     sinew_clip_sample(clip, 0.0f, pose);
///     result = sinew_clip_make_additive(clip, pose, NULL, &difference, &error);
///
/// Translations, morph weights and curves are clip - reference, rotations are reference⁻¹ × clip, and scales are
/// clip / reference. At any time, reference + difference gives the clip's pose within float rounding. This is true
/// for every interpolation, and even for nodes without a channel. The new clip keeps the original's name, markers,
/// duration and key format, except that compressed clips turn into SINEW_KEYS_FLOAT.
///
/// Free the new clip with sinew_clip_destroy. The skeleton must outlive it, but the original clip and the reference
/// don't have to. The reference's rotations must be unit quaternions. `allocator` and `error` may be NULL. Any
/// thread. On failure, `*additive` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: the difference isn't finite, usually because a scale in the reference is 0. The
///     message identifies the node and component. You also get this error if the clip is already additive, or if
///     the reference has a different skeleton.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                                const sinew_allocator *allocator, sinew_clip **additive,
                                                sinew_error *error);

/// Copies part of a clip, from `start` to `end` in seconds. The copy at time t is the clip at start + t. If `name`
/// is NULL, the copy keeps the clip's name.
///
/// Keys inside the range keep their bits. If a cut is between two keys, a key is added there, so the copy moves
/// like the clip within float rounding for every interpolation. If the keys are evenly spaced, cut at a key. Other
/// cuts make sampling slower.
///
/// Markers from `start` to `end` (inclusive) are kept and shifted. Root motion matches the clip's from `start` to
/// `end`. Additive clips stay additive. The key format stays the same. SINEW_KEYS_U16 rounds again, and max_error
/// includes this. Subclips of compressed clips use SINEW_KEYS_FLOAT, so you may want to compress them again.
///
/// Free the copy with sinew_clip_destroy. The skeleton must outlive it, but the original clip doesn't have to.
/// `allocator` and `error` may be NULL. Any thread. On failure, `*subclip` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: the range is invalid. It must satisfy 0 <= start < end <= the clip's duration.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_subclip(const sinew_clip *clip, float start, float end, const char *name,
                                          const sinew_allocator *allocator, sinew_clip **subclip,
                                          sinew_error *error);

/// Combines clips that move different nodes, so you can play them together. Use this for files where each object
/// has its own clip. If you blended n of these clips in a mixer directly, each would only show an nth of its
/// motion.
///
/// Clips with the same duration become one clip. `combined` [clip_count] receives *combined_count clips. The first
/// one has the longest duration and plays in the base layer. It's followed by an additive clip for each of the
/// other durations. Play these in one additive layer:
///
///     sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
///     for (int32_t i = 0; i < count; i++) {
///         sinew_play_def def = sinew_play_default();
///         def.layer = i > 0 ? 1 : 0;
///         sinew_mixer_play(mixer, sinew_clip_source(combined[i]), &def);
///     }
///
/// Each node then moves as if its clip were playing alone. If all durations are equal, poses even have the same
/// bits. Otherwise, they match within float rounding. Markers are kept. Additive clips are left out, and so are
/// clips that move something an earlier clip already moves. `left_out` [clip_count] is true for clips that were
/// left out. It may be NULL. If several clips hold the same thing constant, the first clip wins. Key formats work
/// the same way as in sinew_clip_subclip.
///
/// Free each combined clip with sinew_clip_destroy. All clips must have the same skeleton. It must outlive the
/// combined clips, but the originals don't have to. `allocator` and `error` may be NULL. Any thread. On failure,
/// *combined_count is 0. Errors:
///   - SINEW_ERROR_ARGUMENT: the clips have different skeletons.
///   - SINEW_ERROR_LIMIT: there are more than 64 different durations, because a mixer can't play more actions.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_combine(const sinew_clip *const *clips, int32_t clip_count,
                                          const sinew_allocator *allocator, sinew_clip **combined,
                                          int32_t *combined_count, bool *left_out, sinew_error *error);

/// How much sinew_clip_compress may change a clip. Start from sinew_compress_default.
typedef struct sinew_compress_def {
    /// The maximum distance that a point within `point_distance` of a node may move at any time. In meters in model
    /// space. Must be above 0. Default 0.0001. This also holds for a vertex if all of its joints are within that
    /// distance. It assumes that one unit in the skeleton is 1 m.
    float max_error;
    /// How far vertices are from their node, in the node's own units (usually meters). Can't be negative. Default
    /// 0.03. This matters because a small rotation moves a vertex by its distance times the angle.
    float point_distance;
    sinew_allocator allocator; ///< defaults to the C library's heap
    uint32_t cookie;           ///< private: set by sinew_compress_default
} sinew_compress_def;

/// Returns the default definition: an error of 0.1 mm for points within 3 cm of a node, and the C library's heap.
SINEW_API sinew_compress_def sinew_compress_default(void);

/// Makes a smaller copy of a clip that stays within an error limit. `def` may be NULL to use the defaults. To get
/// the actual error, read the copy's max_error. It's at most the error in `def` plus the clip's own error. Sampling
/// decodes the copy on the fly, doesn't need extra memory, and costs the same anywhere in the clip. The copy keeps
/// the clip's name, markers and duration.
///
/// Only LINEAR translations, rotations and scales are compressed, and only where this saves memory. Rotations more
/// than 300 degrees from their mean stay floats, and so do rotations of nodes with nearby indices. Channels with
/// their own key times also stay floats. Motion between keys stays linear within the error, and jumps stay at their
/// keys.
///
/// If a channel doesn't move any point by more than a twentieth of max_error, it becomes constant. If it's at the
/// rest pose, it's dropped. Clips where many channels have their own key times keep all channels. Keep this in mind
/// if you copy the clip to a different skeleton, because dropped channels then fall back to that skeleton's rest
/// pose. If the rest poses differ, bind, mirror or retarget the original clip first, then compress the copy. Copies
/// of a compressed clip use SINEW_KEYS_FLOAT.
///
/// This takes about 50 ms for 60 keys and 60 joints. The time is proportional to keys × animated components. Free
/// the copy with sinew_clip_destroy. The skeleton must outlive it, but the original clip doesn't have to. `error`
/// may be NULL. Any thread. On failure, `*compressed` is NULL. Errors:
///   - SINEW_ERROR_ARGUMENT: max_error or point_distance is out of range.
///   - SINEW_ERROR_UNSUPPORTED: the library was built with SINEW_NO_COMPRESSION.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_compress(const sinew_clip *clip, const sinew_compress_def *def,
                                           sinew_clip **compressed, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
