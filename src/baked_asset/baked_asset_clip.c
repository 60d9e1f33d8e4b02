// SPDX-License-Identifier: MIT
// The clips of a baked asset: the memory layout of kernels/layout.h as it is, so that key rows are used without a copy.
//
// What can be computed quickly is not stored: the groups, and whether timelines are uniform. baked_asset_check.c checks
// what the kernels rely on.
#include "baked_asset/baked_asset_coder.h"
#include "clip/clip_build.h"
#include "pose/skeleton_object.h"

#include <assert.h>
#include <float.h>

// Key times are finite, not negative, and increasing.
static bool are_times_valid(const sinew_timeline *timeline) {
    const float *time = timeline->times;
    if (!(time[0] >= 0.0f)) return false;
    for (int32_t k = 1; k < timeline->key_count; k++, time += timeline->stride)
        if (!(time[timeline->stride] > time[0])) return false;
    return time[0] <= FLT_MAX;
}

// ---- Rows ----------------------------------------------------------------------------------------------------

// A row of a compressed clip has floats, then the weights of modes.
static bool has_valid_weights(const sinew_rows *rows) {
    for (int i = 0; i < SINEW_GROUPS; i++) {
        const sinew_weight_counts counts = rows->weight_counts[i];
        if (counts.words % 2 != 0 || counts.bytes % 2 != 0 || counts.words + counts.bytes > SINEW_MAX_MODES)
            return false;
    }
    return rows->weight_offset % (SINEW_LANES * sizeof(float)) == 0 &&
           sinew_row_stride(rows->weight_offset, rows->weight_counts) == rows->stride;
}

static bool has_valid_size(const sinew_coder *c, const sinew_rows *rows) {
    if (rows->key_count < 2 || rows->stride == 0) return false;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) return has_valid_weights(rows);
    return rows->stride % (SINEW_LANES * sizeof(uint16_t)) == 0;
}

static void check_row_floats(sinew_coder *c, const sinew_rows *rows) {
    const bool is_compressed = c->clip->key_format == SINEW_KEYS_COMPRESSED;
    const size_t size = is_compressed ? rows->weight_offset : rows->stride;
    if (c->clip->key_format == SINEW_KEYS_U16) return;
    for (int32_t k = 0; k < rows->key_count && size > 0; k++) {
        const char *row = rows->keys + (size_t)k * rows->stride;
        sinew_code_check_floats(c, (const float *)(const void *)row, size / sizeof(float));
    }
}

// Checks rows that were read, and computes what is not stored.
static void complete_rows(sinew_coder *c, sinew_rows *rows) {
    sinew_code_check(c, has_valid_size(c, rows), "a row has a wrong size");
    if (!sinew_coder_loads(c)) return;
    sinew_timeline timeline = {rows->times, rows->key_count, 1, false};
    sinew_code_check(c, are_times_valid(&timeline), "key times are not increasing");
    if (!sinew_coder_loads(c)) return;
    rows->keys_a_second = sinew_key_rate(&timeline);
    rows->uniform = sinew_has_uniform_times(&timeline);
    check_row_floats(c, rows);
}

static void code_weight_counts(sinew_coder *c, sinew_weight_counts *counts) {
    counts->words = (uint8_t)sinew_code_choice(c, counts->words, SINEW_MAX_MODES + 1);
    counts->bytes = (uint8_t)sinew_code_choice(c, counts->bytes, SINEW_MAX_MODES + 1);
}

static void code_rows(sinew_coder *c, void *element) {
    sinew_rows *rows = (sinew_rows *)element;
    uint32_t stride = (uint32_t)rows->stride;
    sinew_code_count(c, &rows->key_count);
    sinew_code_u32(c, &stride);
    if ((uint64_t)rows->key_count * stride > SIZE_MAX) sinew_code_damaged(c, "a size is too large");
    rows->stride = stride;
    size_t size = (size_t)rows->key_count * stride;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        sinew_code_u32(c, &rows->weight_offset);
        for (int i = 0; i < SINEW_GROUPS; i++) code_weight_counts(c, &rows->weight_counts[i]);
    }
    SINEW_CODE_SMALL(c, rows->times, const float, rows->key_count);
    SINEW_CODE_ARRAY(c, rows->keys, char, size);
    if (sinew_coder_loads(c)) complete_rows(c, rows);
}

