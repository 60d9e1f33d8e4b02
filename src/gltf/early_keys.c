// SPDX-License-Identifier: MIT
// Keys before 0 s, which the specification does not allow (glTF 2.0, section 5.19: times are not negative). Players show
// a clip from 0 s on: it starts in the middle of the motion. The keys before are left out, and a key at 0 s has the
// value there. So the pose at any time is the one that the file has at that time.
//
// `g` is the import in progress (gltf/import.h). Functions return false once the error is set.
#include "clip/clip_build.h"
#include "clip/clip_cut.h"
#include "gltf/import.h"

#include <string.h>

static bool cut_channel(sinew_import *g, sinew_channel_def *channel) {
    const int32_t width = sinew_channel_width(g->asset->skeleton, channel->node, channel->target);
    const size_t stride = (size_t)width * (size_t)sinew_parts(channel->interpolation);
    int32_t early = 0;
    while (early < channel->key_count && channel->times[early] < 0.0f) early++;
    const bool has_start = early < channel->key_count && channel->times[early] <= 0.0f;
    const size_t kept = (size_t)(channel->key_count - early), count = kept + !has_start;
    float *times = sinew_gltf_array(g, &g->scratch, float, count);
    float *values = (float *)sinew_gltf_take(g, &g->scratch, count, stride * sizeof *values);
    if (!times || !values) return false;
    times[0] = 0.0f;
    if (!has_start) sinew_channel_cut(channel, width, early - 1, 0.0f, values);
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
