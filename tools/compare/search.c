// SPDX-License-Identifier: MIT
// Finds a clip's largest displacements with branch and bound.
//
// If there's no key between two times a and b, a displacement D between them is at most
//
//   max(|D(a)|, |D(b)|) + (b - a)² / 8 × the largest |D''|
//
// because a curve strays no farther than that from the line between its ends. bound.c bounds the second term for all of
// a group's points at once. The corners of a box around the group's points bound the first term. Where that isn't
// enough, it's measured point by point. If an interval's bound exceeds what was found, the interval is halved.
#include "compare/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 24 };

// A bound is tight if it exceeds what was found by at most this fraction, or this fraction of the size. The first is
// for the clip. The second is for a group, which is only listed.
#define CLIP_SLACK  0.01
#define GROUP_SLACK 0.25
#define SIZE_SLACK  1e-6

// Both poses at one time, as glTF defines them and as viewers that don't normalize rotations show them.
typedef struct moment {
    double time;
    ref_pose poses[2], stored[2];
    bool has_stored[2]; // there's room for them
    double *uppers;     // [groups]; no point in the group is displaced more
    bool *exact;        // [groups]; `uppers` was measured point by point
} moment;

struct compare_search {
    compare_measure *m;
    const ref_animation *animations[2];
    const ref_channel **channels[2];
    int32_t clip;
    compare_worst worst;   // the clip's
    moment *starts, *ends; // of an interval between keys
    moment first[2];
    moment *middles[MAX_DEPTH];
    compare_motion *motions, *others;
    double *weights[2];
    double *bounds; // [groups]; of the second derivative
    compare_stored stored;
    int ways;              // 2 if viewers that don't normalize rotations show something else
    double keys_apart;     // of the interval between keys
    double reach_count;    // of all groups
    double *point_numbers; // [groups]; how many numbers it takes to measure a group's points
};
typedef struct compare_search search;

// ---- Buffers -------------------------------------------------------------------------------------------------------

static bool make_moment(const compare_body *body, moment *out) {
    out->uppers = sinewi_arena_zeros(body->arena, double, (size_t)body->group_count);
    out->exact = sinewi_arena_zeros(body->arena, bool, (size_t)body->group_count);
    for (int side = 0; side < 2; side++) {
        if (!ref_make_pose(body->arena, body->models[side], &out->poses[side])) return false;
    }
    return out->uppers && out->exact;
}

static moment *take_middle(search *s, int depth) {
    if (s->middles[depth]) return s->middles[depth];
    moment *middle = sinewi_arena_zeros(s->m->body->arena, moment, 1);
    if (middle && make_moment(s->m->body, middle)) s->middles[depth] = middle;
    if (!s->middles[depth]) s->m->out_of_memory = true;
    return s->middles[depth];
}

// Counts what a pose and its points take.
static bool count_numbers(const compare_body *body, search *s) {
    s->point_numbers = sinewi_arena_zeros(body->arena, double, (size_t)body->group_count);
    if (!s->point_numbers) return false;
    for (int32_t g = 0; g < body->group_count; g++) {
        const compare_group *group = &body->groups[g];
        s->reach_count += group->reach_count;
        for (int32_t i = 0; i < group->point_count; i++) {
            const compare_part *part = &body->parts[group->points[i].part];
            s->point_numbers[g] += 4.0 + 16.0 * (double)compare_influence_count(part) +
                                   (part->morphs ? 3.0 * (double)part->primitives[0]->target_count : 0.0);
        }
    }
    return true;
}

static bool make_search(compare_measure *m, search *s) {
    const compare_body *body = m->body;
    bool good = make_moment(body, &s->first[0]) && make_moment(body, &s->first[1]) &&
                compare_stored_begin(&s->stored, body) && count_numbers(body, s);
    s->starts = &s->first[0];
    s->ends = &s->first[1];
    for (int side = 0; side < 2; side++) {
        const size_t nodes = (size_t)body->models[side]->node_count;
        s->channels[side] = sinewi_arena_zeros(body->arena, const ref_channel *, 4 * nodes);
        s->weights[side] = sinewi_arena_zeros(body->arena, double, 4 * (size_t)body->models[side]->weight_count);
        good = good && s->channels[side] && s->weights[side];
    }
    s->motions = sinewi_arena_zeros(body->arena, compare_motion, (size_t)body->models[0]->node_count);
    s->others = sinewi_arena_zeros(body->arena, compare_motion, (size_t)body->models[1]->node_count);
    s->bounds = sinewi_arena_zeros(body->arena, double, (size_t)body->group_count);
    s->m = m;
    return good && s->motions && s->others && s->bounds;
}

