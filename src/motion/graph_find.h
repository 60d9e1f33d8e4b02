// SPDX-License-Identifier: MIT
// Finds parameters, tags and states by names that are not terminated, such as those in a condition. Of the data of a
// graph only `owners` and `states_by_name` are read, so that a graph can be searched while it is created.
#ifndef SINEWI_GRAPH_FIND_H
#define SINEWI_GRAPH_FIND_H

#include <sinew/motion/graph.h>

// They return an index, or SINEW_GRAPH_NONE.
int32_t sinewi_graph_parameter_named(const sinew_graph *graph, const char *name, size_t length);
int32_t sinewi_graph_tag_named(const sinew_graph *graph, const char *name, size_t length);
int32_t sinewi_graph_state_at_path(const sinew_graph *graph, const char *path, size_t length);

// Writes the path of a state, as sinew_graph_state_path does.
size_t sinewi_graph_write_path(const sinew_graph *graph, int32_t state, char *path, size_t size);

// Writes the path that was probably meant by one that leads to no state, or "". `size` is at least 1.
void sinewi_graph_suggest_path(const sinew_graph *graph, const char *path, size_t length, char *suggestion,
                               size_t size);

#endif
