// SPDX-License-Identifier: MIT
// The memory layout of the boxes of sinew_bounds, and the result of their kernels.
#ifndef SINEWI_BOUND_BLOCK_H
#define SINEWI_BOUND_BLOCK_H

#include <sinew/pose.h>

// Boxes, each in the local space of its node. Unused lanes repeat the last box.
typedef struct sinewi_bound_block {
    float center[3][SINEW_LANES], half[3][SINEW_LANES];
    // An upper bound of the vertices' coordinates, and of the sums of absolute values that they are rounded from.
    float size[SINEW_LANES];
    int32_t nodes[SINEW_LANES];
} sinewi_bound_block;

// The box around moved boxes, without the margin for rounding.
typedef struct sinewi_extent {
    float min[3], max[3];
    float reach; // the largest sum of absolute values that a coordinate of a moved vertex is rounded from
    bool finite; // false: the `reach` of some box is too large or NaN, and the other fields are undefined
} sinewi_extent;

// A larger reach is treated as infinite, so that sums of smaller ones cannot overflow.
#define SINEWI_MAX_REACH 1e37f

#endif