bool compare_measure_begin(compare_measure *m, const compare_body *body, double limit) {
    *m = (compare_measure){.body = body, .limit = limit};
    m->groups = sinewi_arena_zeros(body->arena, compare_worst, (size_t)body->group_count);
    m->search = sinewi_arena_zeros(body->arena, search, 1);
    if (!m->groups || !m->search || !make_search(m, m->search)) return false;
    compare_measure_reset(m);
    return true;
}

void compare_measure_reset(compare_measure *m) {
    for (int32_t g = 0; g < m->body->group_count; g++)
        m->groups[g] = (compare_worst){.clip = -1, .group = g, .part = -1, .vertex = -1};
}

// ---- Key times -----------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_timeline(const void *a, const void *b) {
    const double *x = (*(const ref_channel *const *)a)->times, *y = (*(const ref_channel *const *)b)->times;
    return (x > y) - (x < y);
}

// Lists one channel per time accessor, because many may share one. Returns how many there are.
static int32_t list_timelines(const ref_animation *const clips[2], const ref_channel **out) {
    int32_t count = 0, kept = 0;
    for (int side = 0; side < 2; side++) {
        for (int32_t c = 0; clips[side] && c < clips[side]->channel_count; c++)
            out[count++] = &clips[side]->channels[c];
    }
    qsort(out, (size_t)count, sizeof *out, by_timeline); // NOLINT: pointers
    for (int32_t i = 0; i < count; i++) {
        if (kept == 0 || out[i]->times != out[kept - 1]->times) out[kept++] = out[i];
    }
    return kept;
}

static double *gather_times(sinewi_arena *arena, const ref_channel **timelines, int32_t timeline_count,
                            int32_t *count) {
    size_t most = 0, used = 0;
    *count = 0;
    for (int32_t i = 0; i < timeline_count; i++) most += (size_t)timelines[i]->key_count;
    double *times = most < INT32_MAX ? sinewi_arena_array(arena, double, most) : NULL;
    if (!times) return NULL;
    for (int32_t i = 0; i < timeline_count; i++) {
        for (int32_t k = 0; k < timelines[i]->key_count; k++) times[used++] = timelines[i]->times[k];
    }
    qsort(times, used, sizeof *times, by_value);
    for (size_t i = 0; i < used; i++) {
        if (isfinite(times[i]) && (*count == 0 || times[i] > times[*count - 1])) times[(*count)++] = times[i];
    }
    return times;
}

double *compare_key_times(sinewi_arena *arena, const ref_animation *a, const ref_animation *b, int32_t *count) {
    const ref_animation *const clips[2] = {a, b};
    const size_t channels = (size_t)(a ? a->channel_count : 0) + (size_t)(b ? b->channel_count : 0);
    const ref_channel **timelines = malloc((channels + 1) * sizeof *timelines); // NOLINT: pointers
    double *times = timelines ? gather_times(arena, timelines, list_timelines(clips, timelines), count) : NULL;
    free(timelines);
    return times;
}

void compare_span(const ref_animation *animation, double span[2]) {
    span[0] = span[1] = 0.0;
    for (int32_t c = 0; c < animation->channel_count; c++) {
        const ref_channel *channel = &animation->channels[c];
        const double first = channel->times[0], last = channel->times[channel->key_count - 1];
        if (c == 0 || first < span[0]) span[0] = first;
        if (c == 0 || last > span[1]) span[1] = last;
    }
}

// ---- One moment ----------------------------------------------------------------------------------------------------

// Treats a displacement that isn't a number as infinite.
static double or_infinity(double error) {
    return isnan(error) ? (double)INFINITY : error;
}

static double column_norm(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 11; i++) {
        const double d = i % 4 == 3 ? 0.0 : a[i] - (b ? b[i] : 0.0);
        sum += d * d;
    }
    return sqrt(sum);
}

