// SPDX-License-Identifier: MIT
/// Clips: keyframe channels of the nodes and curves of one skeleton (skeleton.h).
///
/// A *channel* animates one property of one node, or one curve, by *keys*: values at increasing times. On creation,
/// channels with the same key times are stored on one shared *timeline*, key after key, so that sampling searches once
/// per timeline and reads two neighbouring rows. Keys are not resampled. Values are local: in the space of the node's
/// parent.
///
/// A clip does not loop or end by itself: a mixer (mixer.h) plays it. A clip is const after creation and may be
/// sampled from any number of threads at once. Functions that create and destroy clips may be called from any thread.
/// Times are seconds. An `allocator` of NULL is the C library's heap; it is copied.
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a channel animates: a property of a node, or a curve.
typedef enum sinew_channel_target {
    SINEW_TARGET_TRANSLATION, ///< 3 floats per key, metres
    SINEW_TARGET_ROTATION,    ///< 4 floats per key, a quaternion
    SINEW_TARGET_SCALE,       ///< 3 floats per key
    SINEW_TARGET_WEIGHTS,     ///< one float per key for each morph weight of the node, which must have some
    SINEW_TARGET_CURVE        ///< one float per key; `node` is the index of a curve of the skeleton
} sinew_channel_target;

/// How a channel is interpolated between its keys (glTF 2.0, appendix C).
typedef enum sinew_interpolation {
    SINEW_INTERPOLATION_STEP,       ///< holds the previous key
    SINEW_INTERPOLATION_LINEAR,     ///< linear; slerp on the shorter arc for rotations
    SINEW_INTERPOLATION_CUBICSPLINE ///< Hermite; each key is in-tangent, value, out-tangent
} sinew_interpolation;

/// How a clip stores the keys of a timeline.
typedef enum sinew_key_format {
    SINEW_KEYS_FLOAT, ///< the given floats, exact
    SINEW_KEYS_U16,   ///< 16 bits between each component's minimum and maximum: half the memory to read, inexact
    SINEW_KEYS_COMPRESSED ///< of sinew_clip_compress, within a given error; not for a definition
} sinew_key_format;

/// One channel, as authored. A channel with one key is constant. Before its first key it has the value of that key,
/// and after its last key the value of that.
///
/// Keys of rotations may have any length: sampled rotations are unit. Finite keys give finite poses. To that end,
/// other values beyond 3.4028e38 (half of that with SINEW_KEYS_U16) are clamped, and the tangents of two neighbouring
/// CUBICSPLINE keys are shortened if the values plus 4/27 of the interval times the tangents exceed that.
typedef struct sinew_channel_def {
    int32_t node;                      ///< index in the skeleton: of a node, or of a curve if `target` is CURVE
    sinew_channel_target target;       ///< what is animated
    sinew_interpolation interpolation; ///< between its keys
    int32_t key_count;                 ///< at least 1
    const float *times;                ///< [key_count], seconds, finite, not negative, strictly increasing
    const float *values;               ///< [key_count × floats per key], finite; CUBICSPLINE: three times that
} sinew_channel_def;

/// A named time in a clip, such as a footstep or a hit. A mixer reports it as a SINEW_EVENT_MARKER (mixer.h).
typedef struct sinew_marker {
    const char *name; ///< UTF-8; NULL counts as ""; in a clip never NULL
    float time;       ///< seconds, from 0 to the clip's duration
} sinew_marker;

/// What a clip is made from. Everything is copied except the skeleton. Start from sinew_clip_default.
typedef struct sinew_clip_def {
    const char *name;                  ///< UTF-8; NULL counts as ""
    const sinew_skeleton *skeleton;    ///< must be set, and outlive the clip
    int32_t channel_count;             ///< 0 or more
    const sinew_channel_def *channels; ///< [channel_count]; at most one for each target of a node and each curve
    /// Seconds, finite: the clip is at least this long, and holds its last keys. Default 0: to its last key.
    float duration;
    int32_t marker_count;        ///< 0 or more
    const sinew_marker *markers; ///< [marker_count], in any order; none later than the end of the clip
    /// Default SINEW_KEYS_FLOAT. With SINEW_KEYS_U16, a channel that shares its times with no other stays exact.
    sinew_key_format key_format;
    bool additive;             ///< the values are differences: see sinew_clip_make_additive; default false
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_clip_default
} sinew_clip_def;

