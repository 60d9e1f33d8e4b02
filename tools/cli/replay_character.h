// SPDX-License-Identifier: MIT
// sinew replay with the recording of a character.
#ifndef CLI_REPLAY_CHARACTER_H
#define CLI_REPLAY_CHARACTER_H

#include "cli/recorded.h"

typedef struct cli_character_job {
    const char *recording;
    const char *other;      // to compare with; NULL: none
    const char *file;       // the model
    const char *graph;      // with the rig; NULL is reported
    const cli_clips *clips; // of the model and other files
} cli_character_job;

// Prints each update, or the first one that differs from the other recording's. Returns the command's status.
int cli_replay_character(const cli_character_job *job);

#endif
