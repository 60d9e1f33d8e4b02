// SPDX-License-Identifier: MIT
// Conditions for a small handmade graph, and what holds for any text.
#ifndef CONDITION_USE_H
#define CONDITION_USE_H

#include "motion/graph_condition.h"

// The indices of the graph's elements.
enum {
    PARAMETER_SPEED,
    PARAMETER_COUNT,
    PARAMETER_GROUNDED,
    PARAMETER_JUMP,
    PARAMETER_MOVE,
    PARAMETER_TARGET,
    PARAMETER_GOAL,
    PARAMETERS
};
enum { TAG_AIRBORNE, TAG_ATTACK, TAG_LOW, TAGS };
enum { STATE_MOVE, STATE_JUMP, STATE_COMBO, STATE_FIRST, STATE_SECOND, STATES };

// A float "speed", an int "count", a bool "grounded", a trigger "jump", a vector2 "move", a vector3 "target", a transform
// "goal". The tags "airborne", "attack", "low". The states Base/Move, Base/Jump, Upper/Combo, Upper/Combo/First,
// Upper/Combo/Second.
extern const sinew_graph condition_graph;

// The markers that conditions have named.
typedef struct condition_markers {
    int32_t count, limit;
    char names[64][32];
} condition_markers;

// Compiles a copy of the text without a byte after the zero, so a sanitizer finds reads past it.
int32_t condition_compile(const char *text, condition_markers *markers, sinew_condition_node *nodes,
                          sinewi_condition_problem *problem);

// Evaluates a condition.
bool condition_is_true(const sinew_condition_node *nodes, int32_t count, const sinewi_condition_input *input);

// Compiles and evaluates any text. Returns what's wrong, or NULL.
const char *condition_try(const char *text);

#endif
