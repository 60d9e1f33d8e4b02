// SPDX-License-Identifier: MIT
// Lists what a track may become, with its estimated bytes and its error.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

// ---- Bytes ---------------------------------------------------------------------------------------------------------

// The JSON of a channel with its sampler, and of an accessor without "normalized".
#define CHANNEL_JSON    80.0
#define ACCESSOR_JSON   82.0
#define NORMALIZED_JSON 18.0

// Other clips probably share the value's accessor.
#define CONSTANT_JSON 80.0

// Returns the size of a group of 16 bytes in the vertex codec: all 0, or 2, 4 or 8 bits each. Larger values follow the
// group.
static double group_bytes(const uint8_t *values, int32_t count) {
    int32_t above[3] = {0};
    for (int32_t i = 0; i < count; i++) {
        above[0] += values[i] > 0;
        above[1] += values[i] >= 3;
        above[2] += values[i] >= 15;
    }
    if (above[0] == 0) return 0.0;
    return fmin(count, fmin(count / 4.0 + above[1], count / 2.0 + above[2]));
}

// The codec stores each byte of an element as the difference from the previous element's byte, in zigzag order.
double plan_codec_bytes(const uint8_t *bytes, int32_t count, int32_t stride) {
    double sum = (double)count * stride / 64.0; // 2 bits per group
    for (int32_t at = 0; at < stride; at++) {
        uint8_t group[16];
        int32_t filled = 0;
        for (int32_t i = 0; i < count; i++) {
            const int difference = i > 0 ? (int8_t)(bytes[i * stride + at] - bytes[(i - 1) * stride + at]) : 0;
            group[filled++] = (uint8_t)(difference < 0 ? -2 * difference - 1 : 2 * difference);
            if (filled < 16 && i + 1 < count) continue;
            sum += group_bytes(group, filled);
            filled = 0;
        }
    }
    return sum + 0.75 * stride; // the first element
}

static double json_bytes(const plan_track *track, plan_choice choice) {
    const plan_level *level = &track->levels[choice.level];
    if (level->constant || level->key_count == 1) return CHANNEL_JSON + CONSTANT_JSON;
    return CHANNEL_JSON + ACCESSOR_JSON + (choice.coding == PLAN_QUATERNIONS ? NORMALIZED_JSON : 0.0);
}

static double value_bytes(const plan *p, const plan_track *track) {
    const ref_channel *result = &track->result;
    const int32_t elements = result->key_count * (result->interpolation == REF_CUBICSPLINE ? 3 : 1) *
                             (result->path == REF_WEIGHTS ? result->width : 1);
    return p->def->extension == OPTIMIZE_PLAIN ? (double)elements * track->stride
                                               : plan_codec_bytes(track->coded, elements, track->stride);
}

// ---- Errors --------------------------------------------------------------------------------------------------------

// Rounding that hardly changes a rotation may still change the motion between keys. It may reverse a turn of 180
// degrees, or normalize quaternions with different lengths.
#define ROUNDED_ROTATION 1e-6

// Returns how far a rotation's length is off. For floats it must be 1. The length weighs spline keys, because they
// aren't normalized.
static double length_error(const ref_channel *source, const double *value, const double *found) {
    if (plan_stretch(found) > PLAN_UNIT) return (double)INFINITY;
    return source->interpolation == REF_CUBICSPLINE ? plan_stretch(value) + PLAN_UNIT : PLAN_UNIT;
}

// Returns the largest difference at the kept keys.
static double rounding_error(const plan_track *track) {
    const plan_level *level = &track->levels[track->chosen.choice.level];
    const ref_channel *source = track->source;
    double largest = 0.0;
    for (int32_t i = 0; i < level->key_count; i++) {
        const double *value = level->constant ? track->constant : plan_value(source, level->keys[i]),
                     *found = plan_value(&track->result, i);
        largest = fmax(largest, plan_difference(source, value, found));
        if (source->path != REF_ROTATION || memcmp(value, found, 4 * sizeof *value) == 0) continue;
        largest = fmax(largest, ROUNDED_ROTATION);
        if (track->chosen.choice.coding != PLAN_QUATERNIONS)
            largest = fmax(largest, 2.0 * length_error(source, value, found));
    }
    return largest;
}

// ---- Candidates ----------------------------------------------------------------------------------------------------

enum { MAX_CANDIDATES = 40 * PLAN_MAX_LEVELS };

typedef struct candidate_list {
    plan_candidate items[MAX_CANDIDATES];
    int32_t count;
} candidate_list;

int32_t plan_timeline_of(const plan_track *track, const plan_candidate *candidate) {
    return candidate->choice.level < 0 ? -1 : track->levels[candidate->choice.level].timeline;
}

bool plan_keeps_span(const plan_track *track, plan_choice choice) {
    return choice.level >= 0 && (track->levels[choice.level].key_count > 1 || track->source->key_count == 1);
}

