// SPDX-License-Identifier: MIT
// A baked asset's clips: the memory layout of kernels/layout.h as it is, so key rows are used without a copy.
//
// Whatever is quick to compute isn't stored: the groups, and whether timelines are uniform. baked_asset_check.c checks
// what the kernels assume.
#include "io/baked_asset_coder.h"
#include "core/clip_build.h"
#include "core/skeleton_object.h"

#include <assert.h>
#include <float.h>

// Key times must be finite, not negative, and increasing.
static bool are_times_valid(const sinew_timeline *timeline) {
    const float *time = timeline->times;
    if (!(time[0] >= 0.0f)) return false;
    for (int32_t k = 1; k < timeline->key_count; k++, time += timeline->stride)
        if (!(time[timeline->stride] > time[0])) return false;
    return time[0] <= FLT_MAX;
}

// ---- Rows ----------------------------------------------------------------------------------------------------

// A compressed clip's row has floats, then the weights of modes.
static bool has_valid_weights(const sinewi_rows *rows) {
    for (int i = 0; i < SINEWI_GROUPS; i++) {
        const sinewi_weight_counts counts = rows->weight_counts[i];
        if (counts.words % 2 != 0 || counts.bytes % 2 != 0 || counts.words + counts.bytes > SINEWI_MAX_MODES)
            return false;
    }
    return rows->weight_offset % (SINEW_LANES * sizeof(float)) == 0 &&
           sinewi_row_stride(rows->weight_offset, rows->weight_counts) == rows->stride;
}

static bool has_valid_size(const sinewi_coder *c, const sinewi_rows *rows) {
    if (rows->key_count < 2 || rows->stride == 0) return false;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) return has_valid_weights(rows);
    return rows->stride % (SINEW_LANES * sizeof(uint16_t)) == 0;
}

static void check_row_floats(sinewi_coder *c, const sinewi_rows *rows) {
    const bool is_compressed = c->clip->key_format == SINEW_KEYS_COMPRESSED;
    const size_t size = is_compressed ? rows->weight_offset : rows->stride;
    if (c->clip->key_format == SINEW_KEYS_U16) return;
    for (int32_t k = 0; k < rows->key_count && size > 0; k++) {
        const char *row = rows->keys + (size_t)k * rows->stride;
        sinewi_code_check_floats(c, (const float *)(const void *)row, size / sizeof(float));
    }
}

// Checks rows that were read, and computes what isn't stored.
static void complete_rows(sinewi_coder *c, sinewi_rows *rows) {
    sinewi_code_check(c, has_valid_size(c, rows), "a row has the wrong size");
    if (!sinewi_coder_loads(c)) return;
    sinew_timeline timeline = {rows->times, rows->key_count, 1, false};
    sinewi_code_check(c, are_times_valid(&timeline), "key times are not increasing");
    if (!sinewi_coder_loads(c)) return;
    rows->keys_a_second = sinewi_key_rate(&timeline);
    rows->uniform = sinewi_has_uniform_times(&timeline);
    check_row_floats(c, rows);
}

static void code_weight_counts(sinewi_coder *c, sinewi_weight_counts *counts) {
    counts->words = (uint8_t)sinewi_code_choice(c, counts->words, SINEWI_MAX_MODES + 1);
    counts->bytes = (uint8_t)sinewi_code_choice(c, counts->bytes, SINEWI_MAX_MODES + 1);
}

static void code_rows(sinewi_coder *c, void *element) {
    sinewi_rows *rows = (sinewi_rows *)element;
    uint32_t stride = (uint32_t)rows->stride;
    sinewi_code_count(c, &rows->key_count);
    sinewi_code_u32(c, &stride);
    if ((uint64_t)rows->key_count * stride > SIZE_MAX) sinewi_code_damaged(c, "a size is too large");
    rows->stride = stride;
    size_t size = (size_t)rows->key_count * stride;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        sinewi_code_u32(c, &rows->weight_offset);
        for (int i = 0; i < SINEWI_GROUPS; i++) code_weight_counts(c, &rows->weight_counts[i]);
    }
    SINEWI_CODE_SMALL(c, rows->times, const float, rows->key_count);
    SINEWI_CODE_ARRAY(c, rows->keys, char, size);
    if (sinewi_coder_loads(c)) complete_rows(c, rows);
}

