// SPDX-License-Identifier: MIT
// Memory layout of clips and poses, which the kernels read and write.
//
// Nodes are processed in blocks of SINEW_LANES. A group is one property (translation, rotation or scale) of a block. A
// block of morph weights is also a group. These are numbered after the node groups. A group's animated channels form
// its strips:
//
//     timeline:  row of key 0 | row of key 1 | row of key 2 | ...
//     a row:     strip | strip | ...         (in group order)
//     a strip:   planes of SINEW_LANES values, x.. y.. z.. (w..). CUBICSPLINE has three times as many: in-tangents,
//                values, out-tangents
//
// If the channels of a group have many different key times, each timeline's rows would be empty in most lanes. These
// channels go into one strip of tracks, which stores each lane's keys one after another. Times and values have separate
// arrays, so a search only reads times.
//
// In a compressed clip, a strip is a sum of modes. The rows hold the modes' weights at each key:
//
//     value = base + step × (weight 0 × coefficient 0 + weight 1 × coefficient 1 + ...)
//
// The weights are 16-bit integers that all lanes share. Each lane has its own coefficients, stored once for the whole
// clip. The sum uses integers, so its order doesn't matter. If all coefficients of a mode have 8 bits, the rows only
// store the high byte of its weights.
//
// A rotation is three numbers m: q = c × (2m, 1 - m²) / (1 + m²). The quaternion c is the lane's center, and m is the
// stereographic projection of the rotation relative to it, known as modified Rodrigues parameters (Schaub and Junkins,
// 1996). q is a unit quaternion for any m. An error in m turns every rotation by the same angle, up to 4 radians per
// unit.
//
// The base holds everything constant: the rest pose with the constant channels on top. For lanes with modes it is the
// mean.
#ifndef SINEWI_LAYOUT_H
#define SINEWI_LAYOUT_H

#include <sinew/clip.h>

#include "base/slerp.h"

// Order of the planes in a pose, in a clip's base, and in a block.
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

// A node block's groups are translation, rotation and scale.
#define SINEWI_GROUPS 3

static inline int32_t sinewi_target_width(sinew_channel_target target) {
    if (target >= SINEW_TARGET_WEIGHTS) return 1; // one morph weight or curve per lane
    return target == SINEW_TARGET_ROTATION ? 4 : 3;
}

