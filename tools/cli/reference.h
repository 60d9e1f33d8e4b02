// SPDX-License-Identifier: MIT
// Reads the reference pose that an option names.
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include <sinew/asset.h>

typedef struct cli_reference_def {
    const char *command, *side; // for messages: "retarget", "source"
    const char *path;           // of the character's file
    const char *text;           // the option's value
} cli_reference_def;

// Reads "bind", "rest", "Clip", "Clip@0.5", "FILE" or "FILE#Clip@0.5" into a new pose of the asset's skeleton. Returns false after a
// message. A file's nodes are matched by name; without a clip its own reference is chosen.
bool cli_reference_read(const cli_reference_def *def, const sinew_asset *asset, sinew_pose **pose);

#endif
