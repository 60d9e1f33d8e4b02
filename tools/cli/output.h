// SPDX-License-Identifier: MIT
// The files that sub-commands write. A result is written to a temporary file next to its target, which is renamed when
// it is complete, so that a full disk or a signal leaves the target unchanged. Standard output, devices and pipes are
// written directly.
//
// No output is an input: every file that was read (files/files.h), or that such a glTF file names, is an input. This is
// checked when an output is opened, and again when it replaces its target: open standard output and the like, which are
// written directly, after the inputs are read.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_output_def {
    const char *command; // the sub-command, for messages
    const char *option;  // the option of the output, for messages
    const char *path;    // "-" is standard output
} cli_output_def;

typedef struct cli_output {
    FILE *file; // to write to; NULL: none is open
    cli_output_def def;
    int checked;     // the number of inputs when it was opened
    char *target;    // the final name of the temporary file; NULL: written directly
    char *temporary; // its name
} cli_output;

// Whether a name has one of the endings ".glb .bvh", which are separated by spaces and in lower case. So have standard output
// and names without an ending. Prints a usage error for any other name. A file of glTF may be written under the ending
// .vrm or .vrma of `source`, the file that it is a copy of; NULL: none.
bool cli_output_has_ending(const cli_output_def *def, const char *endings, const char *source);

// Opens an output. Returns CLI_GOOD; CLI_USAGE if the output is one of the inputs under any name; or CLI_BAD_INPUT if it
// cannot be written. The reason is printed. `def->path` must outlive the output. Only one output may be open at a time.
int cli_output_open(cli_output *output, const cli_output_def *def);

// The same, if the output was already compared with the first `compared` inputs and what they name: one of many outputs.
int cli_output_open_apart(cli_output *output, const cli_output_def *def, int compared);

// Checks that an output which is opened later is none of the inputs so far. Returns CLI_GOOD or CLI_USAGE, or CLI_BAD_INPUT
// if the inputs cannot be listed; the reason is printed.
int cli_output_check(const cli_output_def *def);

// Closes an output and renames it to the target. Returns CLI_GOOD; CLI_USAGE if the target is one of the inputs; or
// CLI_BAD_INPUT if not everything could be written. The reason is printed, and the target unchanged.
int cli_output_close(cli_output *output);

// Closes an output and deletes its temporary file; a no-op if none is open.
void cli_output_discard(cli_output *output);

// Notes the files that a file names (files/files.h): the library opens buffers and images by itself. Returns false if memory runs out.
bool cli_note_named_files(const char *path);

#endif
