// SPDX-License-Identifier: MIT
// Finds parameters, tags and states by unterminated names, such as the ones in a condition. Of the graph's data, only
// `owners` and `states_by_name` are read, so you can search a graph while it's being created.
#ifndef SINEWI_GRAPH_FIND_H
#define SINEWI_GRAPH_FIND_H

#include <sinew/motion/graph.h>

// Return an index, or SINEW_GRAPH_NONE.
int32_t sinewi_graph_parameter_named(const sinew_graph *graph, const char *name, size_t length);
int32_t sinewi_graph_tag_named(const sinew_graph *graph, const char *name, size_t length);
int32_t sinewi_graph_state_named(const sinew_graph *graph, int32_t machine, const char *name, size_t length);
int32_t sinewi_graph_state_at_path(const sinew_graph *graph, const char *path, size_t length);

// Writes a state's path, like sinew_graph_state_path.
size_t sinewi_graph_write_path(const sinew_graph *graph, int32_t state, char *path, size_t size);

// Given a path that leads to no state, writes the path that was probably meant, or "". `size` is at least 1.
void sinewi_graph_suggest_path(const sinew_graph *graph, const char *path, size_t length, char *suggestion,
                               size_t size);

#endif