/// One channel of a clip, read-only.
typedef struct sinew_channel {
    int32_t node;                      ///< index in the skeleton: of a node, or of a curve if `target` is CURVE
    sinew_channel_target target;       ///< what is animated
    sinew_interpolation interpolation; ///< as given
    int32_t key_count;                 ///< as given, unless keys were filled in
    int32_t timeline; ///< index into the clip's timelines; -1: the channel is constant and costs nothing to sample
} sinew_channel;

/// The key times of one or more channels.
typedef struct sinew_timeline {
    const float *times; ///< seconds, increasing: that of key k is times[k * stride], see sinew_timeline_time
    int32_t key_count;  ///< at least 1
    int32_t stride;     ///< floats from one time to the next
    bool uniform;       ///< evenly spaced: a key is found without a search
} sinew_timeline;

/// A clip, read-only. Only clips made by sinew_clip_create or by a function that copies clips, and those of an asset
/// (asset.h), are valid; a copy of the struct is not. The arrays belong to the clip.
typedef struct sinew_clip {
    const char *name;               ///< UTF-8, never NULL
    const sinew_skeleton *skeleton; ///< the clip's skeleton; only poses of it can be sampled
    float duration;                 ///< seconds: the time of the last key of all channels, or as requested if later
    int32_t channel_count;          ///< number of channels
    const sinew_channel *channels;  ///< [channel_count], sorted by node, then target; then the curves'
    int32_t timeline_count;         ///< number of different lists of key times
    const sinew_timeline *timelines; ///< [timeline_count]
    int32_t filled_key_count;        ///< keys of sinew_clip_create_filled; they are in all counts. 0 in copies
    int32_t marker_count;            ///< number of markers
    const sinew_marker *markers;     ///< [marker_count], sorted by time; markers of one time in the given order
    size_t memory;                   ///< total bytes of the clip
    sinew_key_format key_format;     ///< as requested
    bool additive;                   ///< its poses are differences, to be added to another pose
    /// An upper bound of what the key format changes, at every time: 0 for floats. No point within a distance of a
    /// node, and moving with it, is further from where it is in the given clip, in metres in model space. The distance
    /// is 0.1 m with SINEW_KEYS_U16, and that of the definition with SINEW_KEYS_COMPRESSED, in the node's own unit. No
    /// morph weight and no curve differs by more than this number either.
    ///
    /// The bound is proven between keys too, not sampled; the rounding of floats, which all clips have, is not counted:
    /// a ten-millionth of the model's size. It is mostly 2 % above the largest error; more for compressed clips with
    /// errors near 0.1 mm, whose weights are assumed to be rounded at their worst, for splines of rotations that pass
    /// near zero, and for few keys that move very many nodes. Of an additive clip: when it is added to the rest pose. A
    /// copy by sinew_clip_bind or the like adds the error of the clip that it is made from, which holds for that clip's
    /// skeleton and distance.
    float max_error;
    const struct sinew_clip_data *data; ///< private
} sinew_clip;

/// Returns the time of a key, in seconds, for 0 <= key < timeline->key_count.
SINEW_API float sinew_timeline_time(const sinew_timeline *timeline, int32_t key);

/// Returns the default definition: no skeleton, no channels, the C library's heap.
SINEW_API sinew_clip_def sinew_clip_default(void);

/// Creates a clip; free it with sinew_clip_destroy. SINEW_ERROR_ARGUMENT, with the channel and key in `error`, for
/// input that breaks the rules above; SINEW_ERROR_UNSUPPORTED for SINEW_KEYS_U16 in a library that is built with
/// SINEW_NO_KEYS_U16; SINEW_ERROR_LIMIT for channels whose keys at one time take more than 4 GiB;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*clip` is NULL. `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_clip_create(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error);

/// Creates a clip and fills in keys. Tools drop keys that interpolation reproduces. Where the LINEAR keys of nodes are
/// on a grid with such gaps, the clip gets the missing ones: it plays in less than half the time, and moves as before
/// within 2e-7. Given keys keep their bits. Nothing is filled in if the clip would take more than `growth` times its
/// bytes. Otherwise like sinew_clip_create, which fills in nothing.
SINEW_API sinew_result sinew_clip_create_filled(const sinew_clip_def *def, float growth, sinew_clip **clip,
                                                sinew_error *error);

/// Frees a clip that sinew_clip_create or a function that copies clips made; an asset's clips are freed with the asset.
/// NULL is allowed. No mixer may still play it. Any thread.
SINEW_API void sinew_clip_destroy(sinew_clip *clip);

