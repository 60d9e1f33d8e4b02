// SPDX-License-Identifier: MIT
// Which node of a skeleton a node of a clip is bound to: by a map of names, or by equal names.
#ifndef SINEWI_BIND_MATCH_H
#define SINEWI_BIND_MATCH_H

#include <sinew/clip.h>

#include "core/skeleton_names.h"

// No channel of the node is to be bound.
#define SINEWI_BIND_EXCLUDED (-2)

typedef struct sinewi_bind_match {
    const sinew_skeleton *source, *target;
    const sinew_bind_def *def;
    sinewi_name_prefix source_prefix;
    sinewi_node_names names; // of the target
    int32_t *nodes;          // [source node_count]: the target's node, SINEW_NO_NODE, or SINEWI_BIND_EXCLUDED
    bool *is_ordered;        // [source node_count]: matched by order alone, of several nodes with its name
} sinewi_bind_match;

// Matches all nodes of the clip's skeleton, in scratch memory. Returns false if there is none.
//
// Equal names match. Of several nodes with one name, one whose parent is matched with the target's parent comes first. Those that
// are left match in their order; if the target has fewer of them, only those that the clip animates.
bool sinewi_bind_match_make(sinewi_bind_match *match, const sinew_clip *clip, const sinew_skeleton *target,
                            const sinew_bind_def *def, sinewi_arena *scratch);

// Returns the name in the target that is nearest to that of a node of the source, or NULL.
const char *sinewi_bind_match_nearest(const sinewi_bind_match *match, int32_t node);

#endif
