// SPDX-License-Identifier: MIT
// The first part of creating a clip. Checks channels and markers, and plans the clip's memory layout. clip_fill.c
// allocates and writes it.
//
// A timeline is one array of key times that all channels with equal times share. A group is one property of a block of
// SINEW_LANES nodes, or a block of morph weights. A group's animated channels are divided into strips by interpolation
// and timeline. A key's row has the values of each strip, one lane per node (see kernels/layout.h). If a group has many
// timelines, one strip of tracks replaces them. It stores the keys of each lane one after another, and an index that
// tells which keys come before equal stretches of time, the buckets. Channels whose values never change don't have a
// strip. Times are in seconds.
#include "core/clip_build.h"
#include "core/clip_ends.h"
#include "core/clip_modes.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/finite.h"
#include "base/merge_sort.h"
#include "core/skeleton_object.h"

#include <math.h>
#include <string.h>

// If a group's channels of one interpolation have more timelines than this, they get tracks instead of rows.
#define MAX_ROW_STRIPS 2

// Limits the search in a hash chain. Only malicious files have more timelines with the same hash. Any further equal
// ones are stored twice.
#define MAX_CHAIN 64

// If channels have more keys than a third of this on average, the clip gets no tracks.
#define MAX_BUCKETS (1 << 20)

sinew_clip_def sinew_clip_default(void) {
    return (sinew_clip_def){.cookie = SINEWI_DEF_COOKIE};
}

static int32_t channel_width(const sinew_clip_def *def, const sinew_channel_def *channel) {
    return sinewi_channel_width(def->skeleton, channel->node, channel->target);
}

// Returns the number of floats per key. CUBICSPLINE keys are three values: in-tangent, value and out-tangent.
static size_t key_stride(const sinew_clip_def *def, const sinew_channel_def *channel) {
    return (size_t)channel_width(def, channel) * (size_t)sinewi_parts(channel->interpolation);
}

// ---- Checking ------------------------------------------------------------------------------------------------

// Key times must be finite, not negative, and increasing.
static sinew_result check_times(const sinew_channel_def *channel, int32_t index, sinew_error *error) {
    for (int32_t k = 0; k < channel->key_count; k++) {
        float time = channel->times[k];
        if (!isfinite(time) || time < 0.0f) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %d is at %g s", index, k,
                               (double)time);
        }
        if (k > 0 && !(time > channel->times[k - 1])) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "channels[%d]: key %d is at %g s, not after key %d at %g s", index, k, (double)time,
                               k - 1, (double)channel->times[k - 1]);
        }
    }
    return SINEW_OK;
}

// Returns whether the previous channel has the same array of key times. Exporters often share one between consecutive
// channels.
static bool have_checked_times(const sinew_clip_def *def, int32_t index) {
    const sinew_channel_def *channel = &def->channels[index];
    return index > 0 && channel->times == channel[-1].times && channel->key_count <= channel[-1].key_count;
}

static sinew_result check_values(const sinew_clip_def *def, int32_t index, sinew_error *error) {
    const sinew_channel_def *channel = &def->channels[index];
    size_t stride = key_stride(def, channel), bad = 0;
    if (isfinite(sinewi_largest_magnitude(channel->values, stride * (size_t)channel->key_count))) return SINEW_OK;
    while (isfinite(channel->values[bad])) bad++;
    return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: key %zu is not finite", index, bad / stride);
}

static sinew_result check_channel(const sinew_clip_def *def, int32_t index, sinew_error *error) {
    const sinew_channel_def *channel = &def->channels[index];
    const bool is_curve = channel->target == SINEW_TARGET_CURVE;
    const int32_t count = is_curve ? def->skeleton->curve_count : def->skeleton->node_count;
    if (channel->node < 0 || channel->node >= count) {
        const char *word = is_curve ? "curve" : "node";
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: %s %d, but the skeleton has %d %ss", index,
                           word, channel->node, count, word);
    }
    if ((unsigned)channel->target > SINEW_TARGET_CURVE ||
        (unsigned)channel->interpolation > SINEW_INTERPOLATION_CUBICSPLINE) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: unknown target or interpolation", index);
    }
    if (channel_width(def, channel) == 0) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: node %d has no morph weights", index,
                           channel->node);
    }
    if (channel->key_count < 1 || !channel->times || !channel->values) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "channels[%d]: no keys", index);
    }
    sinew_result result = have_checked_times(def, index) ? SINEW_OK : check_times(channel, index, error);
    return result == SINEW_OK ? check_values(def, index, error) : result;
}

