// SPDX-License-Identifier: MIT
// Writes the channels of a clip, with the keys that were given.
//
// A clip can be longer than its last key, and constant channels have one key at 0 s. One channel then gets a key at the end
// of the clip, with which the animation is as long: a constant one if there is any.
#include "write/animation.h"

#include <stdlib.h>
#include <string.h>

// The keys of a channel, with space for one more.
typedef struct channel_keys {
    float *times, *values;
    int32_t count, width; // width: floats per key
} channel_keys;

static bool read_keys(const sinew_clip *clip, int32_t channel, channel_keys *keys) {
    keys->count = sinew_clip_channel_keys(clip, channel, NULL, NULL);
    keys->width = sinew_clip_key_width(clip, channel);
    keys->times = malloc(((size_t)keys->count + 1) * sizeof(float));
    keys->values = malloc(((size_t)keys->count + 1) * (size_t)keys->width * sizeof(float));
    if (!keys->times || !keys->values) return false;
    sinew_clip_channel_keys(clip, channel, keys->times, keys->values);
    return true;
}

static void free_keys(channel_keys *keys) {
    free(keys->times);
    free(keys->values);
}

// Adds a key that holds the last one until `time`. The tangents between the two are 0.
static void hold_last_key(channel_keys *keys, sinew_interpolation interpolation, float time) {
    float *last = keys->values + ((size_t)keys->count - 1) * (size_t)keys->width, *held = last + keys->width;
    memcpy(held, last, (size_t)keys->width * sizeof(float));
    if (interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        const size_t third = (size_t)keys->width / 3;
        memset(last + 2 * third, 0, third * sizeof(float));
        memset(held, 0, third * sizeof(float));
        memset(held + 2 * third, 0, third * sizeof(float));
    }
    keys->times[keys->count++] = time;
}

// The time of the last key of all channels.
static float last_key_time(const sinew_clip *clip) {
    float last = 0.0f;
    for (int32_t i = 0; i < clip->timeline_count; i++) {
        const float time = sinew_timeline_time(&clip->timelines[i], clip->timelines[i].key_count - 1);
        if (time > last) last = time;
    }
    return last;
}

// The channel that gets a key at the end of the clip; -1: none is needed.
static int32_t find_held_channel(const sinew_clip *clip) {
    if (last_key_time(clip) >= clip->duration) return -1;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (clip->channels[i].timeline < 0) return i;
    }
    return 0;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void append_string(const char *text, lint_text *out) {
    lint_append(out, "\"", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') lint_append(out, "\\", 1);
        if (c < 0x20) {
            lint_append_format(out, "\\u%04x", c);
        } else {
            lint_append(out, text, 1);
        }
    }
    lint_append(out, "\"", 1);
}

static void append_markers(const sinew_clip *clip, lint_text *out) {
    if (clip->marker_count == 0) return;
    lint_append_format(out, ",\"extras\":{\"markers\":[");
    for (int32_t i = 0; i < clip->marker_count; i++) {
        lint_append_format(out, "%s{\"name\":", i > 0 ? "," : "");
        append_string(clip->markers[i].name, out);
        lint_append_format(out, ",\"time\":%.9g}", (double)clip->markers[i].time);
    }
    lint_append_format(out, "]}");
}

static void append_sampler(const sinew_channel *channel, int32_t times, int32_t values, lint_text *out) {
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    lint_append_format(out, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", (int)times, (int)values,
                       names[channel->interpolation]);
}

static void append_channels(const sinew_clip *clip, lint_text *out) {
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        lint_append_format(out, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i > 0 ? "," : "",
                           (int)i, (int)clip->skeleton->source_of_node[channel->node], paths[channel->target]);
    }
}

// Adds the keys of a channel to the accessors, and appends its sampler.
static bool append_keys(const sinew_clip *clip, int32_t index, bool held, int32_t first_accessor,
                        write_accessors *accessors, lint_text *out) {
    const sinew_channel *channel = &clip->channels[index];
    channel_keys keys = {0};
    const bool good = read_keys(clip, index, &keys);
    if (good) {
        if (held) hold_last_key(&keys, channel->interpolation, clip->duration);
        static const int32_t components[] = {3, 4, 3, 1};
        const int32_t width = components[channel->target];
        const int32_t times = write_add_accessor(accessors, keys.times, keys.count, 1, true);
        const int32_t values =
            write_add_accessor(accessors, keys.values, keys.count * (keys.width / width), width, false);
        append_sampler(channel, first_accessor + times, first_accessor + values, out);
    }
    free_keys(&keys);
    return good;
}

bool write_animation(const sinew_clip *clip, int32_t first_accessor, write_accessors *accessors, lint_text *out) {
    const int32_t held = find_held_channel(clip);
    lint_append_format(out, "{\"name\":");
    append_string(clip->name, out);
    lint_append_format(out, ",\"samplers\":[");
    for (int32_t i = 0; i < clip->channel_count; i++) {
        if (i > 0) lint_append(out, ",", 1);
        if (!append_keys(clip, i, i == held, first_accessor, accessors, out)) return false;
    }
    lint_append_format(out, "],\"channels\":[");
    append_channels(clip, out);
    lint_append(out, "]", 1);
    append_markers(clip, out);
    lint_append(out, "}", 1);
    return !out->failed && !accessors->failed;
}
