// SPDX-License-Identifier: MIT
// Poses in double precision, and how far their virtual points move.
#include "support/pose_bounds.h"
#include "support/check.h"

#define POINT_DISTANCE 0.1 // of the model's height

// ---- Rotations -----------------------------------------------------------------------------------------------

double quat_dot(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

void quat_product(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

void quat_negate(double q[4]) {
    for (int c = 0; c < 4; c++) q[c] = -q[c];
}

void quat_unit(double q[4]) {
    double length = sqrt(quat_dot(q, q));
    for (int c = 0; c < 4; c++) q[c] = length > 0.0 ? q[c] / length : c == 3;
}

double quat_angle(const double a[4], const double b[4]) {
    double side = quat_dot(a, b) < 0.0 ? -1.0 : 1.0, square = 0.0;
    for (int c = 0; c < 4; c++) square += (a[c] - side * b[c]) * (a[c] - side * b[c]);
    return 4.0 * asin(fmin(1.0, sqrt(square) / 2.0));
}

// ---- Transforms ----------------------------------------------------------------------------------------------

void read_pose(const sinew_pose *pose, local_transform *out) {
    for (int32_t i = 0; i < pose->skeleton->node_count; i++) {
        out[i] = (local_transform){{pose->tx[i], pose->ty[i], pose->tz[i]},
                                   {pose->rx[i], pose->ry[i], pose->rz[i], pose->rw[i]},
                                   {pose->sx[i], pose->sy[i], pose->sz[i]}};
        quat_unit(out[i].q);
    }
}

// The rotation vector of a unit quaternion, by the shorter arc.
static void rotation_vector(const double q[4], double out[3]) {
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), side = q[3] < 0.0 ? -1.0 : 1.0;
    double factor = sine > 1e-12 ? side * 2.0 * atan2(sine, side * q[3]) / sine : side * 2.0;
    for (int c = 0; c < 3; c++) out[c] = factor * q[c];
}

static void rotation_of_vector(const double r[3], double out[4]) {
    double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    double factor = angle > 1e-12 ? sin(0.5 * angle) / angle : 0.5;
    for (int c = 0; c < 3; c++) out[c] = factor * r[c];
    out[3] = cos(0.5 * angle);
}

local_motion motion_between(const local_transform *from, const local_transform *to) {
    local_motion out;
    const double inverse[4] = {-from->q[0], -from->q[1], -from->q[2], from->q[3]};
    double turn[4];
    quat_product(to->q, inverse, turn);
    rotation_vector(turn, out.r);
    for (int c = 0; c < 3; c++) {
        out.t[c] = to->t[c] - from->t[c];
        out.s[c] = to->s[c] - from->s[c];
    }
    return out;
}

local_motion motion_near(const local_transform *from, const local_transform *to, const local_motion *near) {
    local_motion out = motion_between(from, to);
    double length = sqrt(out.r[0] * out.r[0] + out.r[1] * out.r[1] + out.r[2] * out.r[2]), other[3];
    if (length == 0.0) return out;
    for (int c = 0; c < 3; c++) other[c] = out.r[c] * (1.0 - 2.0 * PI / length);
    if (points_distance(other, near->r) < points_distance(out.r, near->r)) memcpy(out.r, other, sizeof other);
    return out;
}

local_transform transform_moved(const local_transform *from, const local_motion *by, double factor) {
    local_transform out;
    double turn[4], vector[3];
    for (int c = 0; c < 3; c++) {
        out.t[c] = from->t[c] + factor * by->t[c];
        out.s[c] = from->s[c] + factor * by->s[c];
        vector[c] = factor * by->r[c];
    }
    rotation_of_vector(vector, turn);
    quat_product(turn, from->q, out.q);
    return out;
}

local_motion motion_scaled(const local_motion *a, double factor) {
    local_motion out = *a;
    for (int c = 0; c < 3; c++) out.t[c] *= factor, out.r[c] *= factor, out.s[c] *= factor;
    return out;
}

local_motion motion_sum(const local_motion *a, const local_motion *b) {
    local_motion out = *a;
    for (int c = 0; c < 3; c++) out.t[c] += b->t[c], out.r[c] += b->r[c], out.s[c] += b->s[c];
    return out;
}

// ---- Matrices ------------------------------------------------------------------------------------------------

// 3 rows of 4, like sinew_affine.
static void matrix_of(const local_transform *of, double m[12]) {
    double x = of->q[0], y = of->q[1], z = of->q[2], w = of->q[3];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                                2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                                2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int row = 0; row < 3; row++) {
        for (int c = 0; c < 3; c++) m[4 * row + c] = rotation[3 * row + c] * of->s[c];
        m[4 * row + 3] = of->t[row];
    }
}

