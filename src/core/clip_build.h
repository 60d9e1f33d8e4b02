// SPDX-License-Identifier: MIT
// The plan for a new clip. clip_build.c makes it, and clip_fill.c writes the clip.
#ifndef SINEWI_CLIP_BUILD_H
#define SINEWI_CLIP_BUILD_H

#include <sinew/clip.h>

#include "base/memory.h"
#include "core/pose_block.h"

#define SINEWI_NODE_TARGETS 4 // values of sinew_channel_target that belong to a node
#define SINEWI_NO_CHANNEL   (-1)

// A clip with its private data.
typedef struct sinewi_clip_object {
    sinew_clip clip;
    sinew_clip_data data;
    sinew_allocator allocator;
} sinewi_clip_object;

// The plan of a strip.
typedef struct sinewi_strip_plan {
    sinewi_strip strip;            // its pointers are NULL
    sinew_channel_target target;   // the group's
    int32_t channels[SINEW_LANES]; // channel in each lane, or SINEWI_NO_CHANNEL
    bool has_modes;
    sinewi_modes modes; // copied later, with its memory
} sinewi_strip_plan;

// The mode weights of one target in the rows of one timeline.
typedef struct sinewi_mode_rows {
    int32_t row;     // index of the rows
    uint32_t offset; // bytes from the start of a row
    int32_t count, key_count;
    int32_t word_count;      // the first ones, with 16 bits. The others have 8 bits.
    const uint16_t *weights; // [count][key_count]
} sinewi_mode_rows;

// Where the mode weights are in the rows of one timeline.
typedef struct sinewi_row_weights {
    uint32_t offset; // offset of the first one in bytes
    sinewi_weight_counts counts[SINEWI_GROUPS];
} sinewi_row_weights;

struct sinewi_mode_finder;

// The plan of a clip's memory, made before allocating it.
typedef struct sinewi_clip_plan {
    const sinew_clip_def *def;
    const sinew_clip *source;         // see sinewi_clip_build
    const sinew_clip *exact;          // see sinewi_clip_build_keys
    struct sinewi_mode_finder *modes; // NULL without modes
    sinewi_mode_rows *mode_rows;      // [mode_row_count]
    int32_t mode_row_count;
    sinewi_row_weights *row_weights; // [row_count]: NULL without modes
    bool shares_base; // the base is the skeleton's rest pose. Other constants are in strips with modes.
    sinewi_arena scratch;
    int32_t *channel_of;  // [sinewi_channel_slots]: channel in each slot, or SINEWI_NO_CHANNEL
    int32_t *timeline_of; // [channel_count]: -1 for constant channels
    int32_t timeline_count;
    int32_t *first_user; // [timeline_count]: first channel with the timeline's key times
    int32_t *buckets;    // hash table of timelines, chained through `next`
    int32_t *next;
    uint32_t bucket_count; // a power of two
    int32_t *row_of;       // [timeline_count]: index of the timeline's rows, or -1 if only tracks use it
    int32_t *row_timeline; // [row_count]: inverse of row_of
    size_t *row_stride;    // [row_count]: bytes
    int32_t row_count;
    sinewi_strip_plan *strips;
    int32_t strip_count;
    int32_t *group_strips;           // [groups + 1]
    sinewi_tracks tracks;            // no memory yet. bucket_count is 0 without tracks.
    size_t track_keys, track_values; // total over all tracks
    bool *fits_tracks;               // [channel_count]
    sinew_marker *markers;           // [marker_count]: sorted by time. The names belong to the caller.
    float duration;
    sinewi_exact_end *ends; // [end_count]
    int32_t end_count;
} sinewi_clip_plan;

static inline size_t sinewi_node_blocks(const sinew_skeleton *skeleton) {
    return sinewi_block_count(skeleton->node_count);
}

static inline size_t sinewi_weight_blocks(const sinew_skeleton *skeleton) {
    return sinewi_block_count(sinewi_value_count(skeleton));
}

static inline size_t sinewi_group_count(const sinew_skeleton *skeleton) {
    return SINEWI_GROUPS * sinewi_node_blocks(skeleton) + sinewi_weight_blocks(skeleton);
}

// Returns the number of values per key. CUBICSPLINE keys are in-tangent, value, out-tangent.
static inline int32_t sinewi_parts(sinew_interpolation interpolation) {
    return interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
}

