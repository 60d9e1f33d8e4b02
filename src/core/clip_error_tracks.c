// SPDX-License-Identifier: MIT
// Evaluates two clips of one skeleton in double, key by key as stored. Bounds the second derivatives of both clips and
// of their difference D between two keys. Apart from rounding, all of this is exact.
//
// Translations, scales and splines are cubic polynomials between keys. Their control points bound them and their
// derivatives. A rotation R turns at a rate w, so R' = [w] R. With A for the exact clip and B for the other one,
//
//   D' = [w_A - w_B] R_A + [w_B] D,   D'' = ([w_A]² - [w_B]²) R_A + [w_B]² D - [w_B'] R_B.
//
// w_A is constant. w_B varies in two kinds of clips. 16-bit rotations aren't quite unit quaternions and go along their
// arc at an uneven speed. Modes move the projection m of a rotation (see kernels/layout.h) along a straight line. With
// s = 1 / (1 + m²), this gives |w| = 4 s |m'| and |w'| = 8 s² |m| |m'|².
//
// Mode weights are rounded between keys, which moves m by some e. The unit quaternion is an inversion of (m, 1) in a
// sphere. Its k-th derivative has the norm 2 k! s^((k + 1) / 2). So the rotation moves by at most 4 s |e|. As m moves
// on, this changes with the derivatives 8 s^1.5 (1 + s^0.5) |e| |m'| and 24 s² (1 + 2 s^0.5) |e| |m'|².
#include "core/clip_error_tracks.h"
#include "base/rotation_vector.h"
#include "core/skeleton_object.h"

#include <math.h>
#include <string.h>

// If the lengths of two keys differ by 1%, the speed along their arc is within 3% of the mean and changes by at most
// 9%. For angles up to 180 degrees the factors are actually 2.6 and 8.
#define UNEVEN_PACE   3.0
#define UNEVEN_CHANGE 9.0

// Stands for a derivative without a bound.
#define UNBOUNDED 1e30

static double larger_of(double a, double b) {
    return a > b ? a : b;
}

static double length_of(const double *v, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

// ---- Keys --------------------------------------------------------------------------------------------------------

// A property's control points between two keys. It is a cubic polynomial or a straight line.
typedef struct cubic {
    double points[4][4];
} cubic;

// Returns the value or tangent of the first or second key in the interval after `key`. `part` is 1 for spline values.
static const float *key_of(const sinewi_error_track *t, int side, int32_t key, int part) {
    const int parts = sinewi_parts((sinew_interpolation)t->interpolation);
    return t->keys[side] + ((ptrdiff_t)key * parts + (parts == 1 ? 0 : part)) * t->width;
}

// Adds the differences of translations and scales to the rest pose.
static void add_to_rest(const sinewi_error_tracks *s, const sinewi_error_track *t, cubic *c) {
    const ptrdiff_t index = t - s->of_nodes;
    const sinew_transform *rest = &s->exact->skeleton->rest[index / SINEWI_GROUPS];
    const float *translation = &rest->translation.x, *scale = &rest->scale.x;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            if (index % SINEWI_GROUPS == SINEW_TARGET_TRANSLATION) c->points[k][i] += (double)translation[i];
            if (index % SINEWI_GROUPS == SINEW_TARGET_SCALE) c->points[k][i] *= (double)scale[i];
        }
    }
}

// Reads a property's value at a key, or its constant value.
static void read_value(const sinewi_error_tracks *s, const sinewi_error_track *t, int side, int32_t key,
                       double out[4]) {
    const float *from = t->moves[side] ? key_of(t, side, key < 0 ? 0 : key, 1) : t->keys[side];
    cubic c = {{{0}}};
    for (int i = 0; i < t->width; i++) c.points[0][i] = (double)from[i];
    if (s->exact->additive) add_to_rest(s, t, &c);
    memcpy(out, c.points[0], sizeof c.points[0]);
}

