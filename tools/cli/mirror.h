// SPDX-License-Identifier: MIT
// The mirror map of a file.
#ifndef CLI_MIRROR_H
#define CLI_MIRROR_H

#include <sinew/all.h>

// Makes the mirror map of an asset: by its VRM roles, by roles that are guessed, or by names alone. The reference is the
// rest pose, or the bind pose of a skin if that is more symmetric. Warns if neither is symmetric. Prints the reason and
// returns NULL if that fails. Free it with sinew_mirror_destroy.
sinew_mirror *cli_mirror_create(const sinew_asset *asset, const char *path);

#endif