/// Returns the number of floats in a key of a channel, tangents included: 3, 4, the number of morph weights, or 1
/// of a curve; three times that for CUBICSPLINE. 0 <= channel < clip->channel_count (asserted). Any thread.
SINEW_API int32_t sinew_clip_key_width(const sinew_clip *clip, int32_t channel);

/// Reads the keys of a channel back, in the form of a sinew_channel_def, and returns their number. `times`
/// [key count] and `values` [key count × sinew_clip_key_width] may be NULL: call it with both NULL for the number
/// first. 0 <= channel < clip->channel_count (asserted).
///
/// Times and values are the given floats, with these exceptions: rotations that are not CUBICSPLINE are unit, each in
/// the hemisphere of the previous one; extreme values are limited, see sinew_channel_def; with SINEW_KEYS_U16, values
/// are those that are stored. A constant channel has one key, at 0 s: only its value is kept. To create the same clip
/// from its keys, set the definition's `duration`, markers and `additive`, too. Of floats, its poses have the same
/// bits; where all keys of a rotation are q or -q, they are within rounding. Takes time linear in the number of keys;
/// allocates nothing. Any thread.
SINEW_API int32_t sinew_clip_channel_keys(const sinew_clip *clip, int32_t channel, float *times, float *values);

/// Samples the clip at a time in seconds, clamped to each channel's own keys, and writes the whole pose, morph
/// weights and curves included. What has no channel gets the rest pose, or no difference if the clip is additive.
/// Stateless: every time costs the same. `pose` must be of the clip's skeleton (asserted). The pose is undefined for
/// a time that is not finite. Uses about 7 KB of stack. Any thread, as long as no other uses the pose.
SINEW_API void sinew_clip_sample(const sinew_clip *clip, float time, sinew_pose *pose);

/// Samples the local transform of one node at a time in seconds, with the bits that sinew_clip_sample writes, at
/// the cost of that node. For attachment points at the time of an event, for speeds and for paths. 0 <= node <
/// node_count of the clip's skeleton (asserted). Stateless. Any thread.
SINEW_API sinew_transform sinew_clip_sample_node(const sinew_clip *clip, float time, int32_t node);

/// An entry of a map of names: the clip's nodes named `source` are bound to the node `target`.
typedef struct sinew_bind_name {
    const char *source; ///< in the skeleton of the clip
    /// In the other skeleton; NULL or "": the channels of `source` are left out, and not counted.
    const char *target;
} sinew_bind_name;

/// How sinew_clip_bind matches nodes. Start from sinew_bind_default.
typedef struct sinew_bind_def {
    int32_t name_count;           ///< 0 or more
    const sinew_bind_name *names; ///< [name_count]; nodes without an entry are matched by equal names
    /// A prefix that more than half of a skeleton's named nodes have is ignored in both skeletons, such as "mixamorig:",
    /// "Bip01 " or "DEF-": it ends in one of ": | . _ - / ", a space, or before a capital. Default false. Names in
    /// `names` are whole.
    bool ignore_prefixes;
    /// Leave out translations, scales and weights: for other proportions; default false. Curves stay.
    bool rotations_only;
    /// The fraction of the counted channels that must match, 0 to 1. Default 0.5: a clip of which most is missing is
    /// refused.
    float min_match;
    /// [channel_count of the clip], written: the node or curve that each channel is bound to, or SINEW_NO_NODE. Default
    /// NULL: not needed.
    int32_t *bound_nodes;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_bind_default
} sinew_bind_def;

/// What sinew_clip_bind matched and did not match. Channels that the definition leaves out are not counted.
typedef struct sinew_bind_report {
    int32_t bound_channel_count; ///< channels of the copy
    /// Channels without a node of that name, with another number of morph weights, or of one of several nodes of one
    /// name of which the other skeleton has fewer; and channels without a curve of that name.
    int32_t unmatched_channel_count;
    int32_t unmatched_name_count; ///< nodes and curves with an unmatched channel
    /// The names of the first 16 of these, NULL after the last. They belong to the skeleton of the original
    /// clip.
    const char *unmatched_names[16];
    /// For each of these, the name in the other skeleton that is most like it, or NULL. They belong to that skeleton.
    const char *nearest_names[16];
    /// Bound nodes that share their name with others, where parents did not tell which is which: they were matched by
    /// their order.
    int32_t ordered_name_count;
    const char *ordered_names[16]; ///< of the first 16 of these, NULL after the last; as unmatched_names
} sinew_bind_report;

