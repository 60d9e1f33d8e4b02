// SPDX-License-Identifier: MIT
// The parts of `sinew optimize`: one file, many files.
#ifndef CLI_OPTIMIZE_H
#define CLI_OPTIMIZE_H

#include "batch/batch.h"
#include "cli/displacement.h"
#include "shrink/shrink.h"

typedef struct optimize_args {
    batch_list files;
    const char *output;  // a file; of many files, a folder
    const char *depfile; // of one file; NULL: none
    double error;        // millimetres; 0: not given
    bool tight, meshes, khr, plain, json;
    int jobs;
} optimize_args;

// How a file is optimized; its path, output and progress are left to the caller. `input` must outlive it.
shrink_def cli_optimize_def(const optimize_args *arguments, const comparison_input *input);

// Optimizes all files, and writes them into the folder. Returns an exit status.
int cli_optimize_many(const optimize_args *arguments);

#endif
