// SPDX-License-Identifier: MIT
// What messages about a graph's names need, and the nodes that it names: by their own names, or by humanoid roles.
#ifndef SINEWI_GRAPH_NODE_H
#define SINEWI_GRAPH_NODE_H

#include <sinew/motion/graph.h>

// Where an element of the graph is, for the start of a message: "hero.json:9:5: ", "line 9: " without a path, or "". A
// line or column of 0 isn't known.
typedef struct sinewi_graph_place {
    char text[176];
} sinewi_graph_place;
sinewi_graph_place sinewi_graph_place_of(const sinew_graph *graph, int32_t line, int32_t column);

// Whether a name starts with SINEW_ROLE_PREFIX.
bool sinewi_graph_is_role(const char *name);

// Returns a node, or SINEW_NO_NODE. `what` then says what's wrong. An upper chest or chest that the humanoid lacks is the
// next spine node below it.
int32_t sinewi_graph_find_node(const sinew_graph_binding *binding, const char *name, char *what, size_t size);

// Whether a name is a role that no node has. The node found for it then has another role.
bool sinewi_graph_is_stand_in(const sinew_graph_binding *binding, const char *name);

// Like sinew_mask_from_names with the other nodes at 0, but also accepts roles.
sinew_result sinewi_graph_make_mask(const sinew_graph_binding *binding, const sinew_mask_part *parts,
                                    int32_t part_count, const sinew_allocator *allocator, sinew_mask **mask,
                                    sinew_error *error);

#endif
