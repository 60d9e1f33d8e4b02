// SPDX-License-Identifier: MIT
// The memory layout of clips and poses, which the kernels read and write.
//
// Nodes are processed in blocks of SINEW_LANES. A group is one property (translation, rotation, scale) of one
// block, or one block of morph weights, numbered after those of the nodes. The animated channels of a group are its
// strips:
//
//     timeline:  row of key 0 | row of key 1 | row of key 2 | ...
//     a row:     strip | strip | ...         (in the order of the groups)
//     a strip:   planes of SINEW_LANES values, x.. y.. z.. (w..); for CUBICSPLINE three times: in-tangents, values,
//                out-tangents
//
// If the channels of a group have many different key times, rows of each timeline would be empty in most lanes:
// such channels go into one strip of tracks, which has the keys of each lane one after another: all times in one array,
// and all values in another, so that the search reads times only.
//
// In a compressed clip, a strip is a sum of modes, and the rows have the weights of the modes at each key:
//
//     value = base + step × (weight 0 × coefficient 0 + weight 1 × coefficient 1 + ...)
//
// The weights are 16-bit integers that all lanes share; each lane has its coefficients, once for the whole clip. The sum
// is one of integers, so that its order does not matter. Of modes whose coefficients all have 8 bits, rows have only the
// high byte of the weights.
//
// A rotation is three numbers m, the stereographic projection of the rotation from the lane's center c, which is a
// quaternion: q = c × (2m, 1 - m²) / (1 + m²), as modified Rodrigues parameters (Schaub and Junkins, 1996). It is unit for
// any m, and an error turns every rotation alike, up to 4 radians a unit.
//
// The base holds everything constant: the rest pose, overwritten by the constant channels. With modes, it is the mean.
#ifndef SINEWI_LAYOUT_H
#define SINEWI_LAYOUT_H

#include <sinew/clip.h>

#include "base/slerp.h"

// The order of the planes of a pose, of a clip's base, and of a block.
enum {
    SINEWI_TX,
    SINEWI_TY,
    SINEWI_TZ,
    SINEWI_RX,
    SINEWI_RY,
    SINEWI_RZ,
    SINEWI_RW,
    SINEWI_SX,
    SINEWI_SY,
    SINEWI_SZ
};
#define SINEWI_PLANES 10

typedef struct sinewi_block {
    float lane[SINEWI_PLANES][SINEW_LANES];
} sinewi_block;

static inline size_t sinewi_block_count(int32_t count) {
    return ((size_t)count + SINEW_LANES - 1) / SINEW_LANES;
}

static inline size_t sinewi_padded(int32_t count) {
    return sinewi_block_count(count) * SINEW_LANES;
}

// Translation, rotation and scale: the groups of a block of nodes.
#define SINEWI_GROUPS 3

static inline int32_t sinewi_target_width(sinew_channel_target target) {
    if (target >= SINEW_TARGET_WEIGHTS) return 1; // per morph weight, or curve
    return target == SINEW_TARGET_ROTATION ? 4 : 3;
}