static cubic cubic_after(const sinewi_error_tracks *s, const sinewi_error_track *t, int side, int32_t key) {
    cubic c = {{{0}}};
    const bool spline = t->interpolation == SINEW_INTERPOLATION_CUBICSPLINE;
    const float *from = t->keys[side], *to = from;
    double third = 0.0;
    if (t->moves[side]) {
        const sinew_timeline *timeline = &s->exact->timelines[t->timeline];
        const int32_t last = timeline->key_count - 1;
        const bool inside = key >= 0 && key < last && t->interpolation != SINEW_INTERPOLATION_STEP;
        from = to = key_of(t, side, key < 0 ? 0 : key, 1);
        if (inside) to = key_of(t, side, key + 1, 1);
        if (inside)
            third =
                ((double)sinew_timeline_time(timeline, key + 1) - (double)sinew_timeline_time(timeline, key)) / 3.0;
    }
    for (int i = 0; i < t->width; i++) {
        const double a = (double)from[i], b = (double)to[i], step = (b - a) / 3.0;
        const bool bends = spline && third > 0.0;
        c.points[0][i] = a;
        c.points[1][i] = a + (bends ? third * (double)from[t->width + i] : step);
        c.points[2][i] = b - (bends ? third * (double)to[i - t->width] : step);
        c.points[3][i] = b;
    }
    if (s->exact->additive) add_to_rest(s, t, &c);
    return c;
}

static void evaluate_cubic(const cubic *c, double u, int width, double *out) {
    const double v = 1.0 - u;
    for (int i = 0; i < width; i++)
        out[i] = v * v * (v * c->points[0][i] + 3.0 * u * c->points[1][i]) +
                 u * u * (3.0 * v * c->points[2][i] + u * c->points[3][i]);
}

// ---- Rotations ---------------------------------------------------------------------------------------------------

static void multiply_rotations(const double a[4], const double b[4], double out[4]) {
    const double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                 y = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
                 z = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z;
}

// Returns a × conjugate(b).
static void turn_between(const double a[4], const double b[4], double out[4]) {
    const double back[4] = {-b[0], -b[1], -b[2], b[3]};
    multiply_rotations(a, back, out);
}

