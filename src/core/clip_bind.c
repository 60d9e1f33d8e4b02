// SPDX-License-Identifier: MIT
// Binds a clip to another skeleton. Makes a copy whose channels animate the matching nodes.
//
// Channels are read back from the clip (clip_read.c) and built again (clip_build.c). A channel is unmatched if the
// skeleton has no node for it (clip_bind_match.c), or if that node has a different number of morph weights. A curve's
// channel is bound to the curve with the same name. Curves don't count for min_match, which detects a different kind of
// skeleton.
#include "core/clip_bind_match.h"
#include "core/clip_build.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_REPORTED ((int32_t)(sizeof((sinew_bind_report *)0)->unmatched_names / sizeof(const char *)))

// 0.4f of 10 channels comes out slightly above 4.
#define SHARE_ROUNDING 1e-6

// An error lists at most this many near misses.
#define MAX_MISSES 3

sinew_bind_def sinew_bind_default(void) {
    return (sinew_bind_def){.min_match = 0.5f, .cookie = SINEWI_DEF_COOKIE};
}

// A clip that is being bound.
typedef struct clip_binder {
    const sinew_clip *clip;
    const sinew_skeleton *skeleton;
    const sinew_bind_def *def;
    sinewi_arena *scratch;
    sinewi_bind_match match;
    sinew_channel_def *channels; // [bound_channel_count]
    uint8_t *taken_targets;      // [node_count]: a bit for each bound target
    int32_t bound_curve_count, unmatched_curve_count;
    sinew_bind_report *report;
    sinew_error *error;
} clip_binder;

// ---- The report ----------------------------------------------------------------------------------------------

// Counts all channels, but lists each node once.
static void report_unmatched(clip_binder *b, int32_t node, bool first_of_node) {
    sinew_bind_report *report = b->report;
    report->unmatched_channel_count++;
    if (!first_of_node) return;
    if (report->unmatched_name_count < MAX_REPORTED) {
        report->unmatched_names[report->unmatched_name_count] = b->clip->skeleton->names[node];
        report->nearest_names[report->unmatched_name_count] = sinewi_bind_match_nearest(&b->match, node);
    }
    report->unmatched_name_count++;
}

static void report_ordered(const clip_binder *b, int32_t node) {
    sinew_bind_report *report = b->report;
    if (report->ordered_name_count < MAX_REPORTED)
        report->ordered_names[report->ordered_name_count] = b->clip->skeleton->names[node];
    report->ordered_name_count++;
}

static void report_unmatched_curve(clip_binder *b, int32_t curve) {
    sinew_bind_report *report = b->report;
    b->unmatched_curve_count++;
    report->unmatched_channel_count++;
    if (report->unmatched_name_count < MAX_REPORTED) {
        report->unmatched_names[report->unmatched_name_count] = b->clip->skeleton->curve_names[curve];
    }
    report->unmatched_name_count++;
}

// Writes the first near misses, such as "; 'hips' is near 'Hips'".
static void describe_misses(const sinew_bind_report *report, char *text, size_t size) {
    int misses = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < MAX_REPORTED && misses < MAX_MISSES; i++) {
        if (!report->nearest_names[i]) continue;
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s '%.40s' is near '%.40s'", misses++ > 0 ? "," : ";",
                 report->unmatched_names[i], report->nearest_names[i]);
    }
}

static sinew_result check_share(const clip_binder *b) {
    const int32_t bound = b->report->bound_channel_count - b->bound_curve_count;
    const int32_t counted = bound + b->report->unmatched_channel_count - b->unmatched_curve_count;
    const double required = ceil((1.0 - SHARE_ROUNDING) * (double)b->def->min_match * (double)counted);
    if (b->report->bound_channel_count > 0 && (double)bound >= required) return SINEW_OK;
    if (counted == 0) {
        return sinewi_fail(b->error, SINEW_ERROR_ARGUMENT, "clip '%.100s': it has no channels to bind",
                           b->clip->name);
    }
    char misses[MAX_MISSES * 120];
    describe_misses(b->report, misses, sizeof misses);
    return sinewi_fail(
        b->error, SINEW_ERROR_ARGUMENT,
        "clip '%.60s': %d of %d channels have a node in the other skeleton, but min_match requires %.0f%s",
        b->clip->name, (int)bound, (int)counted, fmax(1.0, required), misses);
}

// ---- Channels ------------------------------------------------------------------------------------------------

static int32_t weight_count(const sinew_skeleton *skeleton, int32_t node) {
    return skeleton->weight_offsets[node + 1] - skeleton->weight_offsets[node];
}

// Marks a node's target as bound. Returns false if it already was. If several nodes of the clip share a name, the first
// one is bound.
static bool take_target(const clip_binder *b, int32_t node, sinew_channel_target target) {
    uint8_t bit = (uint8_t)(1u << target);
    bool is_free = (b->taken_targets[node] & bit) == 0;
    b->taken_targets[node] |= bit;
    return is_free;
}

static bool can_bind(const clip_binder *b, const sinew_channel *channel, int32_t node) {
    if (node == SINEW_NO_NODE) return false;
    if (channel->target == SINEW_TARGET_WEIGHTS &&
        weight_count(b->skeleton, node) != weight_count(b->clip->skeleton, channel->node)) {
        return false;
    }
    return take_target(b, node, channel->target);
}