// Checks all channels. No two may animate the same target of a node. Records each target's channel and the duration,
// which is the last key of all channels, or later if the definition says so.
static sinew_result check_channels(sinewi_clip_plan *plan, sinew_error *error) {
    const sinew_clip_def *def = plan->def;
    size_t slots = sinewi_channel_slots(def->skeleton);
    plan->channel_of = sinewi_arena_array(&plan->scratch, int32_t, slots);
    if (!plan->channel_of) return sinewi_fail_memory(error);
    for (size_t i = 0; i < slots; i++) plan->channel_of[i] = SINEWI_NO_CHANNEL;

    for (int32_t i = 0; i < def->channel_count; i++) {
        sinew_result result = check_channel(def, i, error);
        if (result != SINEW_OK) return result;
        const sinew_channel_def *channel = &def->channels[i];
        int32_t *slot = &plan->channel_of[sinewi_channel_slot(def->skeleton, channel->node, channel->target)];
        if (*slot != SINEWI_NO_CHANNEL) {
            return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                               "channels[%d]: channels[%d] already animates this target of %s %d", i, *slot,
                               channel->target == SINEW_TARGET_CURVE ? "curve" : "node", channel->node);
        }
        *slot = i;
        plan->duration = fmaxf(plan->duration, channel->times[channel->key_count - 1]);
    }
    return SINEW_OK;
}

// ---- Timelines -----------------------------------------------------------------------------------------------

// Returns whether all keys have the same value and no tangents.
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

static bool have_same_times(const sinew_channel_def *a, const sinew_channel_def *b) {
    if (a->key_count != b->key_count) return false;
    return a->times == b->times || memcmp(a->times, b->times, (size_t)a->key_count * sizeof(float)) == 0;
}

// Returns the timeline with a channel's key times. Adds one if no earlier channel has them.
static int32_t find_or_add_timeline(sinewi_clip_plan *plan, int32_t channel) {
    const sinew_channel_def *channels = plan->def->channels;
    int32_t newest = plan->timeline_count - 1;
    // Exporters often share one array between consecutive channels, so comparing pointers is enough.
    if (newest >= 0 && channels[plan->first_user[newest]].times == channels[channel].times &&
        have_same_times(&channels[plan->first_user[newest]], &channels[channel])) {
        return newest;
    }
    int32_t *bucket = &plan->buckets[hash_times(&channels[channel]) & (plan->bucket_count - 1)];
    int steps = 0;
    for (int32_t t = *bucket; t >= 0 && steps < MAX_CHAIN; t = plan->next[t], steps++) {
        if (have_same_times(&channels[plan->first_user[t]], &channels[channel])) return t;
    }
    int32_t timeline = plan->timeline_count++;
    plan->first_user[timeline] = channel;
    plan->next[timeline] = *bucket;
    *bucket = timeline;
    return timeline;
}

// Finds each channel's timeline. -1 for constant channels.
static sinew_result find_timelines(sinewi_clip_plan *plan, sinew_error *error) {
    size_t count = (size_t)plan->def->channel_count;
    plan->bucket_count = 16;
    while (plan->bucket_count < count) plan->bucket_count *= 2;
    plan->timeline_of = sinewi_arena_array(&plan->scratch, int32_t, count);
    plan->first_user = sinewi_arena_array(&plan->scratch, int32_t, count);
    plan->next = sinewi_arena_array(&plan->scratch, int32_t, count);
    plan->buckets = sinewi_arena_array(&plan->scratch, int32_t, plan->bucket_count);
    if (!plan->timeline_of || !plan->first_user || !plan->next || !plan->buckets) return sinewi_fail_memory(error);
    for (uint32_t i = 0; i < plan->bucket_count; i++) plan->buckets[i] = -1;
    for (int32_t i = 0; i < plan->def->channel_count; i++) {
        plan->timeline_of[i] = is_constant(plan->def, &plan->def->channels[i]) ? -1 : find_or_add_timeline(plan, i);
    }
    return SINEW_OK;
}

// ---- Strips --------------------------------------------------------------------------------------------------

