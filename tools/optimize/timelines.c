// SPDX-License-Identifier: MIT
// Lists which keys a clip's tracks may keep. Several tracks share a list of key times, because each list costs an
// accessor.
//
// Keys are removed one by one, always the one that displaces the tracks least. Tracks that are displaced too far anyway
// don't count any more. A second list is made for the tracks that don't fit.
#include "optimize/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keys are removed in sections of this many. Otherwise the work would grow with the square of their number.
enum { SECTION = 512 };

// What fraction of the keys each list keeps.
static const double kept_parts[] = {0.67, 0.5, 0.33, 0.2};

enum { PARTS = sizeof kept_parts / sizeof kept_parts[0] };

// The square of a track's error, relative to its tolerance, counts up to this much.
#define MAX_SQUARE 4.0

// ---- Tracks with the same times ------------------------------------------------------------------------------------

static bool may_leave_keys(const ref_channel *channel) {
    return channel->interpolation != REF_STEP && channel->path != REF_WEIGHTS && channel->key_count > 2;
}

static int by_times(const void *x, const void *y) {
    const plan_track *a = *(plan_track *const *)x, *b = *(plan_track *const *)y;
    const ref_channel *s = a->source, *t = b->source;
    if (s->key_count != t->key_count) return s->key_count < t->key_count ? -1 : 1;
    return s->times == t->times ? 0 : memcmp(s->times, t->times, (size_t)s->key_count * sizeof *s->times);
}

// Returns whether a track moves by more than its tolerance.
static bool moves(const plan_track *track, double tolerance) {
    if (track->dropped_error <= tolerance) return false;
    for (int32_t i = 0; i < track->level_count; i++) {
        if (track->levels[i].constant && track->levels[i].error <= tolerance) return false;
    }
    return true;
}

// Moving tracks with the same times.
typedef struct timeline_group {
    const ref_channel **channels;
    double *tolerances;
    int32_t count;
    plan *p; // counts numbers
} timeline_group;

static void gather_group(const plan *p, plan_track *const *tracks, int32_t count, timeline_group *out) {
    out->count = 0;
    for (int32_t i = 0; i < count; i++) {
        const double tolerance = plan_tolerance(p, tracks[i]);
        if (!isfinite(tolerance) || !moves(tracks[i], tolerance)) continue;
        out->channels[out->count] = tracks[i]->source;
        out->tolerances[out->count++] = tolerance;
    }
}

// ---- Removing keys -------------------------------------------------------------------------------------------------

typedef struct removal {
    int32_t before[SECTION + 1], after[SECTION + 1]; // neighbors that are kept, or -1 if removed
    double costs[SECTION + 1];                       // cost of removing a key
} removal;

static double segment_cost(const timeline_group *group, int32_t from, int32_t to) {
    double sum = 0.0;
    compare_count(&group->p->measure, 32.0 * (double)(to - from) * (double)group->count);
    for (int32_t i = 0; i < group->count; i++) {
        const double tolerance = group->tolerances[i], limit = sqrt(MAX_SQUARE) * tolerance,
                     error = plan_line_error(group->channels[i], from, to, limit) / tolerance;
        sum += fmin(MAX_SQUARE, error * error);
    }
    return sum;
}

static void update_cost(const timeline_group *group, removal *r, int32_t first, int32_t key) {
    r->costs[key] = segment_cost(group, first + r->before[key], first + r->after[key]);
}

// Costs below this count as 0. Among them, the removal that joins the fewest keys comes first, to avoid reading lines
// from their start again and again.
#define FREE_COST 1e-6

static bool is_cheaper(const removal *r, int32_t a, int32_t b) {
    if (r->costs[a] >= FREE_COST || r->costs[b] >= FREE_COST) return r->costs[a] < r->costs[b];
    return r->after[a] - r->before[a] < r->after[b] - r->before[b];
}

static int32_t cheapest_key(const removal *r, int32_t last) {
    int32_t best = 1;
    for (int32_t k = 1; k < last; k++) {
        if (r->after[k] >= 0 && (r->after[best] < 0 || is_cheaper(r, k, best))) best = k;
    }
    return best;
}

static void append_kept(const removal *r, int32_t first, int32_t last, plan_timeline *out) {
    for (int32_t k = 0; k < last; k = r->after[k]) out->keys[out->key_count++] = first + k;
}