// A slot is anything that a channel can animate: a node's target, or a curve. They are numbered by node, then by
// target. Curves come last.
static inline size_t sinewi_channel_slots(const sinew_skeleton *skeleton) {
    return (size_t)skeleton->node_count * SINEWI_NODE_TARGETS + (size_t)skeleton->curve_count;
}

static inline size_t sinewi_channel_slot(const sinew_skeleton *skeleton, int32_t node,
                                         sinew_channel_target target) {
    if (target == SINEW_TARGET_CURVE) return (size_t)skeleton->node_count * SINEWI_NODE_TARGETS + (size_t)node;
    return (size_t)node * SINEWI_NODE_TARGETS + (size_t)target;
}

// A slot's node and target. For a curve, the curve and SINEW_TARGET_CURVE.
typedef struct sinewi_slot_target {
    int32_t node;
    sinew_channel_target target;
} sinewi_slot_target;

static inline sinewi_slot_target sinewi_target_of_slot(const sinew_skeleton *skeleton, size_t slot) {
    size_t of_nodes = (size_t)skeleton->node_count * SINEWI_NODE_TARGETS;
    if (slot >= of_nodes) return (sinewi_slot_target){(int32_t)(slot - of_nodes), SINEW_TARGET_CURVE};
    return (sinewi_slot_target){(int32_t)(slot / SINEWI_NODE_TARGETS),
                                (sinew_channel_target)(slot % SINEWI_NODE_TARGETS)};
}

// Returns whether the values of this target are stored with the morph weights, one lane each. True for weights and
// curves.
static inline bool sinewi_has_weight_lanes(sinew_channel_target target) {
    return target >= SINEW_TARGET_WEIGHTS;
}

// Returns the index of a channel's first value among the morph weights and curves.
static inline int32_t sinewi_first_weight(const sinew_skeleton *skeleton, int32_t node,
                                          sinew_channel_target target) {
    return target == SINEW_TARGET_CURVE ? skeleton->weight_count + node : skeleton->weight_offsets[node];
}

