// SPDX-License-Identifier: MIT
// The rig steps of a graph: checked, and copied into the graph's memory.
#ifndef SINEWI_GRAPH_STEP_H
#define SINEWI_GRAPH_STEP_H

#include <sinew/motion/rig.h>

#include "motion/graph_create.h"
#include "base/memory.h"

// Whether the steps and feet follow the rules of motion/rig.h. Doesn't compile conditions.
bool sinewi_graph_check_steps(const sinew_graph_def *def, sinewi_graph_problem *problem);

// Whether a compiled condition only asks for what a step has: no triggers, and no times, loops or markers of a state.
bool sinewi_graph_check_step_condition(const sinew_graph_def *def, const sinew_condition *condition, int32_t step,
                                       sinewi_graph_problem *problem);

// Copies the parts of a mask with their names. NULL while the size is measured.
const sinew_mask_part *sinewi_graph_copy_parts(sinewi_layout *layout, const sinew_mask_part *parts, int32_t count);

// Copy the steps and feet with all their names and arrays. NULL while the size is measured.
const sinew_rig_step *sinewi_graph_copy_steps(sinewi_layout *layout, const sinew_graph_def *def);
const sinew_rig_foot *sinewi_graph_copy_feet(sinewi_layout *layout, const sinew_graph_def *def);

// ---- graph_step_springs.c ------------------------------------------------------------------------------------

// Whether the chains and colliders of step `index` have the names and indices that motion/rig.h asks for. Their numbers
// are checked when a rig is created.
bool sinewi_graph_check_springs(const sinew_rig_springs *springs, int32_t index, sinewi_graph_problem *problem);

// Copies chains and colliders with their names. The arrays are NULL while the size is measured.
sinew_rig_springs sinewi_graph_copy_springs(sinewi_layout *layout, const sinew_rig_springs *springs);

#endif
