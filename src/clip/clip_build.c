// SPDX-License-Identifier: MIT
// Creating a clip, first part: checks channels and plans the clip's memory layout.
#include "clip/clip_build.h"
#include "core/def_cookie.h"
#include "core/fail.h"

#include <math.h>
#include <string.h>

// A group whose channels of one interpolation have more timelines than this gets tracks instead of rows.
#define MAX_ROW_STRIPS 2

// The maximum length of a search in a hash chain. More timelines have one hash only in malicious files: further
// equal ones are then stored twice.
#define MAX_CHAIN 64

// Clips whose channels have more keys than a third of this on average get no tracks.
#define MAX_BUCKETS (1 << 20)

sinew_clip_def sinew_clip_default(void) {
    return (sinew_clip_def){.cookie = SINEW_DEF_COOKIE};
}

static int32_t channel_width(const sinew_clip_def *def, const sinew_channel_def *channel) {
    return sinew_channel_width(def->skeleton, channel->node, channel->target);
}

// Floats from one key to the next: CUBICSPLINE keys are three values.
static size_t key_stride(const sinew_clip_def *def, const sinew_channel_def *channel) {
    return (size_t)channel_width(def, channel) * (size_t)sinew_parts(channel->interpolation);
}

// ---- Checking ------------------------------------------------------------------------------------------------

static sinew_result check_times(const sinew_channel_def *channel, int32_t index, sinew_error *error) {
    for (int32_t k = 0; k < channel->key_count; k++) {
        float time = channel->times[k];
        if (!isfinite(time) || time < 0.0f) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %d is at %g s", index, k,
                              (double)time);
        }
        if (k > 0 && !(time > channel->times[k - 1])) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                              "channels[%d]: key %d is at %g s, not after key %d at %g s", index, k, (double)time,
                              k - 1, (double)channel->times[k - 1]);
        }
    }
    return SINEW_OK;
}

static sinew_result check_channel(const sinew_clip_def *def, int32_t index, sinew_error *error) {
    const sinew_channel_def *channel = &def->channels[index];
    if (channel->node < 0 || channel->node >= def->skeleton->node_count) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: node %d, but the skeleton has %d nodes",
                          index, channel->node, def->skeleton->node_count);
    }
    if ((unsigned)channel->target >= SINEW_PATHS ||
        (unsigned)channel->interpolation > SINEW_INTERPOLATION_CUBICSPLINE) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: unknown target or interpolation", index);
    }
    if (channel_width(def, channel) == 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: node %d has no morph weights", index,
                          channel->node);
    }
    if (channel->key_count < 1 || !channel->times || !channel->values) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: no keys", index);
    }
    sinew_result result = check_times(channel, index, error);
    if (result != SINEW_OK) return result;
    size_t stride = key_stride(def, channel), count = stride * (size_t)channel->key_count;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(channel->values[i])) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %zu is not finite", index,
                              i / stride);
        }
    }
    return SINEW_OK;
}

static sinew_result check_channels(sinew_clip_plan *b, sinew_error *error) {
    const sinew_clip_def *def = b->def;
    size_t slots = (size_t)def->skeleton->node_count * SINEW_PATHS;
    b->channel_of = sinew_arena_array(&b->scratch, int32_t, slots);
    if (!b->channel_of) return sinew_fail_memory(error);
    for (size_t i = 0; i < slots; i++) b->channel_of[i] = SINEW_NO_CHANNEL;

    for (int32_t i = 0; i < def->channel_count; i++) {
        sinew_result result = check_channel(def, i, error);
        if (result != SINEW_OK) return result;
        const sinew_channel_def *channel = &def->channels[i];
        int32_t *slot = &b->channel_of[(size_t)channel->node * SINEW_PATHS + (size_t)channel->target];
        if (*slot != SINEW_NO_CHANNEL) {
            return sinew_fail(error, SINEW_ERROR_ARGUMENT,
                              "channels[%d]: channels[%d] has the same target of node %d", i, *slot, channel->node);
        }
        *slot = i;
        b->duration = fmaxf(b->duration, channel->times[channel->key_count - 1]);
    }
    return SINEW_OK;
}

