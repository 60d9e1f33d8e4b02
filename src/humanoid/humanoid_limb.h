// SPDX-License-Identifier: MIT
// Chains of named nodes, which are a skeleton's limbs.
#ifndef SINEWI_HUMANOID_LIMB_H
#define SINEWI_HUMANOID_LIMB_H

#include "base/memory.h"
#include "humanoid/humanoid_name.h"
#include "humanoid/humanoid_shape.h"

typedef enum sinewi_limb {
    SINEWI_LIMB_LEFT_LEG,
    SINEWI_LIMB_RIGHT_LEG,
    SINEWI_LIMB_LEFT_ARM,
    SINEWI_LIMB_RIGHT_ARM,
    SINEWI_LIMB_TRUNK, // hips, spine, neck, head
    SINEWI_LIMB_COUNT
} sinewi_limb;

// A skeleton's nodes by name. For each node and limb, the parts of the limb that the node and its ancestors name.
typedef struct sinewi_limb_search {
    const sinew_skeleton *skeleton;
    const sinewi_node_name *names;      // [node_count]
    uint16_t *masks[SINEWI_LIMB_COUNT]; // [node_count]
} sinewi_limb_search;

// The largest number of nodes in a chain.
#define SINEWI_MAX_CHAIN 32

// The named nodes of a limb, from the trunk to its end.
typedef struct sinewi_limb_chain {
    int32_t count;
    int32_t nodes[SINEWI_MAX_CHAIN];
    int32_t end;   // SINEW_NO_NODE if there is no chain
    int32_t other; // end of another chain that is equally good, or SINEW_NO_NODE
} sinewi_limb_chain;

// Reads the names. Returns false if memory runs out.
bool sinewi_limb_search_begin(sinewi_limb_search *search, const sinew_skeleton *skeleton, sinewi_arena *scratch);

// Finds the chain that names most of a limb's parts. If there are several, takes the one whose common ancestor with
// `anchor` is deepest. `anchor` may be SINEW_NO_NODE.
void sinewi_limb_find(const sinewi_limb_search *search, sinewi_limb limb, int32_t anchor, sinewi_limb_chain *chain);

// The lowest node that has both in its subtree. SINEW_NO_NODE if either is SINEW_NO_NODE or they have different roots.
int32_t sinewi_limb_common_ancestor(const sinew_skeleton *skeleton, int32_t a, int32_t b);

#endif
