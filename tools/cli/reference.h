// SPDX-License-Identifier: MIT
// Reads an option that names a reference pose.
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include <sinew/asset.h>

typedef struct cli_reference_def {
    const char *side; // "source" or "target", for messages
    const char *path; // the character's file
    const char *text; // the option's value
} cli_reference_def;

// Reads "bind", "rest", "Clip", "Clip@0.5", "FILE" or "FILE#Clip@0.5" into a new pose of the asset's skeleton. Matches
// the file's nodes by name. A file without a clip uses its own reference. On failure, returns false with the reason in
// error[size]. Doesn't print anything. Any thread.
bool cli_reference_read(const cli_reference_def *def, const sinew_asset *asset, sinew_pose **pose, char *error,
                        size_t size);

#endif
