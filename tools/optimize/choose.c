// SPDX-License-Identifier: MIT
// Chooses what becomes of each track.
//
// Every choice costs bytes, and displaces the points that its node moves: a rotation by its error times their distance. A
// choice minimizes bytes + multiplier × displacement², summed over the groups of points that the node moves. The
// multipliers of the groups, one for all tracks, follow what is measured (tools/compare): they grow while a group is
// displaced by more than the error that is allowed, and shrink while it is displaced by less.
#include "optimize/plan.h"

#include <math.h>
#include <string.h>

enum { FREE_ROUNDS = 6, ROUNDS = 20, MAX_ROUNDS = 60 };

// Estimated bytes of JSON: of a track with a sampler, a channel and an accessor, of one whose accessor is likely shared, and
// of the accessor of a new list of times.
#define TRACK_JSON    165.0
#define CONSTANT_JSON 110.0
#define TIMES_JSON    120.0

// ---- The cost of a choice -------------------------------------------------------------------------------------------

static double rounding_of(const plan_track *track, plan_choice choice) {
    // Half a step in each component; a quaternion turns by twice its difference.
    if (choice.coding == PLAN_QUATERNIONS) return 2.0 * sqrt(0.75) * plan_quaternion_step(choice.precision);
    if (choice.coding == PLAN_EXACT) return 0.0;
    const double step = ldexp(1.0, choice.precision);
    return (track->source->path == REF_ROTATION ? 2.0 : sqrt(0.75)) * 0.5 * step;
}

// Estimated bytes of the values: the bits of the differences from key to key, as the vertex codec stores them.
static double value_bytes(const plan *p, const plan_track *track, plan_choice choice) {
    const plan_level *level = &track->levels[choice.level];
    const double numbers =
        (double)level->key_count * track->source->width * (track->source->interpolation == REF_CUBICSPLINE ? 3 : 1);
    if (p->def->plain) return numbers * (choice.coding == PLAN_QUATERNIONS ? 2.0 : 4.0);
    if (choice.coding == PLAN_EXACT) return 3.5 * numbers;
    if (level->step == 0) return 0.5 * numbers;
    const double step =
        choice.coding == PLAN_QUATERNIONS ? plan_quaternion_step(choice.precision) : ldexp(1.0, choice.precision);
    const double bits = fmax(0.4, log2(1.0 + level->change / step) + 1.2);
    return numbers * (choice.coding == PLAN_QUATERNIONS ? 0.75 : 1.0) * bits / 8.0;
}

static double bytes_of(const plan *p, const plan_track *track, plan_choice choice, int32_t track_count) {
    if (choice.level < 0) return 0.0;
    const plan_level *level = &track->levels[choice.level];
    const double json = level->step == 0 ? CONSTANT_JSON : TRACK_JSON;
    const double times =
        level->step > 1 ? (TIMES_JSON + 2.5 * level->key_count) / fmax(1.0, track_count / 6.0) : 0.0;
    return json + times + value_bytes(p, track, choice);
}

static double cost_of(const plan *p, const plan_track *track, plan_choice choice, int32_t track_count) {
    const double error = choice.level < 0 ? track->dropped_error : track->levels[choice.level].error;
    const double rounding = choice.level < 0 ? 0.0 : rounding_of(track, choice);
    const double square = error * error + rounding * rounding;
    // An error of 0 costs nothing, also with an infinite multiplier.
    return bytes_of(p, track, choice, track_count) + (square > 0.0 ? track->weight * square : 0.0);
}

// ---- The choice of a track -----------------------------------------------------------------------------------------

typedef struct best_choice {
    plan_choice choice;
    double cost;
} best_choice;

static void try_choice(const plan *p, const plan_track *track, plan_choice choice, int32_t track_count,
                       best_choice *best) {
    const double cost = cost_of(p, track, choice, track_count);
    if (!(cost < best->cost)) return;
    *best = (best_choice){choice, cost};
}

// The least exponent at which the largest value of a track fits into a mantissa.
static int least_exponent(const plan_track *track) {
    int exponent = -100;
    if (track->largest > 0.0) frexp(track->largest, &exponent);
    return (int)fmax(-100.0, exponent - 22.0);
}

