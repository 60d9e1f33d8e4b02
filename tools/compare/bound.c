// SPDX-License-Identifier: MIT
// Bounds the second derivative of displacements over an interval without keys.
//
// Over such an interval, every translation, scale and weight is a polynomial of at most degree 3. The control points of
// its Bézier form bound it and its derivatives. A rotation turns at a constant rate (LINEAR) or is a normalized
// polynomial. A product's bounds follow from its factors' with the product rule. With W = P L in A and B,
//
//   W_A - W_B = (P_A - P_B) L_A + P_B (L_A - L_B)
//
// Equal factors add nothing, and small differences add little. A viewer that doesn't normalize rotations shows M
// instead of R. M - R goes through products like a difference.
#include "compare/internal.h"

#include <math.h>
#include <string.h>

// ---- Jets ----------------------------------------------------------------------------------------------------------

static const compare_jet zero_jet;

static double product(const double x[3], const double y[3], int order) {
    if (order == 0) return x[0] * y[0];
    if (order == 1) return x[1] * y[0] + x[0] * y[1];
    return x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2];
}

static compare_jet multiply(const compare_jet *p, const compare_jet *l) {
    compare_jet out;
    double own[3], most[3]; // of either side; the second has its change included
    for (int k = 0; k < 3; k++) {
        out.a[k] = product(p->a, l->a, k);
        out.b[k] = product(p->b, l->b, k);
        out.d[k] = product(p->d, l->a, k) + product(p->b, l->d, k);
        own[k] = p->a[k] > p->b[k] ? p->a[k] : p->b[k];
        most[k] = (l->a[k] > l->b[k] ? l->a[k] : l->b[k]) + l->e[k];
    }
    for (int k = 0; k < 3; k++) out.e[k] = product(p->e, most, k) + product(own, l->e, k);
    return out;
}

static compare_jet add(const compare_jet *x, const compare_jet *y) {
    compare_jet out;
    for (int k = 0; k < 3; k++) {
        out.a[k] = x->a[k] + y->a[k];
        out.b[k] = x->b[k] + y->b[k];
        out.d[k] = x->d[k] + y->d[k];
        out.e[k] = x->e[k] + y->e[k];
    }
    return out;
}

// The difference is at most the sum. Nothing else is known for splines and nodes with different parents.
static void limit_difference(compare_jet *jet) {
    for (int k = 0; k < 3; k++) jet->d[k] = fmin(jet->d[k], jet->a[k] + jet->b[k]);
}

static void forget_difference(compare_jet *jet) {
    for (int k = 0; k < 3; k++) jet->d[k] = jet->a[k] + jet->b[k];
}

// ---- Polynomials ---------------------------------------------------------------------------------------------------

// The control points of a polynomial of degree 3 over an interval.
typedef struct bezier {
    double points[4][4];
    int width; // 3 or 4
} bezier;

// Interpolates values at 0, 1/3, 2/3 and 1 of the interval.
static bezier interpolate(double values[4][4], int width) {
    bezier curve = {.width = width};
    for (int i = 0; i < width; i++) {
        const double f0 = values[0][i], f1 = values[1][i], f2 = values[2][i], f3 = values[3][i];
        curve.points[0][i] = f0;
        curve.points[1][i] = (-5.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3) / 6.0;
        curve.points[2][i] = (2.0 * f0 - 9.0 * f1 + 18.0 * f2 - 5.0 * f3) / 6.0;
        curve.points[3][i] = f3;
    }
    return curve;
}

static bezier straight(const double *from, const double *to, int width) {
    bezier curve = {.width = width};
    for (int i = 0; i < width; i++) {
        for (int k = 0; k < 4; k++) curve.points[k][i] = from[i] + (to[i] - from[i]) * k / 3.0;
    }
    return curve;
}

static bezier difference(const bezier *a, const bezier *b) {
    bezier out = {.width = a->width};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < a->width; i++) out.points[k][i] = a->points[k][i] - b->points[k][i];
    }
    return out;
}

// Like fmax, without calling the C library.
static double larger(double x, double y) {
    return y > x ? y : x;
}