// Returns the group and lane for a component of a node's target. Each morph weight and curve has its own lane. Other
// components use their node's lane.
sinewi_lane_position sinewi_lane_position_of(const sinew_skeleton *skeleton, int32_t node,
                                             sinew_channel_target target, int32_t component) {
    if (!sinewi_has_weight_lanes(target)) {
        return (sinewi_lane_position){(size_t)node / SINEW_LANES * SINEWI_GROUPS + (size_t)target,
                                      node % SINEW_LANES};
    }
    int32_t weight = sinewi_first_weight(skeleton, node, target) + component;
    size_t first = SINEWI_GROUPS * sinewi_node_blocks(skeleton);
    return (sinewi_lane_position){first + (size_t)weight / SINEW_LANES, weight % SINEW_LANES};
}

// One group's animated channels, by lane.
typedef struct group_channels {
    sinew_channel_target target;
    int32_t lanes[SINEW_LANES]; // SINEWI_NO_CHANNEL for constant lanes
    uint16_t padding;           // bits of the lanes after the last node or weight
} group_channels;

// Adds an empty strip.
static sinewi_strip_plan *add_strip(sinewi_clip_plan *plan, const group_channels *group,
                                    sinew_interpolation interpolation) {
    sinewi_strip_plan *strip = &plan->strips[plan->strip_count++];
    *strip = (sinewi_strip_plan){.strip = {.interpolation = (uint8_t)interpolation}, .target = group->target};
    for (int l = 0; l < SINEW_LANES; l++) strip->channels[l] = SINEWI_NO_CHANNEL;
    return strip;
}

static void add_channel_to_strip(sinewi_strip_plan *strip, int lane, int32_t channel) {
    strip->channels[lane] = channel;
    strip->strip.mask |= (uint16_t)(1u << lane);
}

// If only the padding is missing from a strip's lanes, adds it, because then sampling doesn't need a mask. `padding`
// has a bit for each lane after the last node or weight.
static void complete_mask(sinewi_strip_plan *strip, uint16_t padding) {
    if ((strip->strip.mask | padding) == 0xffff) strip->strip.mask = 0xffff;
}

// Returns the index of a timeline's rows, and adds them if needed. Timelines that only tracks use don't have rows.
static int32_t find_or_add_rows(sinewi_clip_plan *plan, int32_t timeline) {
    if (plan->row_of[timeline] < 0) {
        plan->row_of[timeline] = plan->row_count;
        plan->row_timeline[plan->row_count++] = timeline;
    }
    return plan->row_of[timeline];
}

// Adds a strip with the group's channels that use the same timeline as the one in `lane`, which is the first of them.
static void add_row_strip(sinewi_clip_plan *plan, const group_channels *group, int lane,
                          sinew_interpolation interpolation) {
    int32_t timeline = plan->timeline_of[group->lanes[lane]];
    sinewi_strip_plan *strip = add_strip(plan, group, interpolation);
    for (int l = lane; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEWI_NO_CHANNEL || plan->timeline_of[channel] != timeline) continue;
        if (plan->def->channels[channel].interpolation == interpolation) add_channel_to_strip(strip, l, channel);
    }
    size_t value = plan->def->key_format == SINEW_KEYS_U16 ? sizeof(uint16_t) : sizeof(float);
    size_t planes = (size_t)sinewi_target_width(group->target) * (size_t)sinewi_parts(interpolation);
    strip->strip.rows = find_or_add_rows(plan, timeline);
    size_t *stride = &plan->row_stride[strip->strip.rows];
    strip->strip.offset = (uint32_t)*stride;
    *stride += planes * SINEW_LANES * value;
    complete_mask(strip, group->padding);
}

// Returns how many keys a strip's lane takes, at least the keys of a bucket.
static size_t count_track_keys(const sinewi_clip_plan *plan, const sinewi_strip_plan *strip, int lane) {
    int32_t keys = plan->def->channels[strip->channels[lane]].key_count;
    return (size_t)(keys < SINEWI_TRACK_KEYS ? SINEWI_TRACK_KEYS : keys);
}