static double unit_rotation(double q[4]) {
    const double length = length_of(q, 4);
    if (!(length > 0.0)) q[3] = 1.0;
    for (int i = 0; i < 4 && length > 0.0; i++) q[i] /= length;
    return length;
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static double correction(const float c[3], double s) {
    return (double)c[0] + s * ((double)c[1] + s * (double)c[2]);
}

// Like the kernels, but for keys of any length. See base/slerp.h.
static void slerp(const double p[4], const double q[4], double u, double out[4]) {
    double middle[4];
    const bool wide = dot4(p, q) < (double)SINEWI_SLERP_MIN_COSINE;
    if (wide) {
        for (int i = 0; i < 4; i++) middle[i] = p[i] + q[i];
        unit_rotation(middle);
        u *= 2.0;
        if (u < 1.0) q = middle;
        if (u >= 1.0) p = middle, u -= 1.0;
    }
    const double e = 1.0 - dot4(p, q), h = u - 0.5, s = h * h, base = u * h * (u - 1.0);
    const double t =
        u + base * e *
                (correction(sinewi_slerp_series[0], s) +
                 e * (correction(sinewi_slerp_series[1], s) + e * correction(sinewi_slerp_series[2], s)));
    double sum[4];
    for (int i = 0; i < 4; i++) sum[i] = (1.0 - t) * p[i] + t * q[i];
    unit_rotation(sum);
    memcpy(out, sum, sizeof sum);
}

// Projects a rotation from the track's center.
static void project(const sinewi_error_track *t, const double q[4], double m[3]) {
    const double back[4] = {-(double)t->center[0], -(double)t->center[1], -(double)t->center[2],
                            (double)t->center[3]};
    double from_center[4];
    multiply_rotations(back, q, from_center);
    for (int i = 0; i < 3; i++) m[i] = from_center[i] / (1.0 + from_center[3]);
}

static void unproject(const sinewi_error_track *t, const double m[3], double q[4]) {
    const double factor = 2.0 / (1.0 + m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    const double from_center[4] = {factor * m[0], factor * m[1], factor * m[2], factor - 1.0};
    const double center[4] = {(double)t->center[0], (double)t->center[1], (double)t->center[2],
                              (double)t->center[3]};
    multiply_rotations(center, from_center, q);
}

static void evaluate_rotation(const sinewi_error_track *t, int side, const cubic *c, double u, double out[4]) {
    const double *p = c->points[0], *q = c->points[3];
    if (t->moves[side] && t->interpolation == SINEW_INTERPOLATION_CUBICSPLINE) {
        evaluate_cubic(c, u, 4, out);
    } else if (side == 1 && t->projects) {
        double a[3], b[3];
        project(t, p, a);
        project(t, q, b);
        for (int i = 0; i < 3; i++) a[i] += u * (b[i] - a[i]);
        unproject(t, a, out);
    } else {
        slerp(p, q, u, out);
    }
    unit_rotation(out);
}

// ---- Transforms --------------------------------------------------------------------------------------------------

static void evaluate_track(const sinewi_error_tracks *s, const sinewi_error_track *t, int side,
                           const sinewi_error_moment *moments, double out[4]) {
    const sinewi_error_moment none = {-1, 0.0}, at = t->timeline < 0 ? none : moments[t->timeline];
    if (!(at.u > 0.0) || !t->moves[side]) {
        read_value(s, t, side, at.key, out);
        if (t->width == 4) unit_rotation(out);
        return;
    }
    const cubic c = cubic_after(s, t, side, at.key);
    if (t->width == 4) {
        evaluate_rotation(t, side, &c, at.u, out);
    } else {
        evaluate_cubic(&c, at.u, t->width, out);
    }
}

sinewi_error_matrix sinewi_error_multiply(const sinewi_error_matrix *a, const sinewi_error_matrix *b) {
    sinewi_error_matrix out;
    for (ptrdiff_t row = 0; row < 3; row++) {
        const double *r = a->linear + 3 * row, *t = b->translation;
        for (int i = 0; i < 3; i++)
            out.linear[3 * row + i] = r[0] * b->linear[i] + r[1] * b->linear[3 + i] + r[2] * b->linear[6 + i];
        out.translation[row] = a->translation[row] + r[0] * t[0] + r[1] * t[1] + r[2] * t[2];
    }
    return out;
}

// Writes rotation × scale.
static void write_linear(const double q[4], const double scale[3], double out[9]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++) out[i] = r[i] * scale[i % 3];
}

static void evaluate_node(const sinewi_error_tracks *s, int32_t node, int side, const sinewi_error_moment *moments,
                          double values[SINEWI_GROUPS][4]) {
    const sinewi_error_track *t = s->of_nodes + SINEWI_GROUPS * (ptrdiff_t)node;
    for (int i = 0; i < SINEWI_GROUPS; i++) evaluate_track(s, &t[i], side, moments, values[i]);
    const sinew_quat r = s->exact->skeleton->rest[node].rotation;
    const double rest[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
    if (s->exact->additive) multiply_rotations(rest, values[SINEW_TARGET_ROTATION], values[SINEW_TARGET_ROTATION]);
}

// Returns the matrix that a node's shear is multiplied by, or NULL without shear.
static const sinew_affine *read_shear(const sinewi_error_tracks *s, int32_t node, sinewi_error_matrix *right) {
    const sinew_affine *shear = sinewi_skeleton_shear(s->exact->skeleton, node);
    for (int i = 0; i < 9; i++) right->linear[i] = shear ? (double)shear->m[i / 3][i % 3] : i % 4 == 0 ? 1.0 : 0.0;
    for (int i = 0; i < 3; i++) right->translation[i] = shear ? (double)shear->m[i][3] : 0.0;
    return shear;
}

sinewi_error_matrix sinewi_error_local(const sinewi_error_tracks *s, int32_t node, int side,
                                       const sinewi_error_moment *moments) {
    double values[SINEWI_GROUPS][4] = {{0.0}};
    evaluate_node(s, node, side, moments, values);
    sinewi_error_matrix out, right;
    write_linear(values[SINEW_TARGET_ROTATION], values[SINEW_TARGET_SCALE], out.linear);
    memcpy(out.translation, values[SINEW_TARGET_TRANSLATION], sizeof out.translation);
    return read_shear(s, node, &right) ? sinewi_error_multiply(&out, &right) : out;
}

// ---- Bounds ------------------------------------------------------------------------------------------------------

static double product(const double x[3], const double y[3], int order) {
    if (order == 0) return x[0] * y[0];
    if (order == 1) return x[1] * y[0] + x[0] * y[1];
    return x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2];
}

// Bounds a product, using A B - A' B' = (A - A') B + A' (B - B'). Rounding adds s and r to the second side's factors.
// The derivatives of s are also bounded, but r only has a size. `steps` gets s B + A s, and `rest` the other terms.
sinewi_error_jet sinewi_error_product(const sinewi_error_jet *x, const sinewi_error_jet *y) {
    sinewi_error_jet out;
    for (int k = 0; k < 3; k++) {
        for (int side = 0; side < 2; side++) out.sides[side][k] = product(x->sides[side], y->sides[side], k);
        out.apart[k] = product(x->apart, y->sides[0], k) + product(x->sides[1], y->apart, k);
    }
    for (int k = 0; k < 3; k++)
        out.steps[k] = product(x->steps, y->sides[1], k) + product(x->sides[1], y->steps, k);
    out.rest =
        x->rest * y->sides[1][0] + x->sides[1][0] * y->rest + (x->steps[0] + x->rest) * (y->steps[0] + y->rest);
    return out;
}

sinewi_error_jet sinewi_error_sum(const sinewi_error_jet *x, const sinewi_error_jet *y) {
    sinewi_error_jet out = *x;
    for (int k = 0; k < 3; k++) {
        for (int side = 0; side < 2; side++) out.sides[side][k] += y->sides[side][k];
        out.apart[k] += y->apart[k];
        out.steps[k] += y->steps[k];
    }
    out.rest += y->rest;
    return out;
}

// Returns a vector's length. For scales returns the largest magnitude, which is the norm of the diagonal matrix.
static double norm_of(const double *v, int width, bool diagonal) {
    double most = 0.0;
    for (int i = 0; i < width && diagonal; i++) most = larger_of(most, fabs(v[i]));
    return diagonal ? most : length_of(v, width);
}

// Bounds a cubic polynomial and its derivatives by their control points.
static void bound_cubic(const cubic *c, int width, bool diagonal, double out[3]) {
    cubic d = *c;
    double factor = 1.0;
    for (int order = 0; order < 3; order++) {
        out[order] = 0.0;
        for (int k = 0; k < 4 - order; k++)
            out[order] = larger_of(out[order], factor * norm_of(d.points[k], width, diagonal));
        for (int k = 0; k < 3 - order; k++)
            for (int i = 0; i < width; i++) d.points[k][i] = d.points[k + 1][i] - d.points[k][i];
        factor *= 3.0 - order;
    }
}

static cubic subtract_cubic(const cubic *a, const cubic *b) {
    cubic out;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++) out.points[k][i] = a->points[k][i] - b->points[k][i];
    return out;
}

