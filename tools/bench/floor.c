// SPDX-License-Identifier: MIT
// Computes floors. The numbers of operations and bytes follow from the layout of clips, poses and matrices.
// docs/performance.md derives them.
#include "bench/floor.h"

#include <string.h>

enum { L1, L2, L3, DRAM };

static const double matrix_bytes = 48.0, pose_floats = 10.0;

// ---- Work ----------------------------------------------------------------------------------------------------

// The least work for a joint. Poses are rows of ten floats for blocks of 16 joints, so they're counted in poses.
typedef struct joint_work {
    const char *stage;
    double operations;
    double clip_poses;                 // read from clips
    double pose_inputs, matrix_inputs; // read from a previous stage's outputs
    double binds;                      // matrices that all characters share
    double poses, matrices;            // written
} joint_work;

static const joint_work joint_works[] = {
    {"sample", 59, .clip_poses = 2, .poses = 1},
    {"blend", 164, .clip_poses = 4, .poses = 1},
    {"model", 96, .pose_inputs = 1, .matrix_inputs = 1, .matrices = 1},
    {"palette", 63, .matrix_inputs = 1, .binds = 1, .matrices = 1},
    {"upload", 0, .matrix_inputs = 1, .matrices = 1},
    {"everything", 323, .clip_poses = 4, .matrices = 2},
    {"seek", 323, .clip_poses = 4, .matrices = 2},
    {"backward", 323, .clip_poses = 4, .matrices = 2},
    {"palettes", 323, .clip_poses = 4, .matrices = 1},
    {"streamed", 323, .clip_poses = 4, .matrices = 1},
};

// The least work for a vertex. Bytes include its attributes, its joints and weights, and the output.
typedef struct vertex_work {
    const char *stage, *data;
    double operations, attributes, influences, matrices;
} vertex_work;

static const vertex_work vertex_works[] = {
    {"skin-position", "4-u16-float", 102, 12, 24, 4},  {"skin-normal", "4-u16-float", 163, 24, 24, 4},
    {"skin-tangent", "4-u16-float", 189, 40, 24, 4},   {"skin-normal", "8-u16-float", 259, 24, 48, 8},
    {"skin-normal", "4-u8-float", 163, 24, 20, 4},     {"skin-normal", "4-u8-u16", 163, 24, 12, 4},
    {"skin-normal", "4-u8-u8", 163, 24, 8, 4},         {"skin-normal", "8-u8-u8", 259, 24, 16, 8},
    {"skin-normal", "4-interleaved", 163, 24, 24, 4},  {"skin-normal", "4-interleaved-u8-u8", 163, 24, 8, 4},
    {"skin-tangent", "4-interleaved", 189, 40, 24, 4},
};

// ---- Times ---------------------------------------------------------------------------------------------------

static void raise(bench_floor *floor, double nanoseconds, const char *limit, const char *level) {
    if (!(nanoseconds > floor->nanoseconds)) return;
    floor->nanoseconds = nanoseconds;
    floor->limit = limit;
    floor->level = level;
}

static void read_from(bench_floor *floor, const bench_memory_level *level, double bytes) {
    floor->read += bytes;
    raise(floor, bytes / level->read, "reading", level->name);
}

static void write_to(bench_floor *floor, const bench_memory_level *level, double bytes) {
    floor->written += bytes;
    raise(floor, bytes / level->write, "writing", level->name);
}

static bench_floor operate(const bench_machine *machine, double operations) {
    bench_floor floor = {.operations = operations, .limit = "", .level = ""};
    raise(&floor, operations / machine->operations, "operations", "");
    return floor;
}

// Returns the floor for a joint. One character fits into the first-level cache. For up to a thousand, clips and outputs
// are in the third level. For more, the outputs aren't in any cache.
static bench_floor floor_of_joint(const bench_machine *machine, const joint_work *work, int32_t joints,
                                  int32_t characters) {
    const bench_memory_level *levels = machine->levels;
    const bench_memory_level *clips = &levels[characters > 1 ? L3 : L1];
    const bench_memory_level *outputs = &levels[characters > 1000 ? DRAM : characters > 1 ? L3 : L1];
    const int32_t lanes = (joints + 15) / 16 * 16;
    double pose_bytes = pose_floats * sizeof(float) * lanes / joints;
    double read = work->clip_poses * pose_bytes, shared = work->binds * matrix_bytes;
    double passed = work->pose_inputs * pose_bytes + work->matrix_inputs * matrix_bytes;
    bench_floor floor = operate(machine, work->operations);
    if (outputs == &levels[L1]) passed += shared, shared = 0.0; // read from one level, one after the other
    if (read > 0.0) read_from(&floor, clips, read);
    if (passed > 0.0) read_from(&floor, outputs, passed);
    if (shared > 0.0) read_from(&floor, &levels[L1], shared);
    write_to(&floor, outputs, work->poses * pose_bytes + work->matrices * matrix_bytes);
    return floor;
}

// Returns the floor for a vertex. Vertices are in the second-level cache and the palette in the first.
static bench_floor floor_of_vertex(const bench_machine *machine, const vertex_work *work) {
    bench_floor floor = operate(machine, work->operations);
    read_from(&floor, &machine->levels[L2], work->attributes + work->influences);
    read_from(&floor, &machine->levels[L1], work->matrices * matrix_bytes);
    write_to(&floor, &machine->levels[L2], work->attributes);
    return floor;
}

bench_floor bench_floor_of(const bench_machine *machine, const char *stage, const char *data, int32_t joints,
                           int32_t characters) {
    for (size_t i = 0; i < sizeof joint_works / sizeof *joint_works; i++) {
        if (strcmp(joint_works[i].stage, stage) == 0 && strcmp(data, "all") == 0)
            return floor_of_joint(machine, &joint_works[i], joints, characters);
    }
    for (size_t i = 0; i < sizeof vertex_works / sizeof *vertex_works; i++) {
        if (strcmp(vertex_works[i].stage, stage) == 0 && strcmp(vertex_works[i].data, data) == 0)
            return floor_of_vertex(machine, &vertex_works[i]);
    }
    return (bench_floor){.limit = "", .level = ""};
}
