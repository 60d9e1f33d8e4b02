// SPDX-License-Identifier: MIT
// Finds which node of a skeleton each node of a clip is bound to, by a name map or by equal names.
#ifndef SINEWI_BIND_MATCH_H
#define SINEWI_BIND_MATCH_H

#include <sinew/clip.h>

#include "core/skeleton_names.h"

// Don't bind this node's channels.
#define SINEWI_BIND_EXCLUDED (-2)

typedef struct sinewi_bind_match {
    const sinew_skeleton *source, *target;
    const sinew_bind_def *def;
    sinewi_name_prefix source_prefix;
    sinewi_node_names names; // of the target
    int32_t *nodes;          // [source node_count]: target node, SINEW_NO_NODE or SINEWI_BIND_EXCLUDED
    bool *is_ordered;        // [source node_count]: several nodes have its name, and only their order matched it
} sinewi_bind_match;

// Matches all nodes of the clip's skeleton, in scratch memory. Returns false if memory runs out.
//
// Equal names match. If several nodes share a name, a node whose parent matches the target's parent comes first. The
// rest match in order. If the target has fewer of them, only those that the clip animates match.
bool sinewi_bind_match_make(sinewi_bind_match *match, const sinew_clip *clip, const sinew_skeleton *target,
                            const sinew_bind_def *def, sinewi_arena *scratch);

// Returns the target's name that is nearest to a source node's name, or NULL.
const char *sinewi_bind_match_nearest(const sinewi_bind_match *match, int32_t node);

#endif