// ---- Timelines -----------------------------------------------------------------------------------------------

static bool is_constant(const sinew_clip_def *def, const sinew_channel_def *channel) {
    if (channel->key_count == 1) return true;
    size_t width = (size_t)channel_width(def, channel), stride = key_stride(def, channel);
    bool cubic = channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    const float *first = channel->values + (cubic ? width : 0);
    for (int32_t k = 0; k < channel->key_count; k++) {
        const float *key = channel->values + (size_t)k * stride, *value = key + (cubic ? width : 0);
        for (size_t i = 0; i < width; i++) {
            if (value[i] != first[i]) return false;
            if (cubic && (key[i] != 0.0f || value[width + i] != 0.0f)) return false;
        }
    }
    return true;
}

// FNV-1a over the words of the key times.
static uint32_t hash_times(const sinew_channel_def *channel) {
    uint32_t hash = 2166136261u ^ (uint32_t)channel->key_count;
    for (int32_t k = 0; k < channel->key_count; k++) {
        uint32_t word;
        memcpy(&word, &channel->times[k], sizeof word);
        hash = (hash ^ word) * 16777619u;
    }
    return hash ^ hash >> 15;
}

static bool same_times(const sinew_channel_def *a, const sinew_channel_def *b) {
    if (a->key_count != b->key_count) return false;
    return a->times == b->times || memcmp(a->times, b->times, (size_t)a->key_count * sizeof(float)) == 0;
}

// The timeline with a channel's key times; a new one if no earlier channel has them.
static int32_t timeline_for(sinew_clip_plan *b, int32_t channel) {
    const sinew_channel_def *channels = b->def->channels;
    int32_t newest = b->timeline_count - 1;
    // Exporters often use one array for consecutive channels: comparing pointers is enough.
    if (newest >= 0 && channels[b->first_user[newest]].times == channels[channel].times &&
        same_times(&channels[b->first_user[newest]], &channels[channel])) {
        return newest;
    }
    int32_t *bucket = &b->buckets[hash_times(&channels[channel]) & (b->bucket_count - 1)];
    int steps = 0;
    for (int32_t t = *bucket; t >= 0 && steps < MAX_CHAIN; t = b->next[t], steps++) {
        if (same_times(&channels[b->first_user[t]], &channels[channel])) return t;
    }
    int32_t timeline = b->timeline_count++;
    b->first_user[timeline] = channel;
    b->next[timeline] = *bucket;
    *bucket = timeline;
    return timeline;
}

static sinew_result find_timelines(sinew_clip_plan *b, sinew_error *error) {
    size_t count = (size_t)b->def->channel_count;
    b->bucket_count = 16;
    while (b->bucket_count < count) b->bucket_count *= 2;
    b->timeline_of = sinew_arena_array(&b->scratch, int32_t, count);
    b->first_user = sinew_arena_array(&b->scratch, int32_t, count);
    b->next = sinew_arena_array(&b->scratch, int32_t, count);
    b->buckets = sinew_arena_array(&b->scratch, int32_t, b->bucket_count);
    if (!b->timeline_of || !b->first_user || !b->next || !b->buckets) return sinew_fail_memory(error);
    for (uint32_t i = 0; i < b->bucket_count; i++) b->buckets[i] = -1;
    for (int32_t i = 0; i < b->def->channel_count; i++) {
        b->timeline_of[i] = is_constant(b->def, &b->def->channels[i]) ? -1 : timeline_for(b, i);
    }
    return SINEW_OK;
}

// ---- Strips --------------------------------------------------------------------------------------------------

