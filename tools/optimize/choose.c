// SPDX-License-Identifier: MIT
// Chooses what becomes of each track.
//
// Every choice costs bytes and displaces the points that its node moves. A rotation displaces them by its error times
// their distance. A choice minimizes bytes + multiplier × displacement², summed over the groups of points that the node
// moves. Each group has one multiplier for all tracks. It follows what is measured (tools/compare): it grows while the
// group is displaced by more than the allowed error and shrinks while it's displaced by less.
#include "optimize/plan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FREE_ROUNDS = 6, ROUNDS = 30, MAX_ROUNDS = 60 };

// ---- The choice of a track -----------------------------------------------------------------------------------------

static double cost_of(const plan_track *track, const plan_candidate *candidate) {
    assert(candidate); // one is always open
    const double square = candidate->error * candidate->error;
    // An error of 0 doesn't cost anything, even with an infinite multiplier.
    return candidate->bytes + (square > 0.0 ? track->weight * square : 0.0);
}

// Returns whether a candidate's timeline isn't closed and its stream isn't avoided.
static bool is_open(const plan *p, const plan_track *track, const plan_candidate *candidate) {
    const int32_t timeline = plan_timeline_of(track, candidate);
    if (p->avoids_fours && plan_is_fours(track, candidate)) return false;
    return timeline < 0 || !p->timelines[timeline].closed;
}

// Returns the best open candidate, except those on the timeline `without`.
static const plan_candidate *choose(const plan *p, const plan_track *track, bool span, int32_t without) {
    const plan_candidate *best = NULL;
    for (int32_t i = 0; i < track->candidate_count; i++) {
        const plan_candidate *candidate = &track->candidates[i];
        if (!is_open(p, track, candidate)) continue;
        if (without >= 0 && plan_timeline_of(track, candidate) == without) continue;
        if (span && !plan_keeps_span(track, candidate->choice)) continue;
        if (!best || cost_of(track, candidate) < cost_of(track, best)) best = candidate;
    }
    return best;
}

static bool same_choice(plan_choice a, plan_choice b) {
    return a.level == b.level &&
           (a.level < 0 || (a.coding == b.coding && a.precision == b.precision && a.shared == b.shared));
}

// Returns the sum of multiplier × (displacement for an error of 1)² over the groups that a track moves. If a node
// doesn't move anything that's measured, this assumes that something is attached to it.
static double weight_of(const plan *p, const plan_track *track) {
    const int32_t first = p->first_effect[track->source->node], end = p->first_effect[track->source->node + 1];
    if (first == end) {
        const double reach = plan_reach(p, track, &(plan_effect){.reach = 0.1 * p->body->size});
        return p->first_multiplier * reach * reach;
    }
    double sum = 0.0;
    for (int32_t i = first; i < end; i++) {
        const double reach = plan_reach(p, track, &p->effects[i]);
        sum += p->multipliers[p->effects[i].group] * reach * reach;
    }
    return sum;
}

// ---- The span of a clip --------------------------------------------------------------------------------------------

static void span_of(const plan_track *tracks, int32_t count, bool only_kept, double span[2]) {
    span[0] = (double)INFINITY;
    span[1] = -(double)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const ref_channel *source = tracks[i].source;
        const plan_choice choice = tracks[i].chosen.choice;
        if (only_kept && choice.level < 0) continue;
        const bool whole = !only_kept || plan_keeps_span(&tracks[i], choice);
        span[0] = fmin(span[0], source->times[0]);
        span[1] = fmax(span[1], source->times[whole ? source->key_count - 1 : 0]);
    }
}

static void set_choice(plan_track *track, const plan_candidate *candidate) {
    // NOLINTBEGIN(clang-analyzer-core.NullDereference): each track has an open candidate that keeps the span
    track->decoded = track->decoded && same_choice(candidate->choice, track->chosen.choice);
    track->chosen = *candidate;
    // NOLINTEND(clang-analyzer-core.NullDereference)
}

