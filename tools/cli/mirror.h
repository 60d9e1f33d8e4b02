// SPDX-License-Identifier: MIT
// A file's mirror map.
#ifndef CLI_MIRROR_H
#define CLI_MIRROR_H

#include <sinew/all.h>

// Makes an asset's mirror map from its VRM roles, guessed roles or names alone. The reference is the rest pose, or a
// skin's bind pose if that's more symmetric. Warns if neither is symmetric. On failure, prints the reason and returns
// NULL. Free it with sinew_mirror_destroy.
sinew_mirror *cli_mirror_create(const sinew_asset *asset, const char *path);

#endif
