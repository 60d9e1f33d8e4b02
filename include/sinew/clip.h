// SPDX-License-Identifier: MIT
/// Clips: keyframe animation of one skeleton's nodes and curves (skeleton.h).
///
/// A *channel* animates one property of a node, or one curve, with *keys*: values at increasing times. Channels
/// with equal key times share a *timeline*, so sampling searches once per timeline. Keys are never resampled.
/// Values are local, relative to the node's parent.
///
/// Clips don't loop or end by themselves: play them with a mixer (mixer.h). They are const after creation, and any
/// number of threads may sample one. Any thread may create and destroy clips. Times are seconds. A NULL `allocator`
/// is the C library's heap; it's copied.
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a channel animates.
typedef enum sinew_channel_target {
    SINEW_TARGET_TRANSLATION, ///< 3 floats per key, metres
    SINEW_TARGET_ROTATION,    ///< 4 floats per key, a quaternion
    SINEW_TARGET_SCALE,       ///< 3 floats per key
    SINEW_TARGET_WEIGHTS,     ///< one float per key and morph weight; the node must have morph weights
    SINEW_TARGET_CURVE        ///< one float per key; `node` is the index of a curve
} sinew_channel_target;

/// How a channel is interpolated between its keys (glTF 2.0, appendix C).
typedef enum sinew_interpolation {
    SINEW_INTERPOLATION_STEP,       ///< holds the previous key
    SINEW_INTERPOLATION_LINEAR,     ///< linear; rotations slerp along the shorter arc
    SINEW_INTERPOLATION_CUBICSPLINE ///< Hermite; each key is in-tangent, value, out-tangent
} sinew_interpolation;

/// How a clip stores its keys.
typedef enum sinew_key_format {
    SINEW_KEYS_FLOAT,     ///< the exact floats
    SINEW_KEYS_U16,       ///< 16 bits from each component's minimum to its maximum: half the memory, inexact
    SINEW_KEYS_COMPRESSED ///< from sinew_clip_compress, within a given error; not allowed in a definition
} sinew_key_format;

/// Defines one channel. It holds its first key before that key's time, and its last key after. One key makes a
/// constant channel.
///
/// Rotation keys may have any length: sampled rotations are unit. Finite keys always give finite poses: values
/// beyond 3.4028e38 (half that with SINEW_KEYS_U16) are clamped, and CUBICSPLINE tangents that could overshoot it
/// are shortened.
typedef struct sinew_channel_def {
    int32_t node;                      ///< node index, or curve index for SINEW_TARGET_CURVE
    sinew_channel_target target;       ///< what is animated
    sinew_interpolation interpolation; ///< between keys
    int32_t key_count;                 ///< at least 1
    const float *times;                ///< [key_count], seconds, finite, not negative, strictly increasing
    const float *values; ///< [key_count × floats per key], finite; three times as many for CUBICSPLINE
} sinew_channel_def;

/// A named time in a clip, such as a footstep or a hit. Mixers report it as SINEW_EVENT_MARKER (mixer.h).
typedef struct sinew_marker {
    const char *name; ///< UTF-8; NULL counts as ""; never NULL in a clip
    float time;       ///< seconds, 0 to the clip's duration
} sinew_marker;

/// Defines a clip. Everything is copied except the skeleton. Start from sinew_clip_default.
typedef struct sinew_clip_def {
    const char *name;                  ///< UTF-8; NULL counts as ""
    const sinew_skeleton *skeleton;    ///< must be set, and outlive the clip
    int32_t channel_count;             ///< 0 or more
    const sinew_channel_def *channels; ///< [channel_count]; at most one per curve, and per target of a node
    float duration;              ///< minimum length, seconds; the last keys are held; default 0: until the last key
    int32_t marker_count;        ///< 0 or more
    const sinew_marker *markers; ///< [marker_count], in any order, not past the clip's end
    /// Default SINEW_KEYS_FLOAT. With SINEW_KEYS_U16, channels that share their key times with no other stay exact.
    sinew_key_format key_format;
    bool additive;             ///< values are differences (sinew_clip_make_additive); default false
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_clip_default
} sinew_clip_def;