// ---- Strips --------------------------------------------------------------------------------------------------

static void code_pairs(sinewi_coder *c, sinewi_modes *modes) {
    modes->pairs = (uint8_t)sinewi_code_choice(c, modes->pairs, SINEWI_MAX_MODES / 2 + 1);
    modes->word_pairs = (uint8_t)sinewi_code_choice(c, modes->word_pairs, modes->pairs + 1);
}

// Whether a strip's arrays lie in the memory of the clip's modes, including what kernels read beyond them.
static bool are_modes_valid(const sinewi_coder *c, const sinewi_modes *modes, uint32_t offset, int32_t width) {
    const uint64_t end = (uint64_t)offset + sinewi_mode_floats(modes, width) + SINEWI_MODES_OVERREAD;
    if (offset < (uint32_t)width * modes->constant_count) return false;
    return (modes->lanes & modes->constant_lanes) == 0 && (modes->lanes | modes->constant_lanes) != 0 &&
           (modes->lanes != 0) == (modes->pairs != 0) && end <= c->clip_data->mode_floats;
}

// Whether rotations are unit, except for rounding. Kernels don't normalize after turning the centers of modes by them.
static bool are_unit(const float *rotations, size_t lanes) {
    for (size_t l = 0; l < lanes; l++) {
        float square = 0.0f;
        for (size_t i = 0; i < 4; i++) square += rotations[i * lanes + l] * rotations[i * lanes + l];
        if (!(square > 0.999f && square < 1.001f)) return false;
    }
    return true;
}

// Checks the constants, scales and means, which follow each other.
static void check_mode_floats(sinewi_coder *c, const sinewi_modes *modes, int32_t width) {
    const sinewi_mode_arrays arrays = sinewi_mode_arrays_of(modes, width);
    const float *end = arrays.means + (size_t)width * modes->lane_count;
    sinewi_code_check_floats(c, arrays.constants, (size_t)(end - arrays.constants));
    if (width == 4 && sinewi_coder_loads(c))
        sinewi_code_check(c, are_unit(arrays.means, modes->lane_count), "a center is not a rotation");
}

// Codes a strip's modes. Its arrays are in the memory that the clip has for all of them.
static void code_modes(sinewi_coder *c, sinewi_strip *strip, sinew_channel_target target) {
    sinewi_modes modes = {0}, *to = (sinewi_modes *)sinewi_code_memory(c, 1, sizeof *to);
    const float *memory = c->clip_data->mode_memory;
    uint32_t offset = 0;
    assert(strip->modes || !sinewi_coder_writes(c));
    if (sinewi_coder_writes(c)) modes = *strip->modes, offset = (uint32_t)(modes.memory - memory);
    const int32_t width = sinewi_target_width(target);
    modes.lanes = (uint16_t)sinewi_code_choice(c, modes.lanes, UINT16_MAX + 1);
    modes.constant_lanes = (uint16_t)sinewi_code_choice(c, modes.constant_lanes, UINT16_MAX + 1);
    modes.lane_count = (uint8_t)sinewi_lane_rank(modes.lanes, SINEW_LANES);
    modes.constant_count = (uint8_t)sinewi_lane_rank(modes.constant_lanes, SINEW_LANES);
    code_pairs(c, &modes);
    modes.first_weight = (uint16_t)sinewi_code_choice(c, modes.first_weight, UINT16_MAX + 1);
    sinewi_code_bool(c, &modes.slerps);
    sinewi_code_u32(c, &offset);
    if (c->failed || sinewi_coder_writes(c)) return;
    sinewi_code_check(c, are_modes_valid(c, &modes, offset, width), "a strip's modes are outside their memory");
    if (memory && !c->failed) {
        modes.memory = memory + offset;
        check_mode_floats(c, &modes, width);
    }
    if (to) *to = modes;
    strip->modes = to;
}

