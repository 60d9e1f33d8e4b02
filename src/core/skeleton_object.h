// SPDX-License-Identifier: MIT
// The private part of a skeleton.
#ifndef SINEWI_SKELETON_OBJECT_H
#define SINEWI_SKELETON_OBJECT_H

#include <sinew/skeleton.h>

#include "kernels/layout.h"

typedef struct sinewi_skeleton_object {
    sinew_skeleton skeleton;
    sinew_clip_data rest;          // rest pose, as a constant clip
    const int32_t *curves_by_name; // [curve_count]: sorted by name
    const sinewi_link *links;      // [link_count]: level by level, so a product isn't right after its parent's
    int32_t link_count;            // number of nodes with parents
    int32_t depth;                 // number of levels
    sinew_allocator allocator;
    size_t size;
} sinewi_skeleton_object;

static inline const sinew_clip_data *sinewi_skeleton_rest(const sinew_skeleton *skeleton) {
    return &((const sinewi_skeleton_object *)skeleton)->rest;
}

// Returns a node's shear, or NULL.
const sinew_affine *sinewi_skeleton_shear(const sinew_skeleton *skeleton, int32_t node);

// Returns a node's local matrix for a local transform, including its shear.
sinew_affine sinewi_skeleton_local(const sinew_skeleton *skeleton, int32_t node, sinew_transform transform);

// Returns a node's local matrix in the rest pose, including its shear.
sinew_affine sinewi_skeleton_rest_local(const sinew_skeleton *skeleton, int32_t node);

#endif
