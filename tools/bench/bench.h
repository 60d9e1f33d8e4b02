// `sinew bench`: which rows there are, and the measuring of them.
//
//     rig, keys, data    skeletons, keyframes, and both in Sinew's form and the textbook's
//     textbook           what Sinew is measured against
//     crowd, mesh, load  characters, vertices and files
//     seen               bounds, culling and picking
//     placed             many things in a scene
//     limbs              inverse kinematics
//     gpu                characters drawn by OpenGL
//     measure, machine   runs and medians; the machine and its ceilings
//     bench              the rows
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench/machine.h"
#include "bench/measure.h"

#include <sinew/asset.h>

// One measurement.
typedef struct bench_row {
    const char *stage;
    int32_t joints;
    const char *data; // what moves; for vertices their layout
    int32_t characters;
    const char *implementation; // "sinew", "textbook", or "system"
    const char *simd;
    // Of which a timing is for one: "joint", "vertex", "box", "node", "triangle", "solve", "character" or "MB", 10^6
    // bytes.
    const char *unit;
    bench_timing timing;
    size_t bytes; // of the GPU's rows: sent in a frame
    int draws;    // the same: draw calls
} bench_row;

// What one clip and one character take, in bytes.
typedef struct bench_size {
    int32_t joints;
    const char *data;
    const char *implementation;
    size_t clip;    // of all clips the mean
    size_t outputs; // of a character: pose, model matrices, palette
    size_t state;   // of a character: everything else, with two actions
    size_t action;  // of that, what one action takes
} bench_size;

// What the GPU's rows were drawn by, and what each character is.
typedef struct bench_gpu {
    char renderer[128], version[128]; // as OpenGL calls them
    bool software;                    // the processor draws
    int vertices, triangles;
    int pixels; // of the picture, from side to side and from bottom to top
} bench_gpu;

// Rows that this OpenGL cannot have.
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
    char file_data[64];   // what rows call the data of the file
    const char *file_why; // why there are no rows of the file, or NULL
    bench_gpu gpu;        // all zero without bench_options.gpu
    bench_missing missing[BENCH_MAX_MISSING];
    int missing_count;
    char why[512]; // why there is no GPU
} bench_report;

typedef struct bench_options {
    bool gpu;                // the rows of the GPU, which need no file, instead of all others
    const sinew_asset *file; // NULL: without its rows
    const char *file_path;   // rows are named after it, without folder and ending
    const char *file_why;    // why there is no file
    bool needs_file;         // a file that cannot be measured is a failure
    // A row is measured when its "stage joints data characters implementation" contains one of these, or where there
    // are none.
    const char *const *filters;
    int filter_count;
    void (*progress)(const char *what, int done, int total);
} bench_options;

// Fills the report; NULL or, when it fails, why, which may stand in the report. A report without rows is none that failed: nothing was asked for.
const char *bench_run(const bench_options *options, bench_report *report);

// Whether the options' filters let it through.
bool bench_is_wanted(const bench_options *options, const bench_row *row);

// "stage joints data characters implementation", zero-terminated; returns its length without that.
int bench_row_name(const bench_row *row, char *name, size_t room);

// The row of the textbook that was measured over the same data, or NULL.
const bench_row *bench_textbook_row(const bench_report *report, const bench_row *row);

#endif