// ---- Strips --------------------------------------------------------------------------------------------------

static void code_pairs(sinew_coder *c, sinew_modes *modes) {
    modes->pairs = (uint8_t)sinew_code_choice(c, modes->pairs, SINEW_MAX_MODES / 2 + 1);
    modes->word_pairs = (uint8_t)sinew_code_choice(c, modes->word_pairs, modes->pairs + 1);
}

// Whether a strip's arrays are in the memory of the clip's modes, with what kernels read beyond them.
static bool are_modes_valid(const sinew_coder *c, const sinew_modes *modes, uint32_t offset, int32_t width) {
    const uint64_t end = (uint64_t)offset + sinew_mode_floats(modes, width) + SINEW_MODES_OVERREAD;
    if (offset < (uint32_t)width * modes->constant_count) return false;
    return (modes->lanes & modes->constant_lanes) == 0 && (modes->lanes | modes->constant_lanes) != 0 &&
           (modes->lanes != 0) == (modes->pairs != 0) && end <= c->clip_data->mode_floats;
}

// Whether rotations are unit, but for rounding: kernels do not normalize what the centers of modes turn.
static bool are_unit(const float *rotations, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        float square = 0.0f;
        for (size_t i = 0; i < 4; i++) square += rotations[i * lanes + l] * rotations[i * lanes + l];
        if (!(square > 0.999f && square < 1.001f)) return false;
    }
    return true;
}

// The constants, scales and means follow each other.
static void check_mode_floats(sinew_coder *c, const sinew_modes *modes, int32_t width) {
    const sinew_mode_arrays arrays = sinew_mode_arrays_of(modes, width);
    const float *end = arrays.means + (size_t)width * modes->lane_count;
    sinew_code_check_floats(c, arrays.constants, (size_t)(end - arrays.constants));
    if (width == 4 && sinew_coder_loads(c))
        sinew_code_check(c, are_unit(arrays.means, modes->lane_count), "a center is not a rotation");
}

// Codes the modes of a strip. Its arrays are in the memory that its clip has for all of them.
static void code_modes(sinew_coder *c, sinew_strip *strip, sinew_channel_target target) {
    sinew_modes modes = {0}, *to = (sinew_modes *)sinew_code_memory(c, 1, sizeof *to);
    const float *memory = c->clip_data->mode_memory;
    uint32_t offset = 0;
    assert(strip->modes || !sinew_coder_writes(c));
    if (sinew_coder_writes(c)) modes = *strip->modes, offset = (uint32_t)(modes.memory - memory);
    const int32_t width = sinew_target_width(target);
    modes.lanes = (uint16_t)sinew_code_choice(c, modes.lanes, UINT16_MAX + 1);
    modes.constant_lanes = (uint16_t)sinew_code_choice(c, modes.constant_lanes, UINT16_MAX + 1);
    modes.lane_count = (uint8_t)sinew_lane_rank(modes.lanes, SINEW_LANES);
    modes.constant_count = (uint8_t)sinew_lane_rank(modes.constant_lanes, SINEW_LANES);
    code_pairs(c, &modes);
    modes.first_weight = (uint16_t)sinew_code_choice(c, modes.first_weight, UINT16_MAX + 1);
    sinew_code_bool(c, &modes.slerps);
    sinew_code_u32(c, &offset);
    if (c->failed || sinew_coder_writes(c)) return;
    sinew_code_check(c, are_modes_valid(c, &modes, offset, width),
                     "the modes of a strip are outside of their memory");
    if (memory && !c->failed) {
        modes.memory = memory + offset;
        check_mode_floats(c, &modes, width);
    }
    if (to) *to = modes;
    strip->modes = to;
}

