// SPDX-License-Identifier: MIT
// A character's clips: those in its own file, and those in other files (--bind), bound to its nodes by name.
#ifndef CLI_CLIPS_H
#define CLI_CLIPS_H

#include "cli/cli.h"

enum { CLI_MAX_BOUND_FILES = 64 };

typedef struct cli_clips {
    const char *others[CLI_MAX_BOUND_FILES]; // from --bind
    int other_count;
    sinew_asset *asset; // the file
    sinew_clip *clips;  // [count]; the file's clips, then the others
    int32_t count;
    sinew_clip **bound; // [bound_count]; clips from the other files
    int32_t bound_count;
} cli_clips;

// Reads the current option if it's --bind. Returns false for any other option.
bool cli_clips_arg(cli_clips *clips, cli_args *args);

// Loads the file and the others. On failure, prints the reason and returns false. Call cli_clips_free either way.
bool cli_clips_load(cli_clips *clips, const char *path, sinew_up up);
void cli_clips_free(cli_clips *clips);

// Returns an array of pointers to clips, which the caller frees. If memory runs out, prints the reason and returns
// NULL.
const sinew_clip **cli_clip_pointers(const char *path, const sinew_clip *clips, int32_t count);

// Fills in a binding's definition for an asset and other clips, without a graph. Stores the roles that can be found in
// `humanoid`, which must outlive it. If memory runs out, prints the reason and returns false.
bool cli_binding_def(const char *path, const sinew_asset *asset, const sinew_clip *clips, int32_t clip_count,
                     sinew_humanoid *humanoid, sinew_graph_binding_def *def);

#endif
