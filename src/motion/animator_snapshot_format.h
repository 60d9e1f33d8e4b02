// SPDX-License-Identifier: MIT
// An animator's part of a written state. See motion/mixer_snapshot_format.h.
#ifndef SINEWI_ANIMATOR_SNAPSHOT_FORMAT_H
#define SINEWI_ANIMATOR_SNAPSHOT_FORMAT_H

#include "motion/animator_state.h"
#include "motion/mixer_snapshot_format.h"

// What a character adds to its animator's state.
typedef struct state_extension {
    const void *from;                                          // the owner to write from
    void *to;                                                  // the owner to read into
    void (*write)(state_writer *to, const void *owner);        // its sections
    void (*read)(state_file *file, void *owner, bool applies); // checks and reports, or applies what was checked
} state_extension;

// The public functions, with more sections. `extension` may be NULL.
size_t sinewi_animator_write(const sinew_animator *animator, const sinew_state_names *names,
                             const state_extension *extension, void *bytes, size_t size);

// Writes in one pass, without a header. If that's more than `capacity`, the bytes are incomplete.
size_t sinewi_animator_write_open(const sinew_animator *animator, const sinew_state_names *names,
                                  const state_extension *extension, uint8_t *bytes, size_t capacity);

sinew_result sinewi_animator_read(sinew_animator *animator, const sinew_state_names *names,
                                  const state_extension *extension, const void *bytes, size_t size,
                                  const sinew_state_report *report, sinew_error *error);

// The program's lists, and the names of the animator's binding: animator_snapshot_names.c
state_lookup sinewi_animator_lookup(const sinew_animator *animator, const sinew_state_names *names);

// Follows a path of names from a layer. Writes the states along it, and returns how many there are: the rest isn't found.
int32_t sinewi_animator_follow_path(const sinew_graph *graph, int32_t layer, const char *const *names,
                                    int32_t count, int32_t *states);

// Reads the parameters: animator_snapshot_parameters.c. `writes` false only checks them and reports.
void sinewi_animator_read_parameters(state_file *file, sinew_animator *animator, bool writes);

#endif
