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
// Where the channels of a group have many different key times, they are not put into rows, most of whose lanes would
// lie idle: each keeps its own keys one behind the other (a track), and a strip of tracks finds a key for each lane.
//
// What never changes stands in the base: the rest pose with the constant channels written over it.
#ifndef SINEW_LAYOUT_H
#define SINEW_LAYOUT_H

#include <sinew/clip.h>

#include "base/slerp.h"

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

static inline int32_t sinew_path_width(sinew_path path) {
    return path == SINEW_PATH_ROTATION ? 4 : path == SINEW_PATH_WEIGHTS ? 1 : 3;
}

// The plane of a block in which a path's components start.
static inline int32_t sinew_path_plane(sinew_path path) {
    return path == SINEW_PATH_TRANSLATION ? SINEW_TX : path == SINEW_PATH_ROTATION ? SINEW_RX : SINEW_SX;
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

// A channel with keys of its own. Four floats may be read from any of its values, even from the last.
typedef struct sinew_track {
    const float *times; // [key_count], and infinity behind them
    float *values;      // [key_count × width], for CUBICSPLINE [key_count × 3 × width]
    int32_t key_count;  // at least 2
} sinew_track;

// A group's tracks. Time is cut into equal buckets, and a table says which key each lane has at the start of each
// bucket: whatever the time, at most `steps` keys behind that one are looked at.
typedef struct sinew_tracks {
    sinew_track lane[SINEW_LANES]; // lanes without a channel repeat another
    const uint16_t *first_keys;    // [bucket_count + 1][SINEW_LANES], each at most key_count - 2
    int32_t bucket_count;
    int32_t steps; // SINEW_STEPS_SEARCH: too many, a search is faster
    float buckets_a_second;
} sinew_tracks;

#define SINEW_STEPS_SEARCH (-1)

// The channels of one group that share a timeline and an interpolation; or, with tracks, only the latter.
typedef struct sinew_strip {
    const sinew_tracks *tracks; // or NULL
    float *ranges;   // of 16-bit rows, [planes][2][SINEW_LANES]: the least value, and what 1 is worth; or NULL
    int32_t rows;    // index of the rows
    uint32_t offset; // bytes from the start of a row
    uint16_t mask;   // bit l: lane l has a channel; the other lanes keep the base
    uint8_t interpolation;
} sinew_strip;

// What a group is when it is plain, as most are: nothing moves, or one strip does, LINEAR on rows of floats.
typedef struct sinew_group {
    int16_t rows;    // of that strip; or one of those below
    uint16_t mask;   // of that strip
    uint32_t offset; // of that strip
} sinew_group;

#define SINEW_GROUP_CONSTANT (-1)
#define SINEW_GROUP_NOT_PLAIN (-2)

typedef struct sinew_clip_data {
    const sinew_rows *rows;      // [row_count]
    const sinew_strip *strips;   // sorted by group
    const int32_t *group_strips; // [groups + 1]: where each group's strips start
    const sinew_group *groups;   // [groups]
    const bool *plain_blocks;    // [node blocks]: all groups of the block are plain
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

// The last key of a lane at or before `time`, which is in the bucket, but never the very last.
static inline int32_t sinew_find_track_key(const sinew_tracks *tracks, int32_t lane, int32_t bucket, float time) {
    const sinew_track *track = &tracks->lane[lane];
    const uint16_t *first = tracks->first_keys + (ptrdiff_t)bucket * SINEW_LANES + lane;
    if (tracks->steps == SINEW_STEPS_SEARCH) {
        return sinew_search_keys(track->times, first[0], first[SINEW_LANES], time);
    }
    int32_t k = first[0];
    for (int32_t i = 0; i < tracks->steps; i++) k += track->times[k + 1] <= time;
    return k < track->key_count - 2 ? k : track->key_count - 2;
}

// ---- Mixes ---------------------------------------------------------------------------------------------------

// What one clip at one time has in a mix.
typedef struct sinew_share {
    const sinew_clip_data *clip;
    const sinew_key *keys; // of the clip's first key_count timelines
    int32_t key_count;
    float time;
    float weight;
} sinew_share;

// Shares are added up in their order; a lone one counts whole, whatever its weight.
typedef struct sinew_mix {
    const sinew_share *shares;
    int32_t count;  // at least 1
    bool keys_found; // of all timelines of all clips
} sinew_mix;

// A node and its parent: model[node] = model[parent] × local[node].
typedef struct sinew_link {
    int32_t node, parent;
} sinew_link;

#endif
