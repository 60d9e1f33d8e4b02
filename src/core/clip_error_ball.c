// SPDX-License-Identifier: MIT
// Bounds lengths with eigenvalues. Every step of an iteration gives an upper bound, so none has to converge.
#include "core/clip_error_ball.h"
#include "base/float_rules.h"

#include <math.h>

#define POWER_STEPS 8
#define DUAL_STEPS  6

static double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Uses Newton's method on the characteristic polynomial, from above.
double sinewi_largest_eigenvalue(double m[3][3]) {
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

// Returns cᵀ (x I - M)⁻¹ c, and the squared length of (x I - M)⁻¹ c.
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

// By duality, the squared length is at most |t|² + x + (Mᵀ t)ᵀ (x I - Mᵀ M)⁻¹ (Mᵀ t) for each x above the eigenvalues
// of Mᵀ M. For one x they are equal.
double sinewi_largest_in_ball(const double t[3], const double linear[9]) {
    double m[3][3], c[3], columns[3][3], square;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) columns[i][k] = linear[3 * k + i];
    for (int i = 0; i < 3; i++) {
        c[i] = dot3(columns[i], t);
        for (int k = 0; k < 3; k++) m[i][k] = dot3(columns[i], columns[k]);
    }
    const double eigenvalue = sinewi_largest_eigenvalue(m), reach = sqrt(dot3(c, c));
    double low = eigenvalue * (1.0 + 1e-9), high = low + reach, best = (double)INFINITY;
    for (int i = 0; i < DUAL_STEPS && reach > 0.0; i++) {
        const double x = i == 0 ? high : 0.5 * (low + high), value = x + solve(m, x, c, &square);
        if (value < best) best = value;
        if (square < 1.0) high = x;
        if (!(square < 1.0)) low = x;
    }
    return sqrt(dot3(t, t) + (reach > 0.0 ? best : eigenvalue));
}
