// SPDX-License-Identifier: MIT
// A character with a rig, to fuzz its recordings. There's one for the whole program.
#ifndef RECORDING_STAGE_H
#define RECORDING_STAGE_H

#include "fuzz/state_stage.h"

typedef struct recording_stage {
    const state_stage *clips;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
} recording_stage;

// Opens the stage at the first call. It is never closed.
const recording_stage *recording_stage_open(void);

// Records some frames with calls of every kind. Returns how many bytes were written to `bytes`.
size_t recording_stage_record(const recording_stage *stage, uint64_t seed, int frames, uint8_t *bytes,
                              size_t capacity);

// Makes the checksums of parts and states fit their content: wrong ones are all that would be found.
void recording_stage_repair(uint8_t *bytes, size_t size);

#endif
