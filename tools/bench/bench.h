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

// One measurement.
typedef struct bench_row {
    const char *stage;
    int32_t joints;
    const char *data; // the channels that move; for vertices their layout
    int32_t characters;
    const char *implementation; // "sinew", "textbook", or "system"
    const char *simd;
    // The unit that timings are for: "joint", "vertex", "box", "node", "triangle", "solve", "character" or "MB", 10^6
    // bytes.
    const char *unit;
    bench_timing timing;
    bench_floor floor; // of "sinew"
    size_t bytes;      // of rows of the GPU: sent per frame
    int draws;         // the same: draw calls per frame
} bench_row;

// The memory of one clip and one character, in bytes.
typedef struct bench_size {
    int32_t joints;
    const char *data;
    const char *implementation;
    size_t clip;    // the mean of all clips
    size_t outputs; // of a character: pose, model matrices, palette
    size_t state;   // of a character: everything else, with two actions
    size_t action;  // of that, one action
} bench_size;

// The renderer of the GPU's rows, and the size of a character.
typedef struct bench_gpu {
    char renderer[128], version[128]; // OpenGL's strings
    bool software;                    // the CPU renders
    int vertices, triangles;
    int pixels; // the picture's width and height
} bench_gpu;

// A row that this OpenGL does not support.
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
    char file_data[64];   // the data name of the file's rows
    const char *file_why; // the reason if the file has no rows, or NULL
    bench_gpu gpu;        // all zero without bench_options.gpu
    bench_missing missing[BENCH_MAX_MISSING];
    int missing_count;
    bench_budget budget; // of the row `budget`
    char why[512];       // the reason if OpenGL is not available
} bench_report;

typedef struct bench_options {
    float budget_ms;         // above 0: measures only the row `budget`, with this budget and more frames
    bool gpu;                // measures the rows of the GPU, which need no file, instead of all others
    const sinew_asset *file; // NULL: no rows of a file
    const char *file_path;   // its name, without folder and ending, is the data name of its rows
    const char *file_why;    // the reason if `file` is NULL
    bool needs_file;         // a file that cannot be measured is a failure
    // A row is measured if its "stage joints data characters implementation" contains one of these, or if there are
    // none.
    const char *const *filters;
    int filter_count;
    void (*progress)(const char *what, int done, int total);
} bench_options;

// Fills the report. Returns NULL, or the reason of a failure, which may be a string in the report. A report without rows
// is no failure: the filters excluded all of them.
const char *bench_run(const bench_options *options, bench_report *report);

// Whether a row passes the options' filters.
bool bench_passes_filters(const bench_options *options, const bench_row *row);

// "stage joints data characters implementation", zero-terminated; returns its length without that.
int bench_row_name(const bench_row *row, char *name, size_t room);

// The textbook's row for the same case, or NULL.
const bench_row *bench_textbook_row(const bench_report *report, const bench_row *row);

#endif
