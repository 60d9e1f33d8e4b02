// SPDX-License-Identifier: MIT
// Bounds the error of a clip with 16-bit keys or modes: the largest distance, in metres in model space, between a point
// on a node in the clip and the same point in an exact clip.
//
// Between two times without a key in between, a curve leaves the line between its ends by at most an eighth of its largest
// second derivative (error_tracks.c), by the fraction of the interval. So the distance D of a point is at most
//
//   max(|D| at the start, |D| at the end) + max |D''| / 8,
//
// and where that is above the largest distance that was found, the interval is divided: in n parts, the second term is
// 1 / n² as large.
#include "clip/clip_error.h"
#include "clip/error_tracks.h"
#include "core/merge_sort.h"

#include <float.h>
#include <math.h>

// Bounds may be above the largest error that is found by this part, or this distance, metres.
#define SLACK          0.02
#define SLACK_DISTANCE 1e-9

// An interval has at most 2^MAX_DEPTH parts, and all of them together MOST_TIMES times as many as there are keys.
#define MAX_DEPTH  6
#define MOST_TIMES 16

// The nodes that are evaluated at all keys, as a part of the clip's bytes. Clips with more have a looser bound.
#define NODES_PER_BYTE 0.25
#define SMALL_CLIP     16384.0

#define POWER_STEPS 8
#define DUAL_STEPS  6

// Two clips while they are compared. Arrays of nodes are in the order of tracks.nodes.
typedef struct comparison {
    sinew_error_tracks tracks;
    const sinew_error_measure *measure;
    double *times; // sorted: those of all keys
    size_t time_count;
    bool has_steps; // the pose before a key may not be that at the key
    sinew_error_moment *moments;
    sinew_error_matrix *models[2];            // [node_count]
    sinew_error_motion *motions;              // [node_count]
    double *starts, *ends, *inner[MAX_DEPTH]; // [nodes]: distances at times
    double *wholes, *bends, *steps;           // [nodes]: bounds of an interval
    double most, bound;                       // the largest distance found, and its bound
    double times_left;
} comparison;

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

// ---- One time ----------------------------------------------------------------------------------------------------

static double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// An upper bound of the largest eigenvalue of a symmetric positive matrix, by Newton's method on its characteristic
// polynomial from above.
static double largest_eigenvalue(double m[3][3]) {
    const double trace = m[0][0] + m[1][1] + m[2][2];
    double minors = 0.0, determinant = 0.0, x = trace;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        minors += m[j][j] * m[k][k] - m[j][k] * m[j][k];
        determinant += m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]);
    }
    for (int i = 0; i < POWER_STEPS; i++) {
        const double value = ((x - trace) * x + minors) * x - determinant,
                     slope = (3.0 * x - 2.0 * trace) * x + minors;
        if (!(value > 0.0) || !(slope > 0.0)) break;
        x -= value / slope;
    }
    return x;
}

