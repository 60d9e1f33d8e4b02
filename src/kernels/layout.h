// What the kernels read and write: how clips and poses lie in memory.
//
// Nodes are worked on in blocks of SINEW_LANES. A group is one property (translation, rotation, scale) of one block,
// or one block of morph weights, counted on after those of the nodes. What moves in a group are its strips:
//
//     timeline:  row of key 0 | row of key 1 | row of key 2 | ...
//     a row:     strip | strip | ...         (in the order of the groups)
//     a strip:   planes of SINEW_LANES values, x.. y.. z.. (w..); for CUBICSPLINE three times: in-tangents, values,
//                out-tangents
//
// Where the channels of a group have many different key times, rows of each timeline would lie idle in most lanes:
// they go into one strip of tracks.
//
// What never changes stands in the base: the rest pose with the constant channels written over it.
#ifndef SINEW_LAYOUT_H
#define SINEW_LAYOUT_H

#include <sinew/clip.h>

#include "core/slerp.h"

// The order of the planes of a pose, of a clip's base, and of a block.
enum { SINEW_TX, SINEW_TY, SINEW_TZ, SINEW_RX, SINEW_RY, SINEW_RZ, SINEW_RW, SINEW_SX, SINEW_SY, SINEW_SZ };
#define SINEW_PLANES 10

typedef struct sinew_block {
    float lane[SINEW_PLANES][SINEW_LANES];
} sinew_block;

static inline size_t sinew_block_count(int32_t count) {
    return ((size_t)count + SINEW_LANES - 1) / SINEW_LANES;
}

static inline size_t sinew_padded(int32_t count) {
    return sinew_block_count(count) * SINEW_LANES;
}

// Translation, rotation and scale: the groups of a block of nodes.
#define SINEW_GROUPS 3

static inline int32_t sinew_target_width(sinew_channel_target target) {
    return target == SINEW_TARGET_ROTATION ? 4 : target == SINEW_TARGET_WEIGHTS ? 1 : 3;
}

// The plane of a block in which a path's components start.
static inline int32_t sinew_target_plane(sinew_channel_target target) {
    return target == SINEW_TARGET_TRANSLATION ? SINEW_TX : target == SINEW_TARGET_ROTATION ? SINEW_RX : SINEW_SX;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The rows of one timeline.
typedef struct sinew_rows {
    const float *times; // [key_count]
    char *keys;
    size_t stride;       // bytes from row to row
    float keys_a_second; // of a uniform timeline
    int32_t key_count;   // at least 2
    bool uniform;        // the key before a time can be computed to within one key
} sinew_rows;

// Channels with key times of their own. Time is cut into equal buckets, so short that none of them has more than two
// keys in one, and each bucket has a row. In it a strip has of every lane the last key before the bucket and the
// three behind it: a plane of the time just before the lane's very last key, four of the keys' times, and four times
// the planes of a key. Whatever the time, a lane's two keys are among those four.
typedef struct sinew_tracks {
    float *rows;
    size_t stride;        // floats from row to row
    int32_t bucket_count; // 0: there are none
    float buckets_a_second;
} sinew_tracks;

#define SINEW_TRACK_KEYS        4
#define SINEW_TRACK_TIME_PLANES 5

// The channels of one group that share a timeline and an interpolation; or, with tracks, only the latter.
typedef struct sinew_strip {
    float *ranges;   // of 16-bit rows, [planes][2][SINEW_LANES]: the least value, and what 1 is worth; or NULL
    int32_t rows;    // index of the rows
    uint32_t offset; // bytes from the start of a row
    uint16_t mask;   // bit l: lane l has a channel; the other lanes keep the base
    uint8_t interpolation;
} sinew_strip;

// What a group is when it is plain, as most are: nothing moves, or one strip does, LINEAR on rows.
typedef struct sinew_group {
    int16_t rows;        // of that strip; or one of those below
    uint16_t mask;       // of that strip
    uint32_t offset;     // of that strip
    const float *ranges; // of that strip
} sinew_group;

// What all groups of a block are. Where nothing moves it is PLAIN_FLOAT in a clip of floats, and PLAIN_16 in the other.
typedef enum sinew_fast_path { SINEW_FAST_PATH_NONE, SINEW_FAST_PATH_FLOAT, SINEW_FAST_PATH_U16 } sinew_fast_path;

#define SINEW_GROUP_CONSTANT (-1)
#define SINEW_GROUP_GENERAL  (-2)

#define SINEW_ON_TRACKS (-1)

typedef struct sinew_clip_data {
    sinew_tracks tracks;
    const sinew_rows *rows;      // [row_count]
    const sinew_strip *strips;   // sorted by group
    const int32_t *group_strips; // [groups + 1]: where each group's strips start
    const sinew_group *groups;   // [groups]
    const uint8_t *fast_paths;   // [node blocks], sinew_fast_path
    const sinew_block *base;     // [node blocks]
    const float *base_weights;   // [padded weight_count]
    int32_t row_count;
    int32_t node_groups; // morph weights have the groups behind these
} sinew_clip_data;

// Where a time falls on a timeline: between two rows.
typedef struct sinew_key {
    const char *row0, *row1;
    float u;                     // 0 at row0, 1 at row1
    float interval;              // seconds between the two keys
    sinew_slerp_parameter slerp; // of u
} sinew_key;

// Finds the key on a timeline. `hint`, which may be NULL, is the key found last: it makes steady playback of
// irregular timelines O(1) in either direction and is only ever a guess.
void sinew_find_key(const sinew_rows *rows, float time, uint32_t *hint, sinew_key *key);

// The last key in [first, last] that is at or before `time`, or `first`.
int32_t sinew_search_keys(const float *times, int32_t first, int32_t last, float time);

static inline int32_t sinew_tracks_bucket(const sinew_tracks *tracks, float time) {
    float place = time * tracks->buckets_a_second;
    if (!(place > 0.0f)) return 0;
    return place < (float)tracks->bucket_count ? (int32_t)place : tracks->bucket_count - 1;
}

// ---- Mixes ---------------------------------------------------------------------------------------------------

// What one clip at one time has in a mix.
typedef struct sinew_mix_input {
    const sinew_clip_data *clip;
    const sinew_key *keys; // of the clip's first key_count timelines
    const char *track_row; // of the time's bucket; NULL where there are no tracks
    int32_t key_count;
    float time;
    float weight;
    bool held; // a held pose: the lengths of its rotations are part of their weight. No block of it is fast
} sinew_mix_input;

// What lies over the base layer. OVERRIDE: the shares' blend takes the place of what is below by `weight`. ADDITIVE: the
// shares, differences, are put on one after the other, each by its own weight.
typedef struct sinew_mix_layer {
    const sinew_mix_input *inputs;
    int32_t count; // at least 1
    bool additive;
    float weight;             // of an overriding layer, at most 1
    const float *node_mask;   // [padded nodes], factors; NULL: 1
    const float *weight_mask; // [padded morph weights], the same
} sinew_mix_layer;

// Shares are added up in their order; a lone one counts whole, whatever its weight.
typedef struct sinew_mix {
    const sinew_mix_input *inputs; // those of the base layer, and behind them those of the others
    int32_t count;                 // of the base layer, at least 1
    int32_t total;                 // of all layers
    bool keys_found;               // of all timelines of all clips
    const sinew_mix_layer *layers; // over the base layer, in their order
    int32_t layer_count;
} sinew_mix;

// A node and its parent: model[node] = model[parent] × local[node].
typedef struct sinew_link {
    int32_t node, parent;
} sinew_link;

#endif
