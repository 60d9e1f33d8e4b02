// SPDX-License-Identifier: MIT
// Reads a clip's channels back in the form that sinew_clip_create takes: an array of times and an array of values for
// each.
//
// clip_fill.c writes what this file reads. See kernels/layout.h about rows, strips, tracks and lanes. A clip only keeps
// the value of a constant channel, so it reads back as one key.
#include "core/clip_build.h"
#include "core/clip_ends.h"

#include <assert.h>
#include <math.h>
#include <string.h>

float sinew_timeline_time(const sinew_timeline *timeline, int32_t key) {
    assert(timeline && key >= 0 && key < timeline->key_count);
    return timeline->times[(ptrdiff_t)key * timeline->stride];
}

static int32_t channel_width(const sinew_clip *clip, const sinew_channel *channel) {
    return sinewi_channel_width(clip->skeleton, channel->node, channel->target);
}

// Reads one component of a constant channel, from a strip with modes or from the clip's base.
static float read_base(const sinew_clip *clip, const sinew_channel *channel, int32_t component) {
    const sinew_clip_data *data = clip->data;
    const int32_t lane = channel->node % SINEW_LANES, block = channel->node / SINEW_LANES;
    const size_t group = (size_t)block * SINEWI_GROUPS + (size_t)channel->target;
    for (int32_t i = data->group_strips[group]; i < data->group_strips[group + 1]; i++) {
        const sinewi_modes *modes = data->strips[i].modes;
        if (!modes || !(modes->constant_lanes >> lane & 1)) continue;
        const float *constants = sinewi_mode_arrays_of(modes, channel_width(clip, channel)).constants;
        return constants[component * modes->constant_count + sinewi_lane_rank(modes->constant_lanes, lane)];
    }
    return data->base[block].lane[sinewi_target_plane(channel->target) + component][lane];
}

// Reads a constant channel's value.
static void read_constant(const sinew_clip *clip, const sinew_channel *channel, float *value) {
    const sinew_clip_data *data = clip->data;
    int32_t width = channel_width(clip, channel);
    if (sinewi_has_weight_lanes(channel->target)) {
        const float *from =
            data->base_weights + sinewi_first_weight(clip->skeleton, channel->node, channel->target);
        memcpy(value, from, (size_t)width * sizeof(float));
        return;
    }
    for (int32_t i = 0; i < width; i++) value[i] = read_base(clip, channel, i);
}

// Returns the group's strip that has a channel.
static const sinewi_strip *find_strip(const sinew_clip *clip, const sinew_channel *channel,
                                      sinewi_lane_position position) {
    const sinewi_strip *strip = &clip->data->strips[clip->data->group_strips[position.group]];
    while (strip->interpolation != (uint8_t)channel->interpolation || !(strip->mask >> position.lane & 1)) {
        strip++; // the channel is in one of the group's strips
    }
    return strip;
}

// Reads one plane of key k in a lane.
static float read_track_key(const sinewi_tracks *tracks, const sinewi_strip *strip, int32_t lane, int32_t k,
                            size_t plane, size_t planes) {
    const uint32_t key = tracks->starts[strip->offset + (uint32_t)lane] + (uint32_t)k;
    return tracks->values[strip->track_values + key * (uint32_t)planes + (uint32_t)plane];
}

// Reads one plane of key k in a lane. In 16-bit rows the value is minimum + number × step.
static float read_row_key(const sinewi_rows *rows, const sinewi_strip *strip, int32_t lane, int32_t k,
                          size_t plane) {
    const char *row = rows->keys + (size_t)k * rows->stride + strip->offset;
    size_t index = plane * SINEW_LANES + (size_t)lane;
    if (!strip->ranges) return ((const float *)(const void *)row)[index];
    const float *low = strip->ranges + 2 * plane * SINEW_LANES + lane; // the minimum. The step is one plane later.
    return low[0] + (float)((const uint16_t *)(const void *)row)[index] * low[SINEW_LANES];
}

// Returns the scaled sum for one plane and lane of a key in a strip with modes. Computes it like the kernels. `weights`
// starts at the strip's first mode.
static float sum_mode_key(const sinewi_modes *modes, const int16_t *weights, size_t packed, int32_t plane,
                          const sinewi_mode_arrays *arrays) {
    const int32_t words = modes->word_pairs;
    const size_t stride = (size_t)2 * modes->lane_count * 3; // between pairs
    const size_t first = 2 * ((size_t)plane * modes->lane_count + packed);
    uint32_t sum = 0; // wraps on overflow
    for (int32_t p = 0; p < modes->pairs; p++, weights += 2) {
        for (size_t i = first; i < first + 2; i++) {
            int32_t coefficient =
                p < words ? arrays->words[(size_t)p * stride + i] : arrays->bytes[(size_t)(p - words) * stride + i];
            sum += (uint32_t)(weights[i - first] * coefficient);
        }
    }
    return arrays->scales[packed] * (float)(int32_t)sum;
}