// The first plane of a target's components in a block.
static inline int32_t sinewi_target_plane(sinew_channel_target target) {
    return target == SINEW_TARGET_TRANSLATION ? SINEWI_TX : target == SINEW_TARGET_ROTATION ? SINEWI_RX : SINEWI_SX;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The modes of one target on one timeline: numbers of weights, even, together at most SINEWI_MAX_MODES.
typedef struct sinewi_weight_counts {
    uint8_t words, bytes;
} sinewi_weight_counts;

// The rows of one timeline.
typedef struct sinewi_rows {
    const float *times; // [key_count]
    char *keys;
    size_t stride;       // bytes from row to row
    float keys_a_second; // for uniform timelines
    int32_t key_count;   // at least 2
    bool uniform;        // the index of the key before a time can be computed, to within one key
    // The weights of modes in a row: of each target, those of 16 bits and then those of 8 bits.
    uint32_t weight_offset; // bytes
    sinewi_weight_counts weight_counts[SINEWI_GROUPS];
} sinewi_rows;

static inline uint32_t sinewi_weight_count(const sinewi_weight_counts counts[SINEWI_GROUPS]) {
    uint32_t count = 0;
    for (int i = 0; i < SINEWI_GROUPS; i++) count += (uint32_t)counts[i].words + counts[i].bytes;
    return count;
}

// The bytes from row to row, of which the first ones are floats.
static inline size_t sinewi_row_stride(size_t float_bytes, const sinewi_weight_counts counts[SINEWI_GROUPS]) {
    size_t end = float_bytes;
    for (int i = 0; i < SINEWI_GROUPS; i++) end += counts[i].words * sizeof(uint16_t) + counts[i].bytes;
    return float_bytes == 0 ? end : (end + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

// Channels with separate key times. Each lane of a strip has its keys one after another; the values of a key are the planes
// of a row. They are found without a search: time is divided into equal buckets, so short that no channel has more than two
// keys in one, and for each bucket and lane the index has the first of four keys, among which are the two that any time
// in the bucket needs. It counts from the lane's start in the bucket's chapter, so that a byte is enough.
typedef struct sinewi_tracks {
    const float *times;     // [key_count]
    const float *values;    // [value_count], and SINEWI_TRACK_OVERREAD floats that kernels may read
    const uint8_t *index;   // [bucket_count][stride]
    const uint32_t *starts; // [chapters][stride]: the number of a key, among those of all lanes
    uint32_t key_count, value_count;
    size_t stride;        // SINEW_LANES for each strip
    int32_t bucket_count; // 0: there are none
    float buckets_a_second;
} sinewi_tracks;

#define SINEWI_TRACK_KEYS     4
#define SINEWI_TRACK_CHAPTER  64 // buckets, with at most twice as many keys of a lane
#define SINEWI_TRACK_OVERREAD 2  // two keys of a morph weight are loaded as four floats

// The modes of a strip: of three planes. Lanes are packed: the arrays have no gaps for the others. Pairs of modes are
// adjacent; the coefficients of the first ones have 16 bits, and those of the others, whose motions are smaller, have 8.
// The strip's rows have the weights, plus 32768. Kernels read SINEW_LANES elements from any lane on: SINEWI_MODES_OVERREAD
// floats follow the arrays of the last strip.
typedef struct sinewi_modes {
    const float *memory;                // the scales: see sinewi_mode_arrays_of
    uint16_t lanes;                     // bit l: lane l has modes
    uint16_t constant_lanes;            // bit l: lane l is constant, but not the base of the clip
    uint8_t lane_count, constant_count; // of the bits
    uint8_t pairs;                      // at most SINEWI_MAX_MODES / 2
    uint8_t word_pairs;                 // at most `pairs`
    uint16_t first_weight;              // among those of the row
    bool slerps; // rotations between keys are slerps; else the weights are interpolated, which takes half the time
} sinewi_modes;

// The number of lanes below a lane that a mask has: where the lane is in packed arrays.
static inline int32_t sinewi_lane_rank(uint32_t mask, int32_t lane) {
    uint32_t bits = mask & ((1u << lane) - 1);
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (int32_t)((bits + (bits >> 8)) & 0x1f);
}

// The arrays of a strip with modes, which follow each other. Those of a strip with modes in all lanes are aligned to
// SINEWI_ALIGNMENT, so that vectors do not cross cache lines; but the constants, which come first.
typedef struct sinewi_mode_arrays {
    const float *scales;    // [lane_count], by which a lane's sums are multiplied
    const float *means;     // [planes of the target][lane_count]; of rotations, the centers
    const int16_t *words;   // [word_pairs][3][lane_count][2], followed by
    const int8_t *bytes;    // [pairs - word_pairs][3][lane_count][2]
    const float *constants; // [planes of the target][constant_count]
} sinewi_mode_arrays;

static inline sinewi_mode_arrays sinewi_mode_arrays_of(const sinewi_modes *modes, int32_t width) {
    const size_t lanes = modes->lane_count;
    sinewi_mode_arrays a;
    a.scales = modes->memory;
    a.means = a.scales + lanes;
    a.words = (const int16_t *)(const void *)(a.means + (size_t)width * lanes);
    a.bytes = (const int8_t *)(a.words + 2 * lanes * 3 * modes->word_pairs);
    a.constants = modes->memory - (size_t)width * modes->constant_count;
    return a;
}

// The floats of a strip's arrays from the scales on, without those that are read beyond them.
static inline size_t sinewi_mode_floats(const sinewi_modes *modes, int32_t width) {
    const size_t lanes = modes->lane_count,
                 coefficients = lanes * 3 * 2 * ((size_t)modes->pairs + modes->word_pairs);
    return (1 + (size_t)width) * lanes + (coefficients + sizeof(float) - 1) / sizeof(float);
}

#define SINEWI_MAX_MODES      64 // of a strip; a multiple of SINEW_LANES
#define SINEWI_MODES_OVERREAD SINEW_LANES

// The channels of one group that share a timeline and an interpolation; or, with tracks, only the latter.
typedef struct sinewi_strip {
    float *ranges; // for 16-bit rows, [planes][2][SINEW_LANES]: the minimum and the size of one step; or NULL
    const sinewi_modes *modes; // NULL: none. A strip with modes is LINEAR, and its idle lanes have the base
    int32_t rows;              // index of the rows, or SINEWI_ON_TRACKS
    uint32_t offset; // bytes from the start of a row; on tracks, lanes from the start of a row of the index
    uint16_t mask;   // bit l: lane l has a channel; the other lanes have the base value
    uint8_t interpolation;
    uint32_t
        track_values; // on tracks: added to the number of a key × the planes, where its values start, modulo 2^32
} sinewi_strip;

// A group for the fast path, as most are: constant, or one strip, LINEAR on rows.
typedef struct sinewi_group {
    int16_t rows;              // of the strip; or SINEWI_GROUP_CONSTANT or SINEWI_GROUP_GENERAL
    uint16_t mask;             // of the strip
    uint32_t offset;           // of the strip
    const float *ranges;       // of the strip
    const sinewi_modes *modes; // of the strip
} sinewi_group;

// The fast path for all groups of a block: rows of floats, or of 16-bit integers, or modes. A constant block has that
// of its clip's key format. NONE: a group is SINEWI_GROUP_GENERAL, or groups with modes are next to others.
typedef enum sinewi_fast_path {
    SINEWI_FAST_PATH_NONE,
    SINEWI_FAST_PATH_FLOAT,
    SINEWI_FAST_PATH_U16,
    SINEWI_FAST_PATH_MODES
} sinewi_fast_path;

#define SINEWI_GROUP_CONSTANT (-1)
#define SINEWI_GROUP_GENERAL  (-2)

#define SINEWI_ON_TRACKS (-1) // also of a strip that has a base, but no modes

// The ends of a channel before its keys were rounded: see core/clip_ends.h.
typedef struct sinewi_exact_end {
    int32_t node;
    sinew_channel_target target; // a translation or a rotation
    float first[4], last[4];     // at the clip's start and end
} sinewi_exact_end;

typedef struct sinew_clip_data {
    const sinewi_rows *rows;     // [row_count]
    const sinewi_strip *strips;  // sorted by group
    const int32_t *group_strips; // [groups + 1]: where each group's strips start
    const sinewi_group *groups;  // [groups]
    const uint8_t *fast_paths;   // [node blocks], sinewi_fast_path
    const sinewi_block *base;    // [node blocks]; of most compressed clips, the skeleton's rest pose
    const float *base_weights;   // [padded weight_count + curve_count]
    const uint16_t *wraps;       // [node blocks]: see sinewi_mix_input
    int32_t row_count;
    int32_t node_groups; // the groups after these are those of morph weights
    // The arrays of all strips with modes. NULL: none.
    const float *mode_memory;
    uint32_t mode_floats; // in mode_memory
    sinewi_tracks tracks;
    const sinewi_exact_end *ends; // [end_count]; none of clips with float keys
    int32_t end_count;
} sinew_clip_data;

// The most weights of a row.
#define SINEWI_MAX_ROW_WEIGHTS (SINEWI_GROUPS * SINEWI_MAX_MODES)

// The weights of modes, at the times of a mix: found once for all blocks, as far as there is room.
#define SINEWI_MODE_WEIGHTS 1024

typedef struct sinewi_mode_weights {
    int16_t values[SINEWI_MODE_WEIGHTS];
    uint32_t count;
} sinewi_mode_weights;

// A time on a timeline: between two rows.
typedef struct sinewi_key {
    const char *row0, *row1;
    const int16_t *weights;       // of the modes of a row; NULL: not found
    float u;                      // 0 at row0, 1 at row1
    float interval;               // seconds between the two keys
    sinewi_slerp_parameter slerp; // of u
} sinewi_key;

// Finds the key on a timeline. `hint`, which may be NULL, is the key found by the last call: it makes steady
// playback of irregular timelines O(1) in either direction, and any value is valid.
void sinewi_find_key(const sinewi_rows *rows, float time, uint32_t *hint, sinewi_key *key);

// Writes the weights of modes, sinewi_weight_count of them, at u between the rows of a key.
void sinewi_weigh_modes(const sinewi_rows *rows, const sinewi_key *key, float u, int16_t *weights);

// Finds the weights of modes between the rows of a key. Returns false if there is no room.
bool sinewi_find_mode_weights(const sinewi_rows *rows, sinewi_key *key, sinewi_mode_weights *weights);

// The last key in [first, last] that is at or before `time`, or `first`.
int32_t sinewi_search_keys(const float *times, int32_t first, int32_t last, float time);

static inline int32_t sinewi_tracks_chapters(const sinewi_tracks *tracks) {
    return (tracks->bucket_count + SINEWI_TRACK_CHAPTER - 1) / SINEWI_TRACK_CHAPTER;
}

static inline int32_t sinewi_tracks_bucket(const sinewi_tracks *tracks, float time) {
    float position = time * tracks->buckets_a_second;
    if (!(position > 0.0f)) return 0;
    return position < (float)tracks->bucket_count ? (int32_t)position : tracks->bucket_count - 1;
}

// ---- Mixes ---------------------------------------------------------------------------------------------------

// An input of a mix: a clip at a time, with a weight.
//
// A quaternion and its negative are one rotation, but a sum of two rotations is not the same with one and with the
// other: it is on the shorter arc between them or on the longer one. Bit l of a block's side is set if the rotation of lane l is added
// negated. The side is chosen when the input starts, and kept: chosen anew at each time it would change, and the pose
// flip, when two clips pass half a turn. The keys of a clip are continuous, but after a loop they may continue on the
// other side: bit l of `wraps` is set where the first and the last rotation of a clip have opposite signs.
typedef struct sinewi_mix_input {
    const sinew_clip_data *clip;
    const sinewi_key *keys;       // of the clip's first key_count timelines
    const uint8_t *track_row;     // of the index, for the time's bucket; NULL where there are no tracks
    const uint32_t *track_starts; // of the bucket's chapter
    const uint16_t *sides;        // [node blocks]; NULL: 0
    const uint16_t *wraps;        // [node blocks], after an odd number of loops since the side was chosen; NULL: 0
    int32_t key_count;
    float time;
    float weight;
} sinewi_mix_input;

// A layer over the base layer. Override: the blend of the inputs replaces the layers below in proportion to
// `weight`. Additive: the blend of the inputs, which are differences, is applied with `weight`.
typedef struct sinewi_mix_layer {
    const sinewi_mix_input *inputs;
    int32_t count; // at least 1
    bool additive;
    float weight;             // at most 1 in an override layer
    const uint16_t *sides;    // [node blocks] of an override layer: as of an input, against the layers below
    const float *node_mask;   // [padded nodes], factors; NULL: 1
    const float *weight_mask; // [padded morph weights], the same
} sinewi_mix_layer;

// Inputs are summed in order. A single input of a layer has the full weight: its own is ignored.
typedef struct sinewi_mix {
    const sinewi_mix_input *inputs; // of the base layer, then of the other layers
    int32_t count;                  // of the base layer, at least 1
    int32_t total;                  // of all layers
    bool keys_found;                // of all timelines of all clips
    const sinewi_mix_layer *layers; // over the base layer, in their order
    int32_t layer_count;
} sinewi_mix;

// A time on a strip of tracks: between two keys of each lane.
typedef struct sinewi_track_keys {
    float u[SINEW_LANES], interval[SINEW_LANES]; // as of a sinewi_key
    uint32_t at[SINEW_LANES]; // where the values of the earlier key start; those of the later one follow
} sinewi_track_keys;

// Finds the keys of a lane, like sinewi_find_key: the earlier one is the first, second or third of the bucket's four.
// `planes` is the number of planes of a key.
void sinewi_find_track_key(const sinewi_mix_input *input, const sinewi_strip *strip, int planes, int32_t lane,
                           sinewi_track_keys *found);

// A node and its parent: model[node] = model[parent] × local[node].
typedef struct sinewi_link {
    int32_t node, parent;
} sinewi_link;

#endif
