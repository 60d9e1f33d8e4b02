// SPDX-License-Identifier: MIT
// Computes model matrices for the nodes that a level of detail keeps.
#include "core/batch_lod.h"
#include "kernels/kernels.h"
#include "core/skeleton_object.h"

// If a mixer animates a subtree, computes the links of this subtree, 64 at a time.
static void links_in(const sinew_node_lod *lod, sinewi_range nodes, sinew_affine *const *models,
                     int32_t model_count) {
    sinewi_link links[64];
    int32_t count = 0;
    for (int32_t i = 0; i < lod->link_count; i++) {
        if (lod->links[i].node >= nodes.first && lod->links[i].node < nodes.end) links[count++] = lod->links[i];
        if (count < 64 && i < lod->link_count - 1) continue;
        sinewi_model_kernels_used()->local_to_model(links, count, models, model_count);
        count = 0;
    }
}

void sinewi_node_lod_to_model(const sinew_node_lod *lod, sinewi_range nodes, sinew_affine *const *models,
                              int32_t model_count) {
    const sinew_skeleton *skeleton = lod->skin->skeleton;
    sinewi_apply_shears(skeleton, nodes, models, model_count);
    if (nodes.first > 0 || nodes.end < skeleton->node_count) {
        links_in(lod, nodes, models, model_count);
    } else {
        sinewi_model_kernels_used()->local_to_model(lod->links, lod->link_count, models, model_count);
    }
}
