// SPDX-License-Identifier: MIT
// The steps of `sinew optimize`: a smaller file, measured from its bytes.
#ifndef OPTIMIZING_OPTIMIZING_H
#define OPTIMIZING_OPTIMIZING_H

#include "optimize/optimize.h"
#include "optimizing/comparison.h"

#include "lint/lint.h"

typedef struct optimizing_def {
    const char *path;   // of the file
    const char *output; // the name of the result in the report
    double error;       // the largest displacement, in millimetres with the model scaled to 1.8 m
    optimize_extension extension;
    optimize_code_meshes code_meshes; // NULL: meshes stay
    const comparison_input *input;
    void (*progress)(int32_t done, int32_t total); // in clips, while they are optimized; NULL: none
} optimizing_def;

typedef struct optimizing {
    optimizing_def def;
    comparison comparison; // of the file and the result
    optimize_result result;
    optimize_meshes meshes; // {0} without def.code_meshes
    const uint8_t *bytes;   // [size]: the file to write
    size_t size;
    const char *kept;  // why it is the original, in one file; NULL: it is a smaller one
    uint8_t *original; // the bytes of the original, from the heap, or NULL
    lint_fixed packed; // the original with its buffers, if it has other files
    bool is_packed;
    char error[1024]; // set by optimizing_run if it returns false
} optimizing;

// Makes a file smaller and measures the result. Returns false with an error. Call optimizing_end in either case.
bool optimizing_run(optimizing *o, const optimizing_def *def);

// Appends the JSON of `sinew optimize --json`.
void optimizing_append_json(const optimizing *o, lint_text *out);

void optimizing_end(optimizing *o);

#endif
