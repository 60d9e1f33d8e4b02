// SPDX-License-Identifier: MIT
// The paths from palettes to a picture, and a frame by each of them.
#ifndef BENCH_GPU_PATHS_H
#define BENCH_GPU_PATHS_H

#include "bench/gpu_stage.h"

// The draw calls of a path.
typedef enum bench_gpu_drawing {
    BENCH_GPU_INSTANCED, // one palette for all characters, and one draw
    BENCH_GPU_RANGES,    // one palette for all, and a draw for each
    BENCH_GPU_SINGLE,    // a palette and a draw for each
    BENCH_GPU_FEEDBACK,  // as RANGES, but each is skinned once, by transform feedback
    BENCH_GPU_COMPUTE,   // the same by a compute shader
    BENCH_GPU_VERTICES   // no palette: each is skinned by the CPU, and its vertices are uploaded
} bench_gpu_drawing;

typedef struct bench_gpu_path {
    const char *name;
    bench_gpu_drawing drawing;
    int passes; // that draw all characters
    sinew_gpu_resource source;
    sinew_gpu_record_layout layout;
    sinew_bake_format texels; // of SINEW_GPU_RECORD_BAKED
    bool few;                 // a tenth of the stage's characters
    bool alone;               // of SINEW_GPU_RECORD_BAKED: no character has a cross-fade
} bench_gpu_path;

enum { BENCH_GPU_PATHS = 21 };
extern const bench_gpu_path bench_gpu_paths[BENCH_GPU_PATHS];

// The number of characters, of `count`, that a path draws.
int bench_gpu_path_characters(const bench_gpu_path *path, int count);

// The first characters of the stage, drawn by one path.
typedef struct bench_gpu_crowd {
    bench_gpu_stage *stage;
    const bench_gpu_path *path;
    int characters;
    int palette_count;
    sinew_gl_records *palettes[BENCH_GPU_CHARACTERS];
    sinew_gl_skinned *skinned[BENCH_GPU_CHARACTERS]; // of FEEDBACK and COMPUTE
    sinew_asset asset;                               // to bake; this and the next three for SINEW_GPU_RECORD_BAKED
    sinew_bake *bake;
    sinew_gl_animations *animations;
    sinew_bake_state states[BENCH_GPU_CHARACTERS];
    unsigned program;
    double sending; // seconds of the current frame
} bench_gpu_crowd;

// NULL, with the reason in `error`, if this OpenGL does not support the path. Freed with bench_gpu_crowd_destroy.
bench_gpu_crowd *bench_gpu_crowd_create(bench_gpu_stage *stage, const bench_gpu_path *path, sinew_error *error);
void bench_gpu_crowd_destroy(bench_gpu_crowd *crowd);

// Seconds of a frame, from current palettes to the finished picture.
typedef struct bench_gpu_times {
    double sending; // the part for writing, uploading and binding; for VERTICES with skinning
    double frame;
} bench_gpu_times;

// Draws the characters with their current palettes; those of an animation texture advance by 1/60 s.
bench_gpu_times bench_gpu_crowd_frame(bench_gpu_crowd *crowd);

#endif