static void matrix_product(const double a[12], const double b[12], double out[12]) {
    for (int row = 0; row < 3; row++) {
        const double *r = a + (ptrdiff_t)4 * row;
        for (int c = 0; c < 4; c++) out[4 * row + c] = r[0] * b[c] + r[1] * b[4 + c] + r[2] * b[8 + c];
        out[4 * row + 3] += r[3];
    }
}

static void apply_shear(const sinew_affine *shear, double m[12]) {
    double right[12], product[12];
    for (int i = 0; i < 12; i++) right[i] = (double)shear->m[i / 4][i % 4];
    matrix_product(m, right, product);
    memcpy(m, product, sizeof product);
}

static void model_of_pose(const pose_points *points, const local_transform *pose) {
    const sinew_skeleton *skeleton = points->skeleton;
    for (int32_t i = 0, shear = 0; i < skeleton->node_count; i++) {
        double local[12];
        matrix_of(&pose[i], local);
        bool has_shear = shear < skeleton->shear_count && skeleton->shear_nodes[shear] == i;
        if (has_shear) apply_shear(&skeleton->shears[shear++], local);
        int32_t parent = skeleton->parents[i];
        if (parent == SINEW_NO_NODE) {
            memcpy(points->model[i], local, sizeof local);
        } else {
            matrix_product(points->model[parent], local, points->model[i]);
        }
    }
}

// ---- Points --------------------------------------------------------------------------------------------------

static double longest_side(const pose_points *points) {
    double longest = 0.0;
    for (int c = 0; c < 3; c++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int32_t i = 0; i < points->skeleton->node_count; i++) {
            low = fmin(low, points->model[i][4 * c + 3]);
            high = fmax(high, points->model[i][4 * c + 3]);
        }
        longest = fmax(longest, high - low);
    }
    return longest > 0.0 ? longest : 1.0;
}

static double column_length(const double m[12], int c) {
    return sqrt(m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
}

void pose_points_create(pose_points *points, const sinew_skeleton *skeleton) {
    size_t n = (size_t)skeleton->node_count;
    *points = (pose_points){.skeleton = skeleton};
    points->axis = calloc(n, sizeof *points->axis);
    points->model = calloc(n, sizeof *points->model);
    local_transform *rest = calloc(n, sizeof *rest);
    sinew_pose *pose;
    assert_true(points->axis && points->model && rest);
    assert_int_equal(sinew_pose_create(skeleton, NULL, &pose), SINEW_OK);
    read_pose(pose, rest);
    model_of_pose(points, rest);
    points->height = longest_side(points);
    for (size_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            double length = column_length(points->model[i], c);
            points->axis[i][c] = length > 0.0 ? POINT_DISTANCE * points->height / length : 0.0;
        }
    }
    sinew_pose_destroy(pose);
    free(rest);
}

void pose_points_destroy(pose_points *points) {
    free(points->axis);
    free(points->model);
}

static void points_of_matrix(const double m[12], const double axis[3], node_points *out) {
    for (int row = 0; row < 3; row++) {
        double origin = m[4 * row + 3];
        out->at[0][row] = origin;
        for (int c = 0; c < 3; c++) out->at[1 + c][row] = origin + axis[c] * m[4 * row + c];
    }
}

void points_of_pose(const pose_points *points, const local_transform *pose, node_points *out) {
    model_of_pose(points, pose);
    for (int32_t i = 0; i < points->skeleton->node_count; i++)
        points_of_matrix(points->model[i], points->axis[i], &out[i]);
}

void points_of_model(const pose_points *points, const sinew_affine *model, node_points *out) {
    for (int32_t i = 0; i < points->skeleton->node_count; i++) {
        double m[12];
        for (int k = 0; k < 12; k++) m[k] = (double)model[i].m[k / 4][k % 4];
        points_of_matrix(m, points->axis[i], &out[i]);
    }
}

double points_distance(const double a[3], const double b[3]) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}
