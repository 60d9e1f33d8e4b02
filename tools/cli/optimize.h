// SPDX-License-Identifier: MIT
// The parts of `sinew optimize`: one file, many files.
#ifndef CLI_OPTIMIZE_H
#define CLI_OPTIMIZE_H

#include "batch/batch.h"
#include "cli/displacement.h"
#include "shrink/shrink.h"

typedef struct optimize_args {
    batch_list files;
    const char *output;  // a file, or a folder for many files
    const char *depfile; // only for one file; may be NULL
    double error;        // millimeters; 0 if not given
    bool tight, meshes, khr, plain, json;
    int jobs;
} optimize_args;

// Returns how to optimize a file. The caller sets its path, output and progress. `input` must outlive it.
shrink_def cli_optimize_def(const optimize_args *arguments, const comparison_input *input);

// Optimizes all files and writes them to the folder. Returns an exit status.
int cli_optimize_many(const optimize_args *arguments);

#endif
