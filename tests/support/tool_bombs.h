// SPDX-License-Identifier: MIT
// Files of a given size that are slow for the command.
#ifndef TOOL_BOMBS_H
#define TOOL_BOMBS_H

#include "support/bombs.h"

typedef struct tool_bomb {
    const char *name;
    // Builds a file of about `size` bytes. The caller writes and ends it. Markers go to a sidecar file.
    gltf_builder (*make)(int size, gltf_text *markers);
    // The command whose work grows faster than the size, within a limit; "all", or NULL.
    const char *grows;
} tool_bomb;

extern const tool_bomb tool_bombs[];
extern const int tool_bomb_count;

#endif
