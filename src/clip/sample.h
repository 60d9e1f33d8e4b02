// SPDX-License-Identifier: MIT
// Preparing a mix: keys are found once for all blocks.
#ifndef SINEW_SAMPLE_H
#define SINEW_SAMPLE_H

#include <sinew/clip.h>

#include "pose/block.h"

// The maximum number of keys found in advance for one mix. Further timelines are searched strip by strip.
#define SINEW_MIX_KEYS 64

// Finds the keys of the input's timelines, at most `room`, and their weights of modes, and returns the number of keys.
// `hints` may be NULL.
int32_t sinew_mix_input_find_keys(sinew_mix_input *input, sinew_key *keys, int32_t room,
                                  sinew_mode_weights *weights, uint32_t *hints, int32_t hint_count);

#endif
