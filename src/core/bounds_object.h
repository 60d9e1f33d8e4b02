// SPDX-License-Identifier: MIT
// The private part of bounds: boxes in blocks for the kernels, and boxes of their morph targets.
#ifndef SINEWI_BOUNDS_OBJECT_H
#define SINEWI_BOUNDS_OBJECT_H

#include <sinew/bounds.h>

#include "kernels/bound_block.h"

// The box of a morph target's displacements at weight 1, in the node's local space. It is added to a box.
typedef struct sinewi_bound_target {
    int32_t weight; // index into all morph weights of the skeleton
    float center[3], half[3];
    float size; // as in sinewi_bound_block
} sinewi_bound_target;

// Blocks of boxes without morph targets come first, then blocks of those with them.
typedef struct sinewi_bounds_object {
    sinew_bounds bounds;
    const sinewi_bound_block *blocks; // [still_blocks + morph_blocks]
    size_t unmorphed_blocks, morph_blocks;
    int32_t unmorphed_count, morph_count; // boxes
    const int32_t *first_targets;         // [morph_count + 1]
    const sinewi_bound_target *targets;   // sorted by box
    float slack;                          // the relative rounding error: the margin is slack × reach
    sinew_allocator allocator;
} sinewi_bounds_object;

// Computes every box of a pose separately, axis-aligned in model space: `out` is [box_count]. All of them together contain the
// meshes; a single one does not contain the vertices that other joints influence as well. Otherwise like sinew_bounds_pose.
void sinewi_bounds_pose_boxes(const sinew_bounds *bounds, const sinew_affine *model, const float *weights,
                              sinew_box *out);

#endif
