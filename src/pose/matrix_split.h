// SPDX-License-Identifier: MIT
// A local matrix as transform × shear: translation, rotation, scale, and what these cannot express.
#ifndef SINEW_MATRIX_SPLIT_H
#define SINEW_MATRIX_SPLIT_H

#include <sinew/math.h>

typedef struct sinew_split_matrix {
    sinew_transform transform;
    sinew_affine shear; // if is_sheared
    bool is_sheared;
    bool is_finite; // false: the numbers are too large to split the matrix
} sinew_split_matrix;

sinew_split_matrix sinew_matrix_split(sinew_affine matrix);

#endif
