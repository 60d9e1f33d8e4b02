// SPDX-License-Identifier: MIT
// Adds the keys that tools have dropped from a grid, so that channels share one timeline.
#ifndef SINEW_CLIP_GRID_H
#define SINEW_CLIP_GRID_H

#include <sinew/clip.h>

// Creates a clip, with the missing keys of its LINEAR channels of nodes if it takes at most def->key_growth times its
// bytes with them. Sets filled_key_count.
sinew_result sinew_clip_create_on_grid(const sinew_clip_def *def, sinew_clip **clip, sinew_error *error);

// The value of a LINEAR channel at a time from its key k to the next one: `width` floats, computed in double.
void sinew_channel_between(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out);

#endif
