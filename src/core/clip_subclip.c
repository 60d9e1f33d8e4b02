// SPDX-License-Identifier: MIT
// Cuts parts out of clips. Keeps the keys inside. If an end is between two keys, adds one there.
#include "core/clip_build.h"
#include "core/clip_cut.h"
#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct clip_part {
    const sinew_clip *clip;
    float start, end;
    sinewi_arena scratch;
    sinew_channel_def *channels; // [channel_count of the clip]
    sinew_marker *markers;
    int32_t marker_count;
} clip_part;

// ---- Channels ------------------------------------------------------------------------------------------------

// Counts the keys at or before a time.
static int32_t count_until(const sinew_channel_def *channel, float time) {
    int32_t low = 0, high = channel->key_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Replaces a channel's keys by the keys of the part. A channel holds its first value before its first key, so it may
// not need one at the start. Distinct times stay distinct, because the difference of two floats rounds more finely than
// they do.
static bool cut_channel(clip_part *part, sinew_channel_def *channel) {
    const int32_t width = sinewi_channel_width(part->clip->skeleton, channel->node, channel->target);
    const size_t stride = (size_t)width * (size_t)sinewi_parts(channel->interpolation);
    const int32_t first = count_until(channel, part->start), until = count_until(channel, part->end);
    const bool has_start = first > 0, is_later = until == 0;
    const bool has_end = !is_later && until < channel->key_count && channel->times[until - 1] < part->end;
    const int32_t kept = is_later ? 1 : until - first, count = kept + has_start + has_end;
    float *times = sinewi_arena_array(&part->scratch, float, (size_t)count);
    float *values =
        (float *)sinewi_arena_take(&part->scratch, (size_t)count, stride * sizeof *values, sizeof *values);
    if (!times || !values) return false;
    times[0] = 0.0f;
    if (has_start) sinewi_channel_cut(channel, width, first - 1, part->start, values);
    for (int32_t k = 0; k < kept && !is_later; k++) times[has_start + k] = channel->times[first + k] - part->start;
    memcpy(values + has_start * stride, channel->values + (size_t)first * stride,
           (size_t)kept * stride * sizeof *values);
    if (has_end) {
        times[count - 1] = part->end - part->start;
        sinewi_channel_cut(channel, width, until - 1, part->end, values + (size_t)(count - 1) * stride);
    }
    channel->times = times;
    channel->values = values;
    channel->key_count = count;
    return true;
}

static bool cut_channels(clip_part *part) {
    const sinew_clip *clip = part->clip;
    part->channels = sinewi_arena_array(&part->scratch, sinew_channel_def, (size_t)clip->channel_count);
    if (!part->channels) return false;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (!sinewi_clip_read_channel(clip, i, &part->scratch, &part->channels[i])) return false;
        if (clip->channels[i].timeline >= 0 && !cut_channel(part, &part->channels[i])) return false;
    }
    return true;
}

// ---- The clip ------------------------------------------------------------------------------------------------

static bool cut_markers(clip_part *part) {
    const sinew_clip *clip = part->clip;
    part->markers = sinewi_arena_array(&part->scratch, sinew_marker, (size_t)clip->marker_count);
    for (int32_t i = 0; part->markers && i < clip->marker_count; i++) {
        const sinew_marker *marker = &clip->markers[i];
        if (marker->time < part->start || marker->time > part->end) continue;
        part->markers[part->marker_count++] = (sinew_marker){marker->name, marker->time - part->start};
    }
    return part->markers != NULL;
}

static sinew_result create_part(const clip_part *part, const char *name, const sinew_allocator *allocator,
                                sinew_clip **subclip, sinew_error *error) {
    sinew_clip_def def = sinew_clip_default();
    def.name = name ? name : part->clip->name;
    def.skeleton = part->clip->skeleton;
    def.channel_count = part->clip->channel_count;
    def.channels = part->channels;
    def.duration = part->end - part->start;
    def.marker_count = part->marker_count;
    def.markers = part->markers;
    def.key_format = part->clip->key_format;
    def.additive = part->clip->additive;
    if (allocator) def.allocator = *allocator;
    return sinewi_clip_build(&def, part->clip, subclip, error);
}

sinew_result sinew_clip_subclip(const sinew_clip *clip, float start, float end, const char *name,
                                const sinew_allocator *allocator, sinew_clip **subclip, sinew_error *error) {
    assert(clip && subclip);
    *subclip = NULL;
    if (!(start >= 0.0f && start < end && end <= clip->duration)) { // also false for NaN
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "clip '%.100s': the range %g to %g s is empty or not within 0 to %g s", clip->name,
                           (double)start, (double)end, (double)clip->duration);
    }
    clip_part part;
    memset(&part, 0, sizeof part);
    part.clip = clip;
    part.start = start;
    part.end = end;
    sinewi_arena_init(&part.scratch, allocator);
    const sinew_result result = cut_channels(&part) && cut_markers(&part)
                                    ? create_part(&part, name, allocator, subclip, error)
                                    : sinewi_fail_memory(error);
    sinewi_arena_free(&part.scratch);
    return result;
}
