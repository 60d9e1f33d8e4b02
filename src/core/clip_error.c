// SPDX-License-Identifier: MIT
// Bounds the error of a clip with 16-bit keys or modes. The error is the largest distance between a point on a node in
// the clip and the same point in an exact clip, in meters in model space.
//
// Between two times without a key in between, a curve leaves the line between its ends by at most an eighth of its
// largest second derivative, relative to the interval (clip_error_tracks.c). So a point's distance D is at most
//
//   max(|D| at the start, |D| at the end) + max |D''| / 8.
//
// If this exceeds the largest distance found or the limit, divide the interval. Dividing it in n parts makes the second
// term 1 / n² as large.
//
// In a compressed clip, mode weights are rounded between keys. For fixed rounding errors, the displacement they add is
// also a smooth curve. So this adds its bounds at both ends (clip_error_rounding.c) and an eighth of its second
// derivative. Most nodes don't need this, because simply summing all rounding errors joint by joint is good enough.
#include "core/clip_error.h"
#include "core/clip_error_ball.h"
#include "core/clip_error_rounding.h"

#include <float.h>
#include <math.h>

// Bounds may exceed the largest error found by this fraction, or by this distance in meters.
#define SLACK          0.02
#define SLACK_DISTANCE 1e-9

// An interval has at most 2^MAX_DEPTH parts. All intervals together have at most MOST_TIMES times as many parts as
// keys.
#define MAX_DEPTH  6
#define MOST_TIMES 16

// Limits the nodes evaluated at all keys, in relation to the clip's bytes. Clips with more get a looser bound.
#define NODES_PER_BYTE 0.25
#define SMALL_CLIP     16384.0

// How many joints to sum rounding errors through, per node and key. Chains of thousands of joints get a looser bound.
#define MOST_JOINTS 128.0

// Marks a bound that hasn't been computed yet.
#define UNKNOWN (-1.0)

// A pose's time, or the moment right before it. Arrays of nodes are in the order of tracks.nodes.
typedef struct sight {
    double time;
    bool before;
    double *distances; // [nodes]
    double *roundings; // [nodes]: bounds for what rounding adds, or UNKNOWN
} sight;

// Two clips that are compared.
typedef struct comparison {
    sinewi_exact_clip *exact;
    sinewi_error_tracks tracks;
    sinewi_error_rounding rounding;
    const sinewi_error_measure *measure;
    double *times; // all key times, sorted
    size_t time_count;
    bool has_steps; // the pose right before a key may differ from the pose at the key
    sinewi_error_moment *moments;
    sinewi_error_matrix *models[2];         // [node_count]
    sinewi_error_motion *motions;           // [node_count]
    sight start, end, inner[MAX_DEPTH];     // of the current interval
    double *wholes, *bends, *steps, *rests; // [nodes]: bounds over an interval. `steps` is joint by joint.
    double *step_bends;                     // [nodes]
    double most, bound;                     // largest distance found, and its bound
    double times_left, joints_left;
} comparison;

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// ---- One time ----------------------------------------------------------------------------------------------------

static double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void find_moments(comparison *c, double time, bool before) {
    for (int32_t i = 0; i < c->tracks.exact->timeline_count; i++) {
        const sinew_timeline *timeline = &c->tracks.exact->timelines[i];
        const float *times = timeline->times;
        const ptrdiff_t stride = timeline->stride;
        int32_t k = c->moments[i].key;
        while (k + 1 < timeline->key_count &&
               (before ? (double)times[(k + 1) * stride] < time : (double)times[(k + 1) * stride] <= time))
            k++;
        while (k >= 0 && (before ? (double)times[k * stride] >= time : (double)times[k * stride] > time)) k--;
        c->moments[i].key = k;
        c->moments[i].u = 0.0;
        if (k < 0 || k + 1 >= timeline->key_count) continue;
        const double from = (double)times[k * stride], to = (double)times[(k + 1) * stride];
        c->moments[i].u = (time - from) / (to - from);
    }
}

// Treats NaN as infinite.
static double or_infinity(double distance) {
    return isnan(distance) ? (double)INFINITY : distance;
}

