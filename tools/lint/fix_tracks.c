// SPDX-License-Identifier: MIT
// Fixes tracks: removes sign flips in rotations, normalizes rotations, and removes redundant tracks and keys that
// interpolation reproduces exactly.
#include "lint/fix.h"
#include "lint/ranges.h"

#include <math.h>
#include <string.h>

// What new key times cost besides their bytes: an accessor in the JSON.
#define COST_OF_ACCESSOR 160

// Key times are also rounded. A key on a straight line is off by this factor times its own rounding.
#define REDUCE_TOLERANCE 2.5

// Lengths of LINEAR rotation keys count as equal if they differ by at most this much.
#define LENGTH_TOLERANCE 1e-6

// A sampler that's being fixed.
typedef struct track {
    lint_sampler now;
    bool removed;
    bool new_times, new_values;
    bool constant;
} track;

// Returns a writable copy of the sampler's values.
static double *own_values(fixer *f, track *t) {
    size_t count = (size_t)t->now.key_count * (size_t)t->now.parts * (size_t)t->now.width;
    double *values = lint_array(f->s, double, count);
    if (!values) return NULL;
    memcpy(values, t->now.values, count * sizeof *values);
    t->now.values = values;
    t->new_values = true;
    return values;
}

// ---- Rotations -----------------------------------------------------------------------------------------------------

static void remove_sign_flips(fixer *f, track *t) {
    bool flipped = false;
    for (int32_t k = 1; k < t->now.key_count && !flipped; k++) {
        flipped = lint_flips_sign(lint_key(&t->now, k - 1), lint_key(&t->now, k));
    }
    double *values = flipped && t->now.interpolation == SINEW_INTERPOLATION_LINEAR ? own_values(f, t) : NULL;
    if (!values) return;
    bool negates = false;
    double before[4];
    memcpy(before, values, sizeof before);
    for (size_t k = 1; k < (size_t)t->now.key_count; k++) {
        double *q = values + 4 * k;
        negates ^= lint_flips_sign(before, q); // uses the file's signs, because they choose the side of half turns
        memcpy(before, q, sizeof before);
        for (int i = 0; i < 4 && negates; i++) q[i] = -q[i];
    }
    f->fixed->of_rule[LINT_ROTATION_FLIP]++;
}

static bool is_off(const lint_sampler *sampler, int32_t key) {
    const double *q = lint_key(sampler, key);
    double length = sqrt(lint_dot4(q, q));
    return length > 0.0 && !lint_is_unit(length, sampler->component_type);
}

static bool has_off(const lint_sampler *sampler) {
    for (int32_t k = 0; k < sampler->key_count; k++) {
        if (is_off(sampler, k)) return true;
    }
    return false;
}

// Returns whether LINEAR keys have different lengths. Then the pose depends on whether a player normalizes before or
// after interpolating.
static bool has_uneven_lengths(const lint_sampler *sampler) {
    for (int32_t k = 1; k < sampler->key_count && sampler->interpolation == SINEW_INTERPOLATION_LINEAR; k++) {
        const double *a = lint_key(sampler, k - 1), *b = lint_key(sampler, k);
        double before = sqrt(lint_dot4(a, a)), length = sqrt(lint_dot4(b, b));
        if (!(fabs(length - before) <= LENGTH_TOLERANCE * length)) return true;
    }
    return false;
}

// Normalizes float keys for STEP and LINEAR. Integer keys can't be more exact, and spline keys match their tangents.
static void make_unit(fixer *f, track *t) {
    if (t->now.parts != 1 || t->now.component_type != REF_F32) return;
    if (!has_off(&t->now) || has_uneven_lengths(&t->now)) return;
    double *values = own_values(f, t);
    for (int32_t k = 0; values && k < t->now.key_count; k++) {
        double *q = values + 4 * (size_t)k, length = sqrt(lint_dot4(q, q));
        for (int i = 0; i < 4 && length > 0.0; i++) q[i] /= length;
    }
    f->fixed->of_rule[LINT_ROTATION_NOT_UNIT] += values != NULL;
}

// ---- Fewer keys ----------------------------------------------------------------------------------------------------

static void make_step(fixer *f, track *t) {
    if (t->now.parts != 3 || t->now.key_count != 1) return;
    t->now.values += t->now.width;
    t->now.parts = 1;
    t->now.interpolation = SINEW_INTERPOLATION_STEP;
    t->new_values = true;
    sinewi_json_value word = sinewi_json_get(&f->s->document->json, t->now.value, "interpolation");
    lint_replace(&f->edits, word, "\"STEP\"");
    f->fixed->of_rule[LINT_SPLINE_SINGLE_KEY]++;
}