// Removes keys from a section, and appends what's left to one timeline per fraction. The last key belongs to the next
// section.
static void remove_keys(const timeline_group *group, removal *r, int32_t first, int32_t last, plan_timeline *out) {
    int32_t left = last - first, next = 0;
    const int32_t end = left, all = left;
    for (int32_t k = 0; k <= end; k++) {
        r->before[k] = k - 1;
        r->after[k] = k + 1;
    }
    for (int32_t k = 1; k < end; k++) update_cost(group, r, first, k);
    for (; next < PARTS; next++) {
        while (left > 1 && left > kept_parts[next] * all) {
            const int32_t key = cheapest_key(r, end), before = r->before[key], after = r->after[key];
            r->after[before] = after;
            r->before[after] = before;
            r->after[key] = -1;
            left--;
            if (before > 0) update_cost(group, r, first, before);
            if (after < end) update_cost(group, r, first, after);
        }
        append_kept(r, first, end, &out[next]);
    }
}

// Lists one timeline per fraction.
static bool list_parts(plan *p, const timeline_group *group, removal *r) {
    const int32_t key_count = group->channels[0]->key_count;
    plan_timeline *out = p->timelines + p->timeline_count;
    for (int i = 0; i < PARTS; i++) {
        out[i] = (plan_timeline){0};
        out[i].keys = sinewi_arena_array(p->arena, int32_t, (size_t)key_count);
        if (!out[i].keys) return false;
    }
    for (int32_t k = 0; k + 1 < key_count; k += SECTION)
        remove_keys(group, r, k, k + SECTION < key_count ? k + SECTION : key_count - 1, out);
    for (int i = 0; i < PARTS; i++) out[i].keys[out[i].key_count++] = key_count - 1;
    p->timeline_count += PARTS;
    return true;
}

// Keeps the tracks that are too far off with a timeline.
static void keep_misfits(const plan_timeline *timeline, timeline_group *group) {
    int32_t kept = 0;
    for (int32_t i = 0; i < group->count; i++) {
        const double error = plan_reduction_error(group->channels[i], timeline->keys, timeline->key_count);
        if (error <= 2.0 * group->tolerances[i]) continue;
        group->channels[kept] = group->channels[i];
        group->tolerances[kept++] = group->tolerances[i];
    }
    group->count = kept;
}

// Sorts tracks that may lose keys by their times, and gives tracks with the same times the same number. Returns how
// many tracks there are.
static int32_t sort_tracks(plan_track *tracks, int32_t count, plan_track **sorted) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        tracks[i].group = -1;
        if (may_leave_keys(tracks[i].source)) sorted[kept++] = &tracks[i];
    }
    qsort(sorted, (size_t)kept, sizeof *sorted, by_times); // NOLINT: pointers
    for (int32_t i = 0; i < kept; i++) {
        const bool first = i == 0 || by_times(&sorted[i - 1], &sorted[i]) != 0;
        sorted[i]->group = first ? (i > 0 ? sorted[i - 1]->group + 1 : 0) : sorted[i - 1]->group;
    }
    return kept;
}

bool plan_list_timelines(plan *p, plan_track *tracks, int32_t count) {
    timeline_group group = {.p = p,
                            .channels = sinewi_arena_array(p->arena, const ref_channel *, (size_t)count),
                            .tolerances = sinewi_arena_array(p->arena, double, (size_t)count)};
    plan_track **sorted = sinewi_arena_array(p->arena, plan_track *, (size_t)count);
    if (!group.channels || !group.tolerances || !sorted) return false;
    const int32_t sorted_count = sort_tracks(tracks, count, sorted);
    p->group_count = sorted_count > 0 ? sorted[sorted_count - 1]->group + 1 : 0;
    p->first_timeline = sinewi_arena_zeros(p->arena, int32_t, (size_t)p->group_count + 1);
    p->timeline_count = 0;
    p->timelines = sinewi_arena_array(p->arena, plan_timeline, (size_t)2 * PARTS * (size_t)p->group_count);
    if (!p->timelines || !p->first_timeline) return false;
    removal r;
    for (int32_t i = 0, end = 0; i < sorted_count; i = end) {
        while (end < sorted_count && sorted[end]->group == sorted[i]->group) end++;
        gather_group(p, sorted + i, end - i, &group);
        for (int pass = 0; pass < 2 && group.count > 0 && compare_count(&p->measure, 0.0); pass++) {
            if (!list_parts(p, &group, &r)) return false;
            keep_misfits(&p->timelines[p->timeline_count - PARTS + 1], &group);
        }
        p->first_timeline[sorted[i]->group + 1] = p->timeline_count;
    }
    return true;
}
