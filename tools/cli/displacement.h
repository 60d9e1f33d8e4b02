// SPDX-License-Identifier: MIT
// Common functions of `sinew compare` and `sinew optimize`.
#ifndef CLI_DISPLACEMENT_H
#define CLI_DISPLACEMENT_H

#include "cli/cli.h"

#include "shrink/comparison.h"

// The command's decoders and its progress bar.
comparison_input cli_comparison_input(void);

// Whether a file is glTF. Prints the reason if not.
bool cli_check_compared(const char *path);

// Prints the largest displacement, the clips, the ten worst joints, the differences and the bytes.
void cli_comparison_print(const comparison *c);

// Reads a length such as 1mm, 0.5, 2cm or 0.001m: millimetres, above 0 and at most 1000; false, with a usage error
// printed, otherwise.
bool cli_args_millimetres(cli_args *args, double *millimetres);

#endif