// Returns the first plane of a target's components in a block.
static inline int32_t sinewi_target_plane(sinew_channel_target target) {
    return target == SINEW_TARGET_TRANSLATION ? SINEWI_TX : target == SINEW_TARGET_ROTATION ? SINEWI_RX : SINEWI_SX;
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The modes of one target on one timeline, as even numbers of weights. At most SINEWI_MAX_MODES together.
typedef struct sinewi_weight_counts {
    uint8_t words, bytes;
} sinewi_weight_counts;

// The rows of one timeline.
typedef struct sinewi_rows {
    const float *times; // [key_count]
    char *keys;
    size_t stride;       // bytes between rows
    float keys_a_second; // for uniform timelines
    int32_t key_count;   // at least 2
    bool uniform;        // the key before a time can be computed, and is off by at most one
    // The mode weights in a row. Each target has its 16-bit weights first, then its 8-bit ones.
    uint32_t weight_offset; // bytes
    sinewi_weight_counts weight_counts[SINEWI_GROUPS];
} sinewi_rows;

static inline uint32_t sinewi_weight_count(const sinewi_weight_counts counts[SINEWI_GROUPS]) {
    uint32_t count = 0;
    for (int i = 0; i < SINEWI_GROUPS; i++) count += (uint32_t)counts[i].words + counts[i].bytes;
    return count;
}

// Returns the bytes between rows. A row starts with its floats.
static inline size_t sinewi_row_stride(size_t float_bytes, const sinewi_weight_counts counts[SINEWI_GROUPS]) {
    size_t end = float_bytes;
    for (int i = 0; i < SINEWI_GROUPS; i++) end += counts[i].words * sizeof(uint16_t) + counts[i].bytes;
    return float_bytes == 0 ? end : (end + sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

// Channels with separate key times. Each lane of a strip stores its keys one after another, and a key's values are the
// planes of a row.
//
// Finding keys doesn't need a search. Time is divided into equal buckets, short enough that no channel has more than
// two keys in one. For each bucket and lane, the index has the first of four keys. Any time in the bucket needs two of
// these four. The index counts from the lane's start in the bucket's chapter, so it fits a byte.
typedef struct sinewi_tracks {
    const float *times;     // [key_count]
    const float *values;    // [value_count], plus SINEWI_TRACK_OVERREAD floats that kernels may read
    const uint8_t *index;   // [bucket_count][stride]
    const uint32_t *starts; // [chapters][stride]: a key's number in the arrays of all lanes
    uint32_t key_count, value_count;
    size_t stride;        // SINEW_LANES per strip
    int32_t bucket_count; // 0 without tracks
    float buckets_a_second;
} sinewi_tracks;

#define SINEWI_TRACK_KEYS     4
#define SINEWI_TRACK_CHAPTER  64 // in buckets. A lane has at most twice as many keys in it.
#define SINEWI_TRACK_OVERREAD 2  // kernels load two keys of a morph weight as four floats

// The modes of a strip, which has three planes. The arrays are packed and skip lanes without modes. Modes are stored in
// pairs. The first ones have 16-bit coefficients. The others move less and have 8-bit coefficients. The strip's rows
// store the weights plus 32768. Kernels read SINEW_LANES elements starting at any lane, so SINEWI_MODES_OVERREAD floats
// follow the last strip's arrays.
typedef struct sinewi_modes {
    const float *memory;                // points to the scales. See sinewi_mode_arrays_of.
    uint16_t lanes;                     // bit l: lane l has modes
    uint16_t constant_lanes;            // bit l: lane l is constant, with a value other than the clip's base
    uint8_t lane_count, constant_count; // number of bits set
    uint8_t pairs;                      // at most SINEWI_MAX_MODES / 2
    uint8_t word_pairs;                 // at most `pairs`
    uint16_t first_weight;              // index into the row's weights
    bool slerps; // slerps between rotation keys. Interpolating the weights instead takes half the time.
} sinewi_modes;

// Counts the lanes of a mask below `lane`. This is where the lane is in packed arrays.
static inline int32_t sinewi_lane_rank(uint32_t mask, int32_t lane) {
    uint32_t bits = mask & ((1u << lane) - 1);
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (int32_t)((bits + (bits >> 8)) & 0x1f);
}

// The arrays of a strip with modes follow each other in memory. If all lanes have modes, the arrays from the scales on
// are aligned to SINEWI_ALIGNMENT, so vectors don't cross cache lines. The constants come before the scales.
typedef struct sinewi_mode_arrays {
    const float *scales;    // [lane_count]: factor of each lane's sums
    const float *means;     // [planes of the target][lane_count]: the centers for rotations
    const int16_t *words;   // [word_pairs][3][lane_count][2]
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

// Returns the size of a strip's arrays from the scales on, in floats. Doesn't count the overread.
static inline size_t sinewi_mode_floats(const sinewi_modes *modes, int32_t width) {
    const size_t lanes = modes->lane_count,
                 coefficients = lanes * 3 * 2 * ((size_t)modes->pairs + modes->word_pairs);
    return (1 + (size_t)width) * lanes + (coefficients + sizeof(float) - 1) / sizeof(float);
}

#define SINEWI_MAX_MODES      64 // per strip. Must be a multiple of SINEW_LANES.
#define SINEWI_MODES_OVERREAD SINEW_LANES

// The channels of one group that share a timeline and an interpolation. On tracks they only share the interpolation.
typedef struct sinewi_strip {
    float *ranges;             // 16-bit rows: [planes][2][SINEW_LANES], minimum and step size. NULL otherwise.
    const sinewi_modes *modes; // NULL without modes. A strip with modes is LINEAR, and its idle lanes have the
                               // base.
    int32_t rows;              // index of the rows, or SINEWI_ON_TRACKS
    uint32_t offset;           // bytes from the start of a row. On tracks, lanes from the start of an index row.
    uint16_t mask;             // bit l: lane l has a channel. Other lanes have the base.
    uint8_t interpolation;
    uint32_t track_values; // tracks: a key's values start at its number × planes + this, modulo 2^32
} sinewi_strip;

// A group for the fast path. Most groups qualify. They are either constant or a single strip, LINEAR on rows.
typedef struct sinewi_group {
    int16_t rows; // the strip's, SINEWI_GROUP_CONSTANT or SINEWI_GROUP_GENERAL
    uint16_t mask;
    uint32_t offset;
    const float *ranges;
    const sinewi_modes *modes;
} sinewi_group;

// The fast path that all groups of a block can take: rows of floats, rows of 16-bit integers, or modes. A constant
// block takes the one for its clip's key format. NONE if a group is SINEWI_GROUP_GENERAL, or if only some groups have
// modes.
typedef enum sinewi_fast_path {
    SINEWI_FAST_PATH_NONE,
    SINEWI_FAST_PATH_FLOAT,
    SINEWI_FAST_PATH_U16,
    SINEWI_FAST_PATH_MODES
} sinewi_fast_path;

#define SINEWI_GROUP_CONSTANT (-1)
#define SINEWI_GROUP_GENERAL  (-2)

#define SINEWI_ON_TRACKS (-1) // also marks a strip with a base but without modes

// The ends of a channel before rounding its keys. See core/clip_ends.h.
typedef struct sinewi_exact_end {
    int32_t node;
    sinew_channel_target target; // translation or rotation
    float first[4], last[4];     // at the start and end of the clip
} sinewi_exact_end;

typedef struct sinew_clip_data {
    const sinewi_rows *rows;     // [row_count]
    const sinewi_strip *strips;  // sorted by group
    const int32_t *group_strips; // [groups + 1]: where each group's strips start
    const sinewi_group *groups;  // [groups]
    const uint8_t *fast_paths;   // [node blocks]: sinewi_fast_path
    const sinewi_block *base;    // [node blocks]: the skeleton's rest pose for most compressed clips
    const float *base_weights;   // [padded weight_count + curve_count]
    const uint16_t *wraps;       // [node blocks]: see sinewi_mix_input
    int32_t row_count;
    int32_t node_groups; // groups from here on are morph weights
    // The arrays of all strips with modes. NULL if there aren't any.
    const float *mode_memory;
    uint32_t mode_floats; // number of floats in mode_memory
    sinewi_tracks tracks;
    const sinewi_exact_end *ends; // [end_count]: empty for clips with float keys
    int32_t end_count;
} sinew_clip_data;

// The most weights that a row can have.
#define SINEWI_MAX_ROW_WEIGHTS (SINEWI_GROUPS * SINEWI_MAX_MODES)

// Mode weights at the times of a mix. They are found once for all blocks, as long as they fit.
#define SINEWI_MODE_WEIGHTS 1024

typedef struct sinewi_mode_weights {
    int16_t values[SINEWI_MODE_WEIGHTS];
    uint32_t count;
} sinewi_mode_weights;

// A time on a timeline, between two rows.
typedef struct sinewi_key {
    const char *row0, *row1;
    const int16_t *weights;       // mode weights of a row. NULL if not found.
    float u;                      // 0 at row0, 1 at row1
    float interval;               // seconds between the two keys
    sinewi_slerp_parameter slerp; // for u
} sinewi_key;

// Finds the key for a time. `hint` may be NULL. It holds the key that the previous call found, and any value is valid.
// With a hint, steady playback of irregular timelines is O(1) in both directions.
void sinewi_find_key(const sinewi_rows *rows, float time, uint32_t *hint, sinewi_key *key);

// Writes the sinewi_weight_count mode weights at u between a key's rows.
void sinewi_weigh_modes(const sinewi_rows *rows, const sinewi_key *key, float u, int16_t *weights);

// Finds the mode weights between a key's rows. Returns false if they don't fit.
bool sinewi_find_mode_weights(const sinewi_rows *rows, sinewi_key *key, sinewi_mode_weights *weights);

// Returns the last key in [first, last] at or before `time`, or else `first`.
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

// An input of a mix. It is a clip at a time, with a weight.
//
// A quaternion and its negative are the same rotation, but they add up differently. The sum of two rotations lies on
// the shorter arc between them, or on the longer one. A block's side decides: if bit l is set, lane l's rotation is
// negated before adding. An input chooses its sides once, when it starts. If you chose them every frame, the pose would
// flip when two clips pass half a turn. A clip's keys are continuous, but looping may end up on the other side. So bit
// l of `wraps` is set if a clip's first and last rotations have opposite signs.
typedef struct sinewi_mix_input {
    const sinew_clip_data *clip;
    const sinewi_key *keys;       // for the clip's first key_count timelines
    const uint8_t *track_row;     // index row for the time's bucket. NULL without tracks.
    const uint32_t *track_starts; // for the bucket's chapter
    const uint16_t *sides;        // [node blocks]. NULL means 0.
    const uint16_t *wraps;        // [node blocks] after an odd number of loops since choosing the sides. NULL means
                                  // 0.
    int32_t key_count;
    float time;
    float weight;
} sinewi_mix_input;

// A layer over the base layer. An override layer blends its inputs and replaces the layers below in proportion to
// `weight`. An additive layer blends its inputs, which are differences, and applies them with `weight`.
typedef struct sinewi_mix_layer {
    const sinewi_mix_input *inputs;
    int32_t count; // at least 1
    bool additive;
    float weight;             // at most 1 for an override layer
    const uint16_t *sides;    // [node blocks]: override layers only. Like an input's, relative to the layers below.
    const float *node_mask;   // [padded nodes]: factors. NULL means 1.
    const float *weight_mask; // [padded morph weights]: factors. NULL means 1.
} sinewi_mix_layer;

// Inputs are added in order. A layer's only input has full weight: its own weight is ignored.
typedef struct sinewi_mix {
    const sinewi_mix_input *inputs; // of the base layer, then of the other layers
    int32_t count;                  // in the base layer, at least 1
    int32_t total;                  // in all layers
    bool keys_found;                // for all timelines of all clips
    const sinewi_mix_layer *layers; // over the base layer, in order
    int32_t layer_count;
} sinewi_mix;

// A time on a strip of tracks. It lies between two keys of each lane.
typedef struct sinewi_track_keys {
    float u[SINEW_LANES], interval[SINEW_LANES]; // see sinewi_key
    uint32_t at[SINEW_LANES];                    // where the earlier key's values start. The later key's follow.
} sinewi_track_keys;

// Finds the keys of a lane, like sinewi_find_key. The earlier one is the first, second or third of the bucket's four
// keys. `planes` is the number of planes per key.
void sinewi_find_track_key(const sinewi_mix_input *input, const sinewi_strip *strip, int planes, int32_t lane,
                           sinewi_track_keys *found);

// A node and its parent: model[node] = model[parent] × local[node].
typedef struct sinewi_link {
    int32_t node, parent;
} sinewi_link;

#endif