sinew_spot sinew_spot_of(const sinew_skeleton *skeleton, int32_t node, sinew_channel_target path,
                         int32_t component) {
    if (path != SINEW_TARGET_WEIGHTS) {
        return (sinew_spot){(size_t)node / SINEW_LANES * SINEW_GROUPS + (size_t)path, node % SINEW_LANES};
    }
    int32_t weight = skeleton->weight_offsets[node] + component;
    size_t first = SINEW_GROUPS * sinew_node_blocks(skeleton);
    return (sinew_spot){first + (size_t)weight / SINEW_LANES, weight % SINEW_LANES};
}

// The animated channels of one group, by lane.
typedef struct group_channels {
    sinew_channel_target path;
    int32_t lanes[SINEW_LANES]; // SINEW_NO_CHANNEL for constant lanes
    uint16_t padding;           // lanes after the last node or weight
} group_channels;

static sinew_strip_plan *add_strip(sinew_clip_plan *b, const group_channels *group, sinew_interpolation how) {
    sinew_strip_plan *strip = &b->strips[b->strip_count++];
    *strip = (sinew_strip_plan){.strip = {.interpolation = (uint8_t)how}, .path = group->path};
    for (int l = 0; l < SINEW_LANES; l++) strip->channels[l] = SINEW_NO_CHANNEL;
    return strip;
}

static void put_lane(sinew_strip_plan *strip, int lane, int32_t channel) {
    strip->channels[lane] = channel;
    strip->strip.mask |= (uint16_t)(1u << lane);
}

// A strip with channels in all lanes but the padding gets the padding, too: then sampling needs no mask.
static void finish_strip(sinew_strip_plan *strip, uint16_t padding) {
    if ((strip->strip.mask | padding) == 0xffff) strip->strip.mask = 0xffff;
}

static int32_t rows_of_timeline(sinew_clip_plan *b, int32_t timeline) {
    if (b->row_of[timeline] < 0) {
        b->row_of[timeline] = b->row_count;
        b->row_timeline[b->row_count++] = timeline;
    }
    return b->row_of[timeline];
}

// Adds a strip with the channels of a group that have the timeline of the one in `lane`, the first with that
// timeline.
static void add_row_strip(sinew_clip_plan *b, const group_channels *group, int lane, sinew_interpolation how) {
    int32_t timeline = b->timeline_of[group->lanes[lane]];
    sinew_strip_plan *strip = add_strip(b, group, how);
    for (int l = lane; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEW_NO_CHANNEL || b->timeline_of[channel] != timeline) continue;
        if (b->def->channels[channel].interpolation == how) put_lane(strip, l, channel);
    }
    size_t value = b->def->key_format == SINEW_KEYS_U16 ? sizeof(uint16_t) : sizeof(float);
    size_t planes = (size_t)sinew_target_width(group->path) * (size_t)sinew_parts(how);
    strip->strip.rows = rows_of_timeline(b, timeline);
    size_t *stride = &b->row_stride[strip->strip.rows];
    strip->strip.offset = (uint32_t)*stride;
    *stride += planes * SINEW_LANES * value;
    finish_strip(strip, group->padding);
}

// Adds a strip of tracks with the channels of one interpolation that fit the buckets.
static void add_track_strip(sinew_clip_plan *b, const group_channels *group, sinew_interpolation how) {
    sinew_strip_plan *strip = add_strip(b, group, how);
    for (int l = 0; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEW_NO_CHANNEL || b->def->channels[channel].interpolation != how) continue;
        if (b->fits_tracks[channel]) put_lane(strip, l, channel);
    }
    size_t planes = (size_t)sinew_target_width(group->path) * (size_t)sinew_parts(how);
    strip->strip.rows = SINEW_ON_TRACKS;
    strip->strip.offset = (uint32_t)(b->tracks.stride * sizeof(float));
    b->tracks.stride += (SINEW_TRACK_TIME_PLANES + SINEW_TRACK_KEYS * planes) * SINEW_LANES;
    finish_strip(strip, group->padding);
}

