// SPDX-License-Identifier: MIT
// The comparison of two files (tools/compare), for `sinew compare` and `sinew optimize`.
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include "cli/cli.h"

#include "compare/compare.h"

// A file as the reference evaluator reads it.
typedef struct cli_compared {
    const char *path;
    ref_document document;
    ref_model model;
    compare_bytes bytes; // of its animation
    size_t size;         // of the file with its buffers
    double pose_work;    // see cli_pose_work
    double allowed_work; // see cli_allowed_work
} cli_compared;

// The size to which every model is scaled, millimetres.
#define CLI_SCALED_SIZE 1800.0

typedef struct cli_comparison {
    cli_compared files[2];
    sinew_arena arena; // holds the rest
    compare_body body;
    compare_measure measure;
    int32_t *clip_of;     // [clips of A]: the clip of B; -1: none
    compare_worst *clips; // [clips of A]
    compare_worst worst;  // of all clips and the rest pose
    char **differences;   // [difference_count]
    int32_t difference_count, difference_capacity;
    bool out_of_memory;
} cli_comparison;

// Reads a file that the library accepts. `bytes`: those of a .glb that outlive the comparison; NULL: the file itself.
// Returns false with the reason printed. Freed with cli_compared_close in both cases.
bool cli_compared_open(cli_compared *file, const char *path, const void *bytes, size_t size);
void cli_compared_close(cli_compared *file);

// The poses of a file that a comparison may evaluate.
double cli_compared_poses(const cli_compared *file);

// Compares two open files. `limit`: displacements up to this many millimetres need not be found exactly; 0: all are.
// Returns false with the reason printed. Freed with cli_comparison_free in both cases, which closes the files.
bool cli_comparison_measure(cli_comparison *c, double limit);
void cli_comparison_free(cli_comparison *c);

// A length in the unit of A in millimetres, with the model scaled to 1.8 m.
double cli_comparison_millimetres(const cli_comparison *c, double length);

// Prints the largest displacement, the clips, the ten worst joints, the differences and the bytes.
void cli_comparison_print(const cli_comparison *c);

// Prints the members of a JSON object, without braces.
void cli_comparison_json(const cli_comparison *c);

// Reads a length such as 1mm, 0.5, 2cm or 0.001m: millimetres, above 0 and at most 1000; false, with a usage error
// printed, otherwise.
bool cli_args_millimetres(cli_args *args, double *millimetres);

#endif