static sinewi_error_jet bound_vector(const sinewi_error_track *t, const cubic c[2], bool diagonal) {
    sinewi_error_jet jet = {.steps = {t->steps, 0.0, 0.0}};
    const cubic apart = subtract_cubic(&c[0], &c[1]);
    for (int side = 0; side < 2; side++) bound_cubic(&c[side], t->width, diagonal, jet.sides[side]);
    bound_cubic(&apart, t->width, diagonal, jet.apart);
    return jet;
}

// A rotation's rate. It is constant for the exact clip.
typedef struct pace {
    double rate[3];        // radians per interval
    double spread, change; // how far the rate gets from this one at most, and the same for its derivative
    double way, factor;    // of a projection: its length and the largest s
} pace;

// Returns the rotation vector from p to q. Like in sampling, it is the longer one beyond half a turn.
static void find_rate(const double p[4], const double q[4], double out[3]) {
    double turn[4];
    turn_between(q, p, turn);
    const double e = 1.0 - fabs(turn[3]), sine = length_of(turn, 3);
    double arc = 0.0;
    for (int i = SINEWI_LOGARITHM_TERMS; i-- > 0;) arc = arc * e + (double)sinewi_logarithm_arc[i];
    if (turn[3] < 0.0 && sine > 0.0) arc = 3.14159265358979 / sine - arc;
    for (int i = 0; i < 3; i++) out[i] = 2.0 * arc * turn[i];
}

// Finds the pace between two keys as stored.
static pace find_pace(const double p[4], const double q[4]) {
    double a[4], b[4];
    memcpy(a, p, sizeof a);
    memcpy(b, q, sizeof b);
    const double of_a = fabs(unit_rotation(a) - 1.0), of_b = fabs(unit_rotation(b) - 1.0);
    pace found = {.way = 0.0};
    find_rate(a, b, found.rate);
    const double uneven = larger_of(of_a, of_b) * length_of(found.rate, 3);
    found.spread = UNEVEN_PACE * uneven;
    found.change = UNEVEN_CHANGE * uneven;
    return found;
}