static void code_strip(sinew_coder *c, sinew_strip *strip, sinew_channel_target target) {
    sinew_code_i32(c, &strip->rows);
    sinew_code_u32(c, &strip->offset);
    int32_t mask = sinew_code_choice(c, strip->mask, UINT16_MAX + 1);
    strip->mask = (uint16_t)mask;
    strip->interpolation = (uint8_t)sinew_code_choice(c, strip->interpolation, SINEW_INTERPOLATION_CUBICSPLINE + 1);
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        bool has_modes = strip->modes != NULL;
        sinew_code_bool(c, &has_modes);
        if (has_modes && !c->failed) code_modes(c, strip, target);
    }
    if (strip->rows == SINEW_ON_TRACKS) sinew_code_u32(c, &strip->track_values);
    if (strip->rows == SINEW_ON_TRACKS || c->clip->key_format != SINEW_KEYS_U16) return;
    size_t count = sinew_coder_planes(strip, target) * 2 * SINEW_LANES;
    SINEW_CODE_ARRAY(c, strip->ranges, float, count);
    sinew_code_check_floats(c, strip->ranges, count);
}

// The strips of each group are a range, and all strips are in one.
static void check_group_strips(sinew_coder *c, const int32_t *bounds, size_t group_count) {
    if (sinew_coder_writes(c) || c->failed) return;
    bool valid = bounds[0] == 0;
    for (size_t g = 0; g < group_count; g++) valid = valid && bounds[g] <= bounds[g + 1];
    if (!valid) sinew_code_damaged(c, "its strips are not in order");
}

static void code_strips(sinew_coder *c, sinew_clip_data *data, size_t group_count) {
    SINEW_CODE_SMALL(c, data->group_strips, const int32_t, group_count + 1);
    check_group_strips(c, data->group_strips, group_count);
    if (c->failed) return;
    const int32_t *bounds = data->group_strips;
    sinew_strip *to = (sinew_strip *)sinew_code_memory(c, (size_t)bounds[group_count], sizeof *to);
    for (size_t g = 0; g < group_count; g++) {
        for (int32_t i = bounds[g]; i < bounds[g + 1] && !c->failed; i++) {
            sinew_strip strip = {0};
            if (sinew_coder_writes(c)) strip = data->strips[i];
            code_strip(c, &strip, sinew_coder_group_target(data, g));
            if (to) to[i] = strip;
        }
    }
    if (to) data->strips = to;
}

// ---- Tracks --------------------------------------------------------------------------------------------------

// A float represents each number of buckets up to this, as sinew_tracks_bucket needs.
#define MAX_BUCKETS (1 << 24)

static void code_tracks(sinew_coder *c, sinew_tracks *tracks) {
    sinew_code_count(c, &tracks->bucket_count);
    if (tracks->bucket_count == 0) return;
    uint32_t stride = (uint32_t)tracks->stride;
    sinew_code_u32(c, &stride);
    sinew_code_u32(c, &tracks->key_count);
    sinew_code_u32(c, &tracks->value_count);
    sinew_code_float(c, &tracks->buckets_a_second);
    bool valid = tracks->bucket_count <= MAX_BUCKETS && stride > 0 && stride % SINEW_LANES == 0 &&
                 (uint64_t)tracks->bucket_count * stride <= SIZE_MAX / sizeof(uint32_t) &&
                 tracks->value_count <= UINT32_MAX - SINEW_TRACK_OVERREAD;
    if (!valid) sinew_code_damaged(c, "its tracks have a wrong size");
    if (c->failed) return;
    tracks->stride = stride;
    const size_t values = (size_t)tracks->value_count + SINEW_TRACK_OVERREAD;
    SINEW_CODE_ARRAY(c, tracks->times, const float, tracks->key_count);
    SINEW_CODE_ARRAY(c, tracks->values, const float, values);
    SINEW_CODE_ARRAY(c, tracks->starts, const uint32_t, (size_t)sinew_tracks_chapters(tracks) * stride);
    SINEW_CODE_ARRAY(c, tracks->index, const uint8_t, (size_t)tracks->bucket_count *stride);
    sinew_code_check_floats(c, tracks->times, tracks->key_count);
    sinew_code_check_floats(c, tracks->values, values);
}

// ---- Exact ends ----------------------------------------------------------------------------------------------

static void code_end(sinew_coder *c, void *element) {
    sinew_exact_end *end = (sinew_exact_end *)element;
    sinew_code_index(c, &end->node, c->asset->skeleton->node_count);
    SINEW_CODE_ENUM(c, end->target, sinew_channel_target, SINEW_TARGET_ROTATION + 1);
    sinew_code_floats(c, end->first, 4);
    sinew_code_floats(c, end->last, 4);
    if (!sinew_coder_loads(c) || end->target != SINEW_TARGET_ROTATION) return;
    sinew_code_check(c, are_unit(end->first, 1) && are_unit(end->last, 1), "an end is not a rotation");
}

