// SPDX-License-Identifier: MIT
// Creating a graph, with the element that is at fault: the reader of files turns it into a line.
#ifndef SINEW_GRAPH_CREATE_H
#define SINEW_GRAPH_CREATE_H

#include <sinew/graph.h>

#include "core/fail.h"
#include "core/float_rules.h"

// The array of sinew_graph_def that a fault is in.
typedef enum sinew_graph_part {
    SINEW_GRAPH_PART_WHOLE, // none: counts, sync names
    SINEW_GRAPH_PART_PARAMETER,
    SINEW_GRAPH_PART_LAYER,
    SINEW_GRAPH_PART_MACHINE,
    SINEW_GRAPH_PART_STATE,
    SINEW_GRAPH_PART_TRANSITION,
    SINEW_GRAPH_PART_CONDITION // `when` of a transition
} sinew_graph_part;

// Why a graph was not created.
typedef struct sinew_graph_problem {
    sinew_result result;
    sinew_graph_part part;
    int32_t index;  // in the part's array; 0 for WHOLE
    int32_t column; // CONDITION: in bytes from 1; else 0
    char what[384]; // what is wrong, not escaped
} sinew_graph_problem;

// Fills a problem and returns false.
bool sinew_graph_fault(sinew_graph_problem *problem, sinew_graph_part part, int32_t index, const char *format, ...)
    SINEW_PRINTF(4, 5);

// Whether a definition keeps the rules of graph.h; its conditions are not compiled. Time is linear in the size of the
// definition, except that the names in a machine are compared with one another.
bool sinew_graph_check_def(const sinew_graph_def *def, sinew_graph_problem *problem);

// sinew_graph_create, with the problem in parts. `problem` must not be NULL; it is written on failure.
sinew_result sinew_graph_create_located(const sinew_graph_def *def, sinew_graph **graph,
                                        sinew_graph_problem *problem);

#endif