static void keep_keys(fixer *f, track *t, const bool *keep) {
    size_t width = (size_t)t->now.parts * (size_t)t->now.width, keys = (size_t)t->now.key_count;
    double *times = lint_array(f->s, double, keys), *values = lint_array(f->s, double, keys *width);
    int32_t kept = 0;
    if (!times || !values) return;
    for (size_t k = 0; k < keys; k++) {
        if (!keep[k]) continue;
        times[kept] = t->now.times[k];
        memcpy(values + (size_t)kept * width, t->now.values + k * width, width * sizeof *values);
        kept++;
    }
    t->now.times = times;
    t->now.values = values;
    t->now.key_count = kept;
    t->new_times = t->new_values = true;
}

static void keep_ends(fixer *f, track *t) {
    t->constant = lint_is_constant(&t->now);
    if (!t->constant || t->now.key_count < 3 || !fix_may_drop(f)) return;
    bool *keep = lint_array(f->s, bool, t->now.key_count);
    if (!keep) return;
    keep[0] = keep[t->now.key_count - 1] = true;
    keep_keys(f, t, keep);
    f->fixed->of_rule[LINT_TRACK_CONSTANT]++;
}

// ---- Keys that interpolation reproduces ----------------------------------------------------------------------------

// Makes one pass over tracks with the same times. Returns false if every key is needed.
static bool reduce_once(fixer *f, track *group, int32_t count) {
    const lint_sampler **samplers = lint_array(f->s, const lint_sampler *, count);
    double *tolerances = lint_array(f->s, double, count);
    bool *keep = lint_array(f->s, bool, group[0].now.key_count);
    if (f->s->out_of_memory) return false;
    for (int32_t i = 0; i < count; i++) {
        samplers[i] = &group[i].now;
        tolerances[i] = REDUCE_TOLERANCE * lint_rounding_tolerance(&group[i].now);
    }
    if (lint_mark_needed_keys(samplers, tolerances, count, keep) == group[0].now.key_count) return false;
    for (int32_t i = 0; i < count; i++) keep_keys(f, &group[i], keep);
    return !f->s->out_of_memory;
}

// The maximum number of passes. In a hostile file, each pass may only remove one key.
#define MAX_PASSES 32

// Repeats passes until no key can be removed, because fixing a fixed file must not change anything. Removes nothing if
// that saves less than new key times cost.
static bool reduce_group(fixer *f, track **group, int32_t count) {
    track *reduced = lint_array(f->s, track, count);
    size_t size = 0, keys = (size_t)group[0]->now.key_count;
    for (int32_t i = 0; reduced && i < count; i++) {
        reduced[i] = *group[i];
        size += lint_value_size(&group[i]->now);
    }
    for (int pass = 0; reduced && pass < MAX_PASSES && reduce_once(f, reduced, count); pass++) continue;
    if (f->s->out_of_memory) return false;
    size_t kept = (size_t)reduced[0].now.key_count;
    if ((keys - kept) * size <= kept * sizeof(float) + COST_OF_ACCESSOR) return false;
    for (int32_t i = 0; i < count; i++) *group[i] = reduced[i];
    return true;
}

static bool is_reducible(const track *t) {
    if (t->removed || t->now.node < 0 || t->now.interpolation != SINEW_INTERPOLATION_LINEAR || t->constant ||
        t->now.key_count <= 2)
        return false;
    bool is_rotation = t->now.path == SINEW_TARGET_ROTATION && t->now.width == 4;
    return !is_rotation || !has_off(&t->now) || !has_uneven_lengths(&t->now);
}

// Groups an animation's tracks by their key times: lists[input] is the first track on an input, or -1. Reducible tracks
// still have the file's times, which are equal if the first accessor with them is.
static void reduce_all(fixer *f, track *tracks, int32_t count, int32_t *lists) {
    track **group = lint_array(f->s, track *, count);
    int32_t *next = lint_array(f->s, int32_t, count);
    if (f->s->out_of_memory) return;
    for (int32_t i = count - 1; i >= 0; i--) { // backward, because each is inserted at the front of its list
        if (!is_reducible(&tracks[i])) continue;
        int32_t *first = &lists[f->first_times[tracks[i].now.input]];
        next[i] = *first;
        *first = i;
    }
    for (int32_t i = 0; !f->s->out_of_memory && i < count; i++) {
        int32_t *first = is_reducible(&tracks[i]) ? &lists[f->first_times[tracks[i].now.input]] : NULL;
        int32_t members = 0;
        for (int32_t k = first ? *first : -1; k >= 0; k = next[k]) group[members++] = &tracks[k];
        if (members == 0) continue; // part of an earlier group, which emptied the list
        *first = -1;
        f->fixed->of_rule[LINT_KEYS_DENSE] += reduce_group(f, group, members);
    }
}

// ---- Removal -------------------------------------------------------------------------------------------------------