// Returns how fast a rotation turns while its projection moves from `a` by `way`.
static void projected_rate(const sinewi_error_track *t, const double a[3], const double way[3], double out[3]) {
    double turn[4], along = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) along += a[i] * way[i], square += a[i] * a[i];
    const double s = 1.0 / (1.0 + square);
    // The derivative of the unit quaternion that `a` projects, times twice its conjugate.
    const double u[4] = {2.0 * s * a[0], 2.0 * s * a[1], 2.0 * s * a[2], s * (1.0 - square)};
    double moved[4] = {0.0, 0.0, 0.0, -4.0 * s * along};
    for (int i = 0; i < 3; i++) moved[i] = 4.0 * s * way[i];
    for (int i = 0; i < 4; i++) moved[i] -= 4.0 * s * along * u[i];
    turn_between(moved, u, turn);
    const double center[4] = {(double)t->center[0], (double)t->center[1], (double)t->center[2],
                              (double)t->center[3]};
    multiply_rotations(center, turn, turn);
    turn_between(turn, center, turn);
    memcpy(out, turn, 3 * sizeof *out);
}

static pace find_projected_pace(const sinewi_error_track *t, const double p[4], const double q[4]) {
    double a[3], b[3], way[3];
    project(t, p, a);
    project(t, q, b);
    for (int i = 0; i < 3; i++) way[i] = b[i] - a[i];
    const double apart = length_of(way, 3);
    const double nearest = larger_of(0.0, 0.5 * (length_of(a, 3) + length_of(b, 3) - apart)),
                 farthest = larger_of(length_of(a, 3), length_of(b, 3)), least = 1.0 + nearest * nearest;
    pace found = {.way = apart, .factor = 1.0 / least};
    projected_rate(t, a, way, found.rate);
    found.change = found.spread = 8.0 * farthest * apart * apart / (least * least);
    return found;
}

// Returns an upper bound for the spectral norm of the difference between two unit rotations.
static double rotations_apart(const double p[4], const double q[4]) {
    double difference[4];
    const double sign = dot4(p, q) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) difference[i] = p[i] - sign * q[i];
    return 2.0 * length_of(difference, 4);
}

static sinewi_error_jet bound_turn(const pace *a, const pace *b, double at_ends) {
    double between[3];
    for (int i = 0; i < 3; i++) between[i] = a->rate[i] - b->rate[i];
    const double apart = length_of(between, 3) + b->spread, of_a = length_of(a->rate, 3),
                 of_b = length_of(b->rate, 3) + b->spread;
    // The angle between both turns grows at most by the difference of their rates.
    const double distance = at_ends + 0.5 * apart < 2.0 ? at_ends + 0.5 * apart : 2.0;
    return (sinewi_error_jet){
        .sides = {{1.0, of_a, of_a * of_a}, {1.0, of_b, of_b * of_b + b->change}},
        .apart = {distance, apart + of_b * distance, b->change + (of_a + of_b) * apart + of_b * of_b * distance},
    };
}

// Returns a lower bound for a cubic's length: the chord's least distance from 0, minus how far the cubic can leave the
// chord.
static double shortest(const cubic *c, double second) {
    double along = 0.0, square = 0.0, point[4];
    for (int i = 0; i < 4; i++) {
        const double step = c->points[3][i] - c->points[0][i];
        along -= c->points[0][i] * step;
        square += step * step;
    }
    double u = square > 0.0 ? along / square : 0.0;
    u = u < 0.0 ? 0.0 : u > 1.0 ? 1.0 : u;
    for (int i = 0; i < 4; i++) point[i] = c->points[0][i] + u * (c->points[3][i] - c->points[0][i]);
    return length_of(point, 4) - second / 8.0;
}

