// SPDX-License-Identifier: MIT
#include "core/clip_cut.h"

#include "core/clip_build.h"
#include "core/clip_grid.h"

#include <string.h>

// Splits a Hermite spline by computing its value and slope at the cut. Tangents are per second, so the keys on both
// sides keep theirs.
static void split_spline(const sinew_channel_def *channel, size_t width, int32_t k, float time, float *out) {
    const double start = (double)channel->times[k], interval = (double)channel->times[k + 1] - start;
    const double u = ((double)time - start) / interval, u2 = u * u, u3 = u2 * u;
    const float *from = channel->values + (size_t)k * 3 * width, *to = from + 3 * width;
    for (size_t i = 0; i < width; i++) {
        const double p = (double)from[width + i], q = (double)to[width + i];
        const double a = interval * (double)from[2 * width + i], b = interval * (double)to[i];
        const double value =
            (2.0 * u3 - 3.0 * u2 + 1.0) * p + (u3 - 2.0 * u2 + u) * a + (3.0 * u2 - 2.0 * u3) * q + (u3 - u2) * b;
        const double slope =
            (6.0 * (u2 - u) * (p - q) + (3.0 * u2 - 4.0 * u + 1.0) * a + (3.0 * u2 - 2.0 * u) * b) / interval;
        out[i] = out[2 * width + i] = sinewi_limited_value((float)slope); // may exceed a float for extreme keys
        out[width + i] = (float)value;
    }
}

void sinewi_channel_cut(const sinew_channel_def *channel, int32_t width, int32_t k, float time, float *out) {
    const size_t stride = (size_t)width * (size_t)sinewi_parts(channel->interpolation);
    const bool is_key = k + 1 == channel->key_count || channel->times[k] == time;
    if (is_key || channel->interpolation == SINEW_INTERPOLATION_STEP) {
        memcpy(out, channel->values + (size_t)k * stride, stride * sizeof *out);
    } else if (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        split_spline(channel, (size_t)width, k, time, out);
    } else {
        sinewi_channel_between(channel, width, k, time, out);
    }
}