static void remove_channels(fixer *f, const lint_animation *animation, bool *redundant) {
    if (!fix_may_drop(f) || !lint_mark_redundant(f->s, animation, redundant)) return;
    for (int32_t i = 0; i < animation->channel_count; i++) {
        redundant[i] = redundant[i] && lint_is_plain(f->s->document, animation->channels[i].value);
        if (!redundant[i]) continue;
        lint_remove_element(&f->edits, animation->channels[i].value);
        f->fixed->of_rule[LINT_TRACK_REDUNDANT]++;
    }
}

// Removes samplers that no longer have a channel.
static void remove_samplers(fixer *f, const lint_animation *animation, const bool *redundant, track *tracks) {
    const sinewi_json *json = &f->s->document->json;
    int32_t *left = lint_array(f->s, int32_t, animation->sampler_count);
    if (!left) return;
    for (int32_t i = 0; i < animation->sampler_count; i++) left[i] = animation->samplers[i].channels;
    for (int32_t k = 0; k < animation->channel_count; k++) {
        if (redundant[k]) left[animation->channels[k].sampler]--;
    }
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (left[i] > 0 || !fix_may_drop(f) || !lint_is_plain(f->s->document, sampler->value)) continue;
        tracks[i].removed = true;
        lint_remove_element(&f->edits, sampler->value);
        fix_retarget(f, sinewi_json_get(json, sampler->value, "input"), -1);
        fix_retarget(f, sinewi_json_get(json, sampler->value, "output"), -1);
        f->fixed->of_rule[LINT_UNUSED_SAMPLER] += sampler->channels == 0;
    }
}

static void number_samplers(fixer *f, const lint_animation *animation, const track *tracks) {
    int32_t *numbers = lint_array(f->s, int32_t, animation->sampler_count), count = 0;
    for (int32_t i = 0; numbers && i < animation->sampler_count; i++) numbers[i] = tracks[i].removed ? -1 : count++;
    for (int32_t i = 0; numbers && i < animation->channel_count; i++) {
        int32_t sampler = animation->channels[i].sampler;
        if (sampler < 0 || numbers[sampler] < 0) continue;
        lint_set_number(&f->edits, animation->channels[i].value, "sampler", (size_t)numbers[sampler], 0);
    }
}

// ---- Animations ----------------------------------------------------------------------------------------------------

static void retarget(fixer *f, const track *t, const lint_sampler *was) {
    const sinewi_json *json = &f->s->document->json;
    int32_t input = fix_may_drop(f) ? f->first_times[was->input] : was->input;
    int32_t output = fix_may_drop(f) ? f->first_values[was->output] : was->output;
    if (t->new_times) input = fix_content_of(f, was->input, true, false, t->now.key_count, t->now.times);
    if (t->new_values) {
        ref_accessor data;
        if (!ref_read_accessor(f->s->document, was->output, &data)) return;
        int64_t numbers = (int64_t)t->now.key_count * t->now.parts * t->now.width;
        output = fix_content_of(f, was->output, false, false, (int32_t)(numbers / data.components), t->now.values);
    }
    if (!t->new_times && input != was->input) f->fixed->of_rule[LINT_TIMES_DUPLICATE]++;
    if (!t->new_values && output != was->output) f->fixed->of_rule[LINT_TRACK_DUPLICATE]++;
    fix_retarget(f, sinewi_json_get(json, was->value, "input"), input);
    fix_retarget(f, sinewi_json_get(json, was->value, "output"), output);
}

static void fix_animation(fixer *f, const lint_animation *animation, int32_t *lists) {
    track *tracks = lint_array(f->s, track, animation->sampler_count);
    bool *redundant = lint_array(f->s, bool, animation->channel_count);
    if (f->s->out_of_memory) return;
    remove_channels(f, animation, redundant);
    remove_samplers(f, animation, redundant, tracks);
    number_samplers(f, animation, tracks);
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        track *t = &tracks[i];
        t->now = animation->samplers[i];
        if (t->removed || t->now.node < 0) continue;
        if (t->now.path == SINEW_TARGET_ROTATION && t->now.width == 4) {
            remove_sign_flips(f, t);
            make_unit(f, t);
        }
        make_step(f, t);
        keep_ends(f, t);
    }
    if (fix_may_drop(f)) reduce_all(f, tracks, animation->sampler_count, lists);
    for (int32_t i = 0; i < animation->sampler_count && !f->s->out_of_memory; i++) {
        if (!tracks[i].removed && tracks[i].now.node >= 0) retarget(f, &tracks[i], &animation->samplers[i]);
    }
}

void fix_tracks(fixer *f) {
    int32_t accessors = f->s->document->accessors.count;
    int32_t *lists = lint_array(f->s, int32_t, accessors); // empty between animations
    for (int32_t i = 0; lists && i < accessors; i++) lists[i] = -1;
    for (int32_t i = 0; lists && i < f->s->animation_count; i++) fix_animation(f, &f->s->animations[i], lists);
}
