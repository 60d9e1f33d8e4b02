// SPDX-License-Identifier: MIT
// Finds the nodes that a graph names: by their own names, or by humanoid roles.
#ifndef SINEWI_GRAPH_NODE_H
#define SINEWI_GRAPH_NODE_H

#include <sinew/motion/graph.h>

// Whether a name starts with SINEW_ROLE_PREFIX.
bool sinewi_graph_is_role(const char *name);

// Returns a node, or SINEW_NO_NODE. `what` then says what's wrong.
int32_t sinewi_graph_find_node(const sinew_graph_binding *binding, const char *name, char *what, size_t size);

// Like sinew_mask_from_names with the other nodes at 0, but also accepts roles.
sinew_result sinewi_graph_make_mask(const sinew_graph_binding *binding, const sinew_mask_part *parts,
                                    int32_t part_count, const sinew_allocator *allocator, sinew_mask **mask,
                                    sinew_error *error);

#endif