// ---- Timelines and channels ----------------------------------------------------------------------------------

// The rows of a timeline, or -1: its times are on tracks.
static int32_t find_rows(const sinew_clip_data *data, const sinew_timeline *timeline) {
    for (int32_t r = 0; r < data->row_count; r++)
        if (data->rows[r].times == timeline->times) return r;
    return -1;
}

// Refers a timeline that was read to the times of its rows, or to those of keys on tracks.
static void complete_timeline(sinew_coder *c, sinew_timeline *timeline, int32_t row, uint32_t first) {
    const sinew_clip_data *data = c->clip_data;
    if (row >= 0) {
        bool equal = timeline->key_count == data->rows[row].key_count && timeline->stride == 1;
        sinew_code_check(c, equal, "a timeline differs from its rows");
        timeline->times = data->rows[row].times;
        timeline->uniform = data->rows[row].uniform;
        return;
    }
    uint64_t end = first + (uint64_t)(timeline->key_count - 1) * (uint64_t)timeline->stride;
    bool valid = timeline->key_count > 0 && timeline->stride > 0 && end < data->tracks.key_count;
    sinew_code_check(c, valid, "a timeline is outside of its tracks");
    if (!sinew_coder_loads(c)) return;
    timeline->times = data->tracks.times + first;
    sinew_code_check(c, are_times_valid(timeline), "key times are not increasing");
    timeline->uniform = sinew_has_uniform_times(timeline);
}

static void code_timeline(sinew_coder *c, void *element) {
    sinew_timeline *timeline = (sinew_timeline *)element;
    int32_t row = sinew_coder_writes(c) ? find_rows(c->clip_data, timeline) : 0;
    uint32_t first = row < 0 ? (uint32_t)(timeline->times - c->clip_data->tracks.times) : 0;
    sinew_code_count(c, &timeline->key_count);
    sinew_code_count(c, &timeline->stride);
    sinew_code_index_or_none(c, &row, c->clip_data->row_count);
    sinew_code_u32(c, &first);
    if (sinew_coder_loads(c)) complete_timeline(c, timeline, row, first);
}

static void code_channel(sinew_coder *c, void *element) {
    sinew_channel *channel = (sinew_channel *)element;
    const sinew_skeleton *skeleton = c->asset->skeleton;
    SINEW_CODE_ENUM(c, channel->target, sinew_channel_target, SINEW_TARGET_CURVE + 1);
    const bool is_curve = channel->target == SINEW_TARGET_CURVE;
    sinew_code_index(c, &channel->node, is_curve ? skeleton->curve_count : skeleton->node_count);
    SINEW_CODE_ENUM(c, channel->interpolation, sinew_interpolation, SINEW_INTERPOLATION_CUBICSPLINE + 1);
    sinew_code_count(c, &channel->key_count);
    sinew_code_index_or_none(c, &channel->timeline, c->clip->timeline_count);
}

static void code_marker(sinew_coder *c, void *element) {
    sinew_marker *marker = (sinew_marker *)element;
    sinew_code_string(c, &marker->name);
    sinew_code_float(c, &marker->time);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The values without channels.
static void code_base(sinew_coder *c, sinew_clip_data *data) {
    const sinew_skeleton *skeleton = c->asset->skeleton;
    size_t blocks = sinew_node_blocks(skeleton), weights = sinew_padded(sinew_value_count(skeleton));
    bool shares_base = sinew_coder_writes(c) && data->base == sinew_skeleton_rest(skeleton)->base;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) sinew_code_bool(c, &shares_base);
    if (shares_base) {
        data->base = sinew_skeleton_rest(skeleton)->base;
    } else {
        SINEW_CODE_ARRAY(c, data->base, const sinew_block, blocks);
    }
    SINEW_CODE_ARRAY(c, data->base_weights, const float, weights);
    SINEW_CODE_SMALL(c, data->wraps, const uint16_t, blocks);
    sinew_code_check_floats(c, data->base ? data->base->lane[0] : NULL, blocks * SINEW_PLANES * SINEW_LANES);
    sinew_code_check_floats(c, data->base_weights, weights);
}

