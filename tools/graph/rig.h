// SPDX-License-Identifier: MIT
// What the rules about rigs read: which nodes each step moves, and which steps can be on together. Private to
// tools/graph.
#ifndef GRAPH_RIG_H
#define GRAPH_RIG_H

#include "graph/model.h"

// Nodes from one down to another, which is below it or the same one. A step turns or moves them.
typedef struct graph_span {
    int32_t top, bottom;
} graph_span;

// A step's nodes. Empty without a character.
typedef struct graph_step_nodes {
    bool is_complete; // the character has all nodes and clips that the step names
    int32_t span_count, span_capacity;
    graph_span *spans;    // [span_count]
    int32_t target_count; // nodes that the step places: feet, ends, tips, whatever aims
    int32_t targets[SINEW_MAX_EFFECTORS];
    int32_t pin_count; // nodes that it keeps in place although nodes above them move
    int32_t pins[SINEW_MAX_EFFECTORS];
    int32_t source_count; // nodes whose positions it reaches for
    int32_t sources[SINEW_MAX_EFFECTORS];
} graph_step_nodes;

typedef struct graph_rig {
    graph_step_nodes *steps;      // [step_count]
    struct graph_explorer *cases; // for graph_compare_steps
    struct graph_explorer *start; // for graph_step_starts_on
    int64_t left;                 // search steps
} graph_rig;

// ---- rig_nodes.c ---------------------------------------------------------------------------------------------------

// Finds the nodes, and adds findings for names that the character lacks. No-op without a character.
void graph_read_step_nodes(graph_model *m);

// Returns whether a step needs feet.
bool graph_moves_feet(sinew_rig_kind kind);

// ---- rig_cases.c ---------------------------------------------------------------------------------------------------

// What two steps' conditions can be at the same time, for all values of parameters and curves and all states that are
// ever current.
typedef struct graph_step_cases {
    bool both, only_first, only_second, neither;
    bool is_known; // false if there are too many values
} graph_step_cases;

bool graph_read_step_cases(graph_model *m);
graph_step_cases graph_compare_steps(graph_model *m, int32_t first, int32_t second);

// Returns whether a step's weight can be above 0, ignoring its condition and curve.
bool graph_weight_can_rise(const sinew_graph *graph, int32_t step);

// Returns whether a step is on before the program sets a parameter and before any transition.
bool graph_step_starts_on(graph_model *m, int32_t step);

// ---- rig_pairs.c ---------------------------------------------------------------------------------------------------

// Checks the rules about two steps.
void graph_check_step_pairs(graph_model *m);

// ---- rig_refused.c -------------------------------------------------------------------------------------------------

// Creates the rig. Finds steps that are refused, and foot locks without contacts.
void graph_check_created_rig(graph_model *m);

#endif
