// SPDX-License-Identifier: MIT
// The files that sub-commands write. A result is written to a temporary file next to its target, which is renamed when
// it is complete, so that a full disk or a signal leaves the target unchanged. Standard output, devices and pipes are
// written directly.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_output_def {
    const char *command;       // the sub-command, for messages
    const char *option;        // the option of the output, for messages
    const char *path;          // "-" is standard output
    const char *const *inputs; // [input_count]: the glTF files that the sub-command reads
    int input_count;
} cli_output_def;

typedef struct cli_output {
    FILE *file;       // to write to; NULL: none is open
    const char *path; // as given
    char *target;     // the final name of the temporary file; NULL: written directly
    char *temporary;
} cli_output;

// Opens an output. Returns CLI_GOOD; CLI_USAGE if the output is one of the inputs, or a buffer, an image or the markers
// sidecar of one, under any name; or CLI_BAD_INPUT if it cannot be written. The reason is printed. `def->path` must
// outlive the output. Only one output may be open at a time.
int cli_output_open(cli_output *output, const cli_output_def *def);

// Checks that an output which is opened later is none of the inputs. Returns CLI_GOOD or CLI_USAGE, or CLI_BAD_INPUT if the
// inputs cannot be listed; the reason is printed.
int cli_output_check(const cli_output_def *def);

// Closes an output and renames it to the target. Returns false, with the reason printed and the target unchanged, if
// not everything could be written.
bool cli_output_close(cli_output *output);

// Closes an output and deletes its temporary file; a no-op if none is open.
void cli_output_discard(cli_output *output);

#endif