/// A clip's channel, read-only.
typedef struct sinew_channel {
    int32_t node;                      ///< node index, or curve index for SINEW_TARGET_CURVE
    sinew_channel_target target;       ///< what is animated
    sinew_interpolation interpolation; ///< as given
    int32_t key_count;                 ///< as given, plus filled-in keys
    int32_t timeline;                  ///< index into the clip's timelines; -1: constant, free to sample
} sinew_channel;

/// Key times that one or more channels share.
typedef struct sinew_timeline {
    const float *times; ///< seconds, increasing; key k is at times[k * stride] (sinew_timeline_time)
    int32_t key_count;  ///< at least 1
    int32_t stride;     ///< floats from one time to the next
    bool uniform;       ///< evenly spaced, so sampling needs no search
} sinew_timeline;

/// A clip, read-only. It owns its arrays. Get one from a function that creates or copies clips, or from an asset
/// (asset.h); a copy of the struct isn't valid.
typedef struct sinew_clip {
    const char *name;                ///< UTF-8, never NULL
    const sinew_skeleton *skeleton;  ///< the clip's skeleton; poses must use the same one
    float duration;                  ///< seconds, until the last key or as requested, whichever is later
    int32_t channel_count;           ///< number of channels
    const sinew_channel *channels;   ///< [channel_count], sorted by node, then target; curves last
    int32_t timeline_count;          ///< number of timelines
    const sinew_timeline *timelines; ///< [timeline_count]
    int32_t filled_key_count;        ///< keys that sinew_clip_create_filled added, part of all counts; 0 in copies
    int32_t marker_count;            ///< number of markers
    const sinew_marker *markers;     ///< [marker_count], sorted by time, then in the given order
    size_t memory;                   ///< the clip's total bytes
    sinew_key_format key_format;     ///< as requested
    bool additive;                   ///< poses are differences to add to another pose
    /// The most that the key format moves any point near a node: metres in model space, 0 for floats. Near means
    /// within 0.1 m for SINEW_KEYS_U16, or within point_distance of sinew_compress_def, in the node's own unit.
    /// Morph weights and curves also change by at most this number.
    ///
    /// It's a proven bound, also between keys: usually 2 % above the largest error, more for some compressed clips.
    /// Float rounding isn't counted: about a ten-millionth of the model's size. An additive clip's bound is for
    /// adding it to the rest pose. Copies add their source's bound, which holds for the source's skeleton and
    /// distance.
    float max_error;
    const struct sinew_clip_data *data; ///< private
} sinew_clip;

/// Returns a key's time in seconds. `key` must be at least 0 and less than timeline->key_count (asserted).
SINEW_API float sinew_timeline_time(const sinew_timeline *timeline, int32_t key);

/// Returns the default definition: no skeleton, no channels, the C library's heap.
SINEW_API sinew_clip_def sinew_clip_default(void);

/// Creates a clip. Free it with sinew_clip_destroy. `error` may be NULL. Any thread. On failure `*clip` is NULL:
///   - SINEW_ERROR_ARGUMENT: the definition breaks a rule above. `error` tells which channel and key.
///   - SINEW_ERROR_UNSUPPORTED: SINEW_KEYS_U16 in a library built with SINEW_NO_KEYS_U16.
///   - SINEW_ERROR_LIMIT: the keys at one time take more than 4 GiB.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error);

/// Creates a clip and fills in keys that an exporter dropped. If the nodes' LINEAR keys are on a regular grid with
/// gaps, the clip gets the missing keys. It then plays more than twice as fast, and moves the same within 2e-7.
/// Given keys keep their bits. Nothing is filled in if the clip would grow by more than the factor `growth`.
/// Otherwise like sinew_clip_create.
SINEW_API sinew_result sinew_clip_create_filled(const sinew_clip_def *def, float growth, sinew_clip **clip,
                                                sinew_error *error);