// Returns a vector's norm: its length, or for scales the largest magnitude, which is the diagonal matrix's norm.
static double norm(const double *v, int width, bool diagonal) {
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < width; i++) {
        sum += v[i] * v[i];
        largest = larger(largest, fabs(v[i]));
    }
    return diagonal ? largest : sqrt(sum);
}

// Bounds the norms of a polynomial and its derivatives, from the control points of each.
static void bound_curve(const bezier *curve, double length, bool diagonal, double out[3]) {
    const int width = curve->width;
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        double first[4], second[4];
        const double *p = curve->points[k];
        out[0] = larger(out[0], norm(p, width, diagonal));
        for (int i = 0; i < width && k < 3; i++) first[i] = 3.0 * (curve->points[k + 1][i] - p[i]) / length;
        if (k < 3) out[1] = larger(out[1], norm(first, width, diagonal));
        for (int i = 0; i < width && k < 2; i++)
            second[i] = 6.0 * (curve->points[k + 2][i] - 2.0 * curve->points[k + 1][i] + p[i]) / (length * length);
        if (k < 2) out[2] = larger(out[2], norm(second, width, diagonal));
    }
}

static compare_jet bound_curves(const bezier *a, const bezier *b, double length, bool diagonal) {
    compare_jet jet;
    const bezier d = difference(a, b);
    bound_curve(a, length, diagonal, jet.a);
    bound_curve(b, length, diagonal, jet.b);
    bound_curve(&d, length, diagonal, jet.d);
    memset(jet.e, 0, sizeof jet.e);
    limit_difference(&jet);
    return jet;
}

// ---- Tracks --------------------------------------------------------------------------------------------------------

static const ref_channel *channel_of(const compare_interval *in, int side, int32_t node, ref_path path) {
    return in->channels[side][4 * (ptrdiff_t)node + (ptrdiff_t)path];
}

static bool is_spline(const ref_channel *channel) {
    return channel && channel->interpolation == REF_CUBICSPLINE;
}

// Computes the times at 0, 1/3, 2/3 and 1 of the interval. The last one is just before its end.
static void four_times(const compare_interval *in, double times[4]) {
    const double third = (in->end - in->start) / 3.0;
    times[0] = in->start;
    times[1] = in->start + third;
    times[2] = in->end - third;
    times[3] = nextafter(in->end, -(double)INFINITY);
}

static void sample_four(const compare_interval *in, const ref_channel *channel, double values[4][4]) {
    double times[4];
    four_times(in, times);
    for (int k = 0; k < 4; k++) ref_sample(channel, times[k], values[k]);
}

// Returns the curve of a translation or scale.
static bezier curve_of(const compare_interval *in, int side, int32_t node, ref_path path) {
    const ref_channel *channel = channel_of(in, side, node, path);
    const ptrdiff_t offset = 10 * (ptrdiff_t)node + (path == REF_SCALE ? 7 : 0);
    if (!is_spline(channel)) return straight(in->starts[side].locals + offset, in->ends[side].locals + offset, 3);
    double values[4][4];
    sample_four(in, channel, values);
    return interpolate(values, 3);
}

// Returns whether a part of a node's local pose stays the same over the interval in both files.
static bool stays(const compare_interval *in, const int32_t nodes[2], ref_path path, ptrdiff_t offset, int width) {
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t at = 10 * (ptrdiff_t)nodes[side] + offset;
        if (is_spline(channel_of(in, side, nodes[side], path))) return false;
        if (memcmp(in->starts[side].locals + at, in->ends[side].locals + at, (size_t)width * sizeof(double)) != 0)
            return false;
    }
    return true;
}

static compare_jet bound_still(const compare_interval *in, const int32_t nodes[2], ptrdiff_t offset,
                               bool diagonal) {
    const double *a = in->starts[0].locals + 10 * (ptrdiff_t)nodes[0] + offset,
                 *b = in->starts[1].locals + 10 * (ptrdiff_t)nodes[1] + offset;
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return (compare_jet){.a = {norm(a, 3, diagonal)}, .b = {norm(b, 3, diagonal)}, .d = {norm(d, 3, diagonal)}};
}

