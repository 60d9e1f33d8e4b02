// SPDX-License-Identifier: MIT
// Random skeletons and clips, with every kind of channel.
#ifndef RANDOM_RIG_H
#define RANDOM_RIG_H

#include "support/check.h"

typedef struct random_clip_options {
    int32_t timelines; // number of key time arrays that channels share; 0: each channel has its own
    int32_t percent;   // share of the possible channels that exist
    bool extreme;      // values that overflow, underflow or cancel out
    sinew_key_format rows;
} random_clip_options;

// Makes a random hierarchy; some nodes have morph weights.
sinew_skeleton *draw_skeleton(uint64_t *state, int32_t node_count, bool extreme);

sinew_clip *draw_clip(uint64_t *state, const sinew_skeleton *skeleton, random_clip_options options);

// Returns any finite number if `extreme`, else one in [-2, 2].
float draw_value(uint64_t *state, bool extreme);

// Returns an integer in [low, high].
int32_t draw_count(uint64_t *state, int32_t low, int32_t high);

// Hashes floats' bits: FNV-1a, starting from BITS_NONE.
#define BITS_NONE UINT64_C(14695981039346656037)
uint64_t add_bits(uint64_t bits, const float *floats, size_t count);

// The same for a pose.
uint64_t add_bits_of_pose(uint64_t bits, const sinew_pose *pose);

// Fails if the hash isn't the pinned one, and prints it.
void check_bits(uint64_t bits, uint64_t pinned);

#endif
