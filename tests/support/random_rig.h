// Skeletons and clips drawn at random, with whatever may move in a clip.
#ifndef RANDOM_RIG_H
#define RANDOM_RIG_H

#include "support/check.h"

typedef struct random_clip_options {
    int32_t timelines; // lists of key times that channels share; 0: each has its own
    int32_t percent;   // how many of the channels there are
    bool extreme;      // values that overflow, vanish or cancel each other
    sinew_key_format rows;
} random_clip_options;

// A tree; some nodes have morph weights.
sinew_skeleton *draw_skeleton(uint64_t *state, int32_t node_count, bool extreme);

sinew_clip *draw_clip(uint64_t *state, const sinew_skeleton *skeleton, random_clip_options options);

// A number of any size, all of them finite; or an ordinary one.
float draw_value(uint64_t *state, bool extreme);

// A whole number in [low, high].
int32_t draw_count(uint64_t *state, int32_t low, int32_t high);

// One number for the bits of floats that come one after the other: FNV-1a, from BITS_NONE on.
#define BITS_NONE UINT64_C(14695981039346656037)
uint64_t add_bits(uint64_t bits, const float *floats, size_t count);

// The same for a whole pose.
uint64_t add_bits_of_pose(uint64_t bits, const sinew_pose *pose);

// Fails, and says what to pin, where the number is another than the one that is pinned.
void check_bits(uint64_t bits, uint64_t pinned);

#endif
