// SPDX-License-Identifier: MIT
// A temporary file next to its target, which it replaces when it's complete. If a signal ends the program, the file is
// removed. Only one can exist at a time.
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

// Follows symbolic links and returns the name at their end, even if that file doesn't exist. The caller frees it. On
// failure, returns NULL with the reason in errno.
char *cli_temporary_target(const char *path);

// Creates a temporary file next to `target`, with its permissions if it exists. The caller frees *name. On failure,
// returns NULL with the reason in errno.
FILE *cli_temporary_open(const char *target, char **name);

// Renames the file to its target. On failure, returns false with the reason in errno.
bool cli_temporary_replace(const char *name, const char *target);

void cli_temporary_remove(const char *name);

// Call this when the file is gone, before freeing `name`.
void cli_temporary_forget(void);

#endif