// Bounds how far morph targets move points: `both` in A, and `apart` through differences in weights and targets.
static void bound_morphs(const compare_body *body, const compare_part *part, const ref_pose poses[2], double *both,
                         double *apart) {
    *both = *apart = 0.0;
    if (!part->morphs) return;
    const double *a = poses[0].weights + body->models[0]->nodes[part->nodes[0]].first_weight;
    const double *b = poses[1].weights + body->models[1]->nodes[part->nodes[1]].first_weight;
    for (int32_t t = 0; t < part->primitives[0]->target_count; t++) {
        *both += fabs(a[t]) * part->target_reach[t];
        *apart += fabs(a[t] - b[t]) * part->target_reach[t] + fabs(b[t]) * part->target_shift[t];
    }
}

// Returns the largest displacement of a box's corners. A convex function is largest at one of them.
static double bound_corners(const compare_reach *reach, const double *a, const double *b) {
    double start[3], edges[3][3], largest = 0.0;
    for (int row = 0; row < 3; row++) {
        start[row] = a[12 + row] - b[12 + row];
        for (int i = 0; i < 3; i++) {
            const double apart = a[4 * i + row] - b[4 * i + row];
            start[row] += apart * reach->least[i];
            edges[i][row] = apart * (reach->most[i] - reach->least[i]);
        }
    }
    for (int corner = 0; corner < 8; corner++) {
        double square = 0.0;
        for (int row = 0; row < 3; row++) {
            const double at = start[row] + (corner & 1 ? edges[0][row] : 0.0) + (corner & 2 ? edges[1][row] : 0.0) +
                              (corner & 4 ? edges[2][row] : 0.0);
            square += at * at;
        }
        if (!(square <= largest)) largest = or_infinity(square);
    }
    return sqrt(largest);
}

static double bound_group_at(const compare_body *body, const compare_group *group, const ref_pose poses[2]) {
    double both = 0.0, apart = 0.0, largest = 0.0;
    for (int32_t p = 0; p < group->part_count; p++) {
        double own[2];
        const compare_part *part = &body->parts[group->parts[p]];
        if (part->weight_difference > 0.0) return (double)INFINITY;
        bound_morphs(body, part, poses, &own[0], &own[1]);
        both = fmax(both, own[0]);
        apart = fmax(apart, own[1]);
    }
    for (int32_t r = 0; r < group->reach_count; r++) {
        const compare_reach *reach = &group->reaches[r];
        const compare_bone *bone = &body->bones[reach->bone];
        const double *a = poses[0].worlds + 16 * (ptrdiff_t)bone->nodes[0],
                     *b = poses[1].worlds + 16 * (ptrdiff_t)bone->nodes[1];
        double upper = bound_corners(reach, a, b);
        if (both > 0.0) upper += column_norm(a, b) * both;
        if (reach->shift + apart > 0.0) upper += column_norm(b, NULL) * (reach->shift + apart);
        if (!(upper <= largest)) largest = or_infinity(upper);
    }
    return largest;
}

// Makes the poses for viewers that don't normalize rotations.
static void evaluate_stored(search *s, moment *at) {
    const compare_body *body = s->m->body;
    for (int side = 0; side < 2; side++) {
        if (!s->stored.differs[side]) continue;
        if (!at->has_stored[side] && !ref_make_pose(body->arena, body->models[side], &at->stored[side])) {
            s->m->out_of_memory = true;
            s->ways = 1; // until the search ends
            return;
        }
        at->has_stored[side] = true;
        compare_stored_pose(&s->stored, body, side, s->channels[side], at->time, &at->poses[side],
                            &at->stored[side]);
    }
}

// Returns A's and B's poses: as glTF defines them (0) or as they're stored (1).
static void poses_of(const search *s, const moment *at, int way, ref_pose out[2]) {
    for (int side = 0; side < 2; side++)
        out[side] = way == 1 && s->stored.differs[side] ? at->stored[side] : at->poses[side];
}

// Returns how many numbers a pose of both files and its bounds take.
static double pose_numbers(const search *s) {
    const compare_body *body = s->m->body;
    return (s->ways > 0 ? s->ways : 1) *
           (32.0 * ((double)body->models[0]->node_count + (double)body->models[1]->node_count) +
            16.0 * s->reach_count);
}

bool compare_count(compare_measure *m, double numbers) {
    m->numbers += numbers;
    return m->max_numbers == 0.0 || m->numbers < m->max_numbers;
}

double compare_clip_numbers(const compare_measure *m, int32_t times) {
    return 2.0 * pose_numbers(m->search) * ((double)times + 1.0); // includes the bounds in between
}

