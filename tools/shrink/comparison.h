// SPDX-License-Identifier: MIT
// Compares two files (tools/compare) step by step, for `sinew compare` and to check `sinew optimize`.
#ifndef SHRINK_COMPARISON_H
#define SHRINK_COMPARISON_H

#include "compare/compare.h"
#include "lint/edit.h"

#include <sinew/asset.h>

// Every model is scaled to this size, in millimeters.
#define COMPARISON_SIZE 1800.0

// How to read files, and where to report progress. It must outlive whatever uses it.
typedef struct comparison_input {
    // Loads a file, or the .glb in `bytes`, like the caller's library does. Returns false with an error.
    bool (*load)(const char *path, const void *bytes, size_t size, sinew_asset **asset, sinew_error *error);
    sinew_meshopt_decode meshopt_decode;
    sinew_draco_decode draco_decode;
    void (*progress)(const char *what, int32_t done, int32_t total); // in clips; may be NULL
} comparison_input;

// A file, read by the reference evaluator.
typedef struct compared_file {
    const char *path;
    ref_document document;
    ref_model model;
    compare_bytes bytes; // its animation
    size_t size;         // the file and its buffers
    double pose_work;    // see limits_pose_work
    double allowed_work; // see limits_allowed_work
} compared_file;

typedef struct comparison {
    compared_file files[2];
    sinewi_arena arena; // holds everything else
    compare_body body;
    compare_measure measure;
    int32_t *clip_of;     // [clips of A]; B's clip, or -1
    compare_worst *clips; // [clips of A]
    compare_worst worst;  // in all clips and the rest pose
    char **differences;   // [difference_count]
    int32_t difference_count, difference_capacity;
    bool out_of_memory;
    char error[1024]; // set by functions that return false
} comparison;

// Reads a file that the library accepts, as files[side]. `bytes` is a .glb that outlives the comparison, or NULL to
// read the file. The comparison must start as {0}. Call comparison_free either way.
bool comparison_open(comparison *c, int side, const comparison_input *input, const char *path, const void *bytes,
                     size_t size);

// Compares the two open files. `error` is what the displacements should keep, in millimeters, or 0. If the bounds of
// the exact measurement exceed it, measures again to find whether they have to.
bool comparison_measure(comparison *c, const comparison_input *input, double error);

// Treats the second file as equal to the first one, because it's a copy. Call this after comparison_measure failed
// because there are too many poses.
bool comparison_take_for_equal(comparison *c);

// Closes the second file and frees the results, to compare the first one with another.
void comparison_close(comparison *c);

// Closes the files and frees everything.
void comparison_free(comparison *c);

// Converts a length in A's unit to millimeters, with the model scaled to 1.8 m.
double comparison_millimetres(const comparison *c, double length);

// Appends the members of a JSON object, without braces.
void comparison_append_json(const comparison *c, lint_text *out);

#endif