// Returns the largest distance of any point on a node. Uses a rough bound if that is enough.
static double node_distance(const comparison *c, const sinewi_error_matrix *a, const sinewi_error_matrix *b) {
    double t[3], linear[9], square = 0.0;
    for (int i = 0; i < 3; i++) t[i] = a->translation[i] - b->translation[i];
    for (int i = 0; i < 9; i++) {
        linear[i] = (double)c->measure->point_distance * (a->linear[i] - b->linear[i]);
        square += linear[i] * linear[i];
    }
    const double rough = sqrt(dot3(t, t)) + sqrt(square);
    if (rough <= 0.5 * c->most) return rough;
    const double distance = or_infinity(sinewi_largest_in_ball(t, linear));
    return distance < rough ? distance : or_infinity(rough);
}

// Poses nodes of one clip, parents first.
static void pose_nodes(const comparison *c, int side, const int32_t *nodes, int32_t count,
                       sinewi_error_matrix *models) {
    const int32_t *parents = c->tracks.exact->skeleton->parents;
    for (int32_t n = 0; n < count; n++) {
        const int32_t node = nodes ? nodes[n] : n, parent = parents[node];
        models[node] = sinewi_error_local(&c->tracks, node, side, c->moments);
        if (parent >= 0) models[node] = sinewi_error_multiply(&models[parent], &models[node]);
    }
}

// Poses the exact clip at a time. Keeps poses at keys for other comparisons.
static const sinewi_error_matrix *pose_exact(comparison *c, double time, bool before) {
    const sinewi_exact_clip *e = c->exact;
    const size_t nodes = (size_t)e->clip->skeleton->node_count;
    size_t low = 0, high = e->models && !before ? e->time_count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (e->times[middle] < time) low = middle + 1;
        if (!(e->times[middle] < time)) high = middle;
    }
    if (!e->models || before || low == e->time_count || e->times[low] > time) {
        pose_nodes(c, 0, c->tracks.nodes, c->tracks.count, c->models[0]);
        return c->models[0];
    }
    sinewi_error_matrix *models = e->models + low * nodes;
    if (!e->known[low]) pose_nodes(c, 0, NULL, (int32_t)nodes, models);
    e->known[low] = true;
    return models;
}

// Finds the distances of all nodes at a time, or right before it.
static void look(comparison *c, double time, bool before, sight *at) {
    const double most = c->most;
    at->time = time;
    at->before = before;
    find_moments(c, time, before);
    const sinewi_error_matrix *exact = pose_exact(c, time, before);
    pose_nodes(c, 1, c->tracks.nodes, c->tracks.count, c->models[1]);
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const int32_t node = c->tracks.nodes[n];
        at->distances[n] = node_distance(c, &exact[node], &c->models[1][node]);
        at->roundings[n] = c->tracks.part_count > 0 ? UNKNOWN : 0.0;
        c->most = larger_of(c->most, at->distances[n]);
    }
    if (c->most > most && c->measure->worst_time) *c->measure->worst_time = time;
    c->times_left -= 1.0;
}

// ---- Intervals ---------------------------------------------------------------------------------------------------

// Bounds the distances of all nodes from `moments` on. NULL bounds them over all times.
static void bound_nodes(comparison *c, const sinewi_error_moment *moments, double length) {
    const double d = (double)c->measure->point_distance;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const int32_t node = c->tracks.nodes[n], parent = c->tracks.exact->skeleton->parents[node];
        sinewi_error_motion *motion = &c->motions[node];
        *motion = sinewi_error_bound(&c->tracks, node, moments, length);
        if (parent >= 0) {
            const sinewi_error_motion *above = &c->motions[parent];
            const sinewi_error_jet moved = sinewi_error_product(&above->linear, &motion->translation);
            motion->translation = sinewi_error_sum(&moved, &above->translation);
            motion->linear = sinewi_error_product(&above->linear, &motion->linear);
        }
        c->wholes[n] = motion->translation.apart[0] + d * motion->linear.apart[0];
        c->bends[n] = (motion->translation.apart[2] + d * motion->linear.apart[2]) / 8.0;
        c->steps[n] = motion->translation.steps[0] + d * motion->linear.steps[0];
        c->step_bends[n] = (motion->translation.steps[2] + d * motion->linear.steps[2]) / 8.0;
        c->rests[n] = motion->translation.rest + d * motion->linear.rest;
    }
}

