// SPDX-License-Identifier: MIT
// Adds keys that tools have dropped from a regular grid, so channels can share one timeline.
#ifndef SINEWI_CLIP_GRID_H
#define SINEWI_CLIP_GRID_H

#include <sinew/clip.h>

#include "base/memory.h"

// Sets *filled to the def, and adds missing keys to LINEAR node channels if the clip takes at most `growth` times its
// bytes with them. Sets *added to the number of keys. They are in the scratch arena.
sinew_result sinewi_clip_fill_grid(const sinew_clip_def *def, float growth, sinewi_arena *scratch,
                                   sinew_clip_def *filled, int32_t *added, sinew_error *error);

// Computes a LINEAR channel's value at a time between key k and the next one, in double. `width` is its number of
// floats.
void sinewi_channel_between(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out);

#endif
