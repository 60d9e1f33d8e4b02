// SPDX-License-Identifier: MIT
// Splits a local matrix into transform × shear: translation, rotation, scale, and whatever these can't express.
#ifndef SINEWI_MATRIX_SPLIT_H
#define SINEWI_MATRIX_SPLIT_H

#include <sinew/math.h>

typedef struct sinewi_split_matrix {
    sinew_transform transform;
    sinew_affine shear; // if is_sheared
    bool is_sheared;
    bool is_finite; // false if the numbers are too large to split the matrix
} sinewi_split_matrix;

sinewi_split_matrix sinewi_matrix_split(sinew_affine matrix);

#endif
