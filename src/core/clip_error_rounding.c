// SPDX-License-Identifier: MIT
// Bounds how far rounding the mode weights moves a node's points.
//
// One weight moves many joints of a chain at once, each a little, and mostly in different directions. So first sum what
// one unit of a weight adds to a point over the chain, as a vector v. Then add up the lengths of all weights' vectors.
// In the direction e they add up to
//
//   sum of |e v| <= sqrt(sum of |v|) sqrt(sum of (e v)² / |v|) <= sqrt(sum of |v|) sqrt(largest eigenvalue of M),
//
// by Cauchy-Schwarz, where M is the sum of v vᵀ / |v|. This never exceeds the sum of the lengths. If the vectors point
// in all directions, it is 0.58 of that sum.
#include "core/clip_error_rounding.h"
#include "core/clip_error_ball.h"

#include <math.h>
#include <string.h>

bool sinewi_error_rounding_make(sinewi_error_rounding *r, const sinewi_error_tracks *s, sinewi_arena *arena) {
    const size_t nodes = (size_t)s->exact->skeleton->node_count;
    r->joints = sinewi_arena_array(arena, sinewi_error_joint, nodes);
    r->models = sinewi_arena_array(arena, sinewi_error_matrix, nodes);
    r->moved = sinewi_arena_array(arena, double, (size_t)SINEWI_ERROR_VECTORS * 3 * (size_t)s->part_count);
    return r->joints && r->models && r->moved;
}

// Returns the node's local matrix without shear.
static sinewi_error_matrix local_of(const sinewi_error_joint *joint) {
    sinewi_error_matrix own;
    for (int i = 0; i < 9; i++) own.linear[i] = joint->rotation[i] * joint->scale[i % 3];
    memcpy(own.translation, joint->translation, sizeof own.translation);
    return sinewi_error_multiply(&own, &joint->shear);
}

void sinewi_error_rounding_pose(sinewi_error_rounding *r, const sinewi_error_tracks *s,
                                const sinewi_error_moment *moments) {
    for (int32_t n = 0; n < s->count; n++) {
        const int32_t node = s->nodes[n], parent = s->exact->skeleton->parents[node];
        r->joints[node] = sinewi_error_joint_at(s, node, moments);
        const sinewi_error_matrix local = local_of(&r->joints[node]);
        r->models[node] = parent < 0 ? local : sinewi_error_multiply(&r->models[parent], &local);
    }
}

// Three columns that turn a part of a track into a displacement in model space.
typedef struct lever {
    double columns[3][3];
} lever;

static void transform(const double linear[9], const double v[3], double out[3]) {
    for (ptrdiff_t i = 0; i < 3; i++)
        out[i] = linear[3 * i] * v[0] + linear[3 * i + 1] * v[1] + linear[3 * i + 2] * v[2];
}

static void transform_by_parent(const sinewi_error_matrix *parent, const double v[3], double out[3]) {
    if (parent) {
        transform(parent->linear, v, out);
    } else {
        memcpy(out, v, 3 * sizeof *v);
    }
}

// Returns the lever of one component of a joint's rotation or scale, for a vector v that is sheared but not yet scaled.
static void find_column(const sinewi_error_joint *joint, sinew_channel_target target, int i, const double v[3],
                        double out[3]) {
    double scaled[3], turned[3];
    for (int k = 0; k < 3; k++) scaled[k] = joint->scale[k] * v[k];
    if (target == SINEW_TARGET_SCALE) {
        for (int k = 0; k < 3; k++) scaled[k] = k == i ? v[k] : 0.0;
        transform(joint->rotation, scaled, out);
        return;
    }
    transform(joint->rotation, scaled, turned);
    const double *w = joint->rates[i];
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = w[a] * turned[b] - w[b] * turned[a];
    }
}

