// Tracks: turned to the near side, made unit, thinned where that is exact, and taken out where they say nothing.
#include "lint/fix.h"
#include "lint/ranges.h"

#include <math.h>
#include <string.h>

// What new key times cost beside their bytes: an accessor in the JSON.
#define COST_OF_ACCESSOR 160

// Key times are rounded too: a key on a straight way is off by this much more than its own rounding.
#define THIN_TOLERANCE 2.5

// Lengths of LINEAR rotation keys that differ by no more than this are the same.
#define LENGTH_TOLERANCE 1e-6

// A sampler while it is being mended.
typedef struct track {
    lint_sampler now;
    bool gone; // it is taken out
    bool new_times, new_values;
    bool constant;
} track;

// The values of a sampler to write to; a copy when they are still the file's.
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

static void turn_to_near_side(fixer *f, track *t) {
    bool flipped = false;
    for (int32_t k = 1; k < t->now.key_count && !flipped; k++) {
        flipped = lint_on_far_side(lint_key(&t->now, k - 1), lint_key(&t->now, k));
    }
    double *values = flipped && t->now.how == SINEW_INTERPOLATION_LINEAR ? own_values(f, t) : NULL;
    if (!values) return;
    for (size_t k = 1; k < (size_t)t->now.key_count; k++) {
        double *q = values + 4 * k;
        if (!lint_on_far_side(q - 4, q)) continue;
        for (int i = 0; i < 4; i++) q[i] = -q[i];
    }
    f->mended->of_rule[LINT_ROTATION_FLIP]++;
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

// Between LINEAR keys of different lengths the pose depends on whether a player normalises before or after it
// interpolates.
static bool has_uneven_lengths(const lint_sampler *sampler) {
    for (int32_t k = 1; k < sampler->key_count && sampler->how == SINEW_INTERPOLATION_LINEAR; k++) {
        const double *a = lint_key(sampler, k - 1), *b = lint_key(sampler, k);
        double before = sqrt(lint_dot4(a, a)), length = sqrt(lint_dot4(b, b));
        if (!(fabs(length - before) <= LENGTH_TOLERANCE * length)) return true;
    }
    return false;
}

// Integers are as near as they can be; keys of splines belong to their tangents.
static void make_unit(fixer *f, track *t) {
    if (t->now.parts != 1 || t->now.component_type != 5126) return;
    if (!has_off(&t->now) || has_uneven_lengths(&t->now)) return;
    double *values = own_values(f, t);
    for (int32_t k = 0; values && k < t->now.key_count; k++) {
        double *q = values + 4 * (size_t)k, length = sqrt(lint_dot4(q, q));
        for (int i = 0; i < 4 && length > 0.0; i++) q[i] /= length;
    }
    f->mended->of_rule[LINT_ROTATION_NOT_UNIT] += values != NULL;
}

// ---- Fewer keys ----------------------------------------------------------------------------------------------------

static void make_step(fixer *f, track *t) {
    if (t->now.parts != 3 || t->now.key_count != 1) return;
    t->now.values += t->now.width;
    t->now.parts = 1;
    t->now.how = SINEW_INTERPOLATION_STEP;
    t->new_values = true;
    sinew_json_value word = sinew_json_get(&f->s->document->json, t->now.value, "interpolation");
    lint_replace(&f->edits, word, "\"STEP\"");
    f->mended->of_rule[LINT_SPLINE_SINGLE_KEY]++;
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
    f->mended->of_rule[LINT_TRACK_CONSTANT]++;
}

// ---- Keys that say nothing -----------------------------------------------------------------------------------------

// One pass over tracks with the same times; false when every key is needed.
static bool thin_once(fixer *f, track *group, int32_t count) {
    const lint_sampler **samplers = lint_array(f->s, const lint_sampler *, count);
    double *tolerances = lint_array(f->s, double, count);
    bool *keep = lint_array(f->s, bool, group[0].now.key_count);
    if (f->s->out_of_memory) return false;
    for (int32_t i = 0; i < count; i++) {
        samplers[i] = &group[i].now;
        tolerances[i] = THIN_TOLERANCE * lint_exactness(&group[i].now);
    }
    if (lint_thin(samplers, tolerances, count, keep) == group[0].now.key_count) return false;
    for (int32_t i = 0; i < count; i++) keep_keys(f, &group[i], keep);
    return !f->s->out_of_memory;
}

// Each pass takes out some keys at least. Files can be made to have one go in each.
#define MOST_PASSES 32

// Passes until nothing is left to take out, so that mending a mended file finds nothing more to do. What saves less
// than new times cost is not done at all.
static bool thin_group(fixer *f, track **group, int32_t count) {
    track *thinned = lint_array(f->s, track, count);
    size_t size = 0, keys = (size_t)group[0]->now.key_count;
    for (int32_t i = 0; thinned && i < count; i++) {
        thinned[i] = *group[i];
        size += lint_value_size(&group[i]->now);
    }
    for (int pass = 0; thinned && pass < MOST_PASSES && thin_once(f, thinned, count); pass++) continue;
    if (f->s->out_of_memory) return false;
    size_t kept = (size_t)thinned[0].now.key_count;
    if ((keys - kept) * size <= kept * sizeof(float) + COST_OF_ACCESSOR) return false;
    for (int32_t i = 0; i < count; i++) *group[i] = thinned[i];
    return true;
}

static bool is_thinnable(const track *t) {
    if (t->gone || t->now.node < 0 || t->now.how != SINEW_INTERPOLATION_LINEAR || t->constant ||
        t->now.key_count <= 2)
        return false;
    bool is_rotation = t->now.path == SINEW_TARGET_ROTATION && t->now.width == 4;
    return !is_rotation || !has_off(&t->now) || !has_uneven_lengths(&t->now);
}

// The tracks of an animation by their times: lists[input] is the first of those on an input, -1 where there is none yet.
// Thinnable tracks have the file's times still, which are the same where the first accessor with them is.
static void thin_all(fixer *f, track *tracks, int32_t count, int32_t *lists) {
    track **group = lint_array(f->s, track *, count);
    int32_t *next = lint_array(f->s, int32_t, count);
    if (f->s->out_of_memory) return;
    for (int32_t i = count - 1; i >= 0; i--) { // from the back, since each goes to the front of its list
        if (!is_thinnable(&tracks[i])) continue;
        int32_t *first = &lists[f->first_times[tracks[i].now.input]];
        next[i] = *first;
        *first = i;
    }
    for (int32_t i = 0; !f->s->out_of_memory && i < count; i++) {
        int32_t *first = is_thinnable(&tracks[i]) ? &lists[f->first_times[tracks[i].now.input]] : NULL;
        int32_t members = 0;
        for (int32_t k = first ? *first : -1; k >= 0; k = next[k]) group[members++] = &tracks[k];
        if (members == 0) continue; // with an earlier one, which has emptied the list
        *first = -1;
        f->mended->of_rule[LINT_KEYS_DENSE] += thin_group(f, group, members);
    }
}

// ---- Taking out ----------------------------------------------------------------------------------------------------

static void remove_channels(fixer *f, const lint_animation *animation, bool *at_rest) {
    if (!fix_may_drop(f) || !lint_mark_at_rest(f->s, animation, at_rest)) return;
    for (int32_t i = 0; i < animation->channel_count; i++) {
        at_rest[i] = at_rest[i] && lint_is_plain(f->s->document, animation->channels[i].value);
        if (!at_rest[i]) continue;
        lint_remove_element(&f->edits, animation->channels[i].value);
        f->mended->of_rule[LINT_TRACK_AT_REST]++;
    }
}

// Samplers that no channel is left for.
static void remove_samplers(fixer *f, const lint_animation *animation, const bool *at_rest, track *tracks) {
    const sinew_json *json = &f->s->document->json;
    int32_t *left = lint_array(f->s, int32_t, animation->sampler_count);
    if (!left) return;
    for (int32_t i = 0; i < animation->sampler_count; i++) left[i] = animation->samplers[i].channels;
    for (int32_t k = 0; k < animation->channel_count; k++) {
        if (at_rest[k]) left[animation->channels[k].sampler]--;
    }
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        const lint_sampler *sampler = &animation->samplers[i];
        if (left[i] > 0 || !fix_may_drop(f) || !lint_is_plain(f->s->document, sampler->value)) continue;
        tracks[i].gone = true;
        lint_remove_element(&f->edits, sampler->value);
        fix_retarget(f, sinew_json_get(json, sampler->value, "input"), -1);
        fix_retarget(f, sinew_json_get(json, sampler->value, "output"), -1);
        f->mended->of_rule[LINT_UNUSED_SAMPLER] += sampler->channels == 0;
    }
}