static void evaluate(search *s, double time, moment *at) {
    const compare_body *body = s->m->body;
    at->time = time;
    for (int side = 0; side < 2; side++)
        ref_evaluate(body->models[side], s->animations[side], time, &at->poses[side]);
    s->m->numbers += pose_numbers(s);
    for (int32_t g = 0; g < body->group_count; g++) {
        at->exact[g] = false;
        at->uppers[g] = 0.0;
    }
    if (s->ways > 1) evaluate_stored(s, at);
    for (int way = 0; way < s->ways && !s->m->out_of_memory; way++) {
        ref_pose poses[2];
        poses_of(s, at, way, poses);
        for (int32_t g = 0; g < body->group_count; g++) {
            const double upper = bound_group_at(body, &body->groups[g], poses);
            if (upper > at->uppers[g]) at->uppers[g] = upper;
        }
    }
}

static void note(search *s, int32_t group, const moment *at, double error, compare_point point) {
    const compare_worst found = {error, error, s->clip, at->time, group, point.part, point.vertex};
    compare_worst *worst[2] = {&s->worst, &s->m->groups[group]};
    for (int i = 0; i < 2; i++) {
        if (error <= worst[i]->error && worst[i]->part >= 0) continue;
        const double bound = fmax(worst[i]->bound, error);
        *worst[i] = found;
        worst[i]->bound = bound;
    }
}

static void measure_group(search *s, int32_t group, moment *at) {
    if (at->exact[group]) return;
    const compare_body *body = s->m->body;
    const compare_group *g = &body->groups[group];
    double largest = -1.0;
    compare_point farthest = {0, 0};
    s->m->numbers += s->ways * s->point_numbers[group];
    for (int way = 0; way < s->ways; way++) {
        ref_pose poses[2];
        poses_of(s, at, way, poses);
        for (int32_t i = 0; i < g->point_count; i++) {
            double positions[2][3];
            compare_positions(body, poses, g->points[i], positions);
            const double error = or_infinity(compare_distance(positions[0], positions[1]));
            if (error <= largest) continue;
            largest = error;
            farthest = g->points[i];
        }
    }
    at->uppers[group] = fmax(0.0, largest);
    at->exact[group] = true;
    note(s, group, at, at->uppers[group], farthest);
}

// ---- Intervals -----------------------------------------------------------------------------------------------------

static double with_slack(const search *s, double found, double slack) {
    return fmax(s->m->limit, found * (1.0 + slack) + SIZE_SLACK * s->m->body->size);
}

// Returns whether a bound doesn't have to be refined.
static bool is_tight(const search *s, int32_t group, double bound) {
    return bound <= with_slack(s, s->worst.error, CLIP_SLACK) &&
           bound <= with_slack(s, s->m->groups[group].error, GROUP_SLACK);
}

static void raise_bounds(search *s, int32_t group, double bound) {
    s->worst.bound = fmax(s->worst.bound, bound);
    s->m->groups[group].bound = fmax(s->m->groups[group].bound, bound);
}

// Returns whether the interval must be halved. If not, records its bounds.
static bool bound_interval(search *s, moment *from, moment *to, bool may_split) {
    const compare_body *body = s->m->body;
    const compare_interval in = {.body = body,
                                 .channels = {s->channels[0], s->channels[1]},
                                 .starts = from->poses,
                                 .ends = to->poses,
                                 .start = from->time,
                                 .end = to->time,
                                 .keys_apart = s->keys_apart,
                                 .stretches = {s->stored.stretches[0], s->stored.stretches[1]},
                                 .weights = {s->weights[0], s->weights[1]}};
    const double length = in.end - in.start;
    compare_bound_motions(&in, s->motions, s->others);
    s->m->numbers += 96.0 * (double)body->models[0]->node_count + 16.0 * s->reach_count;
    for (int32_t g = 0; g < body->group_count; g++) {
        const double bulge =
            or_infinity(length * length / 8.0 * compare_bound_group(&in, s->motions, &body->groups[g]));
        if (!is_tight(s, g, fmax(from->uppers[g], to->uppers[g]) + bulge)) {
            measure_group(s, g, from);
            measure_group(s, g, to);
        }
        s->bounds[g] = fmax(from->uppers[g], to->uppers[g]) + bulge;
        if (may_split && isfinite(from->uppers[g]) && isfinite(to->uppers[g]) && !is_tight(s, g, s->bounds[g]))
            return true;
    }
    for (int32_t g = 0; g < body->group_count; g++) raise_bounds(s, g, s->bounds[g]);
    return false;
}

