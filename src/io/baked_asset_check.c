// SPDX-License-Identifier: MIT
// Checks what the kernels and key readers assume about a baked asset's clip, because no file may make them read out of
// bounds. See kernels/layout.h for strips, rows, tracks and lanes.
#include "io/baked_asset_coder.h"
#include "core/clip_build.h"

// Whether a strip lies within each of its rows.
static bool is_in_rows(const sinewi_coder *c, const sinewi_strip *strip, size_t planes) {
    const sinew_clip_data *data = c->clip_data;
    if (strip->rows < 0 || strip->rows >= data->row_count) return false;
    size_t plane = SINEW_LANES * (c->clip->key_format == SINEW_KEYS_U16 ? sizeof(uint16_t) : sizeof(float));
    uint64_t end = strip->offset + (uint64_t)(planes * plane);
    const sinewi_rows *rows = &data->rows[strip->rows];
    bool is_compressed = c->clip->key_format == SINEW_KEYS_COMPRESSED;
    return strip->offset % plane == 0 && end <= (is_compressed ? rows->weight_offset : rows->stride);
}

// Whether the weights of a strip with modes are among its rows' weights. Its numbers of pairs are already checked.
static bool has_weights(const sinewi_coder *c, const sinewi_strip *strip, sinew_channel_target target) {
    const sinew_clip_data *data = c->clip_data;
    if (strip->modes->lanes == 0) return strip->rows == SINEWI_ON_TRACKS && target != SINEW_TARGET_WEIGHTS;
    if (strip->rows < 0 || strip->rows >= data->row_count) return false;
    const sinewi_rows *rows = &data->rows[strip->rows];
    const uint32_t end = strip->modes->first_weight + (uint32_t)strip->modes->pairs * 2;
    return strip->interpolation == SINEW_INTERPOLATION_LINEAR && target != SINEW_TARGET_WEIGHTS &&
           strip->offset == 0 && end <= sinewi_weight_count(rows->weight_counts);
}

// Whether the times and values of keys lie in the tracks' memory.
static bool has_keys(const sinewi_tracks *tracks, const sinewi_strip *strip, uint64_t first, uint64_t count,
                     size_t planes) {
    if (first + count > tracks->key_count) return false;
    const uint32_t value = strip->track_values + (uint32_t)first * (uint32_t)planes;
    return value + count * planes <= tracks->value_count;
}

// The same for the four keys of every bucket and lane.
static bool is_on_tracks(const sinewi_coder *c, const sinewi_strip *strip, size_t planes) {
    const sinewi_tracks *tracks = &c->clip_data->tracks;
    if (strip->offset % SINEW_LANES != 0 || strip->offset + (uint64_t)SINEW_LANES > tracks->stride) return false;
    for (int32_t bucket = 0; bucket < tracks->bucket_count; bucket++) {
        const uint8_t *index = tracks->index + (size_t)bucket * tracks->stride + strip->offset;
        const uint32_t *starts =
            tracks->starts + (size_t)(bucket / SINEWI_TRACK_CHAPTER) * tracks->stride + strip->offset;
        for (int l = 0; l < SINEW_LANES; l++)
            if (!has_keys(tracks, strip, starts[l] + (uint64_t)index[l], SINEWI_TRACK_KEYS, planes)) return false;
    }
    return true;
}

static void check_strips(sinewi_coder *c) {
    const sinew_clip_data *data = c->clip_data;
    for (size_t g = 0; g < sinewi_group_count(c->asset->skeleton); g++) {
        for (int32_t i = data->group_strips[g]; i < data->group_strips[g + 1]; i++) {
            const sinewi_strip *strip = &data->strips[i];
            const sinew_channel_target target = sinewi_coder_group_target(data, g);
            size_t planes = sinewi_coder_planes(strip, target);
            bool valid = strip->modes                      ? has_weights(c, strip, target)
                         : strip->rows == SINEWI_ON_TRACKS ? is_on_tracks(c, strip, planes)
                                                           : is_in_rows(c, strip, planes);
            sinewi_code_check(c, valid, "a strip is outside its rows or tracks");
        }
    }
}

