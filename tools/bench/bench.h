// SPDX-License-Identifier: MIT
// `sinew bench`: the rows and their measurement.
//
//     rig, keys, data    skeletons, keyframes, and both as Sinew and the textbook store them
//     textbook           the implementation that Sinew is compared with
//     crowd, mesh, load  characters, vertices and files
//     budget             a crowd within a budget
//     spatial            bounds, culling and picking
//     scene              many instances in a scene
//     limbs              inverse kinematics
//     animators          characters that an animation graph drives
//     gpu                characters drawn by OpenGL
//     measure, machine   runs and medians; the machine and its ceilings
//     floor              the time below which no implementation can be
//     bench              the rows
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench/budget.h"
#include "bench/floor.h"
#include "bench/machine.h"
#include "bench/measure.h"

#include <sinew/asset.h>

typedef struct bench_row {
    const char *stage;
    int32_t joints;
    const char *data; // which channels move; for vertices, their layout
    int32_t characters;
    const char *implementation; // "sinew", "textbook", or "system"
    const char *simd;
    // What timings are per: "joint", "vertex", "box", "node", "triangle", "solve", "character" or "MB" (10^6 bytes).
    const char *unit;
    bench_timing timing;
    bench_floor floor; // only for "sinew"
    size_t bytes;      // only for GPU rows: sent per frame
    int draws;         // only for GPU rows: draw calls per frame
} bench_row;

// How much memory a clip and a character take, in bytes.
typedef struct bench_size {
    int32_t joints;
    const char *data;
    const char *implementation;
    size_t clip;    // mean of all clips
    size_t outputs; // per character: pose, model matrices, palette
    size_t state;   // per character: everything else, with two actions
    size_t action;  // one action's part of that
} bench_size;

// The renderer behind the GPU rows, and a character's size.
typedef struct bench_gpu {
    char renderer[128], version[128]; // OpenGL's strings
    bool software;                    // the CPU renders
    int vertices, triangles;
    int pixels; // the picture's width and height
} bench_gpu;

// A row that this OpenGL doesn't support.
typedef struct bench_missing {
    const char *data;
    char why[512];
} bench_missing;

enum { BENCH_MAX_ROWS = 256, BENCH_MAX_SIZES = 32, BENCH_MAX_MISSING = 32 };

typedef struct bench_report {
    bench_machine machine;
    bench_row rows[BENCH_MAX_ROWS];
    int row_count;
    bench_size sizes[BENCH_MAX_SIZES];
    int size_count;
    char file_data[64];   // data name of the file's rows
    const char *file_why; // why the file has no rows, or NULL
    bench_gpu gpu;        // all zero without bench_options.gpu
    bench_missing missing[BENCH_MAX_MISSING];
    int missing_count;
    bench_budget budget; // for the row `budget`
    char why[512];       // why OpenGL isn't available
} bench_report;

typedef struct bench_options {
    float budget_ms;         // if above 0, only measures the row `budget`, with this budget and more frames
    bool gpu;                // measures only the GPU rows, which don't need a file
    const sinew_asset *file; // NULL for no file rows
    const char *file_path;   // the name without folder and ending is the data name of its rows
    const char *file_why;    // why `file` is NULL
    bool needs_file;         // fail if the file can't be measured
    // Measures a row only if its "stage joints data characters implementation" contains one of these, or if there are
    // none.
    const char *const *filters;
    int filter_count;
    void (*progress)(const char *what, int done, int total);
} bench_options;

// Fills the report. Returns NULL, or why it failed, which may be a string in the report. A report without rows isn't a
// failure: the filters excluded all of them.
const char *bench_run(const bench_options *options, bench_report *report);

bool bench_passes_filters(const bench_options *options, const bench_row *row);

// Writes "stage joints data characters implementation" with a terminating zero. Returns its length without the zero.
int bench_row_name(const bench_row *row, char *name, size_t room);

// Returns the textbook's row for the same case, or NULL.
const bench_row *bench_textbook_row(const bench_report *report, const bench_row *row);

#endif
