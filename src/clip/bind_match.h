// SPDX-License-Identifier: MIT
// Which node of a skeleton a node of a clip is bound to: by a map of names, or by equal names.
#ifndef SINEW_BIND_MATCH_H
#define SINEW_BIND_MATCH_H

#include <sinew/clip.h>

#include "pose/node_names.h"

// No channel of the node is to be bound.
#define SINEW_BIND_EXCLUDED (-2)

// Of several nodes of the target with one name the first is found.
typedef struct sinew_bind_match {
    const sinew_skeleton *source, *target;
    const sinew_bind_def *def;
    sinew_name_prefix source_prefix;
    sinew_node_names names; // of the target
} sinew_bind_match;

// Makes the table in scratch memory. Returns false if there is none.
bool sinew_bind_match_begin(sinew_bind_match *match, const sinew_skeleton *source, const sinew_skeleton *target,
                            const sinew_bind_def *def, sinew_arena *scratch);

// Returns the target's node for a node of the source, SINEW_NO_NODE, or SINEW_BIND_EXCLUDED.
int32_t sinew_bind_match_node(const sinew_bind_match *match, int32_t node);

// Returns the name in the target that is nearest to that of a node of the source, or NULL.
const char *sinew_bind_match_nearest(const sinew_bind_match *match, int32_t node);

#endif