// Adds a strip of tracks with all channels of one interpolation that fit the buckets.
static void add_track_strip(sinewi_clip_plan *plan, const group_channels *group,
                            sinew_interpolation interpolation) {
    sinewi_strip_plan *strip = add_strip(plan, group, interpolation);
    const size_t planes = (size_t)sinewi_target_width(group->target) * (size_t)sinewi_parts(interpolation);
    strip->strip.track_values = (uint32_t)plan->track_values - (uint32_t)(plan->track_keys * planes);
    for (int l = 0; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEWI_NO_CHANNEL || plan->def->channels[channel].interpolation != interpolation) continue;
        if (!plan->fits_tracks[channel]) continue;
        add_channel_to_strip(strip, l, channel);
        const size_t keys = count_track_keys(plan, strip, l);
        plan->track_keys += keys;
        plan->track_values += keys * planes;
    }
    strip->strip.rows = SINEWI_ON_TRACKS;
    strip->strip.offset = (uint32_t)plan->tracks.stride;
    plan->tracks.stride += SINEW_LANES;
    complete_mask(strip, group->padding);
}

// For each timeline, the first lane among a group's channels of one interpolation.
typedef struct group_timelines {
    int lanes[SINEW_LANES];
    int count;
} group_timelines;

// Finds the timelines of a group's channels of one interpolation. Takes either the channels that fit the buckets of
// tracks or the others.
static group_timelines find_timelines_of_group(const sinewi_clip_plan *plan, const group_channels *group,
                                               sinew_interpolation interpolation, bool on_tracks) {
    group_timelines found = {.count = 0};
    for (int l = 0; l < SINEW_LANES; l++) {
        int32_t channel = group->lanes[l];
        if (channel == SINEWI_NO_CHANNEL || plan->def->channels[channel].interpolation != interpolation) continue;
        if (plan->fits_tracks[channel] != on_tracks) continue;
        int32_t timeline = plan->timeline_of[channel];
        int i = 0;
        while (i < found.count && plan->timeline_of[group->lanes[found.lanes[i]]] != timeline) i++;
        if (i == found.count) found.lanes[found.count++] = l;
    }
    return found;
}

// Adds the strips for a group's channels of one interpolation. Channels that don't fit the buckets must be on rows. The
// others go on tracks if they have more than MAX_ROW_STRIPS timelines.
static void add_strips(sinewi_clip_plan *plan, const group_channels *group, sinew_interpolation interpolation) {
    group_timelines on_rows = find_timelines_of_group(plan, group, interpolation, false),
                    could_use_tracks = find_timelines_of_group(plan, group, interpolation, true);
    for (int i = 0; i < on_rows.count; i++) add_row_strip(plan, group, on_rows.lanes[i], interpolation);
    if (could_use_tracks.count > MAX_ROW_STRIPS) {
        add_track_strip(plan, group, interpolation);
        return;
    }
    for (int i = 0; i < could_use_tracks.count; i++)
        add_row_strip(plan, group, could_use_tracks.lanes[i], interpolation);
}

// Groups are made in order, so a group's strips start with its first one.
static void make_group(sinewi_clip_plan *plan, size_t index, const group_channels *group) {
    plan->group_strips[index] = plan->strip_count;
    for (int interpolation = SINEW_INTERPOLATION_STEP; interpolation <= SINEW_INTERPOLATION_CUBICSPLINE;
         interpolation++) {
        add_strips(plan, group, (sinew_interpolation)interpolation);
    }
}

// Returns the channel of a node's target or a curve. SINEWI_NO_CHANNEL if it doesn't have one or if it is constant.
static int32_t find_animated_channel(const sinewi_clip_plan *plan, int32_t node, sinew_channel_target target) {
    int32_t channel = plan->channel_of[sinewi_channel_slot(plan->def->skeleton, node, target)];
    return channel != SINEWI_NO_CHANNEL && plan->timeline_of[channel] >= 0 ? channel : SINEWI_NO_CHANNEL;
}

#ifndef SINEW_NO_COMPRESSION
// Returns a constant channel's value. A CUBICSPLINE key is in-tangent, value, out-tangent.
static const float *constant_value(const sinew_channel_def *channel, int32_t width) {
    return channel->values + (channel->interpolation == SINEW_INTERPOLATION_CUBICSPLINE ? width : 0);
}