// The kernels' description of the groups, which is not stored.
static void describe_groups(sinew_coder *c, sinew_clip_data *data, size_t group_count) {
    size_t blocks = sinew_node_blocks(c->asset->skeleton);
    sinew_group *groups = (sinew_group *)sinew_code_memory(c, group_count, sizeof *groups);
    uint8_t *fast_paths = (uint8_t *)sinew_code_memory(c, blocks, sizeof *fast_paths);
    if (!groups || !fast_paths) return;
    sinew_clip_describe_groups(data, c->clip->key_format, group_count, groups, fast_paths);
    data->groups = groups;
    data->fast_paths = fast_paths;
}

static void code_data(sinew_coder *c, sinew_clip_data *data) {
    size_t group_count = sinew_group_count(c->asset->skeleton);
    data->node_groups = (int32_t)(SINEW_GROUPS * sinew_node_blocks(c->asset->skeleton));
    code_base(c, data);
    sinew_code_count(c, &data->row_count);
    SINEW_CODE_STRUCTS(c, data->rows, sinew_rows, data->row_count, code_rows);
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        sinew_code_u32(c, &data->mode_floats);
        SINEW_CODE_ARRAY(c, data->mode_memory, const float, data->mode_floats);
    }
    code_strips(c, data, group_count);
    code_tracks(c, &data->tracks);
    if (c->clip->key_format != SINEW_KEYS_FLOAT) {
        sinew_code_count(c, &data->end_count);
        SINEW_CODE_STRUCTS(c, data->ends, sinew_exact_end, data->end_count, code_end);
    }
    describe_groups(c, data, group_count);
}

static void code_head(sinew_coder *c, sinew_clip *clip) {
    sinew_code_string(c, &clip->name);
    sinew_code_float(c, &clip->duration);
    SINEW_CODE_ENUM(c, clip->key_format, sinew_key_format, SINEW_KEYS_COMPRESSED + 1);
    sinew_code_float(c, &clip->max_error);
    sinew_code_count(c, &clip->filled_key_count);
    sinew_code_count(c, &clip->timeline_count);
    sinew_code_count(c, &clip->channel_count);
    sinew_code_count(c, &clip->marker_count);
}

// Refuses key formats that are not part of this build.
static void check_format(sinew_coder *c, const sinew_clip *clip) {
    const char *missing = NULL;
    (void)clip;
#ifdef SINEW_NO_KEYS_U16
    if (clip->key_format == SINEW_KEYS_U16) missing = "SINEW_KEYS_U16 is not part of this build";
#endif
#ifdef SINEW_NO_COMPRESSION
    if (clip->key_format == SINEW_KEYS_COMPRESSED) missing = "SINEW_KEYS_COMPRESSED is not part of this build";
#endif
    if (c->failed || !missing) return;
    c->failed = true;
    sinew_fail(c->error, SINEW_ERROR_UNSUPPORTED, "%s", missing);
}

void sinew_code_clip(sinew_coder *c, void *element) {
    sinew_clip *clip = (sinew_clip *)element;
    const size_t bytes = c->bytes;
    sinew_clip_data data = {0}, *to = (sinew_clip_data *)sinew_code_memory(c, 1, sizeof *to);
    if (sinew_coder_writes(c)) data = *clip->data;
    clip->skeleton = c->asset->skeleton;
    c->clip = clip;
    c->clip_data = &data;
    code_head(c, clip);
    check_format(c, clip);
    code_data(c, &data);
    SINEW_CODE_STRUCTS(c, clip->timelines, sinew_timeline, clip->timeline_count, code_timeline);
    SINEW_CODE_STRUCTS(c, clip->channels, sinew_channel, clip->channel_count, code_channel);
    SINEW_CODE_STRUCTS(c, clip->markers, sinew_marker, clip->marker_count, code_marker);
    clip->memory = sizeof *clip + c->bytes - bytes;
    if (sinew_coder_loads(c)) sinew_code_check_clip(c);
    if (to) *to = data;
    clip->data = to;
}
