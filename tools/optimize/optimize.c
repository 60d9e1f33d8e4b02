// SPDX-License-Identifier: MIT
// Optimizes a file: chooses clip by clip, and writes.
#include "optimize/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Animations that are not touched -------------------------------------------------------------------------------

// Whether an object has no other members than these.
static bool has_only(const sinew_json *json, sinew_json_value object, const char *const *names) {
    if (sinew_json_kind_of(json, object) != SINEW_JSON_OBJECT) return false;
    for (sinew_json_value k = object + 1; k < json->nodes[object].next; k = sinew_json_next(json, k)) {
        bool known = false;
        for (int i = 0; names[i]; i++) known |= sinew_json_equals(json, k, names[i]);
        if (!known) return false;
    }
    return true;
}

// Whether all channels and samplers of an animation are understood: none has extras or extensions, or a target of an
// extension.
static bool is_plain(const optimize_def *def, int32_t animation) {
    static const char *const sampler[] = {"input", "output", "interpolation", NULL},
                             *const channel[] = {"sampler", "target", NULL},
                             *const target[] = {"node", "path", NULL};
    const sinew_json *json = &def->document->json;
    const sinew_json_value value = def->document->animations.values[animation];
    const sinew_json_value samplers = sinew_json_get(json, value, "samplers"),
                           channels = sinew_json_get(json, value, "channels");
    if (sinew_json_count(json, channels) != def->model->animations[animation].channel_count) return false;
    for (sinew_json_value e = sinew_json_first(json, samplers); e != SINEW_JSON_ABSENT;
         e = sinew_json_following(json, e)) {
        if (!has_only(json, e, sampler)) return false;
    }
    for (sinew_json_value e = sinew_json_first(json, channels); e != SINEW_JSON_ABSENT;
         e = sinew_json_following(json, e)) {
        if (!has_only(json, e, channel) || !has_only(json, sinew_json_get(json, e, "target"), target)) return false;
    }
    return def->model->animations[animation].channel_count > 0;
}

static bool *find_untouched(const plan *p) {
    const int32_t count = p->def->model->animation_count;
    bool *untouched = sinew_arena_zeros(p->arena, bool, (size_t)count);
    for (int32_t i = 0; untouched && i < count; i++) untouched[i] = !is_plain(p->def, i);
    return untouched;
}

// ---- The report ----------------------------------------------------------------------------------------------------

static void describe(const plan *p, int32_t animation, optimize_clip *clip) {
    const ref_animation *source = &p->def->model->animations[animation];
    *clip = (optimize_clip){.tracks = source->channel_count, .untouched = p->untouched[animation]};
    if (clip->untouched) return;
    for (int32_t c = 0; c < source->channel_count; c++) {
        const plan_track *track = &p->tracks[animation][c];
        const plan_level *level =
            track->chosen.choice.level < 0 ? NULL : &track->levels[track->chosen.choice.level];
        clip->dropped += !level;
        clip->constant += level && level->constant;
        clip->reduced += level && !level->constant && level->key_count < track->source->key_count;
    }
}

// ---- The file ------------------------------------------------------------------------------------------------------

static bool fail(optimize_result *result, const plan *p, const char *reason) {
    if (result->error[0] == '\0')
        snprintf(result->error, sizeof result->error, "%.300s: %.200s", p->def->path, reason);
    return false;
}

static bool begin(plan *p, compare_body *body) {
    const optimize_def *def = p->def;
    // Rounded vertices are displaced before any track is.
    if (!compare_match(body, p->arena, def->model, def->meshes ? def->meshes->model : def->model)) return false;
    p->body = body;
    // A bound exceeds the displacement that is found by up to 1 % and a millionth of the size.
    p->limit = (def->error - 2e-6) * body->size / 1.0101;
    p->untouched = find_untouched(p);
    p->tracks = sinew_arena_zeros(p->arena, plan_track *, (size_t)def->model->animation_count);
    p->multipliers = sinew_arena_zeros(p->arena, double, (size_t)body->group_count);
    return p->untouched && p->tracks && p->multipliers && plan_list_effects(p) &&
           compare_measure_begin(&p->measure, body, p->limit);
}

// The clips may be chosen twice: each counts for two steps.
static void tell_progress(const plan *p, int32_t clips) {
    const int32_t count = p->def->model->animation_count;
    if (p->def->progress && count > 0) p->def->progress(clips + (p->avoids_fours ? count : 0), 2 * count);
}

static bool choose_clips(plan *p) {
    const int32_t count = p->def->model->animation_count;
    for (int32_t i = 0; i < count; i++) {
        tell_progress(p, i);
        if (p->untouched[i]) continue;
        if (!plan_read_tracks(p, i)) return !(p->out_of_memory = true);
        if (!plan_choose(p, i)) return false;
        plan_keep_values(p, i);
    }
    return true;
}

// The bytes of a compressed view with its JSON, and of what other streams lose.
#define FOURS_BYTES 400.0

// Chooses once more without a stream that saves less than it costs.
static bool choose_file(plan *p) {
    const int32_t count = p->def->model->animation_count;
    if (!choose_clips(p)) return false;
    if (p->fours_gain != 0.0 && p->fours_gain < FOURS_BYTES) {
        p->avoids_fours = true;
        memset(p->buckets, 0, sizeof p->buckets);
        if (!choose_clips(p)) return false;
    }
    if (p->def->progress && count > 0) p->def->progress(2 * count, 2 * count);
    return true;
}

static bool has_work(const plan *p) {
    if (p->def->meshes) return true;
    for (int32_t i = 0; i < p->def->model->animation_count; i++) {
        if (!p->untouched[i]) return true;
    }
    return false;
}

bool optimize_file(optimize_result *result, const optimize_def *def) {
    *result = (optimize_result){.glb = NULL};
    sinew_arena_init(&result->arena, NULL);
    compare_body body;
    plan p = {.arena = &result->arena, .def = def};
    if (!begin(&p, &body))
        return fail(result, &p, p.too_long ? "its nodes have too many ancestors" : "out of memory");
    if (!choose_file(&p)) {
        return fail(result, &p,
                    p.out_of_memory ? "out of memory"
                    : p.too_long    ? "its clips have too many keys for a file of this size"
                                    : "the error cannot be reached by a smaller file");
    }
    result->clips = sinew_arena_zeros(&result->arena, optimize_clip, (size_t)def->model->animation_count);
    if (!result->clips) return fail(result, &p, "out of memory");
    for (int32_t i = 0; i < def->model->animation_count; i++) describe(&p, i, &result->clips[i]);
    return !has_work(&p) || plan_write(&p, result) || fail(result, &p, "out of memory");
}

void optimize_end(optimize_result *result) {
    free(result->glb);
    sinew_arena_free(&result->arena);
    *result = (optimize_result){.glb = NULL};
}
