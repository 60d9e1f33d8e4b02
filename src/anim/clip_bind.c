// A clip of one skeleton on another: its channels read back from their rows, and built again by node name.
#include "anim/clip_build.h"
#include "base/fail.h"
#include "base/memory.h"

#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------------------

// Nodes of the target by name: chains of a hash table, the first node of a name first.
typedef struct name_table {
    const sinew_skeleton *skeleton;
    int32_t *buckets;
    int32_t *next;
    uint32_t bucket_count; // a power of two
} name_table;

static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u; // FNV-1a
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash ^ hash >> 15;
}

static bool name_table_make(name_table *table, const sinew_skeleton *skeleton, sinew_arena *scratch) {
    size_t count = (size_t)skeleton->node_count;
    *table = (name_table){.skeleton = skeleton, .bucket_count = 16};
    while (table->bucket_count < count) table->bucket_count *= 2;
    table->buckets = sinew_arena_array(scratch, int32_t, table->bucket_count);
    table->next = sinew_arena_array(scratch, int32_t, count);
    if (!table->buckets || !table->next) return false;
    for (uint32_t i = 0; i < table->bucket_count; i++) table->buckets[i] = SINEW_NO_NODE;
    for (int32_t i = skeleton->node_count - 1; i >= 0; i--) {
        int32_t *bucket = &table->buckets[hash_name(skeleton->names[i]) & (table->bucket_count - 1)];
        table->next[i] = *bucket;
        *bucket = i;
    }
    return true;
}

static int32_t name_table_find(const name_table *table, const char *name) {
    if (name[0] == '\0') return SINEW_NO_NODE;
    int32_t i = table->buckets[hash_name(name) & (table->bucket_count - 1)];
    while (i != SINEW_NO_NODE && strcmp(table->skeleton->names[i], name) != 0) i = table->next[i];
    return i;
}

// ---- Reading channels back -----------------------------------------------------------------------------------

