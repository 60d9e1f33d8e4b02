// SPDX-License-Identifier: MIT
// Functions that `sinew compare` and `sinew optimize` share.
#ifndef CLI_DISPLACEMENT_H
#define CLI_DISPLACEMENT_H

#include "cli/cli.h"

#include "shrink/comparison.h"

// Returns the command's decoders and progress bar.
comparison_input cli_comparison_input(void);

// Returns whether a file is glTF. If not, prints the reason.
bool cli_check_compared(const char *path);

// Prints the largest displacement, the clips, the ten worst joints, the differences and the sizes in bytes.
void cli_comparison_print(const comparison *c);

// Reads a length such as 1mm, 0.5, 2cm or 0.001m: millimeters, above 0 and at most 1000. Otherwise prints a usage error
// and returns false.
bool cli_args_millimetres(cli_args *args, double *millimetres);

#endif
