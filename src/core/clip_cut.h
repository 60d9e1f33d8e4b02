// SPDX-License-Identifier: MIT
// Cuts channels between their keys, for clips that start or end there.
#ifndef SINEWI_CLIP_CUT_H
#define SINEWI_CLIP_CUT_H

#include <sinew/clip.h>

// Writes the key of a channel at a time from key k up to the next one, or after the last: the motion on both sides of it
// stays. `width` is the number of floats in a value; `out` has room for a key, three times that for CUBICSPLINE. The values
// of a rotation spline are not unit: only what is interpolated between them is normalized.
void sinewi_channel_cut(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out);

#endif
