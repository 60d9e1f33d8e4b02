// SPDX-License-Identifier: MIT
// Converts between rotation vectors (axis times angle) and unit quaternions without trigonometry.
//
// The exponential of r is (r sin(|r|/2) / |r|, cos(|r|/2)). Both parts are even functions of |r|. They can be written
// as series in |r|^2, which don't need a square root. The result is then normalized. The series are fitted up to
// r| = 270°, where the error is at most 1.1e-7 rad of rotation before float rounding. Up to 180° it is 8.5e-8, or 3e-7
// with float rounding. Beyond 270° and up to 100 rad you still get a unit quaternion, but for a different rotation.
//
// The logarithm of a unit quaternion (v, w) with w >= 0 is 2 v acos(w) / sqrt(1 - w^2). The factor of v is smooth for w
// from 1 to 0, even where v is 0, so it is a series in 1 - w. Its relative error is at most 5e-8 before float rounding.
//
// scripts/fit_rotation_vector.py computes the coefficients, which are minimax fits.
#ifndef SINEWI_ROTATION_VECTOR_H
#define SINEWI_ROTATION_VECTOR_H

#include <sinew/math.h>

#include "base/float_rules.h"

#include <math.h>

#define SINEWI_EXPONENTIAL_TERMS 6
#define SINEWI_LOGARITHM_TERMS   10

// [power of |r|^2]
static const float sinewi_exponential_sine[SINEWI_EXPONENTIAL_TERMS] = {
    0.5f, -0.0208333284f, 0.000260414497f, -1.54970257e-06f, 5.34928324e-09f, -1.09456506e-11f,
};
static const float sinewi_exponential_cosine[SINEWI_EXPONENTIAL_TERMS] = {
    1.0f, -0.12499994f, 0.00260412716f, -2.16931621e-05f, 9.61290993e-08f, -2.37606296e-10f,
};

// [power of 1 - w]
static const float sinewi_logarithm_arc[SINEWI_LOGARITHM_TERMS] = {
    1.0f,          0.333337724f,   0.133200705f,  0.0586259924f,  0.0169912856f,
    0.0388231985f, -0.0478666164f, 0.0646783039f, -0.0396992117f, 0.0127049424f,
};

static inline float sinewi_rotation_series(const float *terms, int count, float x) {
    float sum = terms[count - 1];
    for (int i = count - 2; i >= 0; i--) sum = terms[i] + x * sum;
    return sum;
}

// Returns the rotation vector of a unit quaternion in radians. Its length is at most pi. q and -q give the same vector.
static inline sinew_vec3 sinewi_rotation_logarithm(sinew_quat q) {
    float arc = sinewi_rotation_series(sinewi_logarithm_arc, SINEWI_LOGARITHM_TERMS, 1.0f - fabsf(q.w));
    float factor = q.w < 0.0f ? -2.0f * arc : 2.0f * arc;
    return (sinew_vec3){factor * q.x, factor * q.y, factor * q.z};
}

// Returns the unit quaternion of a rotation vector in radians. The bits match a lane of the vector kernels.
static inline sinew_quat sinewi_rotation_exponential(sinew_vec3 r) {
    float square = r.x * r.x + r.y * r.y + r.z * r.z;
    float sine = sinewi_rotation_series(sinewi_exponential_sine, SINEWI_EXPONENTIAL_TERMS, square);
    float w = sinewi_rotation_series(sinewi_exponential_cosine, SINEWI_EXPONENTIAL_TERMS, square);
    float x = sine * r.x, y = sine * r.y, z = sine * r.z;
    float factor = 1.0f / sqrtf(x * x + y * y + z * z + w * w);
    return (sinew_quat){x * factor, y * factor, z * factor, w * factor};
}

#endif