static void try_level(const plan *p, const plan_track *track, int32_t level, int32_t track_count,
                      best_choice *best) {
    const ref_channel *channel = track->source;
    const bool quaternions = channel->path == REF_ROTATION &&
                             (channel->interpolation != REF_CUBICSPLINE || track->levels[level].step == 0);
    for (int bits = p->def->plain ? 16 : 4; quaternions && bits <= 16; bits++)
        try_choice(p, track, (plan_choice){level, PLAN_QUATERNIONS, bits}, track_count, best);
    try_choice(p, track, (plan_choice){level, PLAN_EXACT, 0}, track_count, best);
    const int least = least_exponent(track);
    for (int exponent = least; exponent <= least + 22 && !p->def->plain; exponent++)
        try_choice(p, track, (plan_choice){level, PLAN_FLOATS, exponent}, track_count, best);
}

static plan_choice choose(const plan *p, const plan_track *track, int32_t track_count, bool may_drop) {
    best_choice best = {{0, PLAN_EXACT, 0}, (double)INFINITY};
    if (may_drop && isfinite(track->dropped_error))
        try_choice(p, track, (plan_choice){.level = -1}, track_count, &best);
    for (int32_t level = 0; level < track->level_count; level++) try_level(p, track, level, track_count, &best);
    return best.choice;
}

static bool same_choice(plan_choice a, plan_choice b) {
    return a.level == b.level && (a.level < 0 || (a.coding == b.coding && a.precision == b.precision));
}

// The sum of multiplier × (displacement for an error of 1)² over the groups that a track moves.
static double weight_of(const plan *p, const plan_track *track) {
    const ref_channel *channel = track->source;
    double sum = 0.0;
    for (int32_t i = p->first_effect[channel->node]; i < p->first_effect[channel->node + 1]; i++) {
        const plan_effect *effect = &p->effects[i];
        double reach = effect->reach;
        if (channel->path == REF_TRANSLATION) reach = p->scale_above[channel->node];
        if (channel->path == REF_SCALE) reach /= p->own_scale[channel->node];
        sum += p->multipliers[effect->group] * reach * reach;
    }
    return sum;
}

// ---- The span of a clip --------------------------------------------------------------------------------------------

static void span_of(const plan_track *tracks, int32_t count, bool only_kept, double span[2]) {
    span[0] = (double)INFINITY;
    span[1] = -(double)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const ref_channel *source = tracks[i].source;
        if (only_kept && tracks[i].choice.level < 0) continue;
        span[0] = fmin(span[0], source->times[0]);
        span[1] = fmax(span[1], source->times[source->key_count - 1]);
    }
}

// Keeps the cheapest track that has the first or the last key of the clip, if all such were dropped.
static void keep_span(const plan *p, plan_track *tracks, int32_t count) {
    double all[2], kept[2];
    span_of(tracks, count, false, all);
    for (int end = 0; end < 2; end++) {
        span_of(tracks, count, true, kept);
        if (kept[end] == all[end]) continue;
        int32_t cheapest = -1;
        double least = (double)INFINITY;
        for (int32_t i = 0; i < count; i++) {
            const ref_channel *source = tracks[i].source;
            if (source->times[end ? source->key_count - 1 : 0] != all[end]) continue;
            const double cost = cost_of(p, &tracks[i], choose(p, &tracks[i], count, false), count);
            if (cost >= least && cheapest >= 0) continue;
            least = cost;
            cheapest = i;
        }
        tracks[cheapest].choice = choose(p, &tracks[cheapest], count, false);
        tracks[cheapest].decoded = false;
    }
}

// ---- One clip ------------------------------------------------------------------------------------------------------

static void choose_all(const plan *p, plan_track *tracks, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        tracks[i].weight = weight_of(p, &tracks[i]);
        const plan_choice choice = choose(p, &tracks[i], count, true);
        tracks[i].decoded = tracks[i].decoded && same_choice(choice, tracks[i].choice);
        tracks[i].choice = choice;
    }
    keep_span(p, tracks, count);
}