// cᵀ (x I - M)⁻¹ c, and the square of the length of (x I - M)⁻¹ c.
static double solve(double m[3][3], double x, const double c[3], double *square) {
    double a[3][3], s[3], determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[i][k] = (i == k ? x : 0.0) - m[i][k];
    double cofactors[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            cofactors[i][k] = a[(i + 1) % 3][(k + 1) % 3] * a[(i + 2) % 3][(k + 2) % 3] -
                              a[(i + 1) % 3][(k + 2) % 3] * a[(i + 2) % 3][(k + 1) % 3];
    determinant = dot3(a[0], cofactors[0]);
    for (int i = 0; i < 3; i++) s[i] = dot3(cofactors[i], c) / determinant;
    *square = dot3(s, s);
    return dot3(s, c);
}

// The largest length of t + M v for any v up to a length of 1: by duality, its square is at most
// |t|² + x + (Mᵀ t)ᵀ (x I - Mᵀ M)⁻¹ (Mᵀ t) for each x above the eigenvalues of Mᵀ M, and equal for one.
static double largest_in_ball(const double t[3], const double linear[9]) {
    double m[3][3], c[3], columns[3][3], square;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) columns[i][k] = linear[3 * k + i];
    for (int i = 0; i < 3; i++) {
        c[i] = dot3(columns[i], t);
        for (int k = 0; k < 3; k++) m[i][k] = dot3(columns[i], columns[k]);
    }
    const double eigenvalue = largest_eigenvalue(m), reach = sqrt(dot3(c, c));
    double low = eigenvalue * (1.0 + 1e-9), high = low + reach, best = (double)INFINITY;
    for (int i = 0; i < DUAL_STEPS && reach > 0.0; i++) {
        const double x = i == 0 ? high : 0.5 * (low + high), value = x + solve(m, x, c, &square);
        if (value < best) best = value;
        if (square < 1.0) high = x;
        if (!(square < 1.0)) low = x;
    }
    return sqrt(dot3(t, t) + (reach > 0.0 ? best : eigenvalue));
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

// A distance that is not a number counts as infinite.
static double or_infinity(double distance) {
    return isnan(distance) ? (double)INFINITY : distance;
}

// The largest distance of a point on a node: bounded roughly where that is enough.
static double node_distance(comparison *c, int32_t node) {
    const sinew_error_matrix *a = &c->models[0][node], *b = &c->models[1][node];
    double t[3], linear[9], square = 0.0;
    for (int i = 0; i < 3; i++) t[i] = a->translation[i] - b->translation[i];
    for (int i = 0; i < 9; i++) {
        linear[i] = (double)c->measure->point_distance * (a->linear[i] - b->linear[i]);
        square += linear[i] * linear[i];
    }
    const double rough = sqrt(dot3(t, t)) + sqrt(square);
    if (rough <= 0.5 * c->most) return rough;
    const double distance = or_infinity(largest_in_ball(t, linear));
    return distance < rough ? distance : or_infinity(rough);
}

// Writes the distances of all nodes at a time, or right before it.
static void evaluate(comparison *c, double time, bool before, double *distances) {
    const int32_t *parents = c->tracks.exact->skeleton->parents;
    const double most = c->most;
    find_moments(c, time, before);
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const int32_t node = c->tracks.nodes[n], parent = parents[node];
        for (int side = 0; side < 2; side++) {
            sinew_error_matrix *model = &c->models[side][node];
            *model = sinew_error_local(&c->tracks, node, side, c->moments);
            if (parent >= 0) *model = sinew_error_multiply(&c->models[side][parent], model);
        }
        distances[n] = node_distance(c, node);
        c->most = larger_of(c->most, distances[n]);
    }
    if (c->most > most && c->measure->worst_time) *c->measure->worst_time = time;
    c->times_left -= 1.0;
}

// ---- Intervals ---------------------------------------------------------------------------------------------------

// Bounds the distances of all nodes from the moments on; NULL: at all times.
static void bound_nodes(comparison *c, const sinew_error_moment *moments, double length) {
    const double d = (double)c->measure->point_distance;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const int32_t node = c->tracks.nodes[n], parent = c->tracks.exact->skeleton->parents[node];
        sinew_error_motion *motion = &c->motions[node];
        *motion = sinew_error_bound(&c->tracks, node, moments, length);
        if (parent >= 0) {
            const sinew_error_motion *above = &c->motions[parent];
            const sinew_error_jet moved = sinew_error_product(&above->linear, &motion->translation);
            motion->translation = sinew_error_sum(&moved, &above->translation);
            motion->linear = sinew_error_product(&above->linear, &motion->linear);
        }
        c->wholes[n] = motion->translation.apart[0] + d * motion->linear.apart[0];
        c->bends[n] = (motion->translation.apart[2] + d * motion->linear.apart[2]) / 8.0;
        c->steps[n] = motion->translation.step + d * motion->linear.step;
    }
}

// Bounds the distance of a node in a part of an interval.
static double bound_node(const comparison *c, int32_t n, const double *from, const double *to, double part) {
    const double ends = larger_of(from[n], to[n]), line = or_infinity(ends + part * part * c->bends[n]);
    return (line < c->wholes[n] ? line : or_infinity(c->wholes[n])) + c->steps[n];
}