// Returns a target's lever for a position or direction in joint space.
static lever find_lever(const sinewi_error_joint *joint, const sinewi_error_matrix *parent,
                        sinew_channel_target target, const double v[3], bool position) {
    lever l;
    double sheared[3];
    transform(joint->shear.linear, v, sheared);
    for (int k = 0; k < 3 && position; k++) sheared[k] += joint->shear.translation[k];
    for (int i = 0; i < 3; i++) {
        double column[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        if (target != SINEW_TARGET_TRANSLATION) find_column(joint, target, i, sheared, column);
        transform_by_parent(parent, column, l.columns[i]);
    }
    return l;
}

// Adds how far each part of a track moves, given its lever.
static void add_parts(const sinewi_error_track *t, const lever *l, double *moved, int32_t count) {
    for (ptrdiff_t k = 0; k < 3; k++) {
        const double x = l->columns[0][k], y = l->columns[1][k], z = l->columns[2][k];
        double *to = moved + k * count + t->first_part;
        for (ptrdiff_t j = 0; j < t->part_count; j++)
            to[j] += x * t->parts[3 * j] + y * t->parts[3 * j + 1] + z * t->parts[3 * j + 2];
    }
}

// Returns the most that vectors [3][count] can sum up to, each with a factor up to SINEWI_ERROR_HALF_STEP.
static double bound_sum(const double *v, int32_t count) {
    const double *x = v, *y = x + count, *z = y + count;
    double m[3][3] = {{0}}, sum = 0.0;
    for (int32_t j = 0; j < count; j++) {
        const double length = sqrt(x[j] * x[j] + y[j] * y[j] + z[j] * z[j]);
        if (!(length > 0.0)) continue;
        const double of_x = x[j] / length, of_y = y[j] / length, of_z = z[j] / length;
        sum += length;
        m[0][0] += of_x * x[j], m[0][1] += of_x * y[j], m[0][2] += of_x * z[j];
        m[1][1] += of_y * y[j], m[1][2] += of_y * z[j], m[2][2] += of_z * z[j];
    }
    m[1][0] = m[0][1], m[2][0] = m[0][2], m[2][1] = m[1][2];
    return SINEWI_ERROR_HALF_STEP * sqrt(sum * sinewi_largest_eigenvalue(m));
}

// Adds how far the parts of a node move it, or the parts of a node above it. `to` is the node's matrix relative to that
// node.
static void add_joint(sinewi_error_rounding *r, const sinewi_error_tracks *s, int32_t above,
                      const sinewi_error_matrix *to, int vectors) {
    const int32_t parent = s->exact->skeleton->parents[above];
    for (int target = 0; target < SINEWI_GROUPS; target++) {
        const sinewi_error_track *t = s->of_nodes + SINEWI_GROUPS * (ptrdiff_t)above + target;
        if (t->part_count == 0) continue;
        const int moved = target == SINEW_TARGET_TRANSLATION ? 1 : vectors;
        for (ptrdiff_t i = 0; i < moved; i++) {
            double v[3];
            for (ptrdiff_t k = 0; k < 3; k++) v[k] = i == 0 ? to->translation[k] : to->linear[3 * k + i - 1];
            const lever l = find_lever(&r->joints[above], parent < 0 ? NULL : &r->models[parent],
                                       (sinew_channel_target)target, v, i == 0);
            add_parts(t, &l, r->moved + i * 3 * s->part_count, s->part_count);
        }
    }
}

// Inverts a 3x3. Returns false if it is singular or nearly so.
static bool invert(const double a[9], double out[9]) {
    double square = 0.0;
    for (ptrdiff_t i = 0; i < 3; i++) {
        const ptrdiff_t j = (i + 1) % 3, k = (i + 2) % 3;
        for (ptrdiff_t n = 0; n < 3; n++) {
            const ptrdiff_t l = (n + 1) % 3, m = (n + 2) % 3;
            out[3 * n + i] = a[3 * j + l] * a[3 * k + m] - a[3 * j + m] * a[3 * k + l];
            square += a[3 * i + n] * a[3 * i + n];
        }
    }
    const double determinant = a[0] * out[0] + a[1] * out[3] + a[2] * out[6];
    if (!(fabs(determinant) > 1e-6 * square * sqrt(square))) return false;
    for (int i = 0; i < 9; i++) out[i] /= determinant;
    return true;
}

// Returns the spectral norm of a 3x3.
static double norm_of(const double a[9]) {
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m[i][k] = a[i] * a[k] + a[3 + i] * a[3 + k] + a[6 + i] * a[6 + k];
    return sqrt(sinewi_largest_eigenvalue(m));
}

static double sum_of_squares(const double *moved, ptrdiff_t floats, int first, int32_t count) {
    double square = 0.0;
    for (ptrdiff_t i = first; i < SINEWI_ERROR_VECTORS; i++) {
        const double bound = bound_sum(moved + i * floats, count);
        square += bound * bound;
    }
    return square;
}

// Each part moves the node's 3x3 A by some E. Replaces the columns of E by three vectors of E A⁻¹: the axis, like in
// the cross product that turns A, the diagonal, and the remaining symmetric numbers times the root of 2.
static void split_columns(double *moved, int32_t count, const double inverse[9]) {
    double *const to[3] = {moved + (ptrdiff_t)3 * count, moved + (ptrdiff_t)6 * count,
                           moved + (ptrdiff_t)9 * count};
    const double half_root = 0.5 * sqrt(2.0);
    for (ptrdiff_t j = 0; j < count; j++) {
        double g[9];
        for (ptrdiff_t k = 0; k < 3; k++)
            for (ptrdiff_t l = 0; l < 3; l++)
                g[3 * k + l] = to[0][k * count + j] * inverse[l] + to[1][k * count + j] * inverse[3 + l] +
                               to[2][k * count + j] * inverse[6 + l];
        for (ptrdiff_t k = 0; k < 3; k++) {
            const double a = g[3 * ((k + 2) % 3) + (k + 1) % 3], b = g[3 * ((k + 1) % 3) + (k + 2) % 3];
            to[0][k * count + j] = 0.5 * (a - b);
            to[1][k * count + j] = g[4 * k];
            to[2][k * count + j] = half_root * (a + b);
        }
    }
}

// Bounds how far rounding moves a node's 3x3, as a norm.
static double bound_linear(double *moved, int32_t count, const double linear[9]) {
    const ptrdiff_t floats = (ptrdiff_t)3 * count;
    const double by_columns = sqrt(sum_of_squares(moved, floats, 1, count));
    double inverse[9];
    if (!invert(linear, inverse)) return by_columns;
    split_columns(moved, count, inverse);
    const double turned = bound_sum(moved + floats, count) + sqrt(sum_of_squares(moved, floats, 2, count));
    return fmin(by_columns, norm_of(linear) * turned);
}

double sinewi_error_rounding_of(sinewi_error_rounding *r, const sinewi_error_tracks *s, int32_t node,
                                double distance) {
    const int vectors = distance > 0.0 ? SINEWI_ERROR_VECTORS : 1;
    const ptrdiff_t floats = (ptrdiff_t)3 * s->part_count;
    sinewi_error_matrix to = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    memset(r->moved, 0, (size_t)(vectors * floats) * sizeof *r->moved);
    for (int32_t above = node; above >= 0; above = s->exact->skeleton->parents[above]) {
        add_joint(r, s, above, &to, vectors);
        const sinewi_error_matrix local = local_of(&r->joints[above]);
        to = sinewi_error_multiply(&local, &to);
    }
    const double position = bound_sum(r->moved, s->part_count);
    if (vectors == 1) return position;
    return position + distance * bound_linear(r->moved, s->part_count, r->models[node].linear);
}
