// SPDX-License-Identifier: MIT
// The private part of a skeleton.
#ifndef SINEWI_SKELETON_OBJECT_H
#define SINEWI_SKELETON_OBJECT_H

#include <sinew/skeleton.h>

#include "kernels/layout.h"

typedef struct sinewi_skeleton_object {
    sinew_skeleton skeleton;
    sinew_clip_data rest;          // the rest pose, as a constant clip
    const int32_t *curves_by_name; // [curve_count], the curves, sorted by name
    const sinewi_link
        *links;         // [link_count], level by level, so that a product does not directly follow its parent's
    int32_t link_count; // nodes that have a parent
    int32_t depth;      // levels of links
    sinew_allocator allocator;
    size_t size;
} sinewi_skeleton_object;

static inline const sinew_clip_data *sinewi_skeleton_rest(const sinew_skeleton *skeleton) {
    return &((const sinewi_skeleton_object *)skeleton)->rest;
}

// The shear of a node; NULL for a node without one.
const sinew_affine *sinewi_skeleton_shear(const sinew_skeleton *skeleton, int32_t node);

// The local matrix of a node for a local transform, with the node's shear.
sinew_affine sinewi_skeleton_local(const sinew_skeleton *skeleton, int32_t node, sinew_transform transform);

// The local matrix of a node in the rest pose, with its shear.
sinew_affine sinewi_skeleton_rest_local(const sinew_skeleton *skeleton, int32_t node);

#endif
