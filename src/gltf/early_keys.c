// SPDX-License-Identifier: MIT
// Keys before 0 s, which the specification does not allow (glTF 2.0, section 5.19: times are not negative). Players show
// a clip from 0 s on: it starts in the middle of the motion. The keys before are left out, and a key at 0 s has the
// value there. So the pose at any time is the one that the file has at that time.
//
// `g` is the import in progress (gltf/import.h). Functions return false once the error is set.
#include "clip/clip_build.h"
#include "clip/clip_grid.h"
#include "gltf/import.h"

#include <string.h>

// Splits a spline at 0 s, between key k and the next one. Tangents are per second: those after the cut are as before.
static void split_spline(const sinew_channel_def *channel, size_t width, int32_t k, float *out) {
    const double start = (double)channel->times[k], interval = (double)channel->times[k + 1] - start;
    const double u = -start / interval, u2 = u * u, u3 = u2 * u;
    const float *from = channel->values + (size_t)k * 3 * width, *to = from + 3 * width;
    for (size_t i = 0; i < width; i++) {
        const double p = (double)from[width + i], q = (double)to[width + i];
        const double a = interval * (double)from[2 * width + i], b = interval * (double)to[i];
        const double value =
            (2.0 * u3 - 3.0 * u2 + 1.0) * p + (u3 - 2.0 * u2 + u) * a + (3.0 * u2 - 2.0 * u3) * q + (u3 - u2) * b;
        const double slope =
            (6.0 * (u2 - u) * (p - q) + (3.0 * u2 - 4.0 * u + 1.0) * a + (3.0 * u2 - 2.0 * u) * b) / interval;
        out[i] = out[2 * width + i] = (float)slope;
        out[width + i] = (float)value;
    }
}

// Writes the key at 0 s, between key k and the next one, or after the last.
static void write_start(const sinew_channel_def *channel, size_t width, int32_t k, float *out) {
    const size_t stride = width * (size_t)sinew_parts(channel->interpolation);
    if (k + 1 == channel->key_count || channel->interpolation == SINEW_INTERPOLATION_STEP) {
        memcpy(out, channel->values + (size_t)k * stride, stride * sizeof *out);
    } else if (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        split_spline(channel, width, k, out);
    } else {
        sinew_channel_between(channel, (int32_t)width, k, 0.0f, out);
    }
}

static bool cut_channel(sinew_import *g, sinew_channel_def *channel) {
    const size_t width = (size_t)sinew_channel_width(g->asset->skeleton, channel->node, channel->target);
    const size_t stride = width * (size_t)sinew_parts(channel->interpolation);
    int32_t early = 0;
    while (early < channel->key_count && channel->times[early] < 0.0f) early++;
    const bool has_start = early < channel->key_count && channel->times[early] <= 0.0f;
    const size_t kept = (size_t)(channel->key_count - early), count = kept + !has_start;
    float *times = sinew_gltf_array(g, &g->scratch, float, count);
    float *values = (float *)sinew_gltf_take(g, &g->scratch, count, stride * sizeof *values);
    if (!times || !values) return false;
    times[0] = 0.0f;
    if (!has_start) write_start(channel, width, early - 1, values);
    memcpy(times + (count - kept), channel->times + early, kept * sizeof *times);
    memcpy(values + (count - kept) * stride, channel->values + (size_t)early * stride,
           kept * stride * sizeof *values);
    channel->times = times;
    channel->values = values;
    channel->key_count = (int32_t)count;
    return true;
}

bool sinew_gltf_drop_early_keys(sinew_import *g, int32_t animation, sinew_channel_def *channels, int32_t count) {
    bool has_early = false;
    for (int32_t i = 0; i < count; i++) {
        if (channels[i].times[0] >= 0.0f) continue;
        has_early = true;
        if (!cut_channel(g, &channels[i])) return false;
    }
    if (has_early)
        sinew_gltf_log(g, "animations[%d]: keys before 0 s are ignored, because clips start at 0 s",
                       (int)animation);
    return true;
}