static void code_strip(sinewi_coder *c, sinewi_strip *strip, sinew_channel_target target) {
    sinewi_code_i32(c, &strip->rows);
    sinewi_code_u32(c, &strip->offset);
    int32_t mask = sinewi_code_choice(c, strip->mask, UINT16_MAX + 1);
    strip->mask = (uint16_t)mask;
    strip->interpolation =
        (uint8_t)sinewi_code_choice(c, strip->interpolation, SINEW_INTERPOLATION_CUBICSPLINE + 1);
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        bool has_modes = strip->modes != NULL;
        sinewi_code_bool(c, &has_modes);
        if (has_modes && !c->failed) code_modes(c, strip, target);
    }
    if (strip->rows == SINEWI_ON_TRACKS) sinewi_code_u32(c, &strip->track_values);
    if (strip->rows == SINEWI_ON_TRACKS || c->clip->key_format != SINEW_KEYS_U16) return;
    size_t count = sinewi_coder_planes(strip, target) * 2 * SINEW_LANES;
    SINEWI_CODE_ARRAY(c, strip->ranges, float, count);
    sinewi_code_check_floats(c, strip->ranges, count);
}

// Checks that each group's strips are a range, and that every strip is in one.
static void check_group_strips(sinewi_coder *c, const int32_t *bounds, size_t group_count) {
    if (sinewi_coder_writes(c) || c->failed) return;
    bool valid = bounds[0] == 0;
    for (size_t g = 0; g < group_count; g++) valid = valid && bounds[g] <= bounds[g + 1];
    if (!valid) sinewi_code_damaged(c, "its strips are not in order");
}

static void code_strips(sinewi_coder *c, sinew_clip_data *data, size_t group_count) {
    SINEWI_CODE_SMALL(c, data->group_strips, const int32_t, group_count + 1);
    check_group_strips(c, data->group_strips, group_count);
    if (c->failed) return;
    const int32_t *bounds = data->group_strips;
    sinewi_strip *to = (sinewi_strip *)sinewi_code_memory(c, (size_t)bounds[group_count], sizeof *to);
    for (size_t g = 0; g < group_count; g++) {
        for (int32_t i = bounds[g]; i < bounds[g + 1] && !c->failed; i++) {
            sinewi_strip strip = {0};
            if (sinewi_coder_writes(c)) strip = data->strips[i];
            code_strip(c, &strip, sinewi_coder_group_target(data, g));
            if (to) to[i] = strip;
        }
    }
    if (to) data->strips = to;
}

// ---- Tracks --------------------------------------------------------------------------------------------------

// A float represents every bucket number up to this exactly. sinewi_tracks_bucket needs that.
#define MAX_BUCKETS (1 << 24)

static void code_tracks(sinewi_coder *c, sinewi_tracks *tracks) {
    sinewi_code_count(c, &tracks->bucket_count);
    if (tracks->bucket_count == 0) return;
    uint32_t stride = (uint32_t)tracks->stride;
    sinewi_code_u32(c, &stride);
    sinewi_code_u32(c, &tracks->key_count);
    sinewi_code_u32(c, &tracks->value_count);
    sinewi_code_float(c, &tracks->buckets_a_second);
    bool valid = tracks->bucket_count <= MAX_BUCKETS && stride > 0 && stride % SINEW_LANES == 0 &&
                 (uint64_t)tracks->bucket_count * stride <= SIZE_MAX / sizeof(uint32_t) &&
                 tracks->value_count <= UINT32_MAX - SINEWI_TRACK_OVERREAD;
    if (!valid) sinewi_code_damaged(c, "its tracks have the wrong size");
    if (c->failed) return;
    tracks->stride = stride;
    const size_t values = (size_t)tracks->value_count + SINEWI_TRACK_OVERREAD;
    SINEWI_CODE_ARRAY(c, tracks->times, const float, tracks->key_count);
    SINEWI_CODE_ARRAY(c, tracks->values, const float, values);
    SINEWI_CODE_ARRAY(c, tracks->starts, const uint32_t, (size_t)sinewi_tracks_chapters(tracks) * stride);
    SINEWI_CODE_ARRAY(c, tracks->index, const uint8_t, (size_t)tracks->bucket_count *stride);
    sinewi_code_check_floats(c, tracks->times, tracks->key_count);
    sinewi_code_check_floats(c, tracks->values, values);
}

// ---- Exact ends ----------------------------------------------------------------------------------------------

