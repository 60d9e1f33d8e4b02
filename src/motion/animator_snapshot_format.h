// SPDX-License-Identifier: MIT
// An animator's part of a written state. See motion/mixer_snapshot_format.h.
#ifndef SINEWI_ANIMATOR_SNAPSHOT_FORMAT_H
#define SINEWI_ANIMATOR_SNAPSHOT_FORMAT_H

#include "motion/animator_state.h"
#include "motion/mixer_snapshot_format.h"

// The program's lists, and the names of the animator's binding: animator_snapshot_names.c
state_lookup sinewi_animator_lookup(const sinew_animator *animator, const sinew_state_names *names);

// Follows a path of names from a layer. Writes the states along it, and returns how many there are: the rest isn't found.
int32_t sinewi_animator_follow_path(const sinew_graph *graph, int32_t layer, const char *const *names,
                                    int32_t count, int32_t *states);

// Reads the parameters: animator_snapshot_parameters.c. `writes` false only checks them and reports.
void sinewi_animator_read_parameters(state_file *file, sinew_animator *animator, bool writes);

#endif
