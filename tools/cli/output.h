// SPDX-License-Identifier: MIT
// The files that sub-commands write. A result goes to a temporary file next to its target, and is renamed when it's
// complete. A full disk or a signal leaves the target unchanged. Standard output, devices and pipes are written
// directly.
//
// An output must not be an input: a file that was read (files/files.h), or a file that such a glTF file names. This is
// checked when an output is opened and again when it replaces its target. Outputs that are written directly only have
// the first check, so open them after reading the inputs.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_output_def {
    const char *command; // sub-command, for messages
    const char *option;  // the output's option, for messages
    const char *path;    // "-" is standard output
} cli_output_def;

typedef struct cli_output {
    FILE *file; // the file to write, or NULL if none is open
    cli_output_def def;
    int checked;     // number of inputs when it was opened
    char *target;    // the temporary file's final name; NULL if written directly
    char *temporary; // the temporary file's name
} cli_output;

// Returns whether a name has one of the endings in a list like ".glb .bvh" (lower case, separated by spaces). Standard
// output and names without an ending also pass. Otherwise prints a usage error. If `source` isn't NULL, the output is a
// copy of it. Then glTF may also be written with the ending .vrm or .vrma if `source` has it.
bool cli_output_has_ending(const cli_output_def *def, const char *endings, const char *source);

// Opens an output. Returns CLI_USAGE if the output is an input under any name, CLI_BAD_INPUT if it can't be written, or
// CLI_GOOD. Prints the reason. `def->path` must outlive the output. Only one output can be open at a time.
int cli_output_open(cli_output *output, const cli_output_def *def);

// Like cli_output_open, for one of many outputs. Skips the first `compared` inputs and the files they name, because the
// output was already compared with them.
int cli_output_open_apart(cli_output *output, const cli_output_def *def, int compared);

// Checks that an output to be opened later isn't one of the inputs so far. Returns CLI_GOOD, CLI_USAGE, or
// CLI_BAD_INPUT if the inputs can't be listed. Prints the reason.
int cli_output_check(const cli_output_def *def);

// Closes an output and renames it to the target. Returns CLI_USAGE if the target is an input, CLI_BAD_INPUT if not
// everything could be written, or CLI_GOOD. On failure, prints the reason and leaves the target unchanged.
int cli_output_close(cli_output *output);

// Closes an output and deletes its temporary file. No-op if none is open.
void cli_output_discard(cli_output *output);

// Records the files that a file names (files/files.h), because the library opens buffers and images itself. Returns
// false if memory runs out.
bool cli_note_named_files(const char *path);

#endif
