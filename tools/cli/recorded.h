// SPDX-License-Identifier: MIT
// Reads recordings: files in memory, and their replays.
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "cli/clips.h"

// A recording in memory and its replay.
typedef struct cli_recorded {
    char *bytes;
    size_t size;
    sinew_replay *replay;
    const cli_clips *clips; // where to look for the recorded clips; NULL for the asset's
} cli_recorded;

// Reads a file of at most 1 GiB. On failure, prints the reason and returns false. Call cli_recorded_close either way.
bool cli_recorded_read(const char *path, cli_recorded *recorded);

// Returns whether it's a character's recording. It has a different header from a mixer's.
bool cli_recorded_is_of_character(const cli_recorded *recorded);

// Checks that a character's recording has a graph, and that a mixer's doesn't (NULL). Otherwise prints what's wrong and
// returns the command's status.
int cli_recorded_check_graph(const char *command, const char *path, const char *graph);

// Reads a mixer's recording, of at most 1 GiB, for the asset's skeleton. On failure, prints the reason and returns
// false. Call cli_recorded_close either way. `recorded` must be zero except for its clips.
bool cli_recorded_open(const sinew_asset *asset, const char *path, cli_recorded *recorded);

// Like cli_recorded_open, for bytes that are already in `recorded`, allocated with malloc. `path` is for messages.
bool cli_recorded_start(const sinew_asset *asset, const char *path, cli_recorded *recorded);

void cli_recorded_close(cli_recorded *recorded);

typedef struct cli_call_line {
    char text[512];
} cli_call_line;

// Describes the next call and makes it. On failure, prints the reason and returns false.
bool cli_recorded_step(const char *path, sinew_replay *replay, cli_call_line *line);

#endif
