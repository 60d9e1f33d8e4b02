// SPDX-License-Identifier: MIT
// A character from tests/graph/samples/character.graph.json, and a program that does everything to it, for tests of
// recordings.
#ifndef CHARACTER_PLAYER_H
#define CHARACTER_PLAYER_H

#include "support/parts.h"
#include "support/recorded.h"

#include <sinew/motion/character_recording.h>

typedef struct player_stage {
    sinew_asset *asset;
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_rig *rig;
    sinew_root_motion_def root_motion;
    sinew_mixer_def mixer; // with one layer more than the graph
} player_stage;

// A program that walks, jumps to ledges, rides, teleports, plays its own clip, and goes back in time.
typedef struct player {
    const player_stage *stage;
    sinew_character *character;
    uint64_t random;
    parts_input input;
    void *saved; // a snapshot
    bool rides;
    int frame, events;
} player;

// Opens the model with a graph: a file, or text that starts with '{'.
void player_stage_open(player_stage *stage, const char *graph);
void player_stage_close(player_stage *stage);

// `allocator` may be NULL. `has_events` changes parameters in the middle of updates.
void player_start(player *p, const player_stage *stage, const sinew_allocator *allocator, bool has_events);
void player_stop(player *p);
void player_play_frame(player *p);

// Records some frames after others. `hashes` may be NULL.
recorded player_record(const player_stage *stage, uint64_t *hashes, int frames, bool has_events);

// The model's clips.
sinew_state_names player_names(const player_stage *stage);

// A replay's def with the model's clips.
sinew_character_replay_def player_replay_def(const player_stage *stage, const sinew_state_names *names, recorded r);

#endif
