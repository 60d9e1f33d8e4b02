// SPDX-License-Identifier: MIT
// A temporary file next to the file that it replaces when it is complete. A signal that ends the program removes it.
// Only one may exist at a time.
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

// The name behind symbolic links, whether or not that file exists; to be freed. NULL, with the reason in errno, if that
// fails.
char *cli_temporary_target(const char *path);

// Creates a temporary file next to `target`, with the permissions of `target` if that exists. *name is to be freed.
// NULL, with the reason in errno, if that fails.
FILE *cli_temporary_open(const char *target, char **name);

// Renames it to the target. False, with the reason in errno, if that fails.
bool cli_temporary_replace(const char *name, const char *target);

// Deletes it.
void cli_temporary_remove(const char *name);

// Called when it is gone, before `name` is freed.
void cli_temporary_forget(void);

#endif
