// SPDX-License-Identifier: MIT
// The file by which a build system knows what an output was made from.
#ifndef CLI_DEPFILE_H
#define CLI_DEPFILE_H

// Writes a rule of make: the target, and all files that were read for it or that they name. `path` of NULL is a no-op. Returns an
// exit status, with the reason printed if it isn't CLI_GOOD.
int cli_write_depfile(const char *command, const char *path, const char *target);

#endif