// The first lane of each timeline among a group's channels of one interpolation.
typedef struct group_timelines {
    int lanes[SINEW_LANES];
    int count;
} group_timelines;

static group_timelines timelines_of(const sinew_clip_plan *b, const group_channels *group, sinew_interpolation how,
                                    bool on_tracks) {
    group_timelines found = {.count = 0};
    for (int l = 0; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEW_NO_CHANNEL || b->def->channels[channel].interpolation != how) continue;
        if (b->fits_tracks[channel] != on_tracks) continue;
        int32_t timeline = b->timeline_of[channel];
        int known = 0;
        while (known < found.count && b->timeline_of[group->lanes[found.lanes[known]]] != timeline) known++;
        if (known == found.count) found.lanes[found.count++] = l;
    }
    return found;
}

// Makes the strips for a group's channels of one interpolation.
static void make_strips_of(sinew_clip_plan *b, const group_channels *group, sinew_interpolation how) {
    group_timelines crowded = timelines_of(b, group, how, false), fitting = timelines_of(b, group, how, true);
    for (int i = 0; i < crowded.count; i++) add_row_strip(b, group, crowded.lanes[i], how);
    if (fitting.count > MAX_ROW_STRIPS) {
        add_track_strip(b, group, how);
        return;
    }
    for (int i = 0; i < fitting.count; i++) add_row_strip(b, group, fitting.lanes[i], how);
}

static void make_group(sinew_clip_plan *b, size_t index, const group_channels *group) {
    b->group_strips[index] = b->strip_count;
    for (int how = SINEW_INTERPOLATION_STEP; how <= SINEW_INTERPOLATION_CUBICSPLINE; how++) {
        make_strips_of(b, group, (sinew_interpolation)how);
    }
}

static int32_t animated_channel(const sinew_clip_plan *b, size_t node, sinew_channel_target path) {
    int32_t channel = b->channel_of[node * SINEW_PATHS + (size_t)path];
    return channel != SINEW_NO_CHANNEL && b->timeline_of[channel] >= 0 ? channel : SINEW_NO_CHANNEL;
}

static void make_node_groups(sinew_clip_plan *b) {
    size_t nodes = (size_t)b->def->skeleton->node_count,
           groups = SINEW_GROUPS * sinew_node_blocks(b->def->skeleton);
    for (size_t i = 0; i < groups; i++) {
        group_channels group = {.path = (sinew_channel_target)(i % SINEW_GROUPS)};
        for (size_t l = 0; l < SINEW_LANES; l++) {
            size_t node = i / SINEW_GROUPS * SINEW_LANES + l;
            group.lanes[l] = node < nodes ? animated_channel(b, node, group.path) : SINEW_NO_CHANNEL;
            if (node >= nodes) group.padding |= (uint16_t)(1u << l);
        }
        make_group(b, i, &group);
    }
}

// Weights are in node order, so one pass over the nodes visits the groups in order.
static void make_weight_groups(sinew_clip_plan *b) {
    const sinew_skeleton *skeleton = b->def->skeleton;
    size_t first = SINEW_GROUPS * sinew_node_blocks(skeleton), count = (size_t)skeleton->weight_count;
    group_channels group = {.path = SINEW_TARGET_WEIGHTS};
    int32_t node = 0;
    for (size_t w = 0; w < sinew_weight_blocks(skeleton) * SINEW_LANES; w++) {
        size_t lane = w % SINEW_LANES;
        while (node < skeleton->node_count && (size_t)skeleton->weight_offsets[node + 1] <= w) node++;
        group.lanes[lane] = w < count ? animated_channel(b, (size_t)node, SINEW_TARGET_WEIGHTS) : SINEW_NO_CHANNEL;
        if (w >= count) group.padding |= (uint16_t)(1u << lane);
        if (lane == SINEW_LANES - 1) make_group(b, first + w / SINEW_LANES, &group);
    }
}

