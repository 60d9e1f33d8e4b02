// How the boxes of sinew_bounds lie in memory, and what their kernels make of them.
#ifndef SINEW_BOUND_BLOCK_H
#define SINEW_BOUND_BLOCK_H

#include <sinew/pose.h>

// Boxes, each in the space of its node. Lanes that are left over are as the last one that is not.
typedef struct sinew_bound_block {
    float center[3][SINEW_LANES], half[3][SINEW_LANES];
    // No coordinate of a vertex, nor the sum of absolute values that it is rounded from, is larger.
    float size[SINEW_LANES];
    int32_t nodes[SINEW_LANES];
} sinew_bound_block;

// What holds moved boxes, but for what rounding takes away.
typedef struct sinew_extent {
    float min[3], max[3];
    float reach; // the largest sum of absolute values that a coordinate of a moved vertex is rounded from
    bool finite; // false: `reach` is too large, or not a number, of some box, and the rest says nothing
} sinew_extent;

// What reaches further is not told from what is infinite, so that no sum of what does not can overflow.
#define SINEW_MAX_REACH 1e37f

#endif
