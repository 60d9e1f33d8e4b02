// SPDX-License-Identifier: MIT
// A rig while it is created.
#ifndef SINEWI_RIG_CREATE_H
#define SINEWI_RIG_CREATE_H

#include "motion/graph_node.h"
#include "motion/rig_data.h"
#include "base/fail.h"
#include "base/memory.h"

typedef struct sinewi_rig_job {
    const sinew_rig_def *def;
    const sinew_graph_binding *binding;
    sinew_rig *rig;
    sinew_rig_data *data;
    sinewi_rig_step *steps;
    sinewi_rig_effectors *effectors; // of the next whole body
    sinewi_arena scratch;
    sinew_vec3 up;
    const sinew_rig_step *step; // that is bound; NULL while feet are
    sinew_error *error;
} sinewi_rig_job;

// Fail with a message that starts with the step's line and name.
sinew_result sinewi_rig_fail(const sinewi_rig_job *job, const char *format, ...) SINEWI_PRINTF(2, 3);
sinew_result sinewi_rig_fail_memory(const sinewi_rig_job *job);

// Finds a node by name or role.
sinew_result sinewi_rig_find_node(const sinewi_rig_job *job, const char *name, int32_t *node);

// Finds a goal's node and where the goal is relative to it. `end` is the node that gets the goal's rotation, or
// SINEW_NO_NODE.
sinew_result sinewi_rig_find_goal(const sinewi_rig_job *job, const sinew_rig_goal *goal, int32_t end,
                                  sinewi_rig_place *place);

// Finds node `index` of the step's list. SINEW_NO_NODE if the list is shorter.
sinew_result sinewi_rig_find_listed(const sinewi_rig_job *job, int32_t index, int32_t *node);

// Whether a node that a list names is another of the list, because it stands in for a role that no node has.
bool sinewi_rig_is_repeated(const sinewi_rig_job *job, const char *name, int32_t node, int32_t other);

// Finds the hips and the spine that an orientation warp lists. Nodes that would repeat are left out.
sinew_result sinewi_rig_find_spine(const sinewi_rig_job *job, sinew_orientation_warp *warp);

// ---- rig_binding.c -------------------------------------------------------------------------------------------

// Takes the definition's binding, or makes one for its graph and asset, which `*own` then is.
sinew_result sinewi_rig_find_binding(const sinew_rig_def *def, const sinew_graph_binding **binding,
                                     sinew_graph_binding **own, sinew_error *error);

// ---- rig_feet.c ----------------------------------------------------------------------------------------------

// Finds the feet, their soles, and their contacts if a step locks feet.
sinew_result sinewi_rig_find_feet(sinewi_rig_job *job);

// The node above all legs, usually the hips. SINEW_NO_NODE if there is none.
int32_t sinewi_rig_hips(const sinewi_rig_job *job);

// ---- rig_springs.c -------------------------------------------------------------------------------------------

// Creates the springs of a step from its chains, or an avatar's own.
sinew_result sinewi_rig_bind_springs(sinewi_rig_job *job, sinewi_rig_step *bound);

#endif
