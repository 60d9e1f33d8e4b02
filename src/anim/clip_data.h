// How a clip lies in memory, and the reading of it.
//
//     timeline 0:  row of key 0 | row of key 1 | row of key 2 | ...
//     a row:       strip | strip | ...         (in the order of the blocks)
//     a strip:     one property of up to 16 neighbouring nodes: planes of SINEW_LANES floats,
//                  x.. y.. z.. (w..), for CUBICSPLINE three times: in-tangents, values, out-tangents
//
// What never changes stands in the base: the rest pose with the constant channels written over it. Morph weights
// have blocks of their own, counted on after those of the nodes; their strips have one plane.
#ifndef SINEW_CLIP_DATA_H
#define SINEW_CLIP_DATA_H

#include <sinew/clip.h>

#include "anim/block.h"
#include "base/slerp.h"

// The channels of one property in one block that share a timeline and an interpolation.
typedef struct sinew_strip {
    int32_t timeline;
    uint32_t offset; // floats from the start of a row
    uint16_t mask;   // bit l: lane l has a channel; the other lanes keep the base
    uint8_t path;    // sinew_path
    uint8_t interpolation;
} sinew_strip;

// The rows of one timeline.
typedef struct sinew_rows {
    float *keys;
    size_t stride;       // floats from row to row
    float keys_a_second; // of a uniform timeline
} sinew_rows;

typedef struct sinew_clip_data {
    sinew_allocator allocator;
    size_t size;
    const sinew_rows *rows;      // [timeline_count]
    const sinew_strip *strips;   // sorted by block
    const int32_t *block_strips; // [node blocks + weight blocks + 1]: where each block's strips start
    const sinew_block *base;     // [node blocks]
    const float *base_weights;   // [padded weight_count]
} sinew_clip_data;

// Where a time falls on a timeline: between two rows.
typedef struct sinew_key {
    const float *row0, *row1;
    float u;                          // 0 at row0, 1 at row1
    float interval;                   // seconds between the two keys
    sinew_slerp_parameter slerp;      // of u
    sinew_slerp_parameter slerp_half; // of 2u, or 2u - 1 in the second half: see slerp.h
} sinew_key;

static inline int32_t sinew_path_width(sinew_path path) {
    return path == SINEW_PATH_ROTATION ? 4 : path == SINEW_PATH_WEIGHTS ? 1 : 3;
}

// The plane of a block in which a path's components start.
static inline int32_t sinew_path_plane(sinew_path path) {
    return path == SINEW_PATH_TRANSLATION ? SINEW_TX : path == SINEW_PATH_ROTATION ? SINEW_RX : SINEW_SX;
}

// How many floats of a strip stand before its values (CUBICSPLINE has the in-tangents there).
static inline uint32_t sinew_strip_value_offset(const sinew_strip *strip) {
    bool cubic = strip->interpolation == SINEW_CUBICSPLINE;
    return cubic ? (uint32_t)sinew_path_width((sinew_path)strip->path) * SINEW_LANES : 0;
}

// sinew_clip_create for a clip that lasts at least so many seconds, whatever its keys say.
sinew_result sinew_clip_build(const sinew_clip_def *def, float least_duration, sinew_clip **clip,
                              sinew_error *error);

// Finds the key on a timeline. `hint`, which may be NULL, is the key found last: it makes steady playback of
// irregular timelines O(1) in either direction and is only ever a guess.
sinew_key sinew_find_key(const sinew_clip *clip, int32_t timeline, float time, uint32_t *hint);

// Finds the keys of the first `count` timelines (or fewer, if the clip has fewer).
void sinew_find_keys(const sinew_clip *clip, float time, uint32_t *hints, int32_t count, sinew_key *keys);

// One clip at one time, with the keys of its first `key_count` timelines already found.
typedef struct sinew_sampler {
    const sinew_clip *clip;
    float time;
    const sinew_key *keys;
    int32_t key_count;
} sinew_sampler;

// Samples one block of nodes.
void sinew_sample_block(const sinew_sampler *sampler, size_t block, sinew_block *out);

// Samples one block of morph weights.
void sinew_sample_weights(const sinew_sampler *sampler, size_t weight_block, float *out);

// Copies a sampled block into planes.
void sinew_block_store(const sinew_block *block, const sinew_planes *planes, size_t index);

#endif
