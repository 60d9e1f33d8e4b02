// SPDX-License-Identifier: MIT
// The graph that `sinew view --graph` plays, with its rig.
#ifndef CLI_VIEW_GRAPH_H
#define CLI_VIEW_GRAPH_H

#include "cli/script.h"
#include "view/act.h"

typedef struct cli_view_graph {
    const char *path; // NULL: no graph
    cli_input_arg inputs[CLI_MAX_INPUTS];
    int input_count;
} cli_view_graph;

// Plays the graph on the files that are loaded. The graph must outlive the window.
view_act cli_view_graph_act(cli_view_graph *graph);

#endif