static size_t most_strips(const sinew_clip_plan *b) {
    size_t most = 0;
    for (int32_t i = 0; i < b->def->channel_count; i++) {
        const sinew_channel_def *channel = &b->def->channels[i];
        bool weights = channel->target == SINEW_TARGET_WEIGHTS;
        most += weights ? (size_t)channel_width(b->def, channel) / SINEW_LANES + 2 : 1;
    }
    return most;
}

static sinew_result make_strips(sinew_clip_plan *b, sinew_error *error) {
    size_t groups = sinew_group_count(b->def->skeleton), timelines = (size_t)b->timeline_count;
    b->strips = sinew_arena_array(&b->scratch, sinew_strip_plan, most_strips(b));
    b->group_strips = sinew_arena_array(&b->scratch, int32_t, groups + 1);
    b->row_of = sinew_arena_array(&b->scratch, int32_t, timelines);
    b->row_timeline = sinew_arena_array(&b->scratch, int32_t, timelines);
    b->row_stride = sinew_arena_zeros(&b->scratch, size_t, timelines);
    if (!b->strips || !b->group_strips || !b->row_of || !b->row_timeline || !b->row_stride) {
        return sinew_fail_memory(error);
    }
    for (size_t t = 0; t < timelines; t++) b->row_of[t] = -1;
    make_node_groups(b);
    make_weight_groups(b);
    b->group_strips[groups] = b->strip_count;
    if (b->tracks.stride == 0) b->tracks.bucket_count = 0;
    if (b->tracks.stride > UINT32_MAX / sizeof(float)) {
        return sinew_fail(error, SINEW_ERROR_LIMIT, "clip: its tracks take more than one row of 4 GiB can hold");
    }
    for (int32_t r = 0; r < b->row_count; r++) {
        if (b->row_stride[r] <= UINT32_MAX) continue;
        return sinew_fail(error, SINEW_ERROR_LIMIT, "clip: timeline %d moves more than one row of 4 GiB can hold",
                          b->row_timeline[r]);
    }
    return SINEW_OK;
}

// ---- Buckets -------------------------------------------------------------------------------------------------

// The number of buckets for tracks: the average number of keys of a channel, or up to three times that so that more
// channels fit. Channels that do not fit then have clustered keys, and stay on rows.
static int32_t choose_buckets(const sinew_clip_plan *b, int32_t average) {
    sinew_tracks tracks;
    for (int32_t quarters = 4; quarters <= 12; quarters++) {
        tracks = sinew_tracks_with(b, (int32_t)((int64_t)average * quarters / 4));
        int32_t unfit = 0;
        for (int32_t i = 0; i < b->def->channel_count; i++) {
            if (b->timeline_of[i] >= 0 && !sinew_tracks_fit(&tracks, &b->def->channels[i])) unfit++;
        }
        if (unfit == 0) break;
    }
    return tracks.bucket_count;
}

static sinew_result plan_tracks(sinew_clip_plan *b, sinew_error *error) {
    size_t channels = (size_t)b->def->channel_count;
    b->fits_tracks = sinew_arena_zeros(&b->scratch, bool, channels);
    if (!b->fits_tracks) return sinew_fail_memory(error);
    if (b->timeline_count <= MAX_ROW_STRIPS) return SINEW_OK; // no group needs tracks
    int64_t keys = 0, moving = 0;
    for (size_t i = 0; i < channels; i++) {
        if (b->timeline_of[i] < 0) continue;
        keys += b->def->channels[i].key_count;
        moving++;
    }
    int64_t average = moving > 0 ? keys / moving + 1 : 1;
    if (average > MAX_BUCKETS / 3) return SINEW_OK;
    b->tracks = sinew_tracks_with(b, choose_buckets(b, (int32_t)average));
    b->first_keys = sinew_arena_array(&b->scratch, int32_t, (size_t)b->tracks.bucket_count);
    if (!b->first_keys) return sinew_fail_memory(error);
    for (size_t i = 0; i < channels; i++) {
        b->fits_tracks[i] = b->timeline_of[i] >= 0 && sinew_tracks_fit(&b->tracks, &b->def->channels[i]);
    }
    return SINEW_OK;
}

