// SPDX-License-Identifier: MIT
// Creates a graph and reports the element at fault. The file reader turns that into a line.
#ifndef SINEWI_GRAPH_CREATE_H
#define SINEWI_GRAPH_CREATE_H

#include <sinew/motion/graph.h>

#include "base/fail.h"
#include "base/float_rules.h"

#include <math.h>

// The array of sinew_graph_def that contains a fault.
typedef enum sinewi_graph_part {
    SINEWI_GRAPH_PART_WHOLE, // not in an array: counts, sync names
    SINEWI_GRAPH_PART_PARAMETER,
    SINEWI_GRAPH_PART_LAYER,
    SINEWI_GRAPH_PART_MACHINE,
    SINEWI_GRAPH_PART_STATE,
    SINEWI_GRAPH_PART_TRANSITION,
    SINEWI_GRAPH_PART_CONDITION // a transition's `when`
} sinewi_graph_part;

// Why a graph wasn't created.
typedef struct sinewi_graph_problem {
    sinew_result result;
    sinewi_graph_part part;
    int32_t index;  // in the part's array; 0 for WHOLE
    int32_t column; // for CONDITION, in bytes from 1; else 0
    char what[384]; // what's wrong, not escaped
} sinewi_graph_problem;

// The length of a rotation's x, y, z and w. It must be close to 1.
static inline double sinewi_graph_rotation_length(const double q[4]) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static inline bool sinewi_graph_is_rotation(double length) {
    return fabs(length - 1.0) <= 1e-3;
}

// Fills a problem and returns false.
bool sinewi_graph_fault(sinewi_graph_problem *problem, sinewi_graph_part part, int32_t index, const char *format,
                        ...) SINEWI_PRINTF(4, 5);

// Whether a definition follows the rules of motion/graph.h. Doesn't compile conditions. Takes linear time in the
// definition's size, except that the names within a machine are compared with each other.
bool sinewi_graph_check_def(const sinew_graph_def *def, sinewi_graph_problem *problem);

// Like sinew_graph_create, but with the problem in parts. `problem` must not be NULL. It's written on failure.
sinew_result sinewi_graph_create_located(const sinew_graph_def *def, sinew_graph **graph,
                                         sinewi_graph_problem *problem);

#endif