static int32_t weight_count(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

static int32_t channel_width(const sinew_clip *clip, const sinew_channel *channel) {
    return sinew_channel_width(clip->skeleton, channel->node, channel->path);
}

static void read_constant(const sinew_clip *clip, const sinew_channel *channel, float *value) {
    const sinew_clip_data *data = clip->data;
    int32_t width = channel_width(clip, channel);
    if (channel->path == SINEW_PATH_WEIGHTS) {
        const float *from = data->base_weights + clip->skeleton->weight_offsets[channel->node];
        memcpy(value, from, (size_t)width * sizeof(float));
        return;
    }
    const sinew_block *block = &data->base[channel->node / SINEW_LANES];
    int32_t plane = sinew_path_plane(channel->path);
    for (int32_t i = 0; i < width; i++) value[i] = block->lane[plane + i][channel->node % SINEW_LANES];
}

static const sinew_strip *strip_at(const sinew_clip *clip, const sinew_channel *channel, sinew_spot at) {
    const sinew_strip *strip = &clip->data->strips[clip->data->group_strips[at.group]];
    while (strip->interpolation != (uint8_t)channel->interpolation || !(strip->mask >> at.lane & 1)) {
        strip++; // building the clip put it there
    }
    return strip;
}

// Of a key with this time, the `plane`-th float in one lane.
static float read_track_key(const sinew_tracks *tracks, const sinew_strip *strip, int32_t lane, float time,
                            size_t plane, size_t planes) {
    const float *row = tracks->rows + (size_t)sinew_tracks_bucket(tracks, time) * tracks->stride;
    const float *times = row + strip->offset / sizeof(float) + lane + SINEW_LANES;
    size_t which = 0;
    while (times[which * SINEW_LANES] != time) which++; // every key is in the row of its bucket
    return times[(SINEW_TRACK_KEYS + which * planes + plane) * SINEW_LANES];
}

static float read_row_key(const sinew_rows *rows, const sinew_strip *strip, int32_t lane, int32_t k, size_t plane) {
    const char *row = rows->keys + (size_t)k * rows->stride + strip->offset;
    size_t at = plane * SINEW_LANES + (size_t)lane;
    if (!strip->ranges) return ((const float *)(const void *)row)[at];
    const float *low = strip->ranges + 2 * plane * SINEW_LANES + lane;
    return low[0] + (float)((const uint16_t *)(const void *)row)[at] * low[SINEW_LANES];
}

static void read_moving(const sinew_clip *clip, const sinew_channel *channel, float *values) {
    int32_t width = channel_width(clip, channel), parts = sinew_parts(channel->interpolation);
    bool weights = channel->path == SINEW_PATH_WEIGHTS; // each in a lane of its own
    const float *times = clip->timelines[channel->timeline].times;
    size_t planes = (size_t)(weights ? parts : width * parts);
    for (int32_t component = 0; component < width; component++) {
        sinew_spot at = sinew_spot_of(clip->skeleton, channel->node, channel->path, component);
        const sinew_strip *strip = strip_at(clip, channel, at);
        for (int32_t k = 0; k < channel->key_count; k++) {
            for (int32_t part = 0; part < parts; part++) {
                size_t plane = (size_t)(weights ? part : part * width + component);
                values[(k * parts + part) * width + component] =
                    strip->rows == SINEW_ON_TRACKS
                        ? read_track_key(&clip->data->tracks, strip, at.lane, times[k], plane, planes)
                        : read_row_key(&clip->data->rows[strip->rows], strip, at.lane, k, plane);
            }
        }
    }
}

// A channel as sinew_clip_create takes it, with its values in the scratch arena; false when memory runs out.
static bool read_channel(const sinew_clip *clip, const sinew_channel *channel, int32_t node, sinew_arena *scratch,
                         sinew_channel_def *out) {
    static const float start = 0.0f;
    bool moves = channel->timeline >= 0;
    bool cubic = moves && channel->interpolation == SINEW_CUBICSPLINE;
    int32_t key_count = moves ? channel->key_count : 1;
    size_t count = (size_t)channel_width(clip, channel) * (cubic ? 3 : 1);
    float *values = (float *)sinew_arena_take(scratch, (size_t)key_count, count * sizeof(float), sizeof(float));
    if (!values) return false;
    if (moves) {
        read_moving(clip, channel, values);
    } else {
        read_constant(clip, channel, values);
    }
    *out = (sinew_channel_def){
        .node = node,
        .path = channel->path,
        .interpolation = moves ? channel->interpolation : SINEW_STEP,
        .key_count = key_count,
        .times = moves ? clip->timelines[channel->timeline].times : &start,
        .values = values,
    };
    return true;
}

// ---- Binding -------------------------------------------------------------------------------------------------

static void report_lost(sinew_bind_report *report, const char *name, bool first_of_node) {
    report->lost_channels++;
    if (!first_of_node) return;
    int32_t room = (int32_t)(sizeof report->lost_names / sizeof *report->lost_names);
    if (report->lost_names_count < room) report->lost_names[report->lost_names_count] = name;
    report->lost_names_count++;
}

// Several nodes of the clip may share a name; the first of them has it on the target.
static bool is_taken(uint8_t *taken, int32_t node, sinew_path path) {
    uint8_t bit = (uint8_t)(1u << path);
    bool was = (taken[node] & bit) != 0;
    taken[node] |= bit;
    return was;
}

static sinew_result bind(const sinew_clip *clip, const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                         sinew_arena *scratch, sinew_clip **bound, sinew_bind_report *report, sinew_error *error) {
    name_table table;
    size_t channel_count = (size_t)clip->channel_count;
    sinew_channel_def *channels = sinew_arena_array(scratch, sinew_channel_def, channel_count);
    uint8_t *taken = sinew_arena_zeros(scratch, uint8_t, (size_t)skeleton->node_count);
    if (!channels || !taken || !name_table_make(&table, skeleton, scratch)) return sinew_fail_memory(error);

    int32_t last_lost = SINEW_NO_NODE;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const char *name = clip->skeleton->names[channel->node];
        int32_t node = name_table_find(&table, name);
        bool fits = node != SINEW_NO_NODE && (channel->path != SINEW_PATH_WEIGHTS ||
                                              weight_count(skeleton, node) == channel_width(clip, channel));
        if (!fits || is_taken(taken, node, channel->path)) {
            report_lost(report, name, last_lost != channel->node);
            last_lost = channel->node;
            continue;
        }
        if (!read_channel(clip, channel, node, scratch, &channels[report->bound_channels++])) {
            return sinew_fail_memory(error);
        }
    }
    if (report->bound_channels == 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s': none of its nodes is in the other skeleton",
                          clip->name);
    }
    sinew_clip_def def = {
        .name = clip->name,
        .skeleton = skeleton,
        .channel_count = report->bound_channels,
        .channels = channels,
        .marker_count = clip->marker_count,
        .markers = clip->markers,
        .rows = clip->rows,
    };
    if (allocator) def.allocator = *allocator;
    sinew_result result = sinew_clip_build(&def, clip->duration, bound, error);
    if (result == SINEW_OK) (*bound)->row_error += clip->row_error; // it was made of what the first loss had left
    return result;
}

sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton,
                             const sinew_allocator *allocator, sinew_clip **bound, sinew_bind_report *report,
                             sinew_error *error) {
    sinew_bind_report unread;
    if (!report) report = &unread;
    memset(report, 0, sizeof *report);
    *bound = NULL;
    sinew_arena scratch;
    sinew_arena_init(&scratch, allocator);
    sinew_result result = bind(clip, skeleton, allocator, &scratch, bound, report, error);
    sinew_arena_free(&scratch);
    return result;
}