sinewi_constant_lanes sinewi_clip_find_constants(const sinewi_clip_plan *plan, size_t group) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    const sinew_channel_target target = (sinew_channel_target)(group % SINEWI_GROUPS);
    const int32_t width = sinewi_target_width(target), first = (int32_t)(group / SINEWI_GROUPS * SINEW_LANES);
    const sinewi_block *rest = &sinewi_skeleton_rest(skeleton)->base[group / SINEWI_GROUPS];
    sinewi_constant_lanes found = {0};
    for (int32_t l = 0; l < SINEW_LANES && first + l < skeleton->node_count; l++) {
        const int32_t channel = plan->channel_of[sinewi_channel_slot(skeleton, first + l, target)];
        if (channel == SINEWI_NO_CHANNEL || plan->timeline_of[channel] >= 0) continue;
        const float *value = constant_value(&plan->def->channels[channel], width);
        for (int32_t i = 0; i < width; i++) {
            found.values[i][l] = value[i];
            if (memcmp(&value[i], &rest->lane[sinewi_target_plane(target) + i][l], sizeof *value) != 0)
                found.mask |= (uint16_t)(1u << l);
        }
    }
    return found;
}

// If a group of a compressed clip only has constant channels, it still needs a strip to store them.
static void add_constant_strip(sinewi_clip_plan *plan, size_t index, const group_channels *group) {
    const bool has_strips = plan->strip_count > plan->group_strips[index];
    if (!plan->modes || plan->def->additive || has_strips) return;
    if (sinewi_clip_find_constants(plan, index).mask == 0) return;
    add_strip(plan, group, SINEW_INTERPOLATION_LINEAR)->strip.rows = SINEWI_ON_TRACKS;
}
#endif

static void make_node_groups(sinewi_clip_plan *plan) {
    size_t nodes = (size_t)plan->def->skeleton->node_count,
           groups = SINEWI_GROUPS * sinewi_node_blocks(plan->def->skeleton);
    for (size_t i = 0; i < groups; i++) {
        group_channels group = {.target = (sinew_channel_target)(i % SINEWI_GROUPS)};
        for (size_t l = 0; l < SINEW_LANES; l++) {
            size_t node = i / SINEWI_GROUPS * SINEW_LANES + l;
            group.lanes[l] =
                node < nodes ? find_animated_channel(plan, (int32_t)node, group.target) : SINEWI_NO_CHANNEL;
            if (node >= nodes) group.padding |= (uint16_t)(1u << l);
        }
        make_group(plan, i, &group);
#ifndef SINEW_NO_COMPRESSION
        add_constant_strip(plan, i, &group);
#endif
    }
}

// Makes the groups for the morph weights of all nodes in node order, then for the curves. The last block is padded.
// `node` tracks the owner of weight w.
static void make_weight_groups(sinewi_clip_plan *plan) {
    const sinew_skeleton *skeleton = plan->def->skeleton;
    size_t first = SINEWI_GROUPS * sinewi_node_blocks(skeleton), count = (size_t)sinewi_value_count(skeleton);
    group_channels group = {.target = SINEW_TARGET_WEIGHTS};
    int32_t node = 0;
    for (size_t w = 0; w < sinewi_weight_blocks(skeleton) * SINEW_LANES; w++) {
        size_t lane = w % SINEW_LANES;
        while (node < skeleton->node_count && (size_t)skeleton->weight_offsets[node + 1] <= w) node++;
        group.lanes[lane] = SINEWI_NO_CHANNEL;
        if (w < (size_t)skeleton->weight_count) {
            group.lanes[lane] = find_animated_channel(plan, node, SINEW_TARGET_WEIGHTS);
        } else if (w < count) {
            group.lanes[lane] =
                find_animated_channel(plan, (int32_t)w - skeleton->weight_count, SINEW_TARGET_CURVE);
        }
        if (w >= count) group.padding |= (uint16_t)(1u << lane);
        if (lane == SINEW_LANES - 1) make_group(plan, first + w / SINEW_LANES, &group);
    }
}

// Returns an upper bound for the number of strips: one per channel, and one per block that a node's morph weights
// cover.
static size_t max_strip_count(const sinewi_clip_plan *plan) {
    size_t most = 0;
    for (int32_t i = 0; i < plan->def->channel_count; i++) {
        const sinew_channel_def *channel = &plan->def->channels[i];
        bool weights = channel->target == SINEW_TARGET_WEIGHTS;
        most += weights ? (size_t)channel_width(plan->def, channel) / SINEW_LANES + 2 : 1;
    }
    return most;
}

