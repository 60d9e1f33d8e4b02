// SPDX-License-Identifier: MIT
// The comparison of two files (tools/compare), step by step: `sinew compare`, and the check of `sinew optimize`.
#ifndef SHRINK_COMPARISON_H
#define SHRINK_COMPARISON_H

#include "compare/compare.h"
#include "lint/edit.h"

#include <sinew/asset.h>

// The size to which every model is scaled, millimetres.
#define COMPARISON_SIZE 1800.0

// How files are read, and who is told. It must outlive what uses it.
typedef struct comparison_input {
    // Loads a file, or the .glb in `bytes`, as the caller's library does. Returns false with an error.
    bool (*load)(const char *path, const void *bytes, size_t size, sinew_asset **asset, sinew_error *error);
    sinew_meshopt_decode meshopt_decode;
    sinew_draco_decode draco_decode;
    void (*progress)(const char *what, int32_t done, int32_t total); // in clips; NULL: none
} comparison_input;

// A file as the reference evaluator reads it.
typedef struct compared_file {
    const char *path;
    ref_document document;
    ref_model model;
    compare_bytes bytes; // of its animation
    size_t size;         // of the file with its buffers
    double pose_work;    // see limits_pose_work
    double allowed_work; // see limits_allowed_work
} compared_file;

typedef struct comparison {
    compared_file files[2];
    sinewi_arena arena; // holds the rest
    compare_body body;
    compare_measure measure;
    int32_t *clip_of;     // [clips of A]: the clip of B; -1: none
    compare_worst *clips; // [clips of A]
    compare_worst worst;  // of all clips and the rest pose
    char **differences;   // [difference_count]
    int32_t difference_count, difference_capacity;
    bool out_of_memory;
    char error[1024]; // set by functions that return false
} comparison;

// Reads a file that the library accepts, as files[side]. `bytes`: those of a .glb that outlive the comparison; NULL: the
// file itself. The comparison is {0} at first. Freed with comparison_free in both cases.
bool comparison_open(comparison *c, int side, const comparison_input *input, const char *path, const void *bytes,
                     size_t size);

// Compares the two open files. `error`: that the displacements should keep, in millimetres; 0: none. Where the bounds of the
// exact measurement exceed it, it is measured whether they must.
bool comparison_measure(comparison *c, const comparison_input *input, double error);

// After comparison_measure has failed because there are too many poses: takes the second file for equal to the first, of which
// it is a copy.
bool comparison_take_for_equal(comparison *c);

// Closes the second file and frees the results, for another comparison with the first one.
void comparison_close(comparison *c);

// Closes the files and frees the rest.
void comparison_free(comparison *c);

// A length in the unit of A in millimetres, with the model scaled to 1.8 m.
double comparison_millimetres(const comparison *c, double length);

// Appends the members of a JSON object, without braces.
void comparison_append_json(const comparison *c, lint_text *out);

#endif