static void number_samplers(fixer *f, const lint_animation *animation, const track *tracks) {
    int32_t *numbers = lint_array(f->s, int32_t, animation->sampler_count), count = 0;
    for (int32_t i = 0; numbers && i < animation->sampler_count; i++) numbers[i] = tracks[i].gone ? -1 : count++;
    for (int32_t i = 0; numbers && i < animation->channel_count; i++) {
        int32_t sampler = animation->channels[i].sampler;
        if (sampler < 0 || numbers[sampler] < 0) continue;
        lint_set_number(&f->edits, animation->channels[i].value, "sampler", (size_t)numbers[sampler], 0);
    }
}

// ---- Animations ----------------------------------------------------------------------------------------------------

static void retarget(fixer *f, const track *t, const lint_sampler *was) {
    const sinew_json *json = &f->s->document->json;
    int32_t input = fix_may_drop(f) ? f->first_times[was->input] : was->input;
    int32_t output = fix_may_drop(f) ? f->first_values[was->output] : was->output;
    if (t->new_times) input = fix_content_of(f, was->input, true, false, t->now.key_count, t->now.times);
    if (t->new_values) {
        ref_accessor data;
        if (!ref_read_accessor(f->s->document, was->output, &data)) return;
        int64_t numbers = (int64_t)t->now.key_count * t->now.parts * t->now.width;
        output = fix_content_of(f, was->output, false, false, (int32_t)(numbers / data.components), t->now.values);
    }
    if (!t->new_times && input != was->input) f->mended->of_rule[LINT_TIMES_DUPLICATE]++;
    if (!t->new_values && output != was->output) f->mended->of_rule[LINT_TRACK_DUPLICATE]++;
    fix_retarget(f, sinew_json_get(json, was->value, "input"), input);
    fix_retarget(f, sinew_json_get(json, was->value, "output"), output);
}