// Makes the groups and their strips. Row offsets have 32 bits, so rows above 4 GiB are rejected.
static sinew_result make_strips(sinewi_clip_plan *plan, sinew_error *error) {
    size_t groups = sinewi_group_count(plan->def->skeleton), timelines = (size_t)plan->timeline_count;
    plan->strips = sinewi_arena_array(&plan->scratch, sinewi_strip_plan, max_strip_count(plan));
    plan->group_strips = sinewi_arena_array(&plan->scratch, int32_t, groups + 1);
    plan->row_of = sinewi_arena_array(&plan->scratch, int32_t, timelines);
    plan->row_timeline = sinewi_arena_array(&plan->scratch, int32_t, timelines);
    plan->row_stride = sinewi_arena_zeros(&plan->scratch, size_t, timelines);
    if (!plan->strips || !plan->group_strips || !plan->row_of || !plan->row_timeline || !plan->row_stride) {
        return sinewi_fail_memory(error);
    }
    for (size_t t = 0; t < timelines; t++) plan->row_of[t] = -1;
    make_node_groups(plan);
    make_weight_groups(plan);
    plan->group_strips[groups] = plan->strip_count;
    if (plan->tracks.stride == 0) plan->tracks.bucket_count = 0;
    if (plan->track_values > UINT32_MAX - SINEWI_TRACK_OVERREAD) { // there are at least as many values as keys
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "clip: its tracks have more than 4 Gi floats");
    }
    plan->tracks.key_count = (uint32_t)plan->track_keys;
    plan->tracks.value_count = (uint32_t)plan->track_values;
    for (int32_t r = 0; r < plan->row_count; r++) {
        if (plan->row_stride[r] <= UINT32_MAX) continue;
        return sinewi_fail(error, SINEW_ERROR_LIMIT, "clip: timeline %d moves more than one row of 4 GiB can hold",
                           plan->row_timeline[r]);
    }
    return SINEW_OK;
}

// ---- Buckets -------------------------------------------------------------------------------------------------

// Returns the number of buckets for tracks. This is a channel's average number of keys, or up to three times as many if
// more channels fit then. Channels that still don't fit have clustered keys and stay on rows.
static int32_t choose_buckets(const sinewi_clip_plan *plan, int32_t average) {
    sinewi_tracks tracks;
    for (int32_t quarters = 4; quarters <= 12; quarters++) {
        tracks = sinewi_tracks_with(plan, (int32_t)((int64_t)average * quarters / 4));
        int32_t unfit = 0;
        for (int32_t i = 0; i < plan->def->channel_count; i++) {
            if (plan->timeline_of[i] >= 0 && !sinewi_tracks_fit(&tracks, &plan->def->channels[i])) unfit++;
        }
        if (unfit == 0) break;
    }
    return tracks.bucket_count;
}

// Decides whether the clip has tracks, and which channels fit their buckets.
static sinew_result plan_tracks(sinewi_clip_plan *plan, sinew_error *error) {
    size_t channels = (size_t)plan->def->channel_count;
    plan->fits_tracks = sinewi_arena_zeros(&plan->scratch, bool, channels);
    if (!plan->fits_tracks) return sinewi_fail_memory(error);
    if (plan->timeline_count <= MAX_ROW_STRIPS) return SINEW_OK; // no group needs tracks
    int64_t keys = 0, animated = 0;                              // over the channels that aren't constant
    for (size_t i = 0; i < channels; i++) {
        if (plan->timeline_of[i] < 0) continue;
        keys += plan->def->channels[i].key_count;
        animated++;
    }
    int64_t average = animated > 0 ? keys / animated + 1 : 1;
    if (average > MAX_BUCKETS / 3) return SINEW_OK;
    plan->tracks = sinewi_tracks_with(plan, choose_buckets(plan, (int32_t)average));
    for (size_t i = 0; i < channels; i++) {
        plan->fits_tracks[i] =
            plan->timeline_of[i] >= 0 && sinewi_tracks_fit(&plan->tracks, &plan->def->channels[i]);
    }
    return SINEW_OK;
}

// ---- Markers -------------------------------------------------------------------------------------------------

static sinew_result check_markers(const sinewi_clip_plan *plan, sinew_error *error) {
    const sinew_clip_def *def = plan->def;
    for (int32_t i = 0; i < def->marker_count; i++) {
        float time = def->markers[i].time;
        if (time >= 0.0f && time <= plan->duration) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "markers[%d] is at %g s, but the clip runs from 0 to %g s",
                           (int)i, (double)time, (double)plan->duration);
    }
    return SINEW_OK;
}

static int compare_markers(const void *a, const void *b, const void *context) {
    (void)context;
    float first = ((const sinew_marker *)a)->time, second = ((const sinew_marker *)b)->time;
    return (first > second) - (first < second);
}

