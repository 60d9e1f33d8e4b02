// SPDX-License-Identifier: MIT
// A session's mixer and an animator with its clips, to fuzz their written states. There's one for the whole program.
#ifndef STATE_STAGE_H
#define STATE_STAGE_H

#include <sinew/all.h>

#include "golden/session.h"

typedef struct state_stage {
    session s;
    sinew_state_names names;
    sinew_graph *graph;
    sinew_graph_binding *binding;
} state_stage;

// Opens the stage at the first call. It is never closed.
const state_stage *state_stage_open(void);

sinew_mixer *state_stage_mixer(const state_stage *stage);
sinew_animator *state_stage_animator(const state_stage *stage);

// Make calls of every kind for some frames. The numbers follow from the seed.
void state_stage_play(const state_stage *stage, sinew_mixer *mixer, uint64_t seed, int frames);
void state_stage_direct(const state_stage *stage, sinew_animator *animator, uint64_t seed, int frames);

// Makes the header of a state fit its content: a wrong checksum is all that would be found.
void state_stage_repair(uint8_t *bytes, size_t size);

#endif