// Copies a channel to scratch memory for the node or curve that it is bound to.
static bool bind_channel(clip_binder *b, int32_t index, int32_t target) {
    sinew_channel_def *to = &b->channels[b->report->bound_channel_count++];
    if (!sinewi_clip_read_channel(b->clip, index, b->scratch, to)) return false;
    to->node = target;
    if (b->def->bound_nodes) b->def->bound_nodes[index] = target;
    return true;
}

// Collects the matched curve channels. These are the last channels of the clip.
static sinew_result collect_curves(clip_binder *b) {
    for (int32_t i = 0; i < b->clip->channel_count; i++) {
        const sinew_channel *channel = &b->clip->channels[i];
        if (channel->target != SINEW_TARGET_CURVE) continue;
        if (b->def->bound_nodes) b->def->bound_nodes[i] = SINEW_NO_NODE;
        const int32_t curve = sinew_skeleton_find_curve(b->skeleton, b->clip->skeleton->curve_names[channel->node]);
        if (curve == SINEW_NO_CURVE) {
            report_unmatched_curve(b, channel->node);
            continue;
        }
        if (!bind_channel(b, i, curve)) return sinewi_fail_memory(b->error);
        b->bound_curve_count++;
    }
    return SINEW_OK;
}

// Collects the matched node channels in scratch memory. Channels are sorted by node.
static sinew_result collect_channels(clip_binder *b) {
    int32_t source = SINEW_NO_NODE, node = SINEW_NO_NODE, last_unmatched = SINEW_NO_NODE,
            last_ordered = SINEW_NO_NODE;
    for (int32_t i = 0; i < b->clip->channel_count; i++) {
        const sinew_channel *channel = &b->clip->channels[i];
        if (channel->target == SINEW_TARGET_CURVE) break;
        if (b->def->bound_nodes) b->def->bound_nodes[i] = SINEW_NO_NODE;
        if (b->def->rotations_only && channel->target != SINEW_TARGET_ROTATION) continue;
        if (channel->node != source) node = b->match.nodes[channel->node];
        source = channel->node;
        if (node == SINEWI_BIND_EXCLUDED) continue;
        if (!can_bind(b, channel, node)) {
            report_unmatched(b, source, last_unmatched != source);
            last_unmatched = source;
            continue;
        }
        if (b->match.is_ordered[source] && last_ordered != source) report_ordered(b, source);
        if (b->match.is_ordered[source]) last_ordered = source;
        if (!bind_channel(b, i, node)) return sinewi_fail_memory(b->error);
    }
    return collect_curves(b);
}

// ---- Binding -------------------------------------------------------------------------------------------------

static sinew_result bind(clip_binder *b, sinew_clip **bound) {
    const sinew_clip *clip = b->clip;
    b->channels = sinewi_arena_array(b->scratch, sinew_channel_def, (size_t)clip->channel_count);
    b->taken_targets = sinewi_arena_zeros(b->scratch, uint8_t, (size_t)b->skeleton->node_count);
    if (!b->channels || !b->taken_targets ||
        !sinewi_bind_match_make(&b->match, clip, b->skeleton, b->def, b->scratch)) {
        return sinewi_fail_memory(b->error);
    }
    sinew_result result = collect_channels(b);
    if (result == SINEW_OK) result = check_share(b);
    if (result != SINEW_OK) return result;
    sinew_clip_def def = {
        .name = clip->name,
        .skeleton = b->skeleton,
        .channel_count = b->report->bound_channel_count,
        .channels = b->channels,
        .duration = clip->duration,
        .marker_count = clip->marker_count,
        .markers = clip->markers,
        .key_format = clip->key_format,
        .additive = clip->additive,
        .allocator = b->def->allocator,
    };
    return sinewi_clip_build(&def, clip, bound, b->error);
}

static sinew_result check_def(const sinew_bind_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_bind_def: start from sinew_bind_default()", error);
    if (result != SINEW_OK) return result;
    if (!(def->min_match >= 0.0f && def->min_match <= 1.0f)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "sinew_bind_def: min_match is %g; it must be 0 to 1",
                           (double)def->min_match);
    }
    if (def->name_count < 0 || (def->name_count > 0 && !def->names)) {
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "sinew_bind_def: names is NULL but name_count is not 0");
    }
    for (int32_t i = 0; i < def->name_count; i++) {
        if (def->names[i].source) continue;
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "sinew_bind_def: names[%d] has no source", (int)i);
    }
    return SINEW_OK;
}

sinew_result sinew_clip_bind(const sinew_clip *clip, const sinew_skeleton *skeleton, const sinew_bind_def *def,
                             sinew_clip **bound, sinew_bind_report *report, sinew_error *error) {
    const sinew_bind_def default_def = sinew_bind_default();
    sinew_bind_report unread;
    if (!report) report = &unread;
    if (!def) def = &default_def;
    memset(report, 0, sizeof *report);
    *bound = NULL;
    sinew_result result = check_def(def, error);
    if (result != SINEW_OK) return result;
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, &def->allocator);
    clip_binder binder = {
        .clip = clip, .skeleton = skeleton, .def = def, .scratch = &scratch, .report = report, .error = error};
    result = bind(&binder, bound);
    sinewi_arena_free(&scratch);
    return result;
}
