// SPDX-License-Identifier: MIT
// Prepares a mix by finding keys once for all blocks.
#ifndef SINEWI_SAMPLE_H
#define SINEWI_SAMPLE_H

#include <sinew/clip.h>

#include "core/pose_block.h"

// The most keys to find in advance for a mix. Other timelines are searched strip by strip.
#define SINEWI_MIX_KEYS 64

// Finds the keys of the input's timelines, at most `room`, and their mode weights. Returns the number of keys. `hints`
// may be NULL.
int32_t sinewi_mix_input_find_keys(sinewi_mix_input *input, sinewi_key *keys, int32_t room,
                                   sinewi_mode_weights *weights, uint32_t *hints, int32_t hint_count);

#endif
