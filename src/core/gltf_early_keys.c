// SPDX-License-Identifier: MIT
// Keys before 0 s. glTF doesn't allow negative times (glTF 2.0, section 5.19). Players start a clip at 0 s, which is in
// the middle of the motion. So this drops the earlier keys and adds a key at 0 s with the value there. The pose at any
// time stays the same as in the file.
#include "core/clip_build.h"
#include "core/clip_cut.h"
#include "core/gltf_import.h"

#include <string.h>

static bool cut_channel(sinewi_import *g, sinew_channel_def *channel) {
    const int32_t width = sinewi_channel_width(g->asset->skeleton, channel->node, channel->target);
    const size_t stride = (size_t)width * (size_t)sinewi_parts(channel->interpolation);
    int32_t early = 0;
    while (early < channel->key_count && channel->times[early] < 0.0f) early++;
    const bool has_start = early < channel->key_count && channel->times[early] <= 0.0f;
    const size_t kept = (size_t)(channel->key_count - early), count = kept + !has_start;
    float *times = sinewi_gltf_array(g, &g->scratch, float, count);
    float *values = (float *)sinewi_gltf_take(g, &g->scratch, count, stride * sizeof *values);
    if (!times || !values) return false;
    times[0] = 0.0f;
    if (!has_start) sinewi_channel_cut(channel, width, early - 1, 0.0f, values);
    memcpy(times + (count - kept), channel->times + early, kept * sizeof *times);
    memcpy(values + (count - kept) * stride, channel->values + (size_t)early * stride,
           kept * stride * sizeof *values);
    channel->times = times;
    channel->values = values;
    channel->key_count = (int32_t)count;
    return true;
}

bool sinewi_gltf_drop_early_keys(sinewi_import *g, int32_t animation, sinew_channel_def *channels, int32_t count) {
    bool has_early = false;
    for (int32_t i = 0; i < count; i++) {
        if (channels[i].times[0] >= 0.0f) continue;
        has_early = true;
        if (!cut_channel(g, &channels[i])) return false;
    }
    if (has_early)
        sinewi_gltf_log(g, "animations[%d]: keys before 0 s are ignored, because clips start at 0 s",
                        (int)animation);
    return true;
}
