// SPDX-License-Identifier: MIT
// Plays a graph with its rig for `sinew view --graph`.
#ifndef CLI_VIEW_GRAPH_H
#define CLI_VIEW_GRAPH_H

#include "cli/script.h"
#include "view/act.h"

typedef struct cli_view_graph {
    const char *path; // NULL for no graph
    cli_input_arg inputs[CLI_MAX_INPUTS];
    int input_count;
} cli_view_graph;

// Plays the graph on the loaded files. It must outlive the window.
view_act cli_view_graph_act(cli_view_graph *graph);

#endif