// Keeps the cheapest track with the clip's first or last key, if all such tracks were dropped.
static void keep_span(const plan *p, plan_track *tracks, int32_t count) {
    double all[2], kept[2];
    span_of(tracks, count, false, all);
    for (int end = 0; end < 2; end++) {
        span_of(tracks, count, true, kept);
        if (kept[end] == all[end]) continue;
        plan_track *cheapest = NULL;
        double least = (double)INFINITY;
        for (int32_t i = 0; i < count; i++) {
            const ref_channel *source = tracks[i].source;
            if (source->times[end ? source->key_count - 1 : 0] != all[end]) continue;
            const double cost =
                cost_of(&tracks[i], choose(p, &tracks[i], true, -1)) - cost_of(&tracks[i], &tracks[i].chosen);
            if (cost >= least && cheapest) continue;
            least = cost;
            cheapest = &tracks[i];
        }
        if (cheapest) set_choice(cheapest, choose(p, cheapest, true, -1));
    }
}

// ---- One clip ------------------------------------------------------------------------------------------------------

// Bytes for an accessor with times, and for a time.
#define TIMES_JSON 120.0
#define TIME_BYTES 2.5

static double timeline_bytes(const plan_timeline *timeline) {
    return TIMES_JSON + TIME_BYTES * timeline->key_count;
}

// Chooses for all tracks. Afterwards, a timeline's loss is what closing it costs, without its own bytes.
static void choose_open(plan *p, plan_track *tracks, int32_t count) {
    for (int32_t i = 0; i < p->timeline_count; i++) p->timelines[i].loss = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const plan_candidate *best = choose(p, &tracks[i], false, -1);
        const int32_t timeline = plan_timeline_of(&tracks[i], best);
        set_choice(&tracks[i], best);
        if (timeline < 0) continue;
        const plan_candidate *other = choose(p, &tracks[i], false, timeline);
        p->timelines[timeline].loss += cost_of(&tracks[i], other) - cost_of(&tracks[i], best);
    }
}

// Closes the group's timeline that gains least, if it takes more bytes than it gains.
static bool close_wasteful(plan *p, int32_t group) {
    plan_timeline *worst = NULL;
    for (int32_t i = p->first_timeline[group]; i < p->first_timeline[group + 1]; i++) {
        plan_timeline *timeline = &p->timelines[i];
        const double gain = timeline->loss - timeline_bytes(timeline);
        if (timeline->closed || gain >= 0.0) continue;
        if (!worst || gain < worst->loss - timeline_bytes(worst)) worst = timeline;
    }
    if (worst) worst->closed = true;
    return worst;
}

// Chooses with all timelines, then closes one after the other as long as that saves bytes.
static void choose_all(plan *p, plan_track *tracks, int32_t count) {
    bool closed = true;
    double candidates = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *first = &p->first_effect[tracks[i].source->node];
        candidates += tracks[i].candidate_count;
        compare_count(&p->measure, 2.0 * (double)(first[1] - first[0]));
        tracks[i].weight = weight_of(p, &tracks[i]);
    }
    for (int32_t i = 0; i < p->timeline_count; i++) p->timelines[i].closed = false;
    while (closed) {
        choose_open(p, tracks, count);
        compare_count(&p->measure, 4.0 * candidates);
        closed = false;
        for (int32_t g = 0; g < p->group_count; g++) closed |= close_wasteful(p, g);
    }
    keep_span(p, tracks, count);
}

static double total_bytes(const plan *p, const plan_track *tracks, int32_t count) {
    double bytes = 0.0;
    for (int32_t i = 0; i < count; i++) bytes += tracks[i].chosen.bytes;
    for (int32_t i = 0; i < p->timeline_count; i++) {
        if (!p->timelines[i].closed) bytes += timeline_bytes(&p->timelines[i]);
    }
    return bytes;
}

// Measures the chosen tracks. Afterwards, p->measure has the bounds of all groups.
static bool measure(plan *p, int32_t animation, ref_channel *channels, double *bound) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    plan_track *tracks = p->tracks[animation];
    ref_animation made = {.name = source->name, .channels = channels};
    for (int32_t i = 0; i < source->channel_count; i++) {
        if (tracks[i].chosen.choice.level < 0) continue;
        if (!plan_encode(p, &tracks[i])) return !(p->out_of_memory = true);
        channels[made.channel_count++] = tracks[i].result;
    }
    compare_worst worst;
    compare_measure_reset(&p->measure);
    if (!compare_clip(&p->measure, source, &made, animation, &worst)) return !(p->out_of_memory = true);
    *bound = worst.bound;
    return true;
}