static double total_bytes(const plan *p, const plan_track *tracks, int32_t count) {
    double bytes = 0.0;
    for (int32_t i = 0; i < count; i++) bytes += bytes_of(p, &tracks[i], tracks[i].choice, count);
    return bytes;
}

// Measures the chosen tracks; the bounds of all groups are then in p->measure.
static bool measure(plan *p, int32_t animation, ref_channel *channels, double *bound) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    plan_track *tracks = p->tracks[animation];
    ref_animation made = {.name = source->name, .channels = channels};
    for (int32_t i = 0; i < source->channel_count; i++) {
        if (tracks[i].choice.level < 0) continue;
        if (!plan_encode(p, &tracks[i])) return !(p->out_of_memory = true);
        channels[made.channel_count++] = tracks[i].result;
    }
    compare_worst worst;
    compare_measure_reset(&p->measure);
    if (!compare_clip(&p->measure, source, &made, animation, &worst)) return !(p->out_of_memory = true);
    *bound = worst.bound;
    p->too_long |= p->def->max_poses > 0 && p->measure.poses > p->def->max_poses;
    return !p->too_long;
}

// Raises the multipliers of groups that are displaced too far, and lowers the others: less each time, so that they settle, and
// not at all while no choice has been within the error after the first times.
static void update_multipliers(plan *p, int round, bool is_found) {
    const double ease = 1.0 / (1.0 + 0.2 * round);
    const bool lowers = is_found || round < FREE_ROUNDS;
    for (int32_t g = 0; g < p->body->group_count; g++) {
        const double ratio = p->measure.groups[g].bound / p->limit;
        if (ratio > 1.0) {
            p->multipliers[g] *= fmin(8.0, fmax(1.1, ratio * ratio * ratio)); // at least so much that it ends
        } else if (lowers) {
            p->multipliers[g] *= pow(fmax(0.6, ratio), ease);
        }
    }
}

static double mean_keys(const ref_animation *animation) {
    double keys = 0.0;
    for (int32_t i = 0; i < animation->channel_count; i++) keys += animation->channels[i].key_count;
    return animation->channel_count > 0 ? keys / animation->channel_count : 1.0;
}

static bool encode_all(plan *p, plan_track *tracks, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        tracks[i].decoded = false;
        if (tracks[i].choice.level >= 0 && !plan_encode(p, &tracks[i])) return !(p->out_of_memory = true);
    }
    return true;
}

// Chooses and measures repeatedly; the smallest choice within the error stays.
static bool choose_clip(plan *p, int32_t animation) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    plan_track *tracks = p->tracks[animation];
    const int32_t count = source->channel_count;
    const double limit = p->limit;
    ref_channel *channels = sinew_arena_array(p->values, ref_channel, (size_t)count);
    plan_choice *best = sinew_arena_array(p->values, plan_choice, (size_t)count);
    if (!channels || !best) return !(p->out_of_memory = true);
    double least = (double)INFINITY, bound = 0.0;
    for (int32_t g = 0; g < p->body->group_count; g++)
        p->multipliers[g] = 2.0 * mean_keys(source) / (limit * limit);
    for (int round = 0; round < MAX_ROUNDS && (round < ROUNDS || !isfinite(least)); round++) {
        choose_all(p, tracks, count);
        if (!measure(p, animation, channels, &bound)) return false;
        const double bytes = total_bytes(p, tracks, count);
        if (bound <= limit && bytes < least) {
            least = bytes;
            for (int32_t i = 0; i < count; i++) best[i] = tracks[i].choice;
        }
        update_multipliers(p, round, isfinite(least));
    }
    if (!isfinite(least)) return false;
    for (int32_t i = 0; i < count; i++) tracks[i].choice = best[i];
    return true;
}

bool plan_choose(plan *p, int32_t animation) {
    sinew_arena scratch;
    sinew_arena_init(&scratch, NULL);
    p->values = &scratch;
    const bool good = choose_clip(p, animation);
    p->values = p->arena;
    sinew_arena_free(&scratch);
    return good && encode_all(p, p->tracks[animation], p->body->models[0]->animations[animation].channel_count);
}
