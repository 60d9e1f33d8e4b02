// SPDX-License-Identifier: MIT
// Recordings that the command reads: files in memory, with their replays.
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "cli/clips.h"

// A recording in memory, and its replay.
typedef struct cli_recorded {
    char *bytes;
    size_t size;
    sinew_replay *replay;
    const cli_clips *clips; // to find the recorded ones among; NULL: those of the asset
} cli_recorded;

// Reads a file of at most 1 GiB; false, with the reason printed, if that fails. Freed with cli_recorded_close in both cases.
bool cli_recorded_read(const char *path, cli_recorded *recorded);

// Whether it's the recording of a character, which has another header than that of a mixer.
bool cli_recorded_is_of_character(const cli_recorded *recorded);

// Reads a recording, of at most 1 GiB, of a mixer of the asset's skeleton; false, with the reason printed, if that fails. Freed with
// cli_recorded_close in both cases. `recorded` must be zero but for its clips.
bool cli_recorded_open(const sinew_asset *asset, const char *path, cli_recorded *recorded);

// The same for a recording whose bytes are in `recorded` already, by malloc; `path` is for messages.
bool cli_recorded_start(const sinew_asset *asset, const char *path, cli_recorded *recorded);

void cli_recorded_close(cli_recorded *recorded);

// The description of a call.
typedef struct cli_call_line {
    char text[512];
} cli_call_line;

// Describes the next call and makes it; false, with the reason printed, if that fails.
bool cli_recorded_step(const char *path, sinew_replay *replay, cli_call_line *line);

#endif
