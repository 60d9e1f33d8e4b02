// SPDX-License-Identifier: MIT
// The paths from palettes to a picture, and how each draws a frame.
#ifndef BENCH_GPU_PATHS_H
#define BENCH_GPU_PATHS_H

#include "bench/gpu_stage.h"

// How a path makes draw calls.
typedef enum bench_gpu_drawing {
    BENCH_GPU_INSTANCED, // one palette and one draw for all characters
    BENCH_GPU_RANGES,    // one palette for all, but a draw for each
    BENCH_GPU_SINGLE,    // a palette and a draw for each
    BENCH_GPU_FEEDBACK,  // like RANGES, but transform feedback skins each one once
    BENCH_GPU_COMPUTE,   // like FEEDBACK, but with a compute shader
    BENCH_GPU_VERTICES   // no palette: the CPU skins each one and its vertices are uploaded
} bench_gpu_drawing;

typedef struct bench_gpu_path {
    const char *name;
    bench_gpu_drawing drawing;
    int passes; // how often all characters are drawn
    sinew_gpu_resource source;
    sinew_gpu_record_layout layout;
    sinew_bake_format texels; // for SINEW_GPU_RECORD_BAKED
    bool few;                 // only a tenth of the stage's characters
    bool alone;               // for SINEW_GPU_RECORD_BAKED: no character cross-fades
} bench_gpu_path;

enum { BENCH_GPU_PATHS = 21 };
extern const bench_gpu_path bench_gpu_paths[BENCH_GPU_PATHS];

// Returns how many of `count` characters a path draws.
int bench_gpu_path_characters(const bench_gpu_path *path, int count);

// The stage's first characters, drawn with one path.
typedef struct bench_gpu_crowd {
    bench_gpu_stage *stage;
    const bench_gpu_path *path;
    int characters;
    int palette_count;
    sinew_gl_records *palettes[BENCH_GPU_CHARACTERS];
    sinew_gl_skinned *skinned[BENCH_GPU_CHARACTERS]; // for FEEDBACK and COMPUTE
    sinew_asset asset; // to bake; this and the next three are for SINEW_GPU_RECORD_BAKED
    sinew_bake *bake;
    sinew_gl_animations *animations;
    sinew_bake_state states[BENCH_GPU_CHARACTERS];
    unsigned program;
    double sending; // seconds in the current frame
} bench_gpu_crowd;

// If this OpenGL doesn't support the path, returns NULL with the reason in `error`. Free with bench_gpu_crowd_destroy.
bench_gpu_crowd *bench_gpu_crowd_create(bench_gpu_stage *stage, const bench_gpu_path *path, sinew_error *error);
void bench_gpu_crowd_destroy(bench_gpu_crowd *crowd);

// Seconds per frame, from current palettes to the finished picture.
typedef struct bench_gpu_times {
    double sending; // the part for writing, uploading and binding; for VERTICES, includes skinning
    double frame;
} bench_gpu_times;

// Draws the characters with their current palettes. In an animation texture, they advance by 1/60 s.
bench_gpu_times bench_gpu_crowd_frame(bench_gpu_crowd *crowd);

#endif
