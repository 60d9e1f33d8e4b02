// SPDX-License-Identifier: MIT
// Memory layout of the boxes in sinew_bounds, and the result of the bounds kernels.
#ifndef SINEWI_BOUND_BLOCK_H
#define SINEWI_BOUND_BLOCK_H

#include <sinew/pose.h>

// Each box is in its node's local space. Unused lanes repeat the last box.
typedef struct sinewi_bound_block {
    float center[3][SINEW_LANES], half[3][SINEW_LANES];
    // Upper bound for the vertex coordinates and for the sums of absolute values that they were rounded from.
    float size[SINEW_LANES];
    int32_t nodes[SINEW_LANES];
} sinewi_bound_block;

// The box around the moved boxes, without the rounding margin.
typedef struct sinewi_extent {
    float min[3], max[3];
    float reach; // largest sum of absolute values that a moved vertex coordinate is rounded from
    bool finite; // false if some box has a reach that is too large or NaN. The other fields are undefined then.
} sinewi_extent;

// Treat a larger reach as infinite. This keeps sums of smaller ones from overflowing.
#define SINEWI_MAX_REACH 1e37f

#endif