// Whether dividing a part of an interval gives a bound that is closer to the largest distance.
static bool should_divide(const comparison *c, const double *from, const double *to, double part) {
    const double enough = c->most + larger_of(SLACK * c->most, SLACK_DISTANCE);
    for (int32_t n = 0; n < c->tracks.count; n++) {
        if (bound_node(c, n, from, to, part) <= enough) continue;
        if (part * part * c->bends[n] > 0.5 * (enough - c->most)) return true;
    }
    return false;
}

// Bounds a part of an interval, whose distances at both ends are known: in halves, if need be.
static void bound_part(comparison *c, double from, double to, const double *starts, const double *ends,
                       int depth) { // NOLINT(misc-no-recursion): MAX_DEPTH bounds it
    const double part = 1.0 / (double)(1 << depth), middle = 0.5 * (from + to);
    if (depth < MAX_DEPTH && c->times_left > 0.0 && c->most <= (double)c->measure->limit &&
        should_divide(c, starts, ends, part)) {
        double *inner = c->inner[depth];
        evaluate(c, middle, false, inner);
        bound_part(c, from, middle, starts, inner, depth + 1);
        bound_part(c, middle, to, inner, ends, depth + 1);
        return;
    }
    for (int32_t n = 0; n < c->tracks.count; n++)
        c->bound = larger_of(c->bound, bound_node(c, n, starts, ends, part));
}

// Bounds an interval between two keys, whose distances at the start are known, and writes those at the end.
static void bound_interval(comparison *c, double from, double to) {
    find_moments(c, from, false);
    bound_nodes(c, c->moments, to - from);
    evaluate(c, to, c->has_steps, c->ends);
    bound_part(c, from, to, c->starts, c->ends, 0);
}

static void swap(double **a, double **b) {
    double *other = *a;
    *a = *b;
    *b = other;
}

// ---- Clips -------------------------------------------------------------------------------------------------------

// First all keys: most intervals then need no division.
static void bound_at_keys(comparison *c) {
    const double limit = (double)c->measure->limit;
    if (c->measure->worst_time) evaluate(c, *c->measure->worst_time, false, c->starts);
    for (size_t i = 0; i < c->time_count && c->most <= limit; i++) {
        if (c->has_steps && i > 0) evaluate(c, c->times[i], true, c->starts);
        evaluate(c, c->times[i], false, c->starts);
    }
    if (c->time_count == 0) evaluate(c, 0.0, false, c->starts);
    c->bound = c->most;
    if (c->time_count == 0 || c->most > limit) return;
    c->times_left = MOST_TIMES * (double)c->time_count + (1 << MAX_DEPTH);
    evaluate(c, c->times[0], false, c->starts);
    for (size_t i = 1; i < c->time_count && c->bound <= limit; i++) {
        if (c->has_steps && i > 1) evaluate(c, c->times[i - 1], false, c->starts);
        bound_interval(c, c->times[i - 1], c->times[i]);
        swap(&c->starts, &c->ends);
    }
}

static void bound_clip(comparison *c) {
    const double nodes = (double)c->tracks.count * (double)(c->time_count + 1);
    if (nodes <= NODES_PER_BYTE * (double)c->tracks.exact->memory + SMALL_CLIP) {
        bound_at_keys(c);
        return;
    }
    bound_nodes(c, NULL, 0.0);
    for (int32_t n = 0; n < c->tracks.count; n++)
        c->bound = larger_of(c->bound, or_infinity(c->wholes[n]) + c->steps[n]);
}

static int compare_times(const void *a, const void *b, const void *context) {
    (void)context;
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Marks the timelines that move the nodes, and counts their keys.
static size_t mark_timelines(comparison *c, bool *marked) {
    size_t count = 0;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const sinew_error_track *t = c->tracks.of_nodes + SINEW_GROUPS * (ptrdiff_t)c->tracks.nodes[n];
        for (int k = 0; k < SINEW_GROUPS; k++) {
            if (t[k].timeline < 0) continue;
            if (t[k].interpolation == SINEW_INTERPOLATION_STEP) c->has_steps = true;
            if (!marked[t[k].timeline]) count += (size_t)c->tracks.exact->timelines[t[k].timeline].key_count;
            marked[t[k].timeline] = true;
        }
    }
    return count;
}