// Splines are normalized. The first three derivatives of q / |q| have the norms 1 / |q|, 1.16 / |q|² and 3 / |q|³. A
// rotation is a product of its quaternion with itself.
static sinewi_error_jet bound_spline(const cubic c[2]) {
    const cubic difference = subtract_cubic(&c[0], &c[1]);
    double n[2][3], apart[3], d[3], q[2][3];
    bound_cubic(&difference, 4, false, apart);
    for (int side = 0; side < 2; side++) bound_cubic(&c[side], 4, false, n[side]);
    const double least = shortest(&c[0], n[0][2]) - apart[0], inverse = 1.0 / least;
    sinewi_error_jet jet = {.sides = {{1.0, UNBOUNDED, UNBOUNDED}, {1.0, UNBOUNDED, UNBOUNDED}},
                            .apart = {2.0, UNBOUNDED, UNBOUNDED}};
    if (!(least > 1e-3 * n[0][0])) return jet;
    for (int side = 0; side < 2; side++) {
        q[side][1] = n[side][1] * inverse;
        q[side][2] = n[side][2] * inverse + 1.16 * q[side][1] * q[side][1];
        jet.sides[side][1] = 2.0 * q[side][1];
        jet.sides[side][2] = 2.0 * (q[side][2] + q[side][1] * q[side][1]);
    }
    const double rates = q[0][1] + q[1][1];
    for (int k = 0; k < 3; k++) apart[k] *= inverse;
    d[0] = apart[0];
    d[1] = apart[1] + 1.16 * d[0] * q[0][1];
    d[2] = apart[2] + 1.16 * (rates * apart[1] + d[0] * n[0][2] * inverse) + 3.0 * d[0] * q[0][1] * q[0][1];
    jet.apart[0] = d[0] < 1.0 ? 2.0 * d[0] : 2.0;
    jet.apart[1] = 2.0 * d[1] + d[0] * rates;
    jet.apart[2] = 2.0 * (d[2] + d[1] * rates) + d[0] * (q[0][2] + q[1][2]);
    return jet;
}

static sinewi_error_jet bound_rotation(const sinewi_error_track *t, const cubic c[2]) {
    if (t->interpolation == SINEW_INTERPOLATION_CUBICSPLINE && t->timeline >= 0) return bound_spline(c);
    double at_ends = 0.0;
    for (int k = 0; k < 4; k += 3) {
        double p[4], q[4];
        memcpy(p, c[0].points[k], sizeof p);
        memcpy(q, c[1].points[k], sizeof q);
        unit_rotation(p);
        unit_rotation(q);
        at_ends = larger_of(at_ends, rotations_apart(p, q));
    }
    const pace a = find_pace(c[0].points[0], c[0].points[3]);
    const pace b = t->projects ? find_projected_pace(t, c[1].points[0], c[1].points[3])
                               : find_pace(c[1].points[0], c[1].points[3]);
    sinewi_error_jet jet = bound_turn(&a, &b, at_ends);
    const double s = b.factor, root = sqrt(s), moved = t->steps;
    if (!t->projects) return jet;
    jet.steps[0] = 4.0 * s * moved;
    jet.steps[1] = 8.0 * s * root * (1.0 + root) * moved * b.way;
    jet.steps[2] = 24.0 * s * s * (1.0 + 2.0 * root) * moved * b.way * b.way;
    jet.rest = 8.0 * moved * moved;
    return jet;
}

// Bounds a track after a key. Derivatives are relative to an interval of `length` seconds.
static sinewi_error_jet bound_after(const sinewi_error_tracks *s, const sinewi_error_track *t, int32_t key,
                                    double length) {
    const cubic c[2] = {cubic_after(s, t, 0, key), cubic_after(s, t, 1, key)};
    const bool scales = (t - s->of_nodes) % SINEWI_GROUPS == SINEW_TARGET_SCALE;
    sinewi_error_jet jet = t->width == 4 ? bound_rotation(t, c) : bound_vector(t, c, scales);
    const sinew_timeline *timeline = t->timeline < 0 ? NULL : &s->exact->timelines[t->timeline];
    double part = 0.0; // constant
    if (timeline && key >= 0 && key + 1 < timeline->key_count)
        part =
            length / ((double)sinew_timeline_time(timeline, key + 1) - (double)sinew_timeline_time(timeline, key));
    double factor = 1.0;
    for (int k = 1; k < 3; k++) {
        factor *= part;
        jet.sides[0][k] *= factor, jet.sides[1][k] *= factor, jet.apart[k] *= factor, jet.steps[k] *= factor;
    }
    if (t->equal) memset(jet.apart, 0, sizeof jet.apart);
    return jet;
}