// Returns the rotation that `m` projects from a center. Computes it like the kernels.
static sinew_quat unproject(sinew_quat center, const float m[3]) {
    const float square = (m[0] * m[0] + m[1] * m[1]) + m[2] * m[2], factor = 2.0f / (1.0f + square);
    return sinew_quat_multiply(center, (sinew_quat){factor * m[0], factor * m[1], factor * m[2], factor - 1.0f});
}

// Normalizes like the kernels do after a slerp.
static void normalize_rotation(float q[4]) {
    float length = sqrtf(((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]), factor = 1.0f / length;
    for (int i = 0; i < 4; i++) q[i] *= factor;
}

// Reads all keys of a channel with modes: [key][component].
static void read_modes(const sinew_clip *clip, const sinew_channel *channel, const sinewi_strip *strip,
                       float *values) {
    const sinewi_rows *rows = &clip->data->rows[strip->rows];
    const int32_t width = channel_width(clip, channel);
    const size_t packed = (size_t)sinewi_lane_rank(strip->modes->lanes, channel->node % SINEW_LANES);
    const sinewi_mode_arrays arrays = sinewi_mode_arrays_of(strip->modes, width);
    int16_t weights[SINEWI_MAX_ROW_WEIGHTS];
    float mean[4];
    for (int32_t i = 0; i < width; i++) mean[i] = arrays.means[(size_t)i * strip->modes->lane_count + packed];
    for (int32_t k = 0; k < channel->key_count; k++, values += width) {
        const char *row = rows->keys + (size_t)k * rows->stride;
        const sinewi_key key = {.row0 = row, .row1 = row};
        const int16_t *first = weights + strip->modes->first_weight;
        float moved[3];
        sinewi_weigh_modes(rows, &key, 0.0f, weights);
        for (int32_t i = 0; i < 3; i++) moved[i] = sum_mode_key(strip->modes, first, packed, i, &arrays);
        if (channel->target == SINEW_TARGET_ROTATION) {
            const sinew_quat q = unproject((sinew_quat){mean[0], mean[1], mean[2], mean[3]}, moved);
            memcpy(values, &q, sizeof q);
            if (strip->modes->slerps) normalize_rotation(values);
            continue;
        }
        for (int32_t i = 0; i < 3; i++) values[i] = mean[i] + moved[i];
    }
}

// Returns a mode's coefficient for one plane and packed lane.
static int32_t mode_coefficient(const sinewi_modes *modes, const sinewi_mode_arrays *arrays, size_t packed,
                                int32_t plane, int32_t mode) {
    const size_t stride = (size_t)2 * modes->lane_count * 3; // between pairs
    const size_t at = 2 * ((size_t)plane * modes->lane_count + packed) + (size_t)(mode % 2);
    const int32_t pair = mode / 2, words = modes->word_pairs;
    return pair < words ? arrays->words[(size_t)pair * stride + at]
                        : arrays->bytes[(size_t)(pair - words) * stride + at];
}

static const sinewi_strip *strip_of_channel(const sinew_clip *clip, const sinew_channel *c) {
    return find_strip(clip, c, sinewi_lane_position_of(clip->skeleton, c->node, c->target, 0));
}

sinewi_mode_line sinewi_clip_mode_line(const sinew_clip *clip, int32_t channel) {
    const sinew_channel *c = &clip->channels[channel];
    sinewi_mode_line line = {.projects = false};
    if (c->timeline < 0 || sinewi_has_weight_lanes(c->target)) return line;
    const sinewi_strip *strip = strip_of_channel(clip, c);
    const sinewi_modes *modes = strip->modes;
    if (!modes || modes->slerps) return line;
    const size_t packed = (size_t)sinewi_lane_rank(modes->lanes, c->node % SINEW_LANES);
    const sinewi_mode_arrays arrays = sinewi_mode_arrays_of(modes, channel_width(clip, c));
    line.projects = c->target == SINEW_TARGET_ROTATION;
    for (size_t i = 0; line.projects && i < 4; i++) line.center[i] = arrays.means[i * modes->lane_count + packed];
    for (int32_t i = 0; i < strip->rows; i++)
        line.first += (int32_t)sinewi_weight_count(clip->data->rows[i].weight_counts);
    line.first += modes->first_weight;
    line.count = 2 * modes->pairs;
    return line;
}

void sinewi_clip_read_mode_parts(const sinew_clip *clip, int32_t channel, double *parts) {
    const sinew_channel *c = &clip->channels[channel];
    const sinewi_modes *modes = strip_of_channel(clip, c)->modes;
    const size_t packed = (size_t)sinewi_lane_rank(modes->lanes, c->node % SINEW_LANES);
    const sinewi_mode_arrays arrays = sinewi_mode_arrays_of(modes, channel_width(clip, c));
    for (int32_t j = 0; j < 2 * modes->pairs; j++)
        for (int32_t i = 0; i < 3; i++)
            *parts++ = (double)arrays.scales[packed] * mode_coefficient(modes, &arrays, packed, i, j);
}

static float read_key(const sinew_clip *clip, const sinewi_strip *strip, int32_t lane, int32_t k, size_t plane,
                      size_t planes) {
    if (strip->rows == SINEWI_ON_TRACKS) return read_track_key(&clip->data->tracks, strip, lane, k, plane, planes);
    return read_row_key(&clip->data->rows[strip->rows], strip, lane, k, plane);
}

// Reads all keys of a channel: [key][part][component]. The parts are just the value, or in-tangent, value and
// out-tangent.
static void read_animated(const sinew_clip *clip, const sinew_channel *channel, float *values) {
    int32_t width = channel_width(clip, channel), parts = sinewi_parts(channel->interpolation);
    bool weights = sinewi_has_weight_lanes(channel->target); // each in a separate lane
    size_t planes = (size_t)(weights ? parts : width * parts);
    for (int32_t component = 0; component < width; component++) {
        sinewi_lane_position position =
            sinewi_lane_position_of(clip->skeleton, channel->node, channel->target, component);
        const sinewi_strip *strip = find_strip(clip, channel, position);
        if (strip->modes) {
            read_modes(clip, channel, strip, values);
            return;
        }
        for (int32_t k = 0; k < channel->key_count; k++) {
            for (int32_t part = 0; part < parts; part++) {
                size_t plane = (size_t)(weights ? part : part * width + component);
                values[(k * parts + part) * width + component] =
                    read_key(clip, strip, position.lane, k, plane, planes);
            }
        }
    }
}

int32_t sinewi_clip_read_curve_key(const sinew_clip *clip, int32_t channel, int32_t key, float value[3]) {
    const sinew_channel *c = &clip->channels[channel];
    assert(c->target == SINEW_TARGET_CURVE);
    if (c->timeline < 0) {
        read_constant(clip, c, value);
        return 1;
    }
    const int32_t parts = sinewi_parts(c->interpolation);
    const sinewi_lane_position position = sinewi_lane_position_of(clip->skeleton, c->node, c->target, 0);
    const sinewi_strip *strip = find_strip(clip, c, position);
    for (int32_t part = 0; part < parts; part++)
        value[part] = read_key(clip, strip, position.lane, key, (size_t)part, (size_t)parts);
    return parts;
}

// Writes a constant channel's key at 0 s, without tangents.
static void read_constant_key(const sinew_clip *clip, const sinew_channel *channel, float *times, float *values) {
    size_t width = (size_t)channel_width(clip, channel);
    bool is_spline = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    if (times) times[0] = 0.0f;
    if (!values) return;
    if (is_spline) memset(values, 0, 3 * width * sizeof(float));
    read_constant(clip, channel, values + (is_spline ? width : 0));
}

int32_t sinew_clip_key_width(const sinew_clip *clip, int32_t channel) {
    assert(clip && channel >= 0 && channel < clip->channel_count);
    const sinew_channel *c = &clip->channels[channel];
    return channel_width(clip, c) * sinewi_parts(c->interpolation);
}

int32_t sinew_clip_channel_keys(const sinew_clip *clip, int32_t channel, float *times, float *values) {
    assert(clip && channel >= 0 && channel < clip->channel_count);
    const sinew_channel *c = &clip->channels[channel];
    if (c->timeline < 0) {
        read_constant_key(clip, c, times, values);
        return 1;
    }
    const sinew_timeline *timeline = &clip->timelines[c->timeline];
    for (int32_t k = 0; times && k < c->key_count; k++) times[k] = sinew_timeline_time(timeline, k);
    if (values) read_animated(clip, c, values);
    return c->key_count;
}

// Returns the values in scratch memory and describes the channel in `out`.
float *sinewi_clip_read_stored_channel(const sinew_clip *clip, int32_t channel, sinewi_arena *scratch,
                                       sinew_channel_def *out) {
    size_t key_count = (size_t)sinew_clip_channel_keys(clip, channel, NULL, NULL);
    size_t width = (size_t)sinew_clip_key_width(clip, channel);
    float *times = sinewi_arena_array(scratch, float, key_count);
    float *values = (float *)sinewi_arena_take(scratch, key_count, width * sizeof(float), sizeof(float));
    if (!values || !times) return NULL;
    sinew_clip_channel_keys(clip, channel, times, values);
    *out = (sinew_channel_def){
        .node = clip->channels[channel].node,
        .target = clip->channels[channel].target,
        .interpolation = clip->channels[channel].interpolation,
        .key_count = (int32_t)key_count,
        .times = times,
        .values = values,
    };
    return values;
}

float *sinewi_clip_read_channel(const sinew_clip *clip, int32_t channel, sinewi_arena *scratch,
                                sinew_channel_def *out) {
    float *values = sinewi_clip_read_stored_channel(clip, channel, scratch, out);
    if (values && clip->channels[channel].timeline >= 0)
        sinewi_clip_restore_ends(clip, &clip->channels[channel], values);
    return values;
}