// ---- Markers -------------------------------------------------------------------------------------------------

static sinew_result check_markers(const sinew_clip_plan *b, sinew_error *error) {
    const sinew_clip_def *def = b->def;
    for (int32_t i = 0; i < def->marker_count; i++) {
        float time = def->markers[i].time;
        if (time >= 0.0f && time <= b->duration) continue;
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "markers[%d] is at %g s; the clip is from 0 to %g s", (int)i,
                          (double)time, (double)b->duration);
    }
    return SINEW_OK;
}

// Merges the sorted runs [first, middle) and [middle, end), stably.
static void merge_markers(const sinew_marker *from, sinew_marker *to, int32_t first, int32_t middle, int32_t end) {
    int32_t left = first, right = middle;
    for (int32_t i = first; i < end; i++) {
        bool take_left = right == end || (left < middle && from[left].time <= from[right].time);
        to[i] = from[take_left ? left++ : right++];
    }
}

static sinew_result sort_markers(sinew_clip_plan *b, sinew_error *error) {
    int32_t count = b->def->marker_count;
    sinew_marker *from = sinew_arena_array(&b->scratch, sinew_marker, (size_t)count);
    sinew_marker *to = sinew_arena_array(&b->scratch, sinew_marker, (size_t)count);
    if (!from || !to) return sinew_fail_memory(error);
    for (int32_t i = 0; i < count; i++) from[i] = b->def->markers[i];
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t i = 0; i < count; i += 2 * run) {
            int64_t middle = i + run < count ? i + run : count, end = i + 2 * run < count ? i + 2 * run : count;
            merge_markers(from, to, (int32_t)i, (int32_t)middle, (int32_t)end);
        }
        sinew_marker *merged = to;
        to = from;
        from = merged;
    }
    b->markers = from;
    return SINEW_OK;
}

// ---- The clip ------------------------------------------------------------------------------------------------

static sinew_result build_clip(sinew_clip_plan *b, sinew_clip **clip, sinew_error *error) {
    sinew_result result = check_channels(b, error);
    if (result == SINEW_OK) result = check_markers(b, error);
    if (result == SINEW_OK) result = sort_markers(b, error);
    if (result == SINEW_OK) result = find_timelines(b, error);
    if (result == SINEW_OK) result = plan_tracks(b, error);
    if (result == SINEW_OK) result = make_strips(b, error);
    if (result == SINEW_OK) result = sinew_clip_fill(b, clip, error);
    return result;
}

sinew_result sinew_clip_build_keys(const sinew_clip_def *def, const sinew_clip *source, sinew_clip **clip,
                                   sinew_error *error) {
    *clip = NULL;
    if (!def->skeleton || def->channel_count < 0 || (def->channel_count > 0 && !def->channels)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip: no skeleton, or no channels where some were counted");
    }
    if (def->marker_count < 0 || (def->marker_count > 0 && !def->markers)) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip: no markers where some were counted");
    }
    if (def->key_format != SINEW_KEYS_FLOAT && def->key_format != SINEW_KEYS_U16) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip: unknown row format %d", (int)def->key_format);
    }
    sinew_clip_plan b = {.def = def, .source = source, .duration = source ? source->duration : 0.0f};
    sinew_arena_init(&b.scratch, &def->allocator);
    sinew_result result = build_clip(&b, clip, error);
    sinew_arena_free(&b.scratch);
    return result;
}

void sinew_clip_destroy(sinew_clip *clip) {
    if (!clip) return;
    sinew_allocator allocator = ((sinew_clip_object *)clip)->allocator;
    sinew_release(&allocator, clip, clip->memory, SINEW_ALIGNMENT);
}
