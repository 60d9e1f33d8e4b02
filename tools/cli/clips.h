// SPDX-License-Identifier: MIT
// The clips of a character: those of its file, and those of further files (--bind), bound to its nodes by name.
#ifndef CLI_CLIPS_H
#define CLI_CLIPS_H

#include "cli/cli.h"

enum { CLI_MAX_BOUND_FILES = 64 };

typedef struct cli_clips {
    const char *others[CLI_MAX_BOUND_FILES]; // the files of --bind
    int other_count;
    sinew_asset *asset; // the file
    sinew_clip *clips;  // [count]: those of the file, then those of the others
    int32_t count;
    sinew_clip **bound; // [bound_count]: those of the others
    int32_t bound_count;
} cli_clips;

// Reads the option just read if it is --bind. Returns false for any other option.
bool cli_clips_arg(cli_clips *clips, cli_args *args);

// Loads the file and the others; false, with the reason printed, if that fails. Freed with cli_clips_free in both cases.
bool cli_clips_load(cli_clips *clips, const char *path, sinew_up up);
void cli_clips_free(cli_clips *clips);

// Returns pointers to clips, to be freed; NULL, with the reason printed, if memory runs out.
const sinew_clip **cli_clip_pointers(const char *path, const sinew_clip *clips, int32_t count);

// Fills in a binding's definition for an asset with other clips, without a graph. It has the roles that can be found, in
// `humanoid`, which must outlive it. False, with the reason printed, if memory runs out.
bool cli_binding_def(const char *path, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                     sinew_humanoid *humanoid, sinew_graph_binding_def *def);

#endif
