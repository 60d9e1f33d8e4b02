// The ways of a palette to a shader, and a frame of the stage's characters by each.
#ifndef BENCH_GPU_PATHS_H
#define BENCH_GPU_PATHS_H

#include "bench/gpu_stage.h"

typedef enum bench_gpu_drawing {
    BENCH_GPU_INSTANCED, // one palette for all characters, and one draw
    BENCH_GPU_RANGES,    // one palette for all, and a draw for each
    BENCH_GPU_SINGLE     // a palette and a draw for each
} bench_gpu_drawing;

typedef struct bench_gpu_path {
    const char *name;
    sinew_palette_source source;
    sinew_palette_layout layout;
    bench_gpu_drawing drawing;
} bench_gpu_path;

enum { BENCH_GPU_PATHS = 14 };
extern const bench_gpu_path bench_gpu_paths[BENCH_GPU_PATHS];

// Palettes for all characters by one path, and the program that draws with them.
typedef struct bench_gpu_crowd {
    bench_gpu_stage *stage;
    const bench_gpu_path *path;
    int palette_count;
    sinew_gl_palette *palettes[BENCH_GPU_CHARACTERS];
    unsigned program;
} bench_gpu_crowd;

// NULL, with the reason in `error`, where this OpenGL does not have the path. Freed with bench_gpu_crowd_destroy.
bench_gpu_crowd *bench_gpu_crowd_create(bench_gpu_stage *stage, const bench_gpu_path *path, sinew_error *error);
void bench_gpu_crowd_destroy(bench_gpu_crowd *crowd);

// Seconds of a frame, from the palettes that the characters have to the picture that is done.
typedef struct bench_gpu_times {
    double sent; // of that, writing records, uploading and binding them
    double frame;
} bench_gpu_times;

// Moves the characters on, which is not timed, and draws them.
bench_gpu_times bench_gpu_crowd_frame(bench_gpu_crowd *crowd);

#endif
