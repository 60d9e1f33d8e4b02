// SPDX-License-Identifier: MIT
// Splits node matrices, which may have shear, into transforms that clips can animate.
#include "core/math_split.h"

#include "base/finite.h"
#include "base/float_rules.h"

#include <math.h>

// How much T R S may differ from a matrix, relative to its largest element. This is a few times the rounding error of a
// float.
#define MATRIX_ROUNDING 1e-6f

// Returns whether a transform's numbers are finite, and small enough for the sums of its parts to be finite.
static bool are_sums_finite(const sinew_transform *t) {
    return isfinite(t->translation.x + t->translation.y + t->translation.z) &&
           isfinite(t->rotation.x + t->rotation.y + t->rotation.z + t->rotation.w) &&
           isfinite(t->scale.x + t->scale.y + t->scale.z);
}

// Returns whether two matrices are equal within rounding. Skips translations because decomposing doesn't change them.
static bool matches_matrix(const sinew_affine *a, const sinew_affine *b) {
    float largest = 0.0f, difference = 0.0f;
    for (int i = 0; i < 12; i++) {
        if (i % 4 == 3) continue; // decomposing keeps translations
        float x = a->m[i / 4][i % 4], y = b->m[i / 4][i % 4];
        largest = fabsf(x) > largest ? fabsf(x) : largest;
        difference = fabsf(x - y) > difference ? fabsf(x - y) : difference;
    }
    return difference <= MATRIX_ROUNDING * largest;
}

// Returns the 3x3 of a⁻¹ × b without translation. Uses double, so a × shear is b to the last bit of a float.
static sinew_affine compute_shear(const sinew_affine *a, const sinew_affine *b) {
    double inverse[3][3], determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            inverse[j][i] =
                (double)a->m[i1][j1] * (double)a->m[i2][j2] - (double)a->m[i1][j2] * (double)a->m[i2][j1];
        }
        determinant += (double)a->m[i][0] * inverse[0][i];
    }
    sinew_affine out = sinew_affine_identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) sum += inverse[i][k] * (double)b->m[k][j];
            out.m[i][j] = (float)(sum / determinant);
        }
    }
    return out;
}

// A scale of 0 becomes 1. The shear then holds the zero.
static float nonzero_scale(float scale) {
    return scale == 0.0f ? 1.0f : scale;
}

// Finds the shear that makes T R S × shear equal the matrix. T R S comes from the decomposition, so the node's channels
// animate the same properties with and without shear.
static void split_off_shear(const sinew_affine *matrix, sinewi_split_matrix *out) {
    out->transform.scale.x = nonzero_scale(out->transform.scale.x);
    out->transform.scale.y = nonzero_scale(out->transform.scale.y);
    out->transform.scale.z = nonzero_scale(out->transform.scale.z);
    sinew_affine composed = sinew_affine_from_transform(out->transform);
    out->shear = compute_shear(&composed, matrix);
    out->is_sheared = true;
    out->is_finite = sinewi_affine_is_finite(&out->shear);
}

sinewi_split_matrix sinewi_matrix_split(sinew_affine matrix) {
    sinewi_split_matrix out = {.transform = sinew_affine_decompose(matrix)};
    out.is_finite = are_sums_finite(&out.transform);
    sinew_affine recomposed = sinew_affine_from_transform(out.transform);
    if (out.is_finite && !matches_matrix(&matrix, &recomposed)) split_off_shear(&matrix, &out);
    return out;
}