static sinewi_error_jet bound_track(const sinewi_error_tracks *s, const sinewi_error_track *t,
                                    const sinewi_error_moment *moments, double length) {
    if (t->timeline < 0) return bound_after(s, t, -1, length);
    if (moments) return bound_after(s, t, moments[t->timeline].key, length);
    sinewi_error_jet all = bound_after(s, t, 0, 0.0);
    for (int32_t k = 1; k < s->exact->timelines[t->timeline].key_count; k++) {
        const sinewi_error_jet jet = bound_after(s, t, k, 0.0);
        for (int side = 0; side < 2; side++) all.sides[side][0] = larger_of(all.sides[side][0], jet.sides[side][0]);
        all.apart[0] = larger_of(all.apart[0], jet.apart[0]);
        all.steps[0] = larger_of(all.steps[0], jet.steps[0]);
        all.rest = larger_of(all.rest, jet.rest);
    }
    return all;
}

static sinewi_error_jet constant_jet(double norm) {
    return (sinewi_error_jet){.sides = {{norm, 0.0, 0.0}, {norm, 0.0, 0.0}}};
}

static double sum_of_squares(const sinew_affine *m, int first, int end) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = first; k < end; k++) sum += (double)m->m[i][k] * (double)m->m[i][k];
    return sum;
}

// Adds a node's shear: T R S × shear.
static void shear_motion(sinewi_error_motion *motion, const sinew_affine *shear) {
    const sinewi_error_jet linear = constant_jet(sqrt(sum_of_squares(shear, 0, 3))),
                           translation = constant_jet(sqrt(sum_of_squares(shear, 3, 4))),
                           moved = sinewi_error_product(&motion->linear, &translation);
    motion->linear = sinewi_error_product(&motion->linear, &linear);
    motion->translation = sinewi_error_sum(&motion->translation, &moved);
}

sinewi_error_motion sinewi_error_bound(const sinewi_error_tracks *s, int32_t node,
                                       const sinewi_error_moment *moments, double length) {
    const sinewi_error_track *t = s->of_nodes + SINEWI_GROUPS * (ptrdiff_t)node;
    const sinew_affine *shear = sinewi_skeleton_shear(s->exact->skeleton, node);
    const sinewi_error_jet rotation = bound_track(s, &t[SINEW_TARGET_ROTATION], moments, length),
                           scale = bound_track(s, &t[SINEW_TARGET_SCALE], moments, length);
    sinewi_error_motion motion = {sinewi_error_product(&rotation, &scale),
                                  bound_track(s, &t[SINEW_TARGET_TRANSLATION], moments, length)};
    if (shear) shear_motion(&motion, shear);
    return motion;
}

bool sinewi_error_is_halved(const sinewi_error_track *t, int32_t key) {
    if (t->width != 4 || t->equal || !t->moves[1] || t->projects || t->interpolation != SINEW_INTERPOLATION_LINEAR)
        return false;
    const float *p = key_of(t, 1, key, 0), *q = p + 4;
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 1.001f * SINEWI_SLERP_MIN_COSINE;
}

// ---- Rounding ----------------------------------------------------------------------------------------------------

sinewi_error_joint sinewi_error_joint_at(const sinewi_error_tracks *s, int32_t node,
                                         const sinewi_error_moment *moments) {
    const sinewi_error_track *t = s->of_nodes + SINEWI_GROUPS * (ptrdiff_t)node + SINEW_TARGET_ROTATION;
    const double unit[3] = {1.0, 1.0, 1.0};
    double values[SINEWI_GROUPS][4] = {{0.0}}, q[4], m[3];
    sinewi_error_joint joint;
    evaluate_node(s, node, 1, moments, values);
    write_linear(values[SINEW_TARGET_ROTATION], unit, joint.rotation);
    memcpy(joint.scale, values[SINEW_TARGET_SCALE], sizeof joint.scale);
    memcpy(joint.translation, values[SINEW_TARGET_TRANSLATION], sizeof joint.translation);
    read_shear(s, node, &joint.shear);
    memset(joint.rates, 0, sizeof joint.rates);
    if (!t->projects) return joint;
    const sinew_quat r = s->exact->skeleton->rest[node].rotation;
    const double rest[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
    evaluate_track(s, t, 1, moments, q);
    project(t, q, m);
    for (int i = 0; i < 3; i++) {
        const double way[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        double rate[4] = {0.0, 0.0, 0.0, 0.0};
        projected_rate(t, m, way, rate);
        if (s->exact->additive) multiply_rotations(rest, rate, rate), turn_between(rate, rest, rate);
        memcpy(joint.rates[i], rate, sizeof joint.rates[i]);
    }
    return joint;
}