static compare_jet bound_track(const compare_interval *in, const int32_t nodes[2], ref_path path) {
    const ptrdiff_t offset = path == REF_SCALE ? 7 : 0;
    if (stays(in, nodes, path, offset, 3)) return bound_still(in, nodes, offset, path == REF_SCALE);
    const bezier a = curve_of(in, 0, nodes[0], path), b = curve_of(in, 1, nodes[1], path);
    return bound_curves(&a, &b, in->end - in->start, path == REF_SCALE);
}

// ---- Rotations -----------------------------------------------------------------------------------------------------

// Computes the rotation from p to q along the shorter arc, as an axis times an angle.
static void rotation_vector(const double p[4], const double q[4], double out[3]) {
    // q × conjugate of p
    const double r[4] = {-q[3] * p[0] + q[0] * p[3] - q[1] * p[2] + q[2] * p[1],
                         -q[3] * p[1] + q[0] * p[2] + q[1] * p[3] - q[2] * p[0],
                         -q[3] * p[2] - q[0] * p[1] + q[1] * p[0] + q[2] * p[3],
                         q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2]};
    const double side = r[3] < 0.0 ? -1.0 : 1.0, sine = norm(r, 3, false);
    const double factor = sine > 1e-150 ? side * 2.0 * atan2(sine, fabs(r[3])) / sine : 2.0;
    for (int i = 0; i < 3; i++) out[i] = factor * r[i];
}

// Returns the spectral norm of the difference between two rotations: 2 sin(angle / 2).
static double rotation_distance(const double p[4], const double q[4]) {
    double vector[3];
    rotation_vector(p, q, vector);
    return 2.0 * sin(0.5 * norm(vector, 3, false));
}

static double distance_at_ends(const compare_interval *in, const int32_t nodes[2]) {
    const ptrdiff_t a = 10 * (ptrdiff_t)nodes[0] + 3, b = 10 * (ptrdiff_t)nodes[1] + 3;
    return fmax(rotation_distance(in->starts[0].locals + a, in->starts[1].locals + b),
                rotation_distance(in->ends[0].locals + a, in->ends[1].locals + b));
}

// Computes the angular velocity of a LINEAR or constant rotation.
static void angular_velocity(const compare_interval *in, int side, int32_t node, double out[3]) {
    const ptrdiff_t offset = 10 * (ptrdiff_t)node + 3;
    rotation_vector(in->starts[side].locals + offset, in->ends[side].locals + offset, out);
    for (int i = 0; i < 3; i++) out[i] /= in->end - in->start;
}

// Bounds two rotations R with constant rates w. Since R' = [w] R, the difference D between A and B has
//   D' = [w_A - w_B] R_A + [w_B] D,  D'' = ([w_A]² - [w_B]²) R_A + [w_B]² D
// and from either end |D| grows by at most half the interval's length times |D'|.
static compare_jet bound_turns(const compare_interval *in, const int32_t nodes[2]) {
    double a[3], b[3], apart[3];
    angular_velocity(in, 0, nodes[0], a);
    angular_velocity(in, 1, nodes[1], b);
    for (int i = 0; i < 3; i++) apart[i] = a[i] - b[i];
    const double half = 0.5 * (in->end - in->start), rate_a = norm(a, 3, false), rate_b = norm(b, 3, false),
                 rate_d = norm(apart, 3, false);
    const double growth = 1.0 - rate_b * half;
    const double largest = growth > 0.0 ? fmin(2.0, (distance_at_ends(in, nodes) + rate_d * half) / growth) : 2.0;
    compare_jet jet = {{1.0, rate_a, rate_a * rate_a},
                       {1.0, rate_b, rate_b * rate_b},
                       {largest, rate_d + rate_b * largest, (rate_a + rate_b) * rate_d + rate_b * rate_b * largest},
                       {0.0, 0.0, 0.0}};
    limit_difference(&jet);
    return jet;
}

// Returns a lower bound for a polynomial's length: the chord's smallest distance from 0, minus how far the polynomial
// strays from its chord.
static double shortest(const bezier *curve, double second, double length) {
    double along = 0.0, chord = 0.0, point[4];
    for (int i = 0; i < 4; i++) {
        const double step = curve->points[3][i] - curve->points[0][i];
        along -= curve->points[0][i] * step;
        chord += step * step;
    }
    const double u = chord > 0.0 ? fmax(0.0, fmin(1.0, along / chord)) : 0.0;
    for (int i = 0; i < 4; i++) point[i] = curve->points[0][i] + u * (curve->points[3][i] - curve->points[0][i]);
    return norm(point, 4, false) - length * length / 8.0 * second;
}