// Returns whether `a` makes `b` unnecessary. It doesn't if `a` may be ruled out later: a shared timeline may be closed,
// and floats may be avoided.
static bool is_better(const plan_track *track, const plan_candidate *a, const plan_candidate *b) {
    const int32_t timeline = plan_timeline_of(track, a);
    if (timeline >= 0 && timeline != plan_timeline_of(track, b)) return false;
    if (plan_is_fours(track, a) && !plan_is_fours(track, b)) return false;
    return a->bytes <= b->bytes && a->error <= b->error &&
           (plan_keeps_span(track, a->choice) || !plan_keeps_span(track, b->choice));
}

// Adds a candidate unless a listed one is better. Removes those that are worse.
static void add(candidate_list *list, const plan_track *track, plan_candidate candidate) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++) {
        if (is_better(track, &list->items[i], &candidate)) return;
    }
    for (int32_t i = 0; i < list->count; i++) {
        if (!is_better(track, &candidate, &list->items[i])) list->items[kept++] = list->items[i];
    }
    list->items[kept] = candidate;
    list->count = kept + 1;
}

// Returns the smallest exponent that fits a track's largest value into a mantissa.
static int least_exponent(const plan_track *track) {
    int exponent = -100;
    if (track->largest > 0.0) frexp(track->largest, &exponent);
    return (int)fmax(-100.0, exponent - 22.0);
}

static bool try_choice(plan *p, plan_track *track, plan_choice choice, candidate_list *list) {
    track->decoded = false;
    track->chosen.choice = choice;
    if (choice.coding != PLAN_EXACT &&
        !compare_count(&p->measure,
                       16.0 + 8.0 * (double)track->levels[choice.level].key_count * (double)track->source->width))
        return true;
    if (!plan_encode(p, track)) return false;
    const double level = track->levels[choice.level].error, rounding = rounding_error(track);
    if (!isfinite(rounding)) return true;
    add(list, track,
        (plan_candidate){choice, json_bytes(track, choice) + value_bytes(p, track), hypot(level, rounding)});
    return true;
}

static bool may_be_quaternions(const plan_track *track, const plan_level *level) {
    return track->source->path == REF_ROTATION &&
           (track->source->interpolation != REF_CUBICSPLINE || level->constant || level->linear);
}

bool plan_is_fours(const plan_track *track, const plan_candidate *candidate) {
    const plan_choice choice = candidate->choice;
    return choice.level >= 0 && choice.coding == PLAN_FLOATS &&
           may_be_quaternions(track, &track->levels[choice.level]);
}

static bool try_level(plan *p, plan_track *track, int32_t level, candidate_list *list) {
    const bool quaternions = may_be_quaternions(track, &track->levels[level]);
    for (int bits = p->def->extension == OPTIMIZE_PLAIN ? 16 : 4; quaternions && bits <= 16; bits++) {
        if (!try_choice(p, track, (plan_choice){level, PLAN_QUATERNIONS, bits, NULL}, list)) return false;
    }
    const int least = least_exponent(track);
    for (int exponent = least; exponent <= least + 22 && p->def->extension != OPTIMIZE_PLAIN; exponent++) {
        if (!try_choice(p, track, (plan_choice){level, PLAN_FLOATS, exponent, NULL}, list)) return false;
    }
    return try_choice(p, track, (plan_choice){level, PLAN_EXACT, 0, NULL}, list);
}

// Tries an earlier clip's values, which don't cost an accessor.
static void try_shared(plan *p, const plan_track *track, int32_t level, candidate_list *list) {
    double error;
    const plan_level *kept = &track->levels[level];
    const plan_track *shared = plan_find_similar(p, track, kept, &error);
    if (!shared) return;
    const plan_choice of = shared->chosen.choice;
    add(list, track,
        (plan_candidate){{level, of.coding, of.precision, shared}, CHANNEL_JSON, hypot(kept->error, error)});
}

static bool list_candidates(plan *p, plan_track *track, candidate_list *list) {
    list->count = 0;
    if (isfinite(track->dropped_error))
        add(list, track, (plan_candidate){{.level = -1}, 0.0, track->dropped_error});
    for (int32_t level = 0; level < track->level_count; level++) {
        if (!try_level(p, track, level, list)) return false;
        try_shared(p, track, level, list);
    }
    track->decoded = false;
    plan_candidate *kept = sinewi_arena_array(p->arena, plan_candidate, (size_t)list->count);
    if (!kept) return false;
    memcpy(kept, list->items, (size_t)list->count * sizeof *kept);
    track->candidates = kept;
    track->candidate_count = list->count;
    return true;
}

bool plan_list_candidates(plan *p, int32_t animation) {
    const int32_t count = p->body->models[0]->animations[animation].channel_count;
    candidate_list list;
    bool good = true;
    for (int32_t i = 0; i < count && good; i++) {
        sinewi_arena scratch;
        sinewi_arena_init(&scratch, NULL);
        p->values = &scratch;
        good = list_candidates(p, &p->tracks[animation][i], &list);
        p->values = p->arena;
        sinewi_arena_free(&scratch);
    }
    return good;
}
