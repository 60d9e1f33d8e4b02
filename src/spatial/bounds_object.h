// Bounds behind their public face: boxes in blocks for the kernels, and what morph targets add to them.
#ifndef SINEW_BOUNDS_OBJECT_H
#define SINEW_BOUNDS_OBJECT_H

#include <sinew/bounds.h>

#include "kernels/bound_block.h"

// What a morph target adds to a box at a weight of 1: the box of its differences, in the space of the node.
typedef struct sinew_bound_target {
    int32_t weight; // index into all morph weights of the skeleton
    float center[3], half[3];
    float size; // as in sinew_bound_block
} sinew_bound_target;

// Boxes without morph targets come first, in blocks of their own, then those with them.
typedef struct sinew_bounds_object {
    sinew_bounds bounds;
    const sinew_bound_block *blocks; // [still_blocks + morph_blocks]
    size_t still_blocks, morph_blocks;
    int32_t still_count, morph_count;  // boxes
    const int32_t *first_targets;      // [morph_count + 1]
    const sinew_bound_target *targets; // sorted by box
    float slack;                       // how much of the reach rounding may take away
    sinew_allocator allocator;
} sinew_bounds_object;

#endif
