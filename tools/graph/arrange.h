// SPDX-License-Identifier: MIT
// Arranges the machines of a graph: what the boxes of states and the labels of transitions say, and where they are. The
// plot draws it, and so does the studio. Positions are in pixels, y down.
#ifndef GRAPH_ARRANGE_H
#define GRAPH_ARRANGE_H

#include "graph/layout.h"

#include <sinew/motion/graph.h>

#define GRAPH_LINE_HEIGHT       15.0 // of the text of a state
#define GRAPH_LABEL_LINE_HEIGHT 13.0 // of the text of a transition
#define GRAPH_PADDING           12.0 // in boxes
#define GRAPH_MARGIN            16.0 // around machines
#define GRAPH_ENTRY_WIDTH       14.0 // of the arrow to the entry, left of the first box

enum { GRAPH_MAX_LINES = 8, GRAPH_LINE_SIZE = 96, GRAPH_ANY_STATE = -1 };

// Some lines of text; the first of a box is its name.
typedef struct graph_lines {
    int32_t count;
    char lines[GRAPH_MAX_LINES][GRAPH_LINE_SIZE];
} graph_lines;

// Adds a line; what does not fit is cut at a character.
void graph_add_line(graph_lines *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Control characters of names, and lines of conditions, become spaces.
void graph_clean_lines(graph_lines *lines);

// The lines in the box of a state, which may be GRAPH_ANY_STATE, and in the label of a transition with its priority.
graph_lines graph_state_lines(const sinew_graph *graph, int32_t state);
graph_lines graph_transition_lines(const sinew_graph *graph, int32_t transition, int32_t priority);

// The width of the longest line, in the font of boxes.
double graph_lines_width(const graph_lines *lines);

// A machine that has been laid out. Its nodes are its states, the entry first, and one for any state.
typedef struct graph_machine_layout {
    layout layout;
    int32_t *states;      // [layout.node_count]; GRAPH_ANY_STATE
    int32_t *transitions; // [layout.edge_count]
    double width, height; // with the margin and the arrow to the entry
} graph_machine_layout;

typedef struct graph_arrangement {
    const sinew_graph *graph;
    graph_machine_layout *machines; // [graph->machine_count]
    int32_t *priorities;            // [graph->transition_count]: among those from one state, from 1; 0: it is alone
    int32_t *arrows;                // [graph->state_count + graph->machine_count]: of each state, then of each "*"
    int32_t *nodes;                 // [graph->state_count]: the node of each state in its machine
} graph_arrangement;

// Lays out all machines, from the innermost outward. Returns false if memory runs out. Call graph_arrangement_end in
// either case.
bool graph_arrange(graph_arrangement *a, const sinew_graph *graph);
void graph_arrangement_end(graph_arrangement *a);

// Whether a node of a machine is a state that contains a machine.
bool graph_contains_machine(const sinew_graph *graph, int32_t state);

// Where the nodes and edges of a machine's layout start, from its upper left corner.
layout_point graph_machine_origin(void);

// Where the machine in a state starts, from the upper left corner of the state's box.
layout_point graph_submachine_corner(const graph_lines *lines);

#endif
