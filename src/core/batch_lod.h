// SPDX-License-Identifier: MIT
// The private part of a level of detail: which nodes are computed.
#ifndef SINEWI_NODE_LOD_H
#define SINEWI_NODE_LOD_H

#include <sinew/batch.h>

#include "core/pose_block.h"

struct sinew_node_lod {
    const sinew_skin *skin;    // of which it is a level of detail
    const int32_t *joints;     // [skin->joint_count]: for each joint the closest node that is kept
    const sinew_affine *binds; // [skin->joint_count]: from mesh space to that node's own space
    const sinewi_link *links;  // [link_count], of the nodes that are kept, in the order of the skeleton's
    int32_t link_count;
    const sinewi_range *parts; // [part_count], runs of blocks that have a kept node, in nodes
    int32_t part_count;
    sinew_allocator allocator;
    size_t size;
};

// Like sinewi_local_to_model, for the nodes that are kept.
void sinewi_node_lod_to_model(const sinew_node_lod *lod, sinewi_range nodes, sinew_affine *const *models,
                              int32_t model_count);

#endif