/// Frees a created or copied clip. NULL is allowed. No mixer may still play it. Don't pass an asset's clip: the
/// asset frees it. Any thread.
SINEW_API void sinew_clip_destroy(sinew_clip *clip);

/// Returns the number of floats in a channel's key: 3, 4, the number of morph weights, or 1 for a curve.
/// CUBICSPLINE has three times that, for the tangents. `channel` must be a channel of the clip (asserted). Any
/// thread.
SINEW_API int32_t sinew_clip_key_width(const sinew_clip *clip, int32_t channel);

/// Reads a channel's keys, laid out like in sinew_channel_def, and returns their number. `times` is [key count] and
/// `values` is [key count × sinew_clip_key_width]; both may be NULL. Pass NULL for both to get the count. `channel`
/// must be a channel of the clip (asserted). Linear in the number of keys; allocates nothing. Any thread.
///
/// You get the given floats, except for these:
///   - LINEAR and STEP rotations are unit, each in the same hemisphere as the one before.
///   - Extreme values are limited (sinew_channel_def).
///   - SINEW_KEYS_U16 returns the stored values, and SINEW_KEYS_COMPRESSED the sampled ones.
///   - A constant channel has one key, at 0 s.
///
/// To recreate a clip from its keys, also copy `duration`, markers and `additive`. With float keys, the poses then
/// have the same bits; rotations with only the keys q and -q are within rounding.
SINEW_API int32_t sinew_clip_channel_keys(const sinew_clip *clip, int32_t channel, float *times, float *values);

/// Samples a clip at a time in seconds and writes the whole pose, including morph weights and curves. Times outside
/// a channel's keys give its first or last key. Everything without a channel gets the rest pose, or no difference
/// if the clip is additive. A time that isn't finite gives an undefined pose.
///
/// `pose` must have the clip's skeleton (asserted). Stateless: every time costs the same. Uses about 7 KB of stack.
/// Any thread, as long as no other uses the pose.
SINEW_API void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);

/// Samples one node's local transform at a time in seconds, for about the cost of that node. Use it for attachment
/// points at the time of an event, for speeds and for paths. Returns the same bits as sinew_clip_sample. `node`
/// must be a node of the clip's skeleton (asserted). Stateless. Any thread.
SINEW_API sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node);

/// Maps nodes for sinew_clip_bind: the clip's nodes named `source` bind to the node `target`.
typedef struct sinew_bind_name {
    const char *source; ///< node name in the clip's skeleton
    const char *target; ///< node name in the other skeleton; NULL or "": leave out these channels, uncounted
} sinew_bind_name;

/// How sinew_clip_bind matches nodes. Start from sinew_bind_default.
typedef struct sinew_bind_def {
    int32_t name_count;           ///< 0 or more
    const sinew_bind_name *names; ///< [name_count], with whole names; nodes without an entry match by equal names
    /// Ignores a prefix that more than half of a skeleton's named nodes share, in both skeletons: "mixamorig:",
    /// "Bip01 " or "DEF-". The prefix ends in one of ": | . _ - / ", in a space, or before a capital. Default
    /// false.
    bool ignore_prefixes;
    /// Leaves out translations, scales and morph weights, for different proportions. Curves stay. Default false.
    bool rotations_only;
    /// The fraction of the counted node channels that must match, 0 to 1; default 0.5. Curves don't count.
    float min_match;
    /// [channel_count of the clip], output: the node or curve that each channel is bound to, or SINEW_NO_NODE.
    /// Default NULL: not written.
    int32_t *bound_nodes;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bind_default
} sinew_bind_def;

