// SPDX-License-Identifier: MIT
// Creating a graph, with the element that is at fault: the reader of files turns it into a line.
#ifndef SINEWI_GRAPH_CREATE_H
#define SINEWI_GRAPH_CREATE_H

#include <sinew/motion/graph.h>

#include "base/fail.h"
#include "base/float_rules.h"

// The array of sinew_graph_def that a fault is in.
typedef enum sinewi_graph_part {
    SINEWI_GRAPH_PART_WHOLE, // none: counts, sync names
    SINEWI_GRAPH_PART_PARAMETER,
    SINEWI_GRAPH_PART_LAYER,
    SINEWI_GRAPH_PART_MACHINE,
    SINEWI_GRAPH_PART_STATE,
    SINEWI_GRAPH_PART_TRANSITION,
    SINEWI_GRAPH_PART_CONDITION // `when` of a transition
} sinewi_graph_part;

// Why a graph was not created.
typedef struct sinewi_graph_problem {
    sinew_result result;
    sinewi_graph_part part;
    int32_t index;  // in the part's array; 0 for WHOLE
    int32_t column; // CONDITION: in bytes from 1; else 0
    char what[384]; // what is wrong, not escaped
} sinewi_graph_problem;

// Fills a problem and returns false.
bool sinewi_graph_fault(sinewi_graph_problem *problem, sinewi_graph_part part, int32_t index, const char *format,
                        ...) SINEWI_PRINTF(4, 5);

// Whether a definition keeps the rules of motion/graph.h; its conditions are not compiled. Time is linear in the size of the
// definition, except that the names in a machine are compared with one another.
bool sinewi_graph_check_def(const sinew_graph_def *def, sinewi_graph_problem *problem);

// sinew_graph_create, with the problem in parts. `problem` must not be NULL; it is written on failure.
sinew_result sinewi_graph_create_located(const sinew_graph_def *def, sinew_graph **graph,
                                         sinewi_graph_problem *problem);

#endif
