// SPDX-License-Identifier: MIT
// sinew replay for a character's recording.
#ifndef CLI_REPLAY_CHARACTER_H
#define CLI_REPLAY_CHARACTER_H

#include "cli/recorded.h"

typedef struct cli_character_job {
    const char *recording;
    const char *other;      // recording to compare with, or NULL
    const char *graph;      // includes the rig
    const cli_clips *clips; // in the model and other files
} cli_character_job;

// Prints each update, or the first one that differs from the other recording. Returns the command's status.
int cli_replay_character(const cli_character_job *job);

#endif