// Returns the number of floats in one value of a channel. For weights, this is the node's number of morph weights.
static inline int32_t sinewi_channel_width(const sinew_skeleton *skeleton, int32_t node,
                                           sinew_channel_target target) {
    if (target != SINEW_TARGET_WEIGHTS) return sinewi_target_width(target);
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

// The group and lane of a channel's component. All components of T, R and S are in their node's lane.
typedef struct sinewi_lane_position {
    size_t group;
    int32_t lane;
} sinewi_lane_position;

sinewi_lane_position sinewi_lane_position_of(const sinew_skeleton *skeleton, int32_t node,
                                             sinew_channel_target target, int32_t component);

// A group's constant channels whose values differ from the rest pose.
typedef struct sinewi_constant_lanes {
    uint16_t mask;
    float values[4][SINEW_LANES];
} sinewi_constant_lanes;

// Finds these in a group of nodes. The values must be in the form that clips store, for example read back from one.
sinewi_constant_lanes sinewi_clip_find_constants(const sinewi_clip_plan *plan, size_t group);

// Like sinew_clip_create, for channels read back from `source`, which may be NULL. Rotations keep their bits. They are
// already unit quaternions, each in the hemisphere of the previous one. Testing two keys 180 degrees apart again could
// pick the other arc because of rounding.
sinew_result sinewi_clip_build(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                               sinew_error *error);

// Like sinew_clip_create, for keys computed from the keys of `source`. Uses the same key format, but floats if `source`
// is compressed. Adds the error of `source`.
sinew_result sinewi_clip_create_from(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                     sinew_error *error);

// Like sinewi_clip_build, without measuring the error. `exact` is the clip before its keys are rounded, or NULL if they
// aren't. `modes` may be NULL. Otherwise it replaces keys by modes (see clip_modes.h).
sinew_result sinewi_clip_build_keys(const sinew_clip_def *def, const sinew_clip *source, const sinew_clip *exact,
                                    struct sinewi_mode_finder *modes, sinew_clip **clip, sinew_error *error);

// Calls sinew_clip_create, then sinew_clip_compress unless `max_error` is 0.
sinew_result sinewi_clip_create_compressed(const sinew_clip_def *def, float max_error, sinew_clip **clip,
                                           sinew_error *error);

// Reads a channel of a clip back, in the form that sinew_clip_create takes. Returns its values, which are in the
// scratch arena and may be modified, or NULL if memory runs out. The first function reads exact ends, the second one
// reads what sampling reads.
float *sinewi_clip_read_channel(const sinew_clip *clip, int32_t channel, sinewi_arena *scratch,
                                sinew_channel_def *out);
float *sinewi_clip_read_stored_channel(const sinew_clip *clip, int32_t channel, sinewi_arena *scratch,
                                       sinew_channel_def *out);

// Reads one key of a curve's channel: its value, or in-tangent, value and out-tangent. Returns their number, which is 1
// for a constant channel.
int32_t sinewi_clip_read_curve_key(const sinew_clip *clip, int32_t channel, int32_t key, float value[3]);

// The memory that a clip needs.
typedef struct sinewi_clip_size {
    size_t bytes;
    int32_t strips;
    int32_t tracks; // number of strips whose keys are on tracks
} sinewi_clip_size;

// Plans a clip with float or 16-bit keys without creating it. Fails like sinew_clip_create.
sinew_result sinewi_clip_measure(const sinew_clip_def *def, sinewi_clip_size *size, sinew_error *error);

// How a channel with modes gets from key to key if it doesn't slerp. The mode weights are interpolated and rounded to
// integers. All zeros for other channels.
typedef struct sinewi_mode_line {
    bool projects;        // rotations are straight between projections from the center (see kernels/layout.h)
    float center[4];      // a unit quaternion
    int32_t first, count; // range in the weights of all rows
} sinewi_mode_line;

sinewi_mode_line sinewi_clip_mode_line(const sinew_clip *clip, int32_t channel);

// For each of these weights, writes how much one unit moves the value or the projection of a rotation. parts
// [count][3].
void sinewi_clip_read_mode_parts(const sinew_clip *clip, int32_t channel, double *parts);

// Limits that keep finite keys from giving poses that aren't finite. All numbers of a rotation spline are multiplied by
// one power of two, which doesn't change any rotation. Other channels clamp their values and shorten tangents if the
// spline could exceed the range of a float.
typedef struct sinewi_key_limits {
    bool needed; // only true for extreme keys
    const sinew_channel_def *channel;
    size_t stride;           // floats per value of the channel
    size_t component, width; // range of its components
    double largest;          // largest allowed value
    double interval;         // shortest interval to assume for tangents, in seconds
    int shift;               // for rotation splines, exponent of the power of two
} sinewi_key_limits;

// Computes the limits of a channel in time linear in the number of keys. `coarse` is for 16-bit rows.
sinewi_key_limits sinewi_key_limits_of(const sinew_channel_def *channel, size_t stride, size_t component,
                                       size_t width, bool coarse);

// Clamps a value of a constant channel.
float sinewi_limited_value(float value);

// Limits the [parts × width] floats of key k.
void sinewi_limit_key(const sinewi_key_limits *limits, int32_t k, float *key);

// Returns the bytes that a planned clip needs.
size_t sinewi_clip_plan_bytes(const sinewi_clip_plan *plan);

// Allocates and writes a planned clip.
sinew_result sinewi_clip_fill(const sinewi_clip_plan *plan, sinew_clip **clip, sinew_error *error);

// Returns the keys per second of a timeline with evenly spaced keys.
float sinewi_key_rate(const sinew_timeline *timeline);

// Returns whether the key before a time can be computed to within one key.
bool sinewi_has_uniform_times(const sinew_timeline *timeline);

// Writes `groups` [group_count] and `fast_paths` [node blocks] for the kernels. The clip's strips and group_strips must
// be set.
void sinewi_clip_describe_groups(const sinew_clip_data *data, sinew_key_format format, size_t group_count,
                                 sinewi_group *groups, uint8_t *fast_paths);

// Returns tracks with this many buckets over the clip's duration, without memory.
sinewi_tracks sinewi_tracks_with(const sinewi_clip_plan *plan, int32_t bucket_count);

// Returns whether four keys per bucket are enough for the channel.
bool sinewi_tracks_fit(const sinewi_tracks *tracks, const sinew_channel_def *channel);

#endif