// Bounds a node's distance in part of an interval. Sums all rounding errors joint by joint.
static double bound_roughly(const comparison *c, int32_t n, const sight *from, const sight *to, double part) {
    const double ends = larger_of(from->distances[n], to->distances[n]),
                 line = or_infinity(ends + part * part * c->bends[n]);
    return (line < c->wholes[n] ? line : or_infinity(c->wholes[n])) + c->steps[n] + c->rests[n];
}

// Bounds a node's distance using the known rounding errors at both ends.
static double bound_node(const comparison *c, int32_t n, const sight *from, const sight *to, double part) {
    const double rough = bound_roughly(c, n, from, to, part);
    if (from->roundings[n] < 0.0 || to->roundings[n] < 0.0) return rough;
    const double ends = larger_of(from->distances[n] + from->roundings[n], to->distances[n] + to->roundings[n]),
                 line = or_infinity(ends + part * part * (c->bends[n] + c->step_bends[n]) + c->rests[n]);
    return line < rough ? line : rough;
}

// Returns the distance below which a bound doesn't have to be any closer.
static double enough(const comparison *c) {
    const double close = c->most + larger_of(SLACK * c->most, SLACK_DISTANCE);
    return c->measure->decides ? (double)c->measure->limit : larger_of(close, c->bound);
}

// Bounds the rounding errors at one end of part of an interval, for the nodes that need it.
static void bound_roundings(comparison *c, const sight *from, const sight *to, double part, const sight *at) {
    bool is_posed = false;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        if (at->roundings[n] >= 0.0 || bound_roughly(c, n, from, to, part) <= enough(c)) continue;
        if (c->joints_left <= 0.0) return;
        if (!is_posed) {
            find_moments(c, at->time, at->before);
            sinewi_error_rounding_pose(&c->rounding, &c->tracks, c->moments);
        }
        is_posed = true;
        for (int32_t i = c->tracks.nodes[n]; i >= 0; i = c->tracks.exact->skeleton->parents[i])
            c->joints_left -= 1.0;
        at->roundings[n] = sinewi_error_rounding_of(&c->rounding, &c->tracks, c->tracks.nodes[n],
                                                    (double)c->measure->point_distance);
        const double distance = at->distances[n] + at->roundings[n];
        if (!c->measure->decides || distance <= (double)c->measure->limit) continue;
        c->bound = distance; // dividing can't reduce this
        return;
    }
}

// Returns whether dividing part of an interval would bring the bound closer to the largest distance.
static bool should_divide(const comparison *c, const sight *from, const sight *to, double part) {
    for (int32_t n = 0; n < c->tracks.count; n++) {
        if (bound_node(c, n, from, to, part) <= enough(c)) continue;
        if (part * part * (c->bends[n] + c->step_bends[n]) > 0.5 * (enough(c) - c->most)) return true;
    }
    return false;
}

// Bounds part of an interval, given the distances at both ends. Splits it in half if necessary.
static void bound_part(comparison *c, const sight *from, const sight *to,
                       int depth) { // NOLINT(misc-no-recursion): MAX_DEPTH bounds it
    const double part = 1.0 / (double)(1 << depth), limit = (double)c->measure->limit;
    bound_roundings(c, from, to, part, from);
    bound_roundings(c, from, to, part, to);
    if (c->most > limit || c->bound > limit) return;
    if (depth < MAX_DEPTH && c->times_left > 0.0 && should_divide(c, from, to, part)) {
        sight *inner = &c->inner[depth];
        look(c, 0.5 * (from->time + to->time), false, inner);
        bound_part(c, from, inner, depth + 1);
        bound_part(c, inner, to, depth + 1);
        return;
    }
    for (int32_t n = 0; n < c->tracks.count; n++) c->bound = larger_of(c->bound, bound_node(c, n, from, to, part));
}

