// SPDX-License-Identifier: MIT
// The steps of `sinew optimize`: makes a smaller file and measures it from its bytes.
#ifndef SHRINK_SHRINK_H
#define SHRINK_SHRINK_H

#include "optimize/optimize.h"
#include "shrink/comparison.h"

#include "lint/lint.h"

typedef struct shrink_def {
    const char *path;   // of the file
    const char *output; // the result's name in the report
    double error;       // largest displacement in millimeters, with the model scaled to 1.8 m
    optimize_extension extension;
    optimize_code_meshes code_meshes; // NULL to keep meshes
    const comparison_input *input;
    void (*progress)(int32_t done, int32_t total); // in clips, while they're optimized; may be NULL
} shrink_def;

typedef struct shrink_work {
    shrink_def def;
    comparison comparison; // of the file and the result
    optimize_result result;
    optimize_meshes meshes; // {0} without def.code_meshes
    const uint8_t *bytes;   // [size]; the file to write
    size_t size;
    const char *kept;  // why it's the original in one file; NULL if it's smaller
    uint8_t *original; // the original's bytes on the heap, or NULL
    lint_fixed packed; // the original with its buffers, if it has other files
    bool is_packed;
    char error[1024]; // set by shrink_run if it returns false
} shrink_work;

// Makes a file smaller and measures the result. Returns false with an error. Call shrink_end either way.
bool shrink_run(shrink_work *o, const shrink_def *def);

// Appends the JSON for `sinew optimize --json`.
void shrink_append_json(const shrink_work *o, lint_text *out);

void shrink_end(shrink_work *o);

#endif
