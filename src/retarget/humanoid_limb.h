// SPDX-License-Identifier: MIT
// Chains of named nodes: the limbs of a skeleton.
#ifndef SINEW_HUMANOID_LIMB_H
#define SINEW_HUMANOID_LIMB_H

#include "core/memory.h"
#include "retarget/humanoid_name.h"
#include "retarget/humanoid_shape.h"

typedef enum sinew_limb {
    SINEW_LIMB_LEFT_LEG,
    SINEW_LIMB_RIGHT_LEG,
    SINEW_LIMB_LEFT_ARM,
    SINEW_LIMB_RIGHT_ARM,
    SINEW_LIMB_TRUNK, // hips, spine, neck, head
    SINEW_LIMB_COUNT
} sinew_limb;

// The nodes of a skeleton by name, and for each node and limb the parts of the limb that it and its ancestors name.
typedef struct sinew_limb_search {
    const sinew_skeleton *skeleton;
    const sinew_node_name *names;      // [node_count]
    uint16_t *masks[SINEW_LIMB_COUNT]; // [node_count]
} sinew_limb_search;

// The largest number of nodes of a chain.
#define SINEW_MAX_CHAIN 32

// The nodes of a limb from the trunk to its end: named ones only.
typedef struct sinew_limb_chain {
    int32_t count;
    int32_t nodes[SINEW_MAX_CHAIN];
    int32_t end;   // SINEW_NO_NODE if there is no chain
    int32_t other; // the end of another chain that is as good; SINEW_NO_NODE if there is none
} sinew_limb_chain;

// Reads the names. Returns false if memory runs out.
bool sinew_limb_search_begin(sinew_limb_search *search, const sinew_skeleton *skeleton, sinew_arena *scratch);

// Finds the chain that names most of a limb's parts. Of several, the one whose common ancestor with `anchor` is deepest;
// `anchor` may be SINEW_NO_NODE.
void sinew_limb_find(const sinew_limb_search *search, sinew_limb limb, int32_t anchor, sinew_limb_chain *chain);

// The lowest node that has both in its subtree. SINEW_NO_NODE if either is, or if their roots differ.
int32_t sinew_limb_common_ancestor(const sinew_skeleton *skeleton, int32_t a, int32_t b);

#endif