// Raises the multipliers of groups that are displaced too far and lowers the others. Lowers them less each time, to let
// them settle. After the first rounds, it stops lowering them until a choice is within the error.
static void update_multipliers(plan *p, int round, bool is_found) {
    const double ease = 1.0 / (1.0 + 0.2 * round);
    const bool lowers = is_found || round < FREE_ROUNDS;
    for (int32_t g = 0; g < p->body->group_count; g++) {
        const double ratio = p->measure.groups[g].bound / p->limit;
        if (ratio > 1.0) {
            // Relative to what the meshes leave. Raise it by at least 10%, so the search ends, and by more each round
            // until a choice is found.
            const double excess = (p->measure.groups[g].bound - p->taken) / (p->limit - p->taken);
            p->multipliers[g] *= fmin(8.0, fmax(1.1, pow(excess, is_found ? 3.0 : 3.0 + round)));
        } else if (lowers) {
            p->multipliers[g] *= pow(fmax(0.6, ratio), ease);
        }
    }
}

// Adds up what rotations made of four floats save.
static void count_fours(plan *p, const plan_track *tracks, int32_t count) {
    if (p->avoids_fours) return;
    for (int32_t i = 0; i < count; i++) {
        if (!plan_is_fours(&tracks[i], &tracks[i].chosen)) continue;
        p->avoids_fours = true;
        p->fours_gain +=
            cost_of(&tracks[i], choose(p, &tracks[i], false, -1)) - cost_of(&tracks[i], &tracks[i].chosen);
        p->avoids_fours = false;
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
        if (tracks[i].chosen.choice.level >= 0 && !plan_encode(p, &tracks[i])) return !(p->out_of_memory = true);
    }
    return true;
}

// Returns whether a clip may be measured again.
static bool may_measure(plan *p, int32_t times) {
    const compare_measure *m = &p->measure;
    return m->max_numbers == 0.0 || m->numbers + compare_clip_numbers(m, times) <= m->max_numbers;
}

void plan_choose_exact(plan_track *track) {
    plan_choice exact = {.coding = PLAN_EXACT};
    for (int32_t i = 0; i < track->level_count; i++) {
        const plan_level *level = &track->levels[i];
        if (!level->constant && !level->linear && level->timeline < 0) exact.level = i; // the level with all keys
    }
    track->decoded = track->decoded && same_choice(exact, track->chosen.choice);
    track->chosen = (plan_candidate){.choice = exact};
}

// Chooses and measures repeatedly, and keeps the smallest choice within the error. If there isn't one, keeps all keys.
static bool choose_clip(plan *p, int32_t animation, int32_t times) {
    const ref_animation *source = &p->body->models[0]->animations[animation];
    plan_track *tracks = p->tracks[animation];
    const int32_t count = source->channel_count;
    const double limit = p->limit;
    ref_channel *channels = sinewi_arena_array(p->values, ref_channel, (size_t)count);
    plan_candidate *best = sinewi_arena_array(p->values, plan_candidate, (size_t)count);
    if (!channels || !best) return !(p->out_of_memory = true);
    double least = (double)INFINITY, bound = 0.0;
    p->first_multiplier = 2.0 * mean_keys(source) / (limit * limit);
    for (int32_t g = 0; g < p->body->group_count; g++) p->multipliers[g] = p->first_multiplier;
    for (int round = 0; round < MAX_ROUNDS && (round < ROUNDS || !isfinite(least)); round++) {
        choose_all(p, tracks, count);
        p->limited[animation] = !may_measure(p, times);
        if (p->limited[animation]) break;
        if (!measure(p, animation, channels, &bound)) return false;
        const double bytes = total_bytes(p, tracks, count);
        if (bound <= limit && bytes < least) {
            least = bytes;
            for (int32_t i = 0; i < count; i++) best[i] = tracks[i].chosen;
        }
        update_multipliers(p, round, isfinite(least));
    }
    for (int32_t i = 0; i < count; i++) {
        if (isfinite(least))
            set_choice(&tracks[i], &best[i]);
        else
            plan_choose_exact(&tracks[i]);
    }
    if (isfinite(least)) count_fours(p, tracks, count);
    return true;
}

bool plan_choose(plan *p, int32_t animation, int32_t times) {
    sinewi_arena scratch;
    sinewi_arena_init(&scratch, NULL);
    p->values = &scratch;
    const bool good = choose_clip(p, animation, times);
    p->values = p->arena;
    sinewi_arena_free(&scratch);
    return good && encode_all(p, p->tracks[animation], p->body->models[0]->animations[animation].channel_count);
}
