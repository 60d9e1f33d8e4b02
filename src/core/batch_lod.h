// SPDX-License-Identifier: MIT
// The private part of a level of detail: the nodes to compute.
#ifndef SINEWI_NODE_LOD_H
#define SINEWI_NODE_LOD_H

#include <sinew/batch.h>

#include "core/pose_block.h"

struct sinew_node_lod {
    const sinew_skin *skin;    // the full skin
    const int32_t *joints;     // [skin->joint_count]: closest kept node for each joint
    const sinew_affine *binds; // [skin->joint_count]: from mesh space to this node's local space
    const sinewi_link *links;  // [link_count]: the kept nodes, in skeleton order
    int32_t link_count;
    const sinewi_range *parts; // [part_count]: runs of blocks with kept nodes, in nodes
    int32_t part_count;
    sinew_allocator allocator;
    size_t size;
};

// Like sinewi_local_to_model, but only for the kept nodes.
void sinewi_node_lod_to_model(const sinew_node_lod *lod, sinewi_range nodes, sinew_affine *const *models,
                              int32_t model_count);

#endif
