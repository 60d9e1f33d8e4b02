// SPDX-License-Identifier: MIT
// Cuts channels between their keys, for clips that start or end there.
#ifndef SINEWI_CLIP_CUT_H
#define SINEWI_CLIP_CUT_H

#include <sinew/clip.h>

// Writes a key for a channel at a time between key k and the next one, or after the last one. The motion on both sides
// stays the same. `width` is the number of floats per value. `out` has room for one key, which is three times that for
// CUBICSPLINE. The values of a rotation spline aren't unit quaternions, because only the interpolated result is
// normalized.
void sinewi_channel_cut(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out);

#endif
