// SPDX-License-Identifier: MIT
// Binds a clip to another skeleton: makes a copy of it whose channels animate the nodes of the same names.
//
// Channels are read back from the clip (clip_read.c) and built again (clip_build.c). A channel is unmatched if the
// skeleton has no node of the name of its node, or one with another number of morph weights.
#include "clip/clip_build.h"
#include "core/fail.h"
#include "core/memory.h"

#include <string.h>

// ---- Names ---------------------------------------------------------------------------------------------------

// A hash table of the target's nodes by name. If several have one name, the first is found.
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

// Returns false if there is no memory.
static bool make_name_table(name_table *table, const sinew_skeleton *skeleton, sinew_arena *scratch) {
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

static int32_t find_node_by_name(const name_table *table, const char *name) {
    if (name[0] == '\0') return SINEW_NO_NODE;
    int32_t i = table->buckets[hash_name(name) & (table->bucket_count - 1)];
    while (i != SINEW_NO_NODE && strcmp(table->skeleton->names[i], name) != 0) i = table->next[i];
    return i;
}

static int32_t weight_count(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

// ---- Binding -------------------------------------------------------------------------------------------------

// The report counts channels, and lists each of their nodes once.
static void report_unmatched(sinew_bind_report *report, const char *name, bool first_of_node) {
    report->unmatched_channel_count++;
    if (!first_of_node) return;
    int32_t capacity = (int32_t)(sizeof report->unmatched_names / sizeof *report->unmatched_names);
    if (report->unmatched_name_count < capacity) report->unmatched_names[report->unmatched_name_count] = name;
    report->unmatched_name_count++;
}

// Marks a node's target as bound; false if it was: if several nodes of the clip have one name, the first is bound.
static bool take_target(uint8_t *taken_targets, int32_t node, sinew_channel_target target) {
    uint8_t bit = (uint8_t)(1u << target);
    bool is_free = (taken_targets[node] & bit) == 0;
    taken_targets[node] |= bit;
    return is_free;
}

// Collects the matched channels in scratch memory and builds a clip of them.
static sinew_result bind(const sinew_clip *clip, const sinew_skeleton *skeleton, const sinew_allocator *allocator,
                         sinew_arena *scratch, sinew_clip **bound, sinew_bind_report *report, sinew_error *error) {
    name_table table;
    size_t channel_count = (size_t)clip->channel_count;
    sinew_channel_def *channels = sinew_arena_array(scratch, sinew_channel_def, channel_count);
    uint8_t *taken_targets = sinew_arena_zeros(scratch, uint8_t, (size_t)skeleton->node_count);
    if (!channels || !taken_targets || !make_name_table(&table, skeleton, scratch)) return sinew_fail_memory(error);

    int32_t last_unmatched = SINEW_NO_NODE;
    for (int32_t i = 0; i < clip->channel_count; i++) {
        const sinew_channel *channel = &clip->channels[i];
        const char *name = clip->skeleton->names[channel->node];
        int32_t node = find_node_by_name(&table, name);
        bool fits = node != SINEW_NO_NODE;
        if (fits && channel->target == SINEW_TARGET_WEIGHTS) {
            fits = weight_count(skeleton, node) == weight_count(clip->skeleton, channel->node);
        }
        if (!fits || !take_target(taken_targets, node, channel->target)) {
            report_unmatched(report, name, last_unmatched != channel->node);
            last_unmatched = channel->node;
            continue;
        }
        sinew_channel_def *to = &channels[report->bound_channel_count++];
        if (!sinew_clip_read_channel(clip, i, scratch, to)) return sinew_fail_memory(error);
        to->node = node;
    }
    if (report->bound_channel_count == 0) {
        return sinew_fail(error, SINEW_ERROR_ARGUMENT, "clip '%s': none of its nodes is in the other skeleton",
                          clip->name);
    }
    sinew_clip_def def = {
        .name = clip->name,
        .skeleton = skeleton,
        .channel_count = report->bound_channel_count,
        .channels = channels,
        .duration = clip->duration,
        .marker_count = clip->marker_count,
        .markers = clip->markers,
        .key_format = clip->key_format,
        .additive = clip->additive,
    };
    if (allocator) def.allocator = *allocator;
    return sinew_clip_build(&def, clip, bound, error);
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