static void code_end(sinewi_coder *c, void *element) {
    sinewi_exact_end *end = (sinewi_exact_end *)element;
    sinewi_code_index(c, &end->node, c->asset->skeleton->node_count);
    SINEWI_CODE_ENUM(c, end->target, sinew_channel_target, SINEW_TARGET_ROTATION + 1);
    sinewi_code_floats(c, end->first, 4);
    sinewi_code_floats(c, end->last, 4);
    if (!sinewi_coder_loads(c) || end->target != SINEW_TARGET_ROTATION) return;
    sinewi_code_check(c, are_unit(end->first, 1) && are_unit(end->last, 1), "an end is not a rotation");
}

// ---- Timelines and channels ----------------------------------------------------------------------------------

// The rows of a timeline, or -1 if its times are on tracks.
static int32_t find_rows(const sinew_clip_data *data, const sinew_timeline *timeline) {
    for (int32_t r = 0; r < data->row_count; r++)
        if (data->rows[r].times == timeline->times) return r;
    return -1;
}

// Points a timeline that was read to its rows' times, or to the times of keys on tracks.
static void complete_timeline(sinewi_coder *c, sinew_timeline *timeline, int32_t row, uint32_t first) {
    const sinew_clip_data *data = c->clip_data;
    if (row >= 0) {
        bool equal = timeline->key_count == data->rows[row].key_count && timeline->stride == 1;
        sinewi_code_check(c, equal, "a timeline does not match its rows");
        timeline->times = data->rows[row].times;
        timeline->uniform = data->rows[row].uniform;
        return;
    }
    uint64_t end = first + (uint64_t)(timeline->key_count - 1) * (uint64_t)timeline->stride;
    bool valid = timeline->key_count > 0 && timeline->stride > 0 && end < data->tracks.key_count;
    sinewi_code_check(c, valid, "a timeline is outside its tracks");
    if (!sinewi_coder_loads(c)) return;
    timeline->times = data->tracks.times + first;
    sinewi_code_check(c, are_times_valid(timeline), "key times are not increasing");
    timeline->uniform = sinewi_has_uniform_times(timeline);
}

static void code_timeline(sinewi_coder *c, void *element) {
    sinew_timeline *timeline = (sinew_timeline *)element;
    int32_t row = sinewi_coder_writes(c) ? find_rows(c->clip_data, timeline) : 0;
    uint32_t first = row < 0 ? (uint32_t)(timeline->times - c->clip_data->tracks.times) : 0;
    sinewi_code_count(c, &timeline->key_count);
    sinewi_code_count(c, &timeline->stride);
    sinewi_code_index_or_none(c, &row, c->clip_data->row_count);
    sinewi_code_u32(c, &first);
    if (sinewi_coder_loads(c)) complete_timeline(c, timeline, row, first);
}

static void code_channel(sinewi_coder *c, void *element) {
    sinew_channel *channel = (sinew_channel *)element;
    const sinew_skeleton *skeleton = c->asset->skeleton;
    SINEWI_CODE_ENUM(c, channel->target, sinew_channel_target, SINEW_TARGET_CURVE + 1);
    const bool is_curve = channel->target == SINEW_TARGET_CURVE;
    sinewi_code_index(c, &channel->node, is_curve ? skeleton->curve_count : skeleton->node_count);
    SINEWI_CODE_ENUM(c, channel->interpolation, sinew_interpolation, SINEW_INTERPOLATION_CUBICSPLINE + 1);
    sinewi_code_count(c, &channel->key_count);
    sinewi_code_index_or_none(c, &channel->timeline, c->clip->timeline_count);
}

static void code_marker(sinewi_coder *c, void *element) {
    sinew_marker *marker = (sinew_marker *)element;
    sinewi_code_string(c, &marker->name);
    sinewi_code_float(c, &marker->time);
}

// ---- Clips ---------------------------------------------------------------------------------------------------