static void fix_animation(fixer *f, const lint_animation *animation, int32_t *lists) {
    track *tracks = lint_array(f->s, track, animation->sampler_count);
    bool *at_rest = lint_array(f->s, bool, animation->channel_count);
    if (f->s->out_of_memory) return;
    remove_channels(f, animation, at_rest);
    remove_samplers(f, animation, at_rest, tracks);
    number_samplers(f, animation, tracks);
    for (int32_t i = 0; i < animation->sampler_count; i++) {
        track *t = &tracks[i];
        t->now = animation->samplers[i];
        if (t->gone || t->now.node < 0) continue;
        if (t->now.path == SINEW_TARGET_ROTATION && t->now.width == 4) {
            turn_to_near_side(f, t);
            make_unit(f, t);
        }
        make_step(f, t);
        keep_ends(f, t);
    }
    if (fix_may_drop(f)) thin_all(f, tracks, animation->sampler_count, lists);
    for (int32_t i = 0; i < animation->sampler_count && !f->s->out_of_memory; i++) {
        if (!tracks[i].gone && tracks[i].now.node >= 0) retarget(f, &tracks[i], &animation->samplers[i]);
    }
}

void fix_tracks(fixer *f) {
    int32_t accessors = f->s->document->accessors.count;
    int32_t *lists = lint_array(f->s, int32_t, accessors); // empty between animations
    for (int32_t i = 0; lists && i < accessors; i++) lists[i] = -1;
    for (int32_t i = 0; lists && i < f->s->animation_count; i++) fix_animation(f, &f->s->animations[i], lists);
}
