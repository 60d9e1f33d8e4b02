// SPDX-License-Identifier: MIT
// Optimizes a file: chooses clip by clip, then writes it.
#include "optimize/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Animations that are not touched -------------------------------------------------------------------------------

// Returns whether an object has only these members.
static bool has_only(const sinewi_json *json, sinewi_json_value object, const char *const *names) {
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) return false;
    for (sinewi_json_value k = object + 1; k < json->nodes[object].next; k = sinewi_json_next(json, k)) {
        bool known = false;
        for (int i = 0; names[i]; i++) known |= sinewi_json_equals(json, k, names[i]);
        if (!known) return false;
    }
    return true;
}

// Returns whether all of an animation's channels and samplers are understood: none has extras, extensions or an
// extension's target.
static bool is_plain(const optimize_def *def, int32_t animation) {
    static const char *const sampler[] = {"input", "output", "interpolation", NULL},
                             *const channel[] = {"sampler", "target", NULL},
                             *const target[] = {"node", "path", NULL};
    const sinewi_json *json = &def->document->json;
    const sinewi_json_value value = def->document->animations.values[animation];
    const sinewi_json_value samplers = sinewi_json_get(json, value, "samplers"),
                            channels = sinewi_json_get(json, value, "channels");
    if (sinewi_json_count(json, channels) != def->model->animations[animation].channel_count) return false;
    for (sinewi_json_value e = sinewi_json_first(json, samplers); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e)) {
        if (!has_only(json, e, sampler)) return false;
    }
    for (sinewi_json_value e = sinewi_json_first(json, channels); e != SINEWI_JSON_ABSENT;
         e = sinewi_json_following(json, e)) {
        if (!has_only(json, e, channel) || !has_only(json, sinewi_json_get(json, e, "target"), target))
            return false;
    }
    return def->model->animations[animation].channel_count > 0;
}

static bool *find_untouched(const plan *p) {
    const int32_t count = p->def->model->animation_count;
    bool *untouched = sinewi_arena_zeros(p->arena, bool, (size_t)count);
    for (int32_t i = 0; untouched && i < count; i++) untouched[i] = !is_plain(p->def, i);
    return untouched;
}

// ---- The report ----------------------------------------------------------------------------------------------------

static void describe(const plan *p, int32_t animation, optimize_clip *clip) {
    const ref_animation *source = &p->def->model->animations[animation];
    *clip = (optimize_clip){
        .tracks = source->channel_count, .untouched = p->untouched[animation], .limited = p->limited[animation]};
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
    // Rounded vertices are already displaced before any track is.
    if (!compare_match(body, p->arena, def->model, def->meshes ? def->meshes->model : def->model)) return false;
    p->body = body;
    // A bound may exceed the actual displacement by 1% plus a millionth of the size.
    p->limit = (def->error - 2e-6) * body->size / 1.0101;
    p->taken = def->meshes ? fmin(def->meshes->error, 0.9 * p->limit) : 0.0;
    p->untouched = find_untouched(p);
    p->tracks = sinewi_arena_zeros(p->arena, plan_track *, (size_t)def->model->animation_count);
    p->multipliers = sinewi_arena_zeros(p->arena, double, (size_t)body->group_count);
    p->limited = sinewi_arena_zeros(p->arena, bool, (size_t)def->model->animation_count);
    return p->untouched && p->limited && p->tracks && p->multipliers && plan_list_effects(p) &&
           compare_measure_begin(&p->measure, body, p->limit);
}

// Each clip counts for two steps, because it may be chosen twice.
static void tell_progress(const plan *p, int32_t clips) {
    const int32_t count = p->def->model->animation_count;
    if (p->def->progress && count > 0) p->def->progress(clips + (p->avoids_fours ? count : 0), 2 * count);
}

// Returns a clip's share of all clips' numbers.
static double part_of(const plan *p, int32_t animation) {
    const ref_animation *clip = &p->def->model->animations[animation];
    double part = 0.0;
    if (p->untouched[animation]) return 0.0;
    for (int32_t c = 0; c < clip->channel_count; c++) part += 16.0 + clip->channels[c].key_count;
    return part;
}

// Returns how many key times a clip has, or a negative value if memory ran out.
static int32_t count_times(const ref_animation *clip) {
    sinewi_arena scratch;
    int32_t count = 0;
    sinewi_arena_init(&scratch, NULL);
    const bool good = compare_key_times(&scratch, clip, NULL, &count);
    sinewi_arena_free(&scratch);
    return good ? count : -1;
}

// Chooses for a clip within the limit on numbers. If it can't be measured within the limit, it keeps its keys.
static bool choose_clip(plan *p, int32_t animation) {
    const int32_t times = count_times(&p->def->model->animations[animation]);
    if (times < 0) return !(p->out_of_memory = true);
    p->limited[animation] = p->no_effects || !compare_count(&p->measure, compare_clip_numbers(&p->measure, times));
    if (p->limited[animation]) return plan_read_exact(p, animation) || !(p->out_of_memory = true);
    if (!plan_read_tracks(p, animation)) return !(p->out_of_memory = true);
    return plan_choose(p, animation, times);
}

static bool choose_clips(plan *p) {
    const int32_t count = p->def->model->animation_count;
    const double begun = p->measure.numbers;
    double whole = 0.0, done = 0.0;
    for (int32_t i = 0; i < count; i++) whole += part_of(p, i);
    for (int32_t i = 0; i < count; i++) {
        tell_progress(p, i);
        if (p->untouched[i]) continue;
        done += part_of(p, i);
        if (p->def->max_numbers > 0.0) p->measure.max_numbers = begun + p->def->max_numbers * done / whole;
        if (!choose_clip(p, i)) return false;
        plan_keep_values(p, i);
    }
    return true;
}

static bool is_limited(const plan *p) {
    for (int32_t i = 0; i < p->def->model->animation_count; i++) {
        if (p->limited[i]) return true;
    }
    return false;
}

// The size of a compressed view with its JSON, plus what other streams lose.
#define FOURS_BYTES 400.0

// Chooses for all clips, then chooses again without a stream that saves less than it costs.
static bool choose_file(plan *p) {
    const int32_t count = p->def->model->animation_count;
    if (!choose_clips(p)) return false;
    if (p->fours_gain != 0.0 && p->fours_gain < FOURS_BYTES && !is_limited(p)) {
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
    sinewi_arena_init(&result->arena, NULL);
    compare_body body;
    plan p = {.arena = &result->arena, .values = &result->arena, .def = def};
    if (!begin(&p, &body) || !choose_file(&p)) return fail(result, &p, "out of memory");
    result->clips = sinewi_arena_zeros(&result->arena, optimize_clip, (size_t)def->model->animation_count);
    if (!result->clips) return fail(result, &p, "out of memory");
    for (int32_t i = 0; i < def->model->animation_count; i++) describe(&p, i, &result->clips[i]);
    return !has_work(&p) || plan_write(&p, result) || fail(result, &p, "out of memory");
}

void optimize_end(optimize_result *result) {
    free(result->glb);
    sinewi_arena_free(&result->arena);
    *result = (optimize_result){.glb = NULL};
}
