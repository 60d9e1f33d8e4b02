// SPDX-License-Identifier: MIT
// The private part of bounds: boxes in blocks for the kernels, and boxes for their morph targets.
#ifndef SINEWI_BOUNDS_OBJECT_H
#define SINEWI_BOUNDS_OBJECT_H

#include <sinew/bounds.h>

#include "kernels/bound_block.h"

// The box of a morph target's displacements at weight 1, in the node's local space. It gets added to another box.
typedef struct sinewi_bound_target {
    int32_t weight; // index into the skeleton's morph weights
    float center[3], half[3];
    float size; // see sinewi_bound_block
} sinewi_bound_target;

// The blocks of boxes without morph targets come first, then the blocks of boxes with them.
typedef struct sinewi_bounds_object {
    sinew_bounds bounds;
    const sinewi_bound_block *blocks; // [still_blocks + morph_blocks]
    size_t unmorphed_blocks, morph_blocks;
    int32_t unmorphed_count, morph_count; // number of boxes
    const int32_t *first_targets;         // [morph_count + 1]
    const sinewi_bound_target *targets;   // sorted by box
    float slack;                          // relative rounding error. The margin is slack × reach.
    sinew_allocator allocator;
} sinewi_bounds_object;

// Computes each box of a pose separately, axis-aligned in model space. `out` is [box_count]. Together they contain the
// meshes. A single box may miss vertices that several joints influence. Otherwise like sinew_bounds_pose.
void sinewi_bounds_pose_boxes(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                              sinew_box *out);

#endif
