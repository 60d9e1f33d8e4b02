// Making a clip, between the file that plans what goes where and the one that writes it.
#ifndef SINEW_CLIP_BUILD_H
#define SINEW_CLIP_BUILD_H

#include <sinew/clip.h>

#include "core/memory.h"
#include "kernels/layout.h"

#define SINEW_PATHS      4
#define SINEW_NO_CHANNEL (-1)

// What is behind a clip's public face.
typedef struct sinew_clip_object {
    sinew_clip clip;
    sinew_clip_data data;
    sinew_allocator allocator;
} sinew_clip_object;

// Where a strip's values will lie.
typedef struct sinew_strip_plan {
    sinew_strip strip;             // its pointers still NULL
    sinew_channel_target path;     // of its group
    int32_t channels[SINEW_LANES]; // the channel in each lane, or SINEW_NO_CHANNEL
} sinew_strip_plan;

// What is worked out about the channels before the clip's memory is taken.
typedef struct sinew_clip_plan {
    const sinew_clip_def *def;
    const sinew_clip *source; // see sinew_clip_build
    sinew_arena scratch;
    int32_t *channel_of;  // [node_count × SINEW_PATHS]: channel of a node's path, or SINEW_NO_CHANNEL
    int32_t *timeline_of; // [channel_count]: -1 for constant channels
    int32_t timeline_count;
    int32_t *first_user; // [timeline_count]: a channel whose times the timeline has
    int32_t *buckets;    // hash table of timelines: chains through `next`
    int32_t *next;
    uint32_t bucket_count; // a power of two
    int32_t *row_of;       // [timeline_count]: index of the timeline's rows, or -1 where only tracks use it
    int32_t *row_timeline; // [row_count]: the way back
    size_t *row_stride;    // [row_count], bytes
    int32_t row_count;
    sinew_strip_plan *strips;
    int32_t strip_count;
    int32_t *group_strips; // [groups + 1]
    sinew_tracks tracks;   // without memory; bucket_count 0 where there are none
    bool *fits_tracks;     // [channel_count]
    int32_t *first_keys;   // [bucket_count]: room for one lane's
    sinew_marker *markers; // [marker_count], by time; names still the caller's
    float duration;
} sinew_clip_plan;

static inline size_t sinew_node_blocks(const sinew_skeleton *skeleton) {
    return sinew_block_count(skeleton->node_count);
}

static inline size_t sinew_weight_blocks(const sinew_skeleton *skeleton) {
    return sinew_block_count(skeleton->weight_count);
}

static inline size_t sinew_group_count(const sinew_skeleton *skeleton) {
    return SINEW_GROUPS * sinew_node_blocks(skeleton) + sinew_weight_blocks(skeleton);
}

// The values of a key of one component group: CUBICSPLINE keys are in-tangent, value, out-tangent.
static inline int32_t sinew_parts(sinew_interpolation interpolation) {
    return interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? 3 : 1;
}

// Floats of one value of a channel: for weights as many as the node has.
static inline int32_t sinew_channel_width(const sinew_skeleton *skeleton, int32_t node, sinew_channel_target path) {
    if (path != SINEW_TARGET_WEIGHTS) return sinew_target_width(path);
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

// The group and lane where a channel's component lies; components of T, R and S share their node's lane.
typedef struct sinew_spot {
    size_t group;
    int32_t lane;
} sinew_spot;

sinew_spot sinew_spot_of(const sinew_skeleton *skeleton, int32_t node, sinew_channel_target path,
                         int32_t component);

// sinew_clip_create for channels that were read back from `source`, which may be NULL. The new clip lasts at least as
// long, whatever its keys say. Its rotations stay as they are, being unit and each on the side of the one before: a
// second look at two that are 180 degrees apart could find the other way round shorter by a rounding.
sinew_result sinew_clip_build(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                              sinew_error *error);

// The same without measuring the quantization error.
sinew_result sinew_clip_build_keys(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                   sinew_error *error);

// A channel of a clip as sinew_clip_create takes it. Its values are in the scratch arena; they are what is returned,
// to be changed in place, or NULL when memory runs out.
float *sinew_clip_read_channel(const sinew_clip *clip, const sinew_channel *channel, sinew_arena *scratch,
                               sinew_channel_def *out);

// How finite keys are kept from making poses that are not finite. Of rotation splines, all numbers are multiplied by one
// power of two, which changes no rotation; of other channels, values are clamped, and tangents are shortened where the
// spline could leave the range of a float.
typedef struct sinew_key_limits {
    bool needed; // false but for absurd keys
    const sinew_channel_def *channel;
    size_t stride;           // floats of one of the channel's values
    size_t component, width; // of it, which are looked at
    double largest;          // value
    double interval;         // tangents are taken to act so long at least, seconds
    int shift;               // of rotation splines: the exponent
} sinew_key_limits;

// `coarse`: for 16-bit rows. Linear in the keys.
sinew_key_limits sinew_key_limits_of(const sinew_channel_def *channel, size_t stride, size_t component,
                                     size_t width, bool coarse);

// A value of a channel that never changes.
float sinew_limited_value(float value);

// Changes [parts × width] floats of key k, where limits are needed.
void sinew_limit_key(const sinew_key_limits *limits, int32_t k, float *key);

// Takes the memory of a planned clip and writes it.
sinew_result sinew_clip_fill(const sinew_clip_plan *plan, sinew_clip **clip, sinew_error *error);

// Tracks with so many buckets over the clip's duration, and no memory yet.
sinew_tracks sinew_tracks_with(const sinew_clip_plan *plan, int32_t bucket_count);

// True where the channel has no more than two keys in any of the buckets.
bool sinew_tracks_fit(const sinew_tracks *tracks, const sinew_channel_def *channel);

#endif
