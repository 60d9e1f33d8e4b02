// Whether numbers are numbers.
#ifndef SINEW_FINITE_H
#define SINEW_FINITE_H

#include <sinew/math.h>

#include <math.h>

static inline bool sinew_affine_is_finite(const sinew_affine *matrix) {
    for (int i = 0; i < 12; i++) {
        if (!isfinite(matrix->m[i / 4][i % 4])) return false;
    }
    return true;
}

#endif
