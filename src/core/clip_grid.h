// SPDX-License-Identifier: MIT
// Adds the keys that tools have dropped from a grid, so that channels share one timeline.
#ifndef SINEWI_CLIP_GRID_H
#define SINEWI_CLIP_GRID_H

#include <sinew/clip.h>

#include "base/memory.h"

// Sets *filled to the def, with the missing keys of its LINEAR channels of nodes if the clip takes at most `growth` times
// its bytes with them, and *added to their number. The keys are in the scratch arena.
sinew_result sinewi_clip_fill_grid(const sinew_clip_def *def, float growth, sinewi_arena *scratch,
                                   sinew_clip_def *filled, int32_t *added, sinew_error *error);

// The value of a LINEAR channel at a time from its key k to the next one: `width` floats, computed in double.
void sinewi_channel_between(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out);

#endif
