// SPDX-License-Identifier: MIT
// Dependency files, which tell a build system what an output was made from.
#ifndef CLI_DEPFILE_H
#define CLI_DEPFILE_H

// Writes a make rule with the target, all files read for it and the files that those name. No-op if `path` is NULL.
// Returns an exit status. Prints the reason if it isn't CLI_GOOD.
int cli_write_depfile(const char *command, const char *path, const char *target);

#endif