/// Returns the default definition: nodes of equal names, half of the channels, the C library's heap.
SINEW_API sinew_bind_def sinew_bind_default(void);

/// Copies a clip to another skeleton: each channel is bound to the node of the same name, or as `def` says; NULL means
/// sinew_bind_default. Of several nodes with one name, it is the one below the node that the parent is bound to;
/// without such a one, the next in their order. Nodes without a name are not matched. Channels of curves are bound to
/// the curve of the same name. Values are not changed, so the two characters should have similar proportions. An
/// additive clip stays additive; its values are differences and depend less on proportions. Name, markers, duration and
/// key format are the clip's. Free the copy with sinew_clip_destroy; `skeleton` must outlive it, the original clip need
/// not. `report` and `error` may be NULL; `report` is written on failure, too. SINEW_ERROR_ARGUMENT if fewer channels
/// match than `min_match` requires, or none: the message names nodes that nearly match; also for a `min_match` that is
/// not from 0 to 1. SINEW_ERROR_OUT_OF_MEMORY. On failure `*bound` is NULL. Any thread.
SINEW_API sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton,
                                       const sinew_bind_def *def, sinew_clip **bound, sinew_bind_report *report,
                                       sinew_error *error);

/// Makes an additive clip: the difference of a clip from a reference pose, which can be added to any other pose. A
/// reference of NULL is the rest pose. To use a frame of a clip, this one or another, as the reference, sample it:
///
///     sinew_clip_sample(clip, 0.0f, pose);
///     result = sinew_clip_make_additive(clip, pose, NULL, &difference, &error);
///
/// Translations, morph weights and curves are the clip's minus the reference's, rotations are reference⁻¹ × the clip's,
/// scales are the clip's divided by the reference's. sinew_pose_add adds a difference to a pose. If the clip equals the
/// reference, the difference is the identity: translation 0, no rotation, scale 1, weights and curves 0. The keys are
/// converted, with any interpolation, so at any time reference + difference is the clip's pose within float rounding,
/// also for nodes without a channel if the reference is not the rest pose. Name, markers, duration and key format are
/// the clip's.
///
/// Free it with sinew_clip_destroy; the skeleton must outlive it, the clip and the reference need not. `allocator`
/// and `error` may be NULL. The reference's rotations must be unit. SINEW_ERROR_ARGUMENT, with the node and the
/// component in `error`, if the difference is not a number, as for a scale of 0 in the reference; also for a clip
/// that is additive already, and for a reference of another skeleton. SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*additive` is NULL. Any thread.
SINEW_API sinew_result sinew_clip_make_additive(const sinew_clip *clip, const sinew_pose *reference,
                                                const sinew_allocator *allocator, sinew_clip **additive,
                                                sinew_error *error);

/// Copies the part of a clip from `start` to `end`, in seconds: time t of the copy is time start + t of the clip.
/// `name` of NULL is the clip's. Keys inside keep their bits, and an end between two keys gets a new key. So the copy
/// moves like the clip, within float rounding, with any interpolation: a part of a LINEAR rotation is on the same arc,
/// and a part of a CUBICSPLINE curve is the same curve. Keys that are evenly spaced stay so if both ends are at keys;
/// otherwise a mixer searches for them, which takes longer.
///
/// Markers inside are kept, also those at both ends, and move by `start`. Morph weights and curves are cut like nodes,
/// an additive clip stays additive, and the root motion is the clip's from `start` to `end`. The key format is the
/// clip's: with SINEW_KEYS_U16 keys are rounded again, which max_error counts. A compressed clip's part has
/// SINEW_KEYS_FLOAT: compress it.
///
/// Free it with sinew_clip_destroy; the skeleton must outlive it, the clip need not. `allocator` and `error` may be
/// NULL. SINEW_ERROR_ARGUMENT unless 0 <= start < end <= the clip's duration; SINEW_ERROR_OUT_OF_MEMORY. On failure
/// `*subclip` is NULL. Any thread.
SINEW_API sinew_result sinew_clip_subclip(const sinew_clip *clip, float start, float end, const char *name,
                                          const sinew_allocator *allocator, sinew_clip **subclip,
                                          sinew_error *error);

