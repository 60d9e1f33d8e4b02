// SPDX-License-Identifier: MIT
// Splits a node's matrix into T R S × shear, for channels that replace T, R or S.
#include "reference/internal.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

// Returns a unit vector orthogonal to a unit vector.
static void perpendicular(const double a[3], double out[3]) {
    double other[3] = {0.0, 0.0, 0.0};
    other[fabs(a[0]) < 0.5 ? 0 : 1] = 1.0;
    cross(a, other, out);
    double length = sqrt(dot(out, out));
    for (int i = 0; i < 3; i++) out[i] /= length;
}

// Completes axes with zero length from the others, right-handed.
static void complete_axes(double axes[3][3], const double scale[3]) {
    int first = scale[0] > 0.0 ? 0 : scale[1] > 0.0 ? 1 : 2;
    if (scale[first] == 0.0) axes[first][first] = 1.0;
    int second = (first + 1) % 3, third = (first + 2) % 3;
    if (scale[second] == 0.0 && scale[third] == 0.0) perpendicular(axes[first], axes[second]);
    if (scale[second] == 0.0 && scale[third] > 0.0) cross(axes[third], axes[first], axes[second]);
    if (scale[third] == 0.0) cross(axes[first], axes[second], axes[third]);
}

// Converts a rotation matrix, given by its columns, to a quaternion. Computes unnormalized components from the largest
// one, then normalizes.
static void rotation_of(double a[3][3], double q[4]) {
    double trace = a[0][0] + a[1][1] + a[2][2];
    int i = a[0][0] >= a[1][1] && a[0][0] >= a[2][2] ? 0 : a[1][1] >= a[2][2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > 0.0) {
        for (int c = 0; c < 3; c++) q[c] = a[(c + 1) % 3][(c + 2) % 3] - a[(c + 2) % 3][(c + 1) % 3];
        q[3] = 1.0 + trace;
    } else {
        q[i] = 1.0 + a[i][i] - a[j][j] - a[k][k];
        q[j] = a[i][j] + a[j][i];
        q[k] = a[i][k] + a[k][i];
        q[3] = a[j][k] - a[k][j];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; c++) q[c] /= length;
}

// Converts a quaternion to its rotation matrix's columns.
static void columns_of(const double q[4], double columns[3][3]) {
    for (int c = 0; c < 3; c++) {
        double axis[3] = {0.0, 0.0, 0.0}, once[3], twice[3];
        axis[c] = 1.0;
        cross(q, axis, once);
        for (int i = 0; i < 3; i++) once[i] += q[3] * axis[i];
        cross(q, once, twice);
        for (int i = 0; i < 3; i++) columns[c][i] = axis[i] + 2.0 * twice[i];
    }
}

// Computes R⁻¹ × matrix. Returns false if that's only the scale, except for rounding.
static bool find_shear(const ref_node *node, double unrotated[3][3]) {
    double columns[3][3], largest = 0.0, off = 0.0;
    columns_of(node->rotation, columns);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            unrotated[c][r] = dot(columns[r], node->matrix + 4 * (ptrdiff_t)c);
            largest = fmax(largest, fabs(unrotated[c][r]));
            off = fmax(off, fabs(unrotated[c][r] - (c == r ? node->scale[c] : 0.0)));
        }
    }
    return off > 1e-6 * largest;
}

void ref_split_matrix(ref_node *node) {
    double axes[3][3] = {{0.0}}, unrotated[3][3], normal[3];
    memcpy(node->translation, node->matrix + 12, sizeof node->translation);
    for (ptrdiff_t c = 0; c < 3; c++) {
        const double *column = node->matrix + 4 * c;
        node->scale[c] = sqrt(dot(column, column));
        for (int r = 0; r < 3; r++) axes[c][r] = node->scale[c] > 0.0 ? column[r] / node->scale[c] : 0.0;
    }
    complete_axes(axes, node->scale);
    cross(axes[0], axes[1], normal);
    if (dot(normal, axes[2]) < 0.0) { // a mirror
        node->scale[0] = -node->scale[0];
        for (int r = 0; r < 3; r++) axes[0][r] = -axes[0][r];
    }
    rotation_of(axes, node->rotation);
    bool is_sheared = find_shear(node, unrotated);
    for (int c = 0; c < 3 && is_sheared; c++) {
        if (node->scale[c] == 0.0) node->scale[c] = 1.0;
    }
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            node->shear[4 * c + r] = is_sheared ? unrotated[c][r] / node->scale[r] : c == r ? 1.0 : 0.0;
        }
    }
    node->shear[15] = 1.0;
}