// Bounds a normalized polynomial n = q / |q| with |q| >= m: |n'| <= |q'| / m and |n''| <= |q''| / m + 3 (|q'| / m)².
// Its rotation turns at the rate w = 2 |n'|, with |w'| <= 2 |n''| + 2 |n'|². Infinite if q may pass 0.
static void bound_spline(const bezier *curve, double length, double out[3]) {
    double bounds[3];
    bound_curve(curve, length, false, bounds);
    const double least = shortest(curve, bounds[2], length);
    out[0] = 1.0;
    out[1] = out[2] = (double)INFINITY;
    if (!(least > 1e-3)) return;
    const double first = bounds[1] / least, second = bounds[2] / least + 3.0 * first * first;
    out[1] = 2.0 * first;
    out[2] = 2.0 * second + 2.0 * first * first + out[1] * out[1];
}

static bool sample_rotation(const compare_interval *in, int side, int32_t node, double values[4][4]) {
    const ref_channel *channel = channel_of(in, side, node, REF_ROTATION);
    if (is_spline(channel)) sample_four(in, channel, values);
    return is_spline(channel);
}

static void bound_rotation_alone(const compare_interval *in, int side, int32_t node, double values[4][4],
                                 bool spline, double out[3]) {
    if (spline) {
        const bezier curve = interpolate(values, 4);
        bound_spline(&curve, in->end - in->start, out);
        return;
    }
    double velocity[3];
    angular_velocity(in, side, node, velocity);
    out[0] = 1.0;
    out[1] = norm(velocity, 3, false);
    out[2] = out[1] * out[1];
}

static compare_jet bound_rotation(const compare_interval *in, const int32_t nodes[2]) {
    if (stays(in, nodes, REF_ROTATION, 3, 4)) {
        const double *a = in->starts[0].locals + 10 * (ptrdiff_t)nodes[0] + 3,
                     *b = in->starts[1].locals + 10 * (ptrdiff_t)nodes[1] + 3;
        const double apart = memcmp(a, b, 4 * sizeof *a) == 0 ? 0.0 : rotation_distance(a, b);
        return (compare_jet){.a = {1.0}, .b = {1.0}, .d = {apart}};
    }
    double a[4][4], b[4][4];
    const bool spline_a = sample_rotation(in, 0, nodes[0], a), spline_b = sample_rotation(in, 1, nodes[1], b);
    if (!spline_a && !spline_b) return bound_turns(in, nodes);
    compare_jet jet = zero_jet;
    bound_rotation_alone(in, 0, nodes[0], a, spline_a, jet.a);
    bound_rotation_alone(in, 1, nodes[1], b, spline_b, jet.b);
    if (spline_a && spline_b && memcmp(a, b, sizeof a) == 0) return jet;
    forget_difference(&jet);
    jet.d[0] = fmin(2.0, distance_at_ends(in, nodes) + 0.5 * (in->end - in->start) * jet.d[1]);
    return jet;
}

// Adds what changes in a viewer that doesn't normalize, if key lengths differ from 1 by at most h. Let t be the angle
// between the keys' quaternions, T the time between them and g = |R - I|. The squared length of what such a viewer
// interpolates differs from 1 by at most 5 h, and its derivatives by 8 h / T and 8 h / T². Its direction is off by at
// most 2 h t, 6 h t / T and 12 h t / T². The bounds of M - R = (length² - 1) (R - I) + the turn follow from the product
// rule.
static void add_stretch(const compare_interval *in, int side, int32_t node, double rate, compare_jet *jet) {
    static const double unit[4] = {0.0, 0.0, 0.0, 1.0};
    const double h = in->stretches[side] ? in->stretches[side][node] : 0.0;
    if (!(h > 0.0) || !isfinite(rate)) return;
    const double time = in->keys_apart, turn = rate * time, t = 0.5 * turn,
                 g = fmin(2.0, rotation_distance(unit, in->starts[side].locals + 10 * (ptrdiff_t)node + 3) +
                                   rate * (in->end - in->start));
    const ref_channel *channel = channel_of(in, side, node, REF_ROTATION);
    jet->e[0] += h * (5.0 * g + 2.0 * t);
    if (!channel || channel->interpolation != REF_LINEAR || channel->key_count < 2) return; // it doesn't change
    jet->e[1] += h * (8.0 * g + 16.0 * t) / time;
    jet->e[2] += h * (8.0 * g + 44.0 * t + 44.0 * t * t + 8.0 * t * t * t) / (time * time);
}

