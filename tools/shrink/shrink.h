// SPDX-License-Identifier: MIT
// The steps of `sinew optimize`: a smaller file, measured from its bytes.
#ifndef SHRINK_SHRINK_H
#define SHRINK_SHRINK_H

#include "optimize/optimize.h"
#include "shrink/comparison.h"

#include "lint/lint.h"

typedef struct shrink_def {
    const char *path;   // of the file
    const char *output; // the name of the result in the report
    double error;       // the largest displacement, in millimetres with the model scaled to 1.8 m
    optimize_extension extension;
    optimize_code_meshes code_meshes; // NULL: meshes stay
    const comparison_input *input;
    void (*progress)(int32_t done, int32_t total); // in clips, while they are optimized; NULL: none
} shrink_def;

typedef struct shrink_work {
    shrink_def def;
    comparison comparison; // of the file and the result
    optimize_result result;
    optimize_meshes meshes; // {0} without def.code_meshes
    const uint8_t *bytes;   // [size]: the file to write
    size_t size;
    const char *kept;  // why it is the original, in one file; NULL: it is a smaller one
    uint8_t *original; // the bytes of the original, from the heap, or NULL
    lint_fixed packed; // the original with its buffers, if it has other files
    bool is_packed;
    char error[1024]; // set by shrink_run if it returns false
} shrink_work;

// Makes a file smaller and measures the result. Returns false with an error. Call shrink_end in either case.
bool shrink_run(shrink_work *o, const shrink_def *def);

// Appends the JSON of `sinew optimize --json`.
void shrink_append_json(const shrink_work *o, lint_text *out);

void shrink_end(shrink_work *o);

#endif