// Writes the times where arcs are halved, if `times` is not NULL; returns their number.
static size_t list_halves(const comparison *c, double *times) {
    size_t count = 0;
    for (int32_t n = 0; n < c->tracks.count; n++) {
        const sinew_error_track *t =
            c->tracks.of_nodes + SINEW_GROUPS * (ptrdiff_t)c->tracks.nodes[n] + SINEW_TARGET_ROTATION;
        if (t->timeline < 0) continue;
        const sinew_timeline *timeline = &c->tracks.exact->timelines[t->timeline];
        for (int32_t k = 0; k + 1 < timeline->key_count; k++) {
            if (!sinew_error_is_halved(t, k)) continue;
            if (times)
                times[count] =
                    0.5 * ((double)sinew_timeline_time(timeline, k) + (double)sinew_timeline_time(timeline, k + 1));
            count++;
        }
    }
    return count;
}

static bool gather_times(comparison *c, sinew_arena *arena) {
    const sinew_clip *exact = c->tracks.exact;
    bool *marked = sinew_arena_zeros(arena, bool, (size_t)exact->timeline_count);
    if (!marked) return false;
    const size_t keys = mark_timelines(c, marked), most = keys + list_halves(c, NULL);
    double *times = sinew_arena_array(arena, double, most), *other = sinew_arena_array(arena, double, most);
    if (!times || !other) return false;
    size_t count = 0;
    for (int32_t i = 0; i < exact->timeline_count; i++)
        for (int32_t k = 0; marked[i] && k < exact->timelines[i].key_count; k++)
            times[count++] = (double)sinew_timeline_time(&exact->timelines[i], k);
    list_halves(c, times + count);
    c->times = (double *)sinew_merge_sort(times, other, most, sizeof *times, compare_times, NULL);
    for (size_t i = 0; i < most; i++)
        if (c->time_count == 0 || c->times[i] > c->times[c->time_count - 1])
            c->times[c->time_count++] = c->times[i];
    return true;
}

static bool prepare(comparison *c, const sinew_clip *exact, const sinew_clip *clip, sinew_arena *arena) {
    if (!sinew_error_tracks_read(&c->tracks, exact, clip, arena) || !gather_times(c, arena)) return false;
    const size_t nodes = (size_t)c->tracks.count, all = (size_t)exact->skeleton->node_count;
    enum { ARRAYS = 5 + MAX_DEPTH };
    double *numbers = sinew_arena_array(arena, double, ARRAYS *nodes);
    c->moments = sinew_arena_array(arena, sinew_error_moment, (size_t)exact->timeline_count);
    for (int side = 0; side < 2; side++) c->models[side] = sinew_arena_array(arena, sinew_error_matrix, all);
    c->motions = sinew_arena_array(arena, sinew_error_motion, all);
    if (!numbers || !c->moments || !c->models[0] || !c->models[1] || !c->motions) return false;
    double **const arrays[5] = {&c->starts, &c->ends, &c->wholes, &c->bends, &c->steps};
    for (size_t i = 0; i < ARRAYS; i++) *(i < 5 ? arrays[i] : &c->inner[i - 5]) = numbers + i * nodes;
    for (int32_t i = 0; i < exact->timeline_count; i++) c->moments[i] = (sinew_error_moment){-1, 0.0};
    return true;
}

// The next float above, or near it.
static float upper_float(double bound) {
    return bound < (double)FLT_MAX ? (float)(bound * (1.0 + 1e-7)) : INFINITY;
}

sinew_result sinew_clip_measure_error(const sinew_clip *exact, const sinew_clip *clip,
                                      const sinew_error_measure *measure, const sinew_allocator *allocator,
                                      float *error) {
    comparison c = {.measure = measure};
    sinew_arena arena;
    sinew_arena_init(&arena, allocator);
    const bool prepared = prepare(&c, exact, clip, &arena);
    if (prepared) {
        bound_clip(&c);
        *error = upper_float(larger_of(c.bound, c.tracks.weight_error));
    }
    sinew_arena_free(&arena);
    return prepared ? SINEW_OK : SINEW_ERROR_OUT_OF_MEMORY;
}