/// Combines clips that move different nodes, such as those of a file in which each object has its own clip, to play all
/// of them at once. A mixer can't do that with the clips themselves: each contributes the rest pose where it has no
/// channel, and n clips would show an nth of each. Clips of one duration become one clip. `combined` [clip_count] gets
/// *combined_count clips: the first has the longest duration, and is for the base; the others are additive, each of
/// another duration, which it loops at. Play them in one additive layer:
///
///     sinew_layer_set_mode(mixer, 1, SINEW_LAYER_ADDITIVE);
///     for (int32_t i = 0; i < count; i++) {
///         sinew_play_def def = sinew_play_default();
///         def.layer = i > 0 ? 1 : 0;
///         sinew_mixer_play(mixer, sinew_clip_source(combined[i]), &def);
///     }
///
/// Each node then moves as its clip alone moves it: with the same bits if all clips have one duration, otherwise within
/// float rounding. Markers are kept. A clip that moves what an earlier one moves is left out, and so is an additive
/// clip; of values that are constant, the first counts. `left_out` [clip_count] says which clips are; it may be NULL.
///
/// The clips must be of one skeleton, which must outlive the copies; the clips need not. Key formats are as for
/// sinew_clip_subclip. Free each with sinew_clip_destroy. `allocator` and `error` may be NULL. SINEW_ERROR_ARGUMENT for
/// clips of different skeletons; SINEW_ERROR_LIMIT for more than 64 durations, the most actions of a mixer;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure *combined_count is 0. Any thread.
SINEW_API sinew_result sinew_clip_combine(const sinew_clip *const *clips, int32_t clip_count,
                                          const sinew_allocator *allocator, sinew_clip **combined,
                                          int32_t *combined_count, bool *left_out, sinew_error *error);

/// How sinew_clip_compress makes a clip smaller. Start from sinew_compress_default.
typedef struct sinew_compress_def {
    /// Metres in model space, positive: no point within `point_distance` of a node moves by more, at any time. Nor does
    /// a vertex whose joints are all within that distance. Default 0.0001. It is for the scale at which the skeleton is
    /// 1 m per unit.
    float max_error;
    /// Metres, not negative, in the unit of each node: of the points that represent the vertices that it moves. A
    /// rotation by a small angle moves them by this times the angle. Default 0.03.
    float point_distance;
    sinew_allocator allocator; ///< zero: the C library's heap
    uint32_t cookie;           ///< private: set by sinew_compress_default
} sinew_compress_def;

/// Returns the default definition: 0.1 mm, points within 3 cm, the C library's heap.
SINEW_API sinew_compress_def sinew_compress_default(void);

/// Makes a copy of a clip that takes less memory, within an error; `def` of NULL is the default. The copy's max_error
/// says what it costs: it is never above that of the definition, but for the error that the given clip has already. It
/// is decoded where it is sampled: stateless, without memory, and every time costs the same.
///
/// LINEAR translations, rotations and scales are stored as sums of modes: functions of time, with the keys' times, that
/// many nodes share, and for each node its part of each. So motions between keys stay linear within the error, and
/// jumps stay at their keys. Everything else keeps its floats: morph weights, STEP and CUBICSPLINE channels, those with
/// key times of their own (which are stored as tracks), rotations by more than 300 degrees from the channel's mean and
/// those of nodes with indices near them, and channels that modes would not make smaller. Name, markers and duration
/// are the clip's.
///
/// Channels that move no point by more than a twentieth of max_error are simplified: those in the rest pose are
/// dropped, and others have one key. A timeline that no other channel has is dropped, too. Constant values take memory
/// only where they are not the rest pose, which the skeleton has. On another skeleton, a dropped channel has that one's
/// rest pose: if that differs, bind, mirror or retarget the exact clip, and compress the copy. Clips with tracks keep
/// all channels.
///
/// The keys that sinew_clip_channel_keys reads back are the sampled values at the original key times. Copies by
/// sinew_clip_bind, sinew_clip_make_additive, mirroring and retargeting have SINEW_KEYS_FLOAT: compress the copies.
///
/// Takes time in proportion to keys × animated components; about 50 ms for a clip of 60 keys and 60 joints. Free it
/// with sinew_clip_destroy; the skeleton must outlive it, the clip need not. SINEW_ERROR_ARGUMENT for errors and
/// distances that are out of range; SINEW_ERROR_UNSUPPORTED in a library that is built with SINEW_NO_COMPRESSION;
/// SINEW_ERROR_OUT_OF_MEMORY. On failure `*compressed` is NULL. `error` may be NULL. Any thread.
SINEW_API sinew_result sinew_clip_compress(const sinew_clip *clip, const sinew_compress_def *def,
                                           sinew_clip **compressed, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