// Whether a strip has all of a channel's keys in a lane. Reading them back relies on this.
static bool has_channel(const sinewi_coder *c, const sinewi_strip *strip, const sinew_channel *channel,
                        int32_t lane) {
    const sinew_clip_data *data = c->clip_data;
    if (strip->interpolation != (uint8_t)channel->interpolation || !(strip->mask >> lane & 1)) return false;
    if (strip->modes && !(strip->modes->lanes >> lane & 1)) return false;
    if (strip->rows != SINEWI_ON_TRACKS)
        return data->rows[strip->rows].times == c->clip->timelines[channel->timeline].times;
    return has_keys(&data->tracks, strip, data->tracks.starts[strip->offset + (uint32_t)lane],
                    (uint64_t)channel->key_count, sinewi_coder_planes(strip, channel->target));
}

// Whether the group's first strip with the channel's interpolation and lane has the channel's keys.
static bool is_in_strip(const sinewi_coder *c, const sinew_channel *channel, int32_t component) {
    const sinew_clip_data *data = c->clip_data;
    sinewi_lane_position position =
        sinewi_lane_position_of(c->asset->skeleton, channel->node, channel->target, component);
    for (int32_t i = data->group_strips[position.group]; i < data->group_strips[position.group + 1]; i++) {
        const sinewi_strip *strip = &data->strips[i];
        bool is_first = strip->interpolation == (uint8_t)channel->interpolation && strip->mask >> position.lane & 1;
        if (is_first) return has_channel(c, strip, channel, position.lane);
    }
    return false;
}

static bool is_channel_valid(const sinewi_coder *c, const sinew_channel *channel) {
    int32_t width = sinewi_channel_width(c->asset->skeleton, channel->node, channel->target);
    if (width < 1 || channel->key_count < 1) return false;
    if (channel->timeline < 0) return true;
    if (channel->key_count != c->clip->timelines[channel->timeline].key_count) return false;
    int32_t strips = channel->target == SINEW_TARGET_WEIGHTS ? width : 1; // the others have one lane
    for (int32_t i = 0; i < strips; i++)
        if (!is_in_strip(c, channel, i)) return false;
    return true;
}

static size_t slot_of(const sinewi_coder *c, const sinew_channel *channel) {
    return sinewi_channel_slot(c->asset->skeleton, channel->node, channel->target);
}

// Checks that channels are in the order of their slots, and that each has its keys.
static void check_channels(sinewi_coder *c) {
    const sinew_clip *clip = c->clip;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        bool in_order = i == 0 || slot_of(c, channel - 1) < slot_of(c, channel);
        sinewi_code_check(c, in_order && is_channel_valid(c, channel), "a channel is out of order or has no keys");
    }
}

// Checks that the clip doesn't end before its keys and markers, and that markers are in order.
static void check_times(sinewi_coder *c) {
    const sinew_clip *clip = c->clip;
    sinewi_code_check(c, clip->duration >= 0.0f, "its duration is negative");
    for (int32_t t = 0; t < clip->timeline_count; t++) {
        float last = sinew_timeline_time(&clip->timelines[t], clip->timelines[t].key_count - 1);
        sinewi_code_check(c, last <= clip->duration, "a key is later than its end");
    }
    float previous = 0.0f;
    for (int32_t i = 0; i < clip->marker_count; i++) {
        float time = clip->markers[i].time;
        sinewi_code_check(c, time >= previous && time <= clip->duration, "a marker is out of order");
        previous = time;
    }
}

void sinewi_code_check_clip(sinewi_coder *c) {
    check_strips(c);
    if (sinewi_coder_loads(c)) check_channels(c);
    if (sinewi_coder_loads(c)) check_times(c);
}
