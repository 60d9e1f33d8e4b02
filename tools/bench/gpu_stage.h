// SPDX-License-Identifier: MIT
// Sets up GPU measurements: an OpenGL context, a small framebuffer, a mesh, moving characters, and a count of the bytes
// sent to OpenGL.
#ifndef BENCH_GPU_STAGE_H
#define BENCH_GPU_STAGE_H

#include "bench/crowd.h"
#include "bench/mesh.h"
#include "render/egl_context.h"

enum {
    BENCH_GPU_CHARACTERS = 1000, // at most
    BENCH_GPU_JOINTS = 60,
    BENCH_GPU_PIXELS = 64, // width and height
    BENCH_GPU_TRIANGLES = 2 * (BENCH_VERTICES - 17)
};

typedef struct bench_gpu_stage {
    draw_egl egl;
    sinew_gl *gl;
    unsigned framebuffer, renderbuffer;
    bench_world *world;
    bench_crowd *crowd;
    bench_mesh *vertices;
    sinew_gl_mesh *mesh; // made from those vertices
    int characters;
    sinew_affine transforms[BENCH_GPU_CHARACTERS];
} bench_gpu_stage;

// Opens a stage with 10 to BENCH_GPU_CHARACTERS characters. If there's no OpenGL or memory runs out, returns false with
// the reason in `error`. The context is current on this thread until bench_gpu_stage_close, which must be called either
// way.
bool bench_gpu_stage_open(bench_gpu_stage *stage, int characters, sinew_error *error);
void bench_gpu_stage_close(bench_gpu_stage *stage);

// Links the program that draws the mesh with records of this variant. If `palette` is NULL, draws it unskinned and
// transformed by its uniform `world`, three vec4. On failure, returns 0 with the reason in `error`. Delete the program
// with glDeleteProgram.
unsigned bench_gpu_program(const bench_gpu_stage *stage, const sinew_gl_records *palette, sinew_error *error);

// What sinew-gl has sent since the last call: the size of buffers, textures and plain uniforms, and the number of draw
// calls, including compute dispatches.
typedef struct bench_gpu_sent {
    size_t bytes;
    int draws;
} bench_gpu_sent;

bench_gpu_sent bench_gpu_take_sent(void);

#endif