static bool may_halve(const search *s, const moment *from, const moment *to, int depth) {
    const double middle = 0.5 * (from->time + to->time);
    return depth < MAX_DEPTH && compare_count(s->m, 0.0) && middle > from->time && middle < to->time;
}

static void refine(search *s, moment *from, moment *to,
                   int depth) { // NOLINT(misc-no-recursion): MAX_DEPTH bounds it
    if (!bound_interval(s, from, to, may_halve(s, from, to, depth))) return;
    moment *middle = take_middle(s, depth);
    if (!middle) return;
    evaluate(s, 0.5 * (from->time + to->time), middle);
    refine(s, from, middle, depth + 1);
    refine(s, middle, to, depth + 1);
}

// When measuring with a limit, one in this many keys is evaluated first.
enum { PROBED = 4 };

// First measures the time with the largest bound. Then most other bounds are tight at once.
static void measure_probable_worst(search *s, const double *times, int32_t count) {
    double largest = -1.0, probable = 0.0;
    for (int32_t i = 0; i<count; i += s->m->limit> 0.0 ? PROBED : 1) {
        evaluate(s, times[i], s->starts);
        for (int32_t g = 0; g < s->m->body->group_count; g++) {
            if (s->starts->uppers[g] <= largest) continue;
            largest = s->starts->uppers[g];
            probable = times[i];
        }
    }
    if (largest <= s->m->limit) return;
    evaluate(s, probable, s->starts);
    for (int32_t g = 0; g < s->m->body->group_count; g++) measure_group(s, g, s->starts);
}

// Returns whether no value jumps at a key. Then an interval's end is the next one's start.
static bool is_continuous(const search *s) {
    for (int side = 0; side < 2; side++) {
        const ref_animation *animation = s->animations[side];
        for (int32_t c = 0; animation && c < animation->channel_count; c++) {
            if (animation->channels[c].interpolation == REF_STEP && animation->channels[c].key_count > 1)
                return false;
        }
    }
    return true;
}

static void measure_times(search *s, const double *times, int32_t count) {
    const bool continuous = is_continuous(s);
    measure_probable_worst(s, times, count);
    evaluate(s, count > 0 ? times[0] : 0.0, s->starts);
    for (int32_t i = 0; i + 1 < count && !s->m->out_of_memory; i++) {
        evaluate(s, continuous ? times[i + 1] : nextafter(times[i + 1], -(double)INFINITY), s->ends);
        s->keys_apart = times[i + 1] - times[i];
        refine(s, s->starts, s->ends, 0);
        if (continuous) {
            moment *ends = s->ends;
            s->ends = s->starts;
            s->starts = ends;
        } else {
            evaluate(s, times[i + 1], s->starts);
        }
    }
    for (int32_t g = 0; g < s->m->body->group_count; g++) {
        if (!is_tight(s, g, s->starts->uppers[g])) measure_group(s, g, s->starts);
        raise_bounds(s, g, s->starts->uppers[g]);
    }
}

static void list_channels(search *s, int side) {
    const ref_animation *animation = s->animations[side];
    memset(s->channels[side], 0,
           4 * (size_t)s->m->body->models[side]->node_count * sizeof *s->channels[side]); // NOLINT: pointers
    for (int32_t c = 0; animation && c < animation->channel_count; c++) {
        const ref_channel *channel = &animation->channels[c];
        s->channels[side][4 * (ptrdiff_t)channel->node + (ptrdiff_t)channel->path] = channel;
    }
}

bool compare_clip(compare_measure *m, const ref_animation *a, const ref_animation *b, int32_t clip,
                  compare_worst *worst) {
    search *s = m->search;
    int32_t count = 0;
    s->animations[0] = a;
    s->animations[1] = b;
    s->clip = clip;
    s->worst = (compare_worst){.clip = clip, .group = -1, .part = -1, .vertex = -1};
    list_channels(s, 0);
    list_channels(s, 1);
    compare_stored_read(&s->stored, m->body, (const ref_channel *const *[]){s->channels[0], s->channels[1]});
    s->ways = s->stored.differs[0] || s->stored.differs[1] ? 2 : 1;
    double *times = compare_key_times(m->body->arena, a, b, &count);
    if (!times) return false;
    measure_times(s, times, count);
    *worst = s->worst;
    return !m->out_of_memory;
}
