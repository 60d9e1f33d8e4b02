// SPDX-License-Identifier: MIT
// Reads tracks: which keys may be left out, and how much the values differ then.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

// ---- Levels --------------------------------------------------------------------------------------------------------

static void add_level(plan_track *track, plan_level level) {
    track->levels[track->level_count++] = level;
}

static bool add_all_keys(plan *p, plan_track *track) {
    const ref_channel *channel = track->source;
    int32_t *keys = sinewi_arena_array(p->arena, int32_t, (size_t)channel->key_count);
    if (!keys) return false;
    for (int32_t k = 0; k < channel->key_count; k++) keys[k] = k;
    const plan_level all = {.keys = keys, .key_count = channel->key_count, .timeline = -1};
    add_level(track, all);
    if (channel->interpolation != REF_CUBICSPLINE || track->group < 0) return true;
    plan_level lines = all;
    lines.linear = true;
    lines.error = plan_reduction_error(channel, keys, channel->key_count);
    add_level(track, lines);
    return true;
}

static void add_timelines(plan *p, plan_track *track) {
    if (track->group < 0) return;
    for (int32_t i = p->first_timeline[track->group]; i < p->first_timeline[track->group + 1]; i++) {
        if (!compare_count(&p->measure, 32.0 * (double)track->source->key_count)) return;
        const plan_timeline *timeline = &p->timelines[i];
        add_level(track,
                  (plan_level){.keys = timeline->keys,
                               .key_count = timeline->key_count,
                               .linear = track->source->interpolation == REF_CUBICSPLINE,
                               .timeline = i,
                               .error = plan_reduction_error(track->source, timeline->keys, timeline->key_count)});
    }
}

// Finds the middle of the values. For rotations, it's their mean, on the first one's side.
static void find_constant(plan_track *track) {
    const ref_channel *channel = track->source;
    double least[4] = {0.0}, most[4], mean[4] = {0.0, 0.0, 0.0, 0.0};
    memcpy(least, plan_value(channel, 0), (size_t)channel->width * sizeof *least);
    memcpy(most, least, sizeof most);
    for (int32_t k = 0; k < channel->key_count; k++) {
        const double *value = plan_value(channel, k), *first = plan_value(channel, 0);
        double dot = 0.0;
        for (int32_t i = 0; i < channel->width; i++) {
            least[i] = fmin(least[i], value[i]);
            most[i] = fmax(most[i], value[i]);
            dot += first[i] * value[i];
        }
        for (int32_t i = 0; i < channel->width; i++) mean[i] += dot < 0.0 ? -value[i] : value[i];
    }
    for (int32_t i = 0; i < channel->width; i++)
        track->constant[i] = channel->path == REF_ROTATION ? mean[i] : 0.5 * (least[i] + most[i]);
    if (channel->path != REF_ROTATION) return;
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] + mean[3] * mean[3]);
    for (int32_t i = 0; i < 4; i++)
        track->constant[i] = length > 0.0 ? mean[i] / length : plan_value(channel, 0)[i];
}

static double error_of_value(const ref_channel *channel, const double *value) {
    double largest = 0.0;
    for (int32_t k = 0; k < channel->key_count; k++)
        largest = fmax(largest, plan_difference(channel, value, plan_value(channel, k)));
    return largest;
}

// Returns whether there are no tangents or all of them are 0. Otherwise the keys alone don't tell how far a track is
// from a value.
static bool stays_at_keys(const ref_channel *channel) {
    if (channel->interpolation != REF_CUBICSPLINE) return true;
    for (ptrdiff_t k = 0; k < channel->key_count; k++) {
        for (ptrdiff_t i = 0; i < channel->width; i++) {
            const double *key = channel->values + 3 * k * channel->width;
            if (key[i] != 0.0 || key[(ptrdiff_t)2 * channel->width + i] != 0.0) return false;
        }
    }
    return true;
}

static const double *rest_of(const ref_model *model, const ref_channel *channel) {
    const ref_node *node = &model->nodes[channel->node];
    switch (channel->path) {
    case REF_TRANSLATION:
        return node->translation;
    case REF_ROTATION:
        return node->rotation;
    case REF_SCALE:
        return node->scale;
    case REF_WEIGHTS:
        return model->rest_weights + node->first_weight;
    }
    return NULL;
}

// Adds levels with one value: at the first key, or at the first and last, which keeps the duration.
static bool add_constants(plan *p, plan_track *track) {
    const ref_channel *channel = track->source;
    if (channel->path == REF_WEIGHTS || channel->key_count < 2) return true;
    find_constant(track);
    int32_t *keys = sinewi_arena_zeros(p->arena, int32_t, 2);
    if (!keys) return false;
    keys[1] = channel->key_count - 1;
    const double error = error_of_value(channel, track->constant);
    for (int32_t count = 1; count <= 2; count++)
        add_level(track,
                  (plan_level){.keys = keys, .key_count = count, .constant = true, .timeline = -1, .error = error});
    return true;
}

static bool read_track(plan *p, const ref_channel *channel, int32_t index, plan_track *track) {
    *track = (plan_track){.channel = index, .source = channel};
    const int32_t parts = channel->interpolation == REF_CUBICSPLINE ? 3 : 1;
    const ptrdiff_t numbers = (ptrdiff_t)channel->key_count * channel->width * parts;
    for (ptrdiff_t i = 0; i < numbers; i++) track->largest = fmax(track->largest, fabs(channel->values[i]));
    track->dropped_error = (double)INFINITY;
    if (!stays_at_keys(channel)) return true;
    const double *rest = rest_of(p->body->models[0], channel);
    // A viewer may show what's stored.
    if (channel->path != REF_ROTATION || plan_stretch(rest) <= PLAN_UNIT)
        track->dropped_error = error_of_value(channel, rest);
    return add_constants(p, track);
}

static bool add_levels(plan *p, plan_track *tracks, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!add_all_keys(p, &tracks[i])) return false;
        add_timelines(p, &tracks[i]);
    }
    return true;
}

bool plan_read_exact(plan *p, int32_t animation) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    const int32_t count = source->channel_count;
    plan_track *tracks = sinewi_arena_zeros(p->arena, plan_track, (size_t)count);
    if (!tracks) return false;
    p->tracks[animation] = tracks;
    for (int32_t c = 0; c < count; c++) {
        tracks[c] = (plan_track){.channel = c, .source = &source->channels[c], .group = -1};
        if (!add_all_keys(p, &tracks[c])) return false;
        plan_choose_exact(&tracks[c]);
        if (!plan_encode(p, &tracks[c])) return false;
    }
    return true;
}

bool plan_read_tracks(plan *p, int32_t animation) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    const int32_t count = source->channel_count;
    plan_track *tracks = sinewi_arena_zeros(p->arena, plan_track, (size_t)count);
    if (!tracks) return false;
    p->tracks[animation] = tracks;
    for (int32_t c = 0; c < count; c++) {
        if (!read_track(p, &source->channels[c], c, &tracks[c])) return false;
    }
    return plan_list_timelines(p, tracks, count) && add_levels(p, tracks, count) &&
           plan_list_candidates(p, animation);
}