/// What sinew_clip_bind matched. Channels that the definition leaves out aren't counted.
typedef struct sinew_bind_report {
    int32_t bound_channel_count; ///< channels of the copy
    /// Channels without a match: no node or curve has that name, too few nodes have it, or the number of morph
    /// weights differs.
    int32_t unmatched_channel_count;
    int32_t unmatched_name_count; ///< nodes and curves with an unmatched channel
    /// Names of the first 16 of those, then NULL. They belong to the clip's skeleton.
    const char *unmatched_names[16];
    /// The most similar name for each of those, or NULL. They belong to the other skeleton.
    const char *nearest_names[16];
    /// Bound nodes that share their name with others, and were matched by order because parents didn't tell them
    /// apart.
    int32_t ordered_name_count;
    const char *ordered_names[16]; ///< names of the first 16 of those, then NULL; from the clip's skeleton
} sinew_bind_report;

/// Returns the default definition: match equal names, at least half of the channels, the C library's heap.
SINEW_API sinew_bind_def sinew_bind_default(void);

/// Copies a clip to another skeleton, matching nodes and curves by name. `def` changes how nodes match; NULL:
/// sinew_bind_default. Values don't change, so the two characters should have similar proportions. An additive clip
/// depends less on proportions, and stays additive.
///
/// Unnamed nodes don't match. If several nodes share a name, the one below the parent's match is taken, or else the
/// next in order. Name, markers, duration and key format come from the clip; a compressed clip's copy has
/// SINEW_KEYS_FLOAT.
///
/// Free the copy with sinew_clip_destroy. `skeleton` must outlive it; the clip needn't. `report` and `error` may be
/// NULL. `report` is also written on failure. Any thread. On failure `*bound` is NULL:
///   - SINEW_ERROR_ARGUMENT: nothing matches, or less than `min_match` requires; `error` names similar nodes. Also for
///     an invalid `min_match`.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton,
                                       const sinew_bind_def *def, sinew_clip **bound, sinew_bind_report *report,
                                       sinew_error *error);

/// Makes an additive clip: the difference between a clip and a reference pose. You can add it to any pose with
/// sinew_pose_add or a mixer's additive layer. A NULL reference is the rest pose. To use a frame of a clip as the
/// reference, sample it:
///
///     sinew_clip_sample(clip, 0.0f, pose);
///     result = sinew_clip_make_additive(clip, pose, NULL, &difference, &error);
///
/// Translations, morph weights and curves are clip - reference, rotations are reference⁻¹ × clip, and scales are
/// clip / reference. At any time, reference + difference is the clip's pose within float rounding, for any
/// interpolation and also for nodes without a channel. Name, markers, duration and key format come from the clip; a
/// compressed clip's difference has SINEW_KEYS_FLOAT.
///
/// Free it with sinew_clip_destroy. The skeleton must outlive it; the clip and the reference needn't. The
/// reference's rotations must be unit quaternions. `allocator` and `error` may be NULL. Any thread. On failure `*additive` is
/// NULL:
///   - SINEW_ERROR_ARGUMENT: the difference isn't finite, usually because a reference scale is 0; `error` tells which
///     node and component. Also if the clip is already additive, or the reference has another skeleton.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                                const sinew_allocator *allocator, sinew_clip **additive,
                                                sinew_error *error);

/// Copies the part of a clip from `start` to `end`, in seconds. The copy at time t is the clip at start + t. A NULL
/// `name` keeps the clip's name.
///
/// Keys inside keep their bits, and a cut between two keys adds a key. So the copy moves like the clip within float
/// rounding, with any interpolation. Cut at keys if they're evenly spaced: other cuts make sampling slower.
///
/// Markers from `start` to `end`, inclusive, are kept and shifted. Root motion is the clip's from `start` to `end`.
/// An additive clip stays additive. The key format is the clip's; SINEW_KEYS_U16 rounds again, which max_error
/// includes. A part of a compressed clip has SINEW_KEYS_FLOAT: compress it again.
///
/// Free it with sinew_clip_destroy. The skeleton must outlive it; the clip needn't. `allocator` and `error` may be
/// NULL. Any thread. On failure `*subclip` is NULL:
///   - SINEW_ERROR_ARGUMENT: unless 0 <= start < end <= the clip's duration.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_subclip(const sinew_clip *clip, float start, float end, const char *name,
                                          const sinew_allocator *allocator, sinew_clip **subclip,
                                          sinew_error *error);