// Markers at the same time keep their order.
static sinew_result sort_markers(sinewi_clip_plan *plan, sinew_error *error) {
    const size_t count = (size_t)plan->def->marker_count;
    sinew_marker *markers = sinewi_arena_array(&plan->scratch, sinew_marker, count);
    sinew_marker *other = sinewi_arena_array(&plan->scratch, sinew_marker, count);
    if (!markers || !other) return sinewi_fail_memory(error);
    for (size_t i = 0; i < count; i++) markers[i] = plan->def->markers[i];
    plan->markers =
        (sinew_marker *)sinewi_merge_sort(markers, other, count, sizeof *markers, compare_markers, NULL);
    return SINEW_OK;
}

// ---- The clip ------------------------------------------------------------------------------------------------

static sinew_result keep_ends(sinewi_clip_plan *plan, sinew_error *error) {
    if (!plan->exact || plan->def->additive) return SINEW_OK;
    plan->ends = sinewi_clip_find_ends(plan->exact, &plan->scratch, &plan->end_count);
    return plan->ends ? SINEW_OK : sinewi_fail_memory(error);
}

static sinew_result make_plan(sinewi_clip_plan *plan, sinew_error *error) {
    sinew_result result = check_channels(plan, error);
    if (result == SINEW_OK) result = check_markers(plan, error);
    if (result == SINEW_OK) result = sort_markers(plan, error);
    if (result == SINEW_OK) result = find_timelines(plan, error);
    if (result == SINEW_OK) result = plan_tracks(plan, error);
    if (result == SINEW_OK) result = make_strips(plan, error);
    if (result == SINEW_OK) result = keep_ends(plan, error);
#ifndef SINEW_NO_COMPRESSION
    if (result == SINEW_OK && plan->modes && !plan->modes->plan(plan->modes, plan))
        result = sinewi_fail_memory(error);
#endif
    return result;
}

sinew_result sinewi_clip_measure(const sinew_clip_def *def, sinewi_clip_size *size, sinew_error *error) {
    sinewi_clip_plan plan = {.def = def, .duration = def->duration};
    sinewi_arena_init(&plan.scratch, &def->allocator);
    const sinew_result result = make_plan(&plan, error);
    *size = (sinewi_clip_size){0};
    if (result == SINEW_OK) {
        size->bytes = sinewi_clip_plan_bytes(&plan);
        size->strips = plan.strip_count;
        for (int32_t i = 0; i < plan.strip_count; i++)
            size->tracks += plan.strips[i].strip.rows == SINEWI_ON_TRACKS;
    }
    sinewi_arena_free(&plan.scratch);
    return result;
}

// See sinewi_clip_build in clip_build.h about `source`.
sinew_result sinewi_clip_build_keys(const sinew_clip_def *def, const sinew_clip *source, const sinew_clip *exact,
                                    struct sinewi_mode_finder *modes, sinew_clip **clip, sinew_error *error) {
    *clip = NULL;
    if (!def->skeleton || def->channel_count < 0 || (def->channel_count > 0 && !def->channels)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "clip: skeleton is NULL, or channels is NULL but channel_count is not 0");
    }
    if (def->marker_count < 0 || (def->marker_count > 0 && !def->markers)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clip: markers is NULL but marker_count is not 0");
    }
    if (def->key_format != SINEW_KEYS_FLOAT && def->key_format != SINEW_KEYS_U16 && !modes) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT,
                           "clip: key format %d is unknown or needs sinew_clip_compress", (int)def->key_format);
    }
    if (!isfinite(def->duration) || def->duration < 0.0f) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "clip: duration is %g s; it must be 0 or more",
                           (double)def->duration);
    }
    sinewi_clip_plan plan = {
        .def = def, .source = source, .exact = exact, .modes = modes, .duration = def->duration};
    sinewi_arena_init(&plan.scratch, &def->allocator);
    sinew_result result = make_plan(&plan, error);
    if (result == SINEW_OK) result = sinewi_clip_fill(&plan, clip, error);
    sinewi_arena_free(&plan.scratch);
    return result;
}

void sinew_clip_destroy(sinew_clip *clip) {
    if (!clip) return;
    sinew_allocator allocator = ((sinewi_clip_object *)clip)->allocator;
    sinewi_release(&allocator, clip, clip->memory, SINEWI_ALIGNMENT);
}