// Bounds the interval between two keys. c->start is known at the earlier key. Computes c->end.
static void bound_interval(comparison *c, double from, double to) {
    find_moments(c, from, false);
    bound_nodes(c, c->moments, to - from);
    look(c, to, c->has_steps, &c->end);
    bound_part(c, &c->start, &c->end, 0);
}

static void swap(sight *a, sight *b) {
    const sight other = *a;
    *a = *b;
    *b = other;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

// Finds the distances at all keys. After that, most intervals don't have to be divided.
static void look_at_keys(comparison *c) {
    const double limit = (double)c->measure->limit;
    for (size_t i = 0; i < c->time_count && c->most <= limit; i++) {
        if (c->has_steps && i > 0) look(c, c->times[i], true, &c->start);
        look(c, c->times[i], false, &c->start);
    }
    if (c->time_count == 0) look(c, 0.0, false, &c->start);
}

// Starts with another clip's worst time and bounds the interval there, because it is often bad in this clip.
static void bound_worst_interval(comparison *c, double time) {
    size_t i = 1;
    look(c, time, false, &c->start);
    if (!c->measure->decides || c->most > (double)c->measure->limit) return;
    while (i < c->time_count && c->times[i] <= time) i++;
    if (i >= c->time_count) return;
    look(c, c->times[i - 1], false, &c->start);
    bound_interval(c, c->times[i - 1], c->times[i]);
}

static void bound_intervals(comparison *c) {
    const double limit = (double)c->measure->limit;
    look(c, c->times[0], false, &c->start);
    for (size_t i = 1; i < c->time_count && c->most <= limit && c->bound <= limit; i++) {
        if (c->has_steps && i > 1) look(c, c->times[i - 1], false, &c->start);
        bound_interval(c, c->times[i - 1], c->times[i]);
        if (c->bound > limit && c->measure->worst_time) *c->measure->worst_time = c->times[i - 1];
        swap(&c->start, &c->end);
    }
}

static void bound_at_keys(comparison *c) {
    const double limit = (double)c->measure->limit;
    c->times_left = MOST_TIMES * (double)c->time_count + (1 << MAX_DEPTH);
    c->joints_left = MOST_JOINTS * (double)(c->time_count + 1) * (double)c->tracks.count;
    if (c->measure->worst_time) bound_worst_interval(c, *c->measure->worst_time);
    if (c->bound <= limit) look_at_keys(c);
    if (c->time_count > 0 && c->most <= limit && c->bound <= limit) bound_intervals(c);
    c->bound = larger_of(c->bound, c->most);
}

static void bound_clip(comparison *c) {
    const double nodes = (double)c->tracks.count * (double)(c->time_count + 1);
    if (nodes <= NODES_PER_BYTE * (double)c->tracks.exact->memory + SMALL_CLIP) {
        bound_at_keys(c);
        return;
    }
    bound_nodes(c, NULL, 0.0);
    for (int32_t n = 0; n < c->tracks.count; n++)
        c->bound = larger_of(c->bound, or_infinity(c->wholes[n]) + c->steps[n] + c->rests[n]);
}

// Marks the timelines that move the nodes, and counts their keys.
static size_t mark_timelines(comparison *c, bool *marked) {
    size_t count = 0;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const sinewi_error_track *t = c->tracks.of_nodes + SINEWI_GROUPS * (ptrdiff_t)c->tracks.nodes[n];
        for (int k = 0; k < SINEWI_GROUPS; k++) {
            if (t[k].timeline < 0) continue;
            if (t[k].interpolation == SINEW_INTERPOLATION_STEP) c->has_steps = true;
            if (!marked[t[k].timeline]) count += (size_t)c->tracks.exact->timelines[t[k].timeline].key_count;
            marked[t[k].timeline] = true;
        }
    }
    return count;
}

