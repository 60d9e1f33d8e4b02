// SPDX-License-Identifier: MIT
// Arranges a graph's machines: the text of states and transitions, and where they are. The plot and the studio draw it.
// Positions are in pixels, y down.
#ifndef GRAPH_ARRANGE_H
#define GRAPH_ARRANGE_H

#include "graph/layout.h"

#include <sinew/motion/graph.h>

#define GRAPH_LINE_HEIGHT       15.0 // of a state's text
#define GRAPH_LABEL_LINE_HEIGHT 13.0 // of a transition's text
#define GRAPH_PADDING           12.0 // in boxes
#define GRAPH_MARGIN            16.0 // around machines
#define GRAPH_ENTRY_WIDTH       14.0 // of the arrow to the entry, left of the first box

enum { GRAPH_MAX_LINES = 8, GRAPH_LINE_SIZE = 96, GRAPH_ANY_STATE = -1 };

// Some lines of text. In a box, the first one is its name.
typedef struct graph_lines {
    int32_t count;
    char lines[GRAPH_MAX_LINES][GRAPH_LINE_SIZE];
} graph_lines;

// Adds a line. If it doesn't fit, cuts it after a whole character.
void graph_add_line(graph_lines *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Replaces control characters in names, and line breaks in conditions, with spaces.
void graph_clean_lines(graph_lines *lines);

// Return the lines in a state's box and in a transition's label with its priority. The state may be GRAPH_ANY_STATE.
graph_lines graph_state_lines(const sinew_graph *graph, int32_t state);
graph_lines graph_transition_lines(const sinew_graph *graph, int32_t transition, int32_t priority);

// Returns the longest line's width in the boxes' font.
double graph_lines_width(const graph_lines *lines);

// A machine that was laid out. Its nodes are its states (the entry first) and one for any state.
typedef struct graph_machine_layout {
    layout layout;
    int32_t *states;      // [layout.node_count]; may contain GRAPH_ANY_STATE
    int32_t *transitions; // [layout.edge_count]
    double width, height; // includes the margin and the arrow to the entry
} graph_machine_layout;

typedef struct graph_arrangement {
    const sinew_graph *graph;
    graph_machine_layout *machines; // [graph->machine_count]
    int32_t *priorities;            // [graph->transition_count]; among those from one state, from 1; 0 if alone
    int32_t *arrows;                // [graph->state_count + graph->machine_count]; of each state, then of each "*"
    int32_t *nodes;                 // [graph->state_count]; each state's node in its machine
} graph_arrangement;

// Lays out all machines, starting with the innermost. Returns false if memory runs out. Call graph_arrangement_end
// either way.
bool graph_arrange(graph_arrangement *a, const sinew_graph *graph);
void graph_arrangement_end(graph_arrangement *a);

// Returns whether a machine's node is a state that contains a machine.
bool graph_contains_machine(const sinew_graph *graph, int32_t state);

// Returns where a machine's layout starts, relative to the machine's upper left corner.
layout_point graph_machine_origin(void);

// Returns where the machine in a state starts, relative to the upper left corner of the state's box.
layout_point graph_submachine_corner(const graph_lines *lines);

#endif
