// SPDX-License-Identifier: MIT
// The objects that a binding owns.
#ifndef SINEWI_GRAPH_BINDING_H
#define SINEWI_GRAPH_BINDING_H

#include <sinew/motion/graph.h>

typedef struct sinew_graph_binding_data {
    sinew_graph_binding_def def; // with the asset's skeleton and clips
    sinew_humanoid humanoid;
    size_t size; // bytes of the binding's own block
    int32_t space_count, clip_count;
    sinew_mask **masks;         // [layer_count], NULL for layers without a mask
    sinew_blend_space **spaces; // [space_count]
    sinew_clip **clips;         // [clip_count], the additive ones
    const sinew_clip **sources; // [clip_count], the clips that they are made from
} sinew_graph_binding_data;

// Finds a clip by name, as the definition says. NULL if there isn't one.
const sinew_clip *sinewi_graph_find_clip(const sinew_graph_binding_def *def, const char *name);

#endif
