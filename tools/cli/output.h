// The files that sub-commands write. A result is written to a temporary file next to its target, which is renamed when
// it is complete, so that a full disk or a signal leaves the target as it was. Standard output, devices and pipes are
// written directly.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_output_def {
    const char *command;       // the sub-command, for messages
    const char *option;        // that names the output
    const char *path;          // "-" is standard output
    const char *const *inputs; // [input_count]: the glTF files that the sub-command reads
    int input_count;
} cli_output_def;

typedef struct cli_output {
    FILE *file;       // to write to; NULL: none is open
    const char *path; // as it was given
    char *target;     // what the temporary file becomes; NULL: written directly
    char *temporary;
} cli_output;

// Opens an output. Returns CLI_GOOD; CLI_USAGE where the output is one of the inputs, a buffer, an image or the markers
// sidecar of one, by whatever name; or CLI_BAD_INPUT where it cannot be written. The reason is printed. `def->path`
// must outlive the output. One output is open at a time.
int cli_output_open(cli_output *output, const cli_output_def *def);

// Closes an output and puts it in the target's place. False, with the reason printed and the target as it was, when not
// everything could be written.
bool cli_output_close(cli_output *output);

// Closes an output and drops what was written. Does nothing where none is open.
void cli_output_discard(cli_output *output);

#endif