// ---- Nodes ---------------------------------------------------------------------------------------------------------

// A node's matrix is T R S × shear.
static compare_jet bound_shear(const ref_node *a, const ref_node *b) {
    static const compare_jet identity = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (!a->has_matrix && !b->has_matrix) return identity;
    compare_jet jet = zero_jet;
    jet.a[0] = a->has_matrix ? norm(a->shear, 11, false) : 1.0;
    jet.b[0] = b->has_matrix ? norm(b->shear, 11, false) : 1.0;
    if (a->has_matrix != b->has_matrix || memcmp(a->shear, b->shear, sizeof a->shear) != 0) forget_difference(&jet);
    return jet;
}

static compare_motion bound_local(const compare_interval *in, const int32_t nodes[2]) {
    compare_jet rotation = bound_rotation(in, nodes);
    const compare_jet scale = bound_track(in, nodes, REF_SCALE),
                      shear =
                          bound_shear(&in->body->models[0]->nodes[nodes[0]], &in->body->models[1]->nodes[nodes[1]]);
    add_stretch(in, 0, nodes[0], rotation.a[1], &rotation);
    add_stretch(in, 1, nodes[1], rotation.b[1], &rotation);
    const compare_jet turned = multiply(&rotation, &scale);
    return (compare_motion){multiply(&turned, &shear), bound_track(in, nodes, REF_TRANSLATION)};
}

static compare_motion compose(const compare_motion *parent, const compare_motion *local) {
    const compare_jet moved = multiply(&parent->linear, &local->translation);
    return (compare_motion){multiply(&parent->linear, &local->linear), add(&moved, &parent->translation)};
}

// Bounds the interval with one file on both sides, for nodes without a match.
static void bound_alone(const compare_interval *in, int side, compare_motion *out) {
    const ref_model *model = in->body->models[side];
    const compare_body body = {.models = {model, model}};
    const ref_pose starts[2] = {in->starts[side], in->starts[side]}, ends[2] = {in->ends[side], in->ends[side]};
    const compare_interval alone = {.body = &body,
                                    .channels = {in->channels[side], in->channels[side]},
                                    .starts = starts,
                                    .ends = ends,
                                    .start = in->start,
                                    .end = in->end,
                                    .keys_apart = in->keys_apart,
                                    .stretches = {in->stretches[side], NULL}};
    for (int32_t i = 0; i < model->node_count; i++) {
        const int32_t node = model->order[i], parent = model->nodes[node].parent, nodes[2] = {node, node};
        out[node] = bound_local(&alone, nodes);
        if (parent >= 0) out[node] = compose(&out[parent], &out[node]);
    }
}

static void join(compare_jet *jet, const compare_jet *other) {
    memcpy(jet->b, other->b, sizeof jet->b);
    for (int k = 0; k < 3; k++) jet->e[k] += other->e[k];
    forget_difference(jet);
}

// Samples morph weights that are splines, four times each.
static void sample_weights(const compare_interval *in) {
    for (int side = 0; side < 2; side++) {
        const ref_model *model = in->body->models[side];
        double times[4];
        four_times(in, times);
        for (int32_t i = 0; i < model->node_count; i++) {
            const ref_channel *channel = channel_of(in, side, i, REF_WEIGHTS);
            double *out = in->weights[side] + 4 * (ptrdiff_t)model->nodes[i].first_weight;
            for (int k = 0; k < 4 && is_spline(channel); k++)
                ref_sample(channel, times[k], out + k * (ptrdiff_t)channel->width);
        }
    }
}