// Writes the times where arcs are halved, unless `times` is NULL. Returns their number.
static size_t list_halves(const comparison *c, double *times) {
    size_t count = 0;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const sinewi_error_track *t =
            c->tracks.of_nodes + SINEWI_GROUPS * (ptrdiff_t)c->tracks.nodes[n] + SINEW_TARGET_ROTATION;
        if (t->timeline < 0) continue;
        const sinew_timeline *timeline = &c->tracks.exact->timelines[t->timeline];
        for (int32_t k = 0; k + 1 < timeline->key_count; k++) {
            if (!sinewi_error_is_halved(t, k)) continue;
            if (times)
                times[count] =
                    0.5 * ((double)sinew_timeline_time(timeline, k) + (double)sinew_timeline_time(timeline, k + 1));
            count++;
        }
    }
    return count;
}

static bool gather_times(comparison *c, sinewi_arena *arena) {
    const sinew_clip *exact = c->tracks.exact;
    bool *marked = sinewi_arena_zeros(arena, bool, (size_t)exact->timeline_count);
    if (!marked) return false;
    const size_t keys = mark_timelines(c, marked), most = keys + list_halves(c, NULL);
    double *times = sinewi_arena_array(arena, double, most);
    if (!times) return false;
    size_t count = 0;
    for (int32_t i = 0; i < exact->timeline_count; i++)
        for (int32_t k = 0; marked[i] && k < exact->timelines[i].key_count; k++)
            times[count++] = (double)sinew_timeline_time(&exact->timelines[i], k);
    list_halves(c, times + count);
    c->time_count = most;
    c->times = sinewi_error_sort_times(times, &c->time_count, arena);
    return c->times != NULL;
}

static bool prepare(comparison *c, const sinew_clip *clip, sinewi_arena *arena) {
    if (!sinewi_error_tracks_read(&c->tracks, c->exact, clip, arena) || !gather_times(c, arena) ||
        !sinewi_error_rounding_make(&c->rounding, &c->tracks, arena))
        return false;
    const sinew_clip *exact = c->exact->clip;
    const size_t nodes = (size_t)c->tracks.count, all = (size_t)exact->skeleton->node_count;
    enum { SIGHTS = 2 + MAX_DEPTH, ARRAYS = 5 + 2 * SIGHTS };
    double *numbers = sinewi_arena_array(arena, double, ARRAYS *nodes);
    c->moments = sinewi_arena_array(arena, sinewi_error_moment, (size_t)exact->timeline_count);
    for (int side = 0; side < 2; side++) c->models[side] = sinewi_arena_array(arena, sinewi_error_matrix, all);
    c->motions = sinewi_arena_array(arena, sinewi_error_motion, all);
    if (!numbers || !c->moments || !c->models[0] || !c->models[1] || !c->motions) return false;
    double **const arrays[5] = {&c->wholes, &c->bends, &c->steps, &c->rests, &c->step_bends};
    for (size_t i = 0; i < 5; i++, numbers += nodes) *arrays[i] = numbers;
    for (size_t i = 0; i < SIGHTS; i++, numbers += 2 * nodes) {
        sight *at = i == 0 ? &c->start : i == 1 ? &c->end : &c->inner[i - 2];
        at->distances = numbers;
        at->roundings = numbers + nodes;
    }
    for (int32_t i = 0; i < exact->timeline_count; i++) c->moments[i] = (sinewi_error_moment){-1, 0.0};
    return true;
}

// Returns the next larger float, or one close to it.
static float upper_float(double bound) {
    return bound < (double)FLT_MAX ? (float)(bound * (1.0 + 1e-7)) : INFINITY;
}

sinew_result sinewi_clip_measure_error(sinewi_exact_clip *exact, const sinew_clip *clip,
                                       const sinewi_error_measure *measure, float *error) {
    comparison c = {.exact = exact, .measure = measure};
    sinewi_arena arena;
    sinewi_arena_init(&arena, &exact->arena.allocator);
    const bool prepared = prepare(&c, clip, &arena);
    if (prepared) {
        bound_clip(&c);
        *error = upper_float(larger_of(c.bound, c.tracks.weight_error));
    }
    sinewi_arena_free(&arena);
    return prepared ? SINEW_OK : SINEW_ERROR_OUT_OF_MEMORY;
}
