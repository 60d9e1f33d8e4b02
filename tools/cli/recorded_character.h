// SPDX-License-Identifier: MIT
// Characters that the command plays, and their recordings and replays.
#ifndef CLI_RECORDED_CHARACTER_H
#define CLI_RECORDED_CHARACTER_H

#include <sinew/motion/character_recording.h>

#include "cli/recorded.h"
#include "graph/actor.h"

// What characters play: a model with its graph and rig, and clips that their program may have played itself.
typedef struct cli_cast {
    sinew_graph *graph;
    sinew_humanoid humanoid;
    sinew_graph_binding *binding;
    graph_stand stand; // without a rig if the graph has none
    const sinew_clip **clips;
    sinew_state_names names;
} cli_cast;

// Loads a graph for a model and its clips, which must outlive the cast. `to` must be zero. On failure, prints the
// reason and returns false. Call cli_cast_free either way.
bool cli_cast_load(const char *graph, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                   cli_cast *to);
void cli_cast_free(cli_cast *from);

// Returns a replay of a recording, which must outlive it. `path` is for messages. On failure, prints the reason and
// returns NULL.
sinew_character_replay *cli_cast_replay(const cli_cast *cast, const char *path, const cli_recorded *recorded);

typedef struct cli_take {
    const char *path;
    cli_recorded file;
    sinew_character_replay *replay;
    char text[1024]; // describes the last update
} cli_take;

// Opens a recording. `to` must be zero, and the cast must outlive it. On failure, prints the reason and returns false.
// Close it either way.
bool cli_take_open(const cli_cast *cast, const char *path, cli_take *to);
void cli_take_close(cli_take *from);

bool cli_take_is_at_end(const cli_take *take);

// Makes the next update and describes it. On failure, prints the reason and returns false.
bool cli_take_step(cli_take *take);

#endif