void compare_bound_motions(const compare_interval *in, compare_motion *motions, compare_motion *others) {
    const compare_body *body = in->body;
    const ref_model *a = body->models[0], *b = body->models[1];
    sample_weights(in);
    if (!body->same_tree) {
        bound_alone(in, 0, motions);
        bound_alone(in, 1, others);
    }
    for (int32_t i = 0; i < a->node_count; i++) {
        const int32_t node = a->order[i], other = body->node_of[node], parent = a->nodes[node].parent;
        if (other < 0) continue;
        const int32_t other_parent = b->nodes[other].parent, nodes[2] = {node, other};
        const bool same_parent =
            parent < 0 ? other_parent < 0 : other_parent >= 0 && body->node_of[parent] == other_parent;
        if (same_parent) {
            const compare_motion local = bound_local(in, nodes);
            motions[node] = parent < 0 ? local : compose(&motions[parent], &local);
        } else {
            join(&motions[node].linear, &others[other].linear);
            join(&motions[node].translation, &others[other].translation);
        }
    }
}

// ---- Groups --------------------------------------------------------------------------------------------------------

// Returns one of a node's weights, from the samples in bound_motions.
static bezier weight_curve(const compare_interval *in, const compare_part *part, int side, int32_t target) {
    const ref_node *node = &in->body->models[side]->nodes[part->nodes[side]];
    const ptrdiff_t weight = (ptrdiff_t)node->first_weight + target;
    if (!is_spline(channel_of(in, side, part->nodes[side], REF_WEIGHTS)))
        return straight(in->starts[side].weights + weight, in->ends[side].weights + weight, 1);
    double values[4][4];
    for (int k = 0; k < 4; k++)
        values[k][0] =
            in->weights[side][4 * (ptrdiff_t)node->first_weight + (ptrdiff_t)k * node->weight_count + target];
    return interpolate(values, 1);
}

// Bounds how far morph targets move points in a bone's space, with both files' weights.
static compare_jet bound_morph(const compare_interval *in, const compare_part *part) {
    compare_jet sum = zero_jet;
    if (!part->morphs) return sum;
    const double length = in->end - in->start;
    for (int32_t t = 0; t < part->primitives[0]->target_count; t++) {
        const bezier a = weight_curve(in, part, 0, t), b = weight_curve(in, part, 1, t);
        const compare_jet jet = bound_curves(&a, &b, length, false);
        for (int k = 0; k < 3; k++) {
            sum.a[k] += jet.a[k] * part->target_reach[t];
            sum.b[k] += jet.b[k] * part->target_reach[t];
            sum.d[k] += jet.d[k] * part->target_reach[t] + jet.b[k] * part->target_shift[t];
        }
    }
    return sum;
}

double compare_bound_group(const compare_interval *in, const compare_motion *motions, const compare_group *group) {
    const compare_body *body = in->body;
    double largest = 0.0, carried = 0.0, difference = 0.0;
    compare_jet morph = zero_jet;
    for (int32_t p = 0; p < group->part_count; p++) {
        const compare_part *part = &body->parts[group->parts[p]];
        const compare_jet own = bound_morph(in, part);
        for (int k = 0; k < 3; k++) {
            morph.a[k] = fmax(morph.a[k], own.a[k]);
            morph.b[k] = fmax(morph.b[k], own.b[k]);
            morph.d[k] = fmax(morph.d[k], own.d[k]);
        }
        difference = fmax(difference, part->weight_difference);
    }
    for (int32_t r = 0; r < group->reach_count; r++) {
        const compare_reach *reach = &group->reaches[r];
        const compare_motion *motion = &motions[body->bones[reach->bone].nodes[0]];
        compare_jet point = morph; // in the bone's space
        point.a[0] += reach->radius;
        point.b[0] += reach->radius + reach->shift;
        point.d[0] += reach->shift;
        const compare_jet moved = multiply(&motion->linear, &point);
        largest = fmax(largest, moved.d[2] + moved.e[2] + motion->translation.d[2] + motion->translation.e[2]);
        carried = fmax(carried, moved.b[2] + moved.e[2] + motion->translation.b[2] + motion->translation.e[2]);
    }
    return largest + difference * carried;
}