/// Combines clips that move different nodes, to play them all at once. Use it for files where each object has its
/// own clip. If a mixer blended n such clips directly, each would show only an nth of its motion.
///
/// Clips of equal duration become one clip. `combined`, [clip_count], gets *combined_count clips: the longest
/// first, for the base layer, then one additive clip per other duration. Play those in one additive layer:
///
///     sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
///     for (int32_t i = 0; i < count; i++) {
///         sinew_play_def def = sinew_play_default();
///         def.layer = i > 0 ? 1 : 0;
///         sinew_mixer_play(mixer, sinew_clip_source(combined[i]), &def);
///     }
///
/// Each node then moves like its clip alone: with the same bits if all durations are equal, else within float
/// rounding. Markers are kept. Additive clips are left out. So are clips that move anything an earlier clip moves.
/// `left_out`, [clip_count], tells which; it may be NULL. Among constant values, the first clip's counts. Key
/// formats are like in sinew_clip_subclip.
///
/// Free each combined clip with sinew_clip_destroy. The clips must share a skeleton. It must outlive the combined
/// clips; the originals needn't. `allocator` and `error` may be NULL. Any thread. On failure *combined_count is 0:
///   - SINEW_ERROR_ARGUMENT: different skeletons.
///   - SINEW_ERROR_LIMIT: more than 64 durations, the most actions of a mixer.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_combine(const sinew_clip *const *clips, int32_t clip_count,
                                          const sinew_allocator *allocator, sinew_clip **combined,
                                          int32_t *combined_count, bool *left_out, sinew_error *error);

/// How much sinew_clip_compress may change a clip. Start from sinew_compress_default.
typedef struct sinew_compress_def {
    /// The most that a point within `point_distance` of a node may move, at any time. Metres in model space,
    /// positive; default 0.0001. It also holds for a vertex if all its joints are within that distance. Assumes a
    /// skeleton at 1 m per unit.
    float max_error;
    /// How far a node's vertices are from it: metres in the node's own unit, not negative; default 0.03. A small
    /// rotation moves them by this times the angle.
    float point_distance;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_compress_default
} sinew_compress_def;

/// Returns the default definition: 0.1 mm, for points within 3 cm, with the C library's heap.
SINEW_API sinew_compress_def sinew_compress_default(void);

/// Makes a smaller copy of a clip, within a given error. `def` may be NULL for the default. The copy's max_error
/// tells the error: at most the definition's, plus the given clip's own. Sampling decodes it without extra memory;
/// every time costs the same. Name, markers and duration come from the clip.
///
/// Only LINEAR translations, rotations and scales are compressed, and only where that saves memory. Rotations more
/// than 300 degrees from their mean stay floats. So do those of nodes with nearby indices, and channels with key
/// times of their own. Motion between keys stays linear within the error, and jumps stay at their keys.
///
/// Channels that move no point by more than a twentieth of max_error become constant, or are dropped if they're at
/// the rest pose. A clip where many channels have key times of their own keeps all channels. On another skeleton,
/// dropped channels show that skeleton's rest pose. If it differs, bind, mirror or retarget the exact clip, then
/// compress the copy. Copies of a compressed clip have SINEW_KEYS_FLOAT.
///
/// Takes about 50 ms for 60 keys and 60 joints, in proportion to keys × animated components. Free the copy with
/// sinew_clip_destroy. The skeleton must outlive it; the clip needn't. `error` may be NULL. Any thread. On failure
/// `*compressed` is NULL:
///   - SINEW_ERROR_ARGUMENT: a max_error or point_distance out of range.
///   - SINEW_ERROR_UNSUPPORTED: the library was built with SINEW_NO_COMPRESSION.
///   - SINEW_ERROR_OUT_OF_MEMORY.
SINEW_API sinew_result sinew_clip_compress(const sinew_clip *clip, const sinew_compress_def *def,
                                           sinew_clip **compressed, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