// The values without channels.
static void code_base(sinewi_coder *c, sinew_clip_data *data) {
    const sinew_skeleton *skeleton = c->asset->skeleton;
    size_t blocks = sinewi_node_blocks(skeleton), weights = sinewi_padded(sinewi_value_count(skeleton));
    bool shares_base = sinewi_coder_writes(c) && data->base == sinewi_skeleton_rest(skeleton)->base;
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) sinewi_code_bool(c, &shares_base);
    if (shares_base) {
        data->base = sinewi_skeleton_rest(skeleton)->base;
    } else {
        SINEWI_CODE_ARRAY(c, data->base, const sinewi_block, blocks);
    }
    SINEWI_CODE_ARRAY(c, data->base_weights, const float, weights);
    SINEWI_CODE_SMALL(c, data->wraps, const uint16_t, blocks);
    sinewi_code_check_floats(c, data->base ? data->base->lane[0] : NULL, blocks * SINEWI_PLANES * SINEW_LANES);
    sinewi_code_check_floats(c, data->base_weights, weights);
}

// The kernels' description of the groups, which isn't stored.
static void describe_groups(sinewi_coder *c, sinew_clip_data *data, size_t group_count) {
    size_t blocks = sinewi_node_blocks(c->asset->skeleton);
    sinewi_group *groups = (sinewi_group *)sinewi_code_memory(c, group_count, sizeof *groups);
    uint8_t *fast_paths = (uint8_t *)sinewi_code_memory(c, blocks, sizeof *fast_paths);
    if (!groups || !fast_paths) return;
    sinewi_clip_describe_groups(data, c->clip->key_format, group_count, groups, fast_paths);
    data->groups = groups;
    data->fast_paths = fast_paths;
}

static void code_data(sinewi_coder *c, sinew_clip_data *data) {
    size_t group_count = sinewi_group_count(c->asset->skeleton);
    data->node_groups = (int32_t)(SINEWI_GROUPS * sinewi_node_blocks(c->asset->skeleton));
    code_base(c, data);
    sinewi_code_count(c, &data->row_count);
    SINEWI_CODE_STRUCTS(c, data->rows, sinewi_rows, data->row_count, code_rows);
    if (c->clip->key_format == SINEW_KEYS_COMPRESSED) {
        sinewi_code_u32(c, &data->mode_floats);
        SINEWI_CODE_ARRAY(c, data->mode_memory, const float, data->mode_floats);
    }
    code_strips(c, data, group_count);
    code_tracks(c, &data->tracks);
    if (c->clip->key_format != SINEW_KEYS_FLOAT) {
        sinewi_code_count(c, &data->end_count);
        SINEWI_CODE_STRUCTS(c, data->ends, sinewi_exact_end, data->end_count, code_end);
    }
    describe_groups(c, data, group_count);
}

static void code_head(sinewi_coder *c, sinew_clip *clip) {
    sinewi_code_string(c, &clip->name);
    sinewi_code_float(c, &clip->duration);
    SINEWI_CODE_ENUM(c, clip->key_format, sinew_key_format, SINEW_KEYS_COMPRESSED + 1);
    sinewi_code_float(c, &clip->max_error);
    sinewi_code_count(c, &clip->filled_key_count);
    sinewi_code_count(c, &clip->timeline_count);
    sinewi_code_count(c, &clip->channel_count);
    sinewi_code_count(c, &clip->marker_count);
}

// Rejects key formats that this build doesn't include.
static void check_format(sinewi_coder *c, const sinew_clip *clip) {
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
    sinewi_fail(c->error, SINEW_ERROR_UNSUPPORTED, "%s", missing);
}

void sinewi_code_clip(sinewi_coder *c, void *element) {
    sinew_clip *clip = (sinew_clip *)element;
    const size_t bytes = c->bytes;
    sinew_clip_data data = {0}, *to = (sinew_clip_data *)sinewi_code_memory(c, 1, sizeof *to);
    if (sinewi_coder_writes(c)) data = *clip->data;
    clip->skeleton = c->asset->skeleton;
    c->clip = clip;
    c->clip_data = &data;
    code_head(c, clip);
    check_format(c, clip);
    code_data(c, &data);
    SINEWI_CODE_STRUCTS(c, clip->timelines, sinew_timeline, clip->timeline_count, code_timeline);
    SINEWI_CODE_STRUCTS(c, clip->channels, sinew_channel, clip->channel_count, code_channel);
    SINEWI_CODE_STRUCTS(c, clip->markers, sinew_marker, clip->marker_count, code_marker);
    clip->memory = sizeof *clip + c->bytes - bytes;
    if (sinewi_coder_loads(c)) sinewi_code_check_clip(c);
    if (to) *to = data;
    clip->data = to;
}
