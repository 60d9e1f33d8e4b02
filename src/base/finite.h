// SPDX-License-Identifier: MIT
// Checks for NaN and infinity.
#ifndef SINEWI_FINITE_H
#define SINEWI_FINITE_H

#include <sinew/math.h>

#include "base/float_rules.h"

#include <math.h>

static inline bool sinewi_vec3_is_finite(sinew_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline bool sinewi_transform_is_finite(const sinew_transform *t) {
    const float numbers[10] = {t->translation.x, t->translation.y, t->translation.z, t->rotation.x, t->rotation.y,
                               t->rotation.z,    t->rotation.w,    t->scale.x,       t->scale.y,    t->scale.z};
    for (int i = 0; i < 10; i++) {
        if (!isfinite(numbers[i])) return false;
    }
    return true;
}

static inline bool sinewi_affine_is_finite(const sinew_affine *matrix) {
    for (int i = 0; i < 12; i++) {
        if (!isfinite(matrix->m[i / 4][i % 4])) return false;
    }
    return true;
}

// Returns the largest absolute value. Infinite or NaN if any of the floats is. 0 for an empty array.
float sinewi_largest_magnitude(const float *values, size_t count);

#endif
