// SPDX-License-Identifier: MIT
// Which node of a skeleton a node of a clip is bound to: by a map of names, or by equal names.
#ifndef SINEW_BIND_MATCH_H
#define SINEW_BIND_MATCH_H

#include <sinew/clip.h>

#include "pose/node_names.h"

// No channel of the node is to be bound.
#define SINEW_BIND_EXCLUDED (-2)

typedef struct sinew_bind_match {
    const sinew_skeleton *source, *target;
    const sinew_bind_def *def;
    sinew_name_prefix source_prefix;
    sinew_node_names names; // of the target
    int32_t *nodes;         // [source node_count]: the target's node, SINEW_NO_NODE, or SINEW_BIND_EXCLUDED
    bool *is_ordered;       // [source node_count]: matched by order alone, of several nodes with its name
} sinew_bind_match;

// Matches all nodes of the clip's skeleton, in scratch memory. Returns false if there is none.
//
// Equal names match. Of several nodes with one name, one whose parent is matched with the target's parent comes first. Those that
// are left match in their order; if the target has fewer of them, only those that the clip animates.
bool sinew_bind_match_make(sinew_bind_match *match, const sinew_clip *clip, const sinew_skeleton *target,
                           const sinew_bind_def *def, sinew_arena *scratch);

// Returns the name in the target that is nearest to that of a node of the source, or NULL.
const char *sinew_bind_match_nearest(const sinew_bind_match *match, int32_t node);

#endif
