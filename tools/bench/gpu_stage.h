// What crowds on the GPU are measured with: an OpenGL context, a small framebuffer, a mesh, characters that move, and a
// count of what is sent to OpenGL.
#ifndef BENCH_GPU_STAGE_H
#define BENCH_GPU_STAGE_H

#include "bench/crowd.h"
#include "bench/mesh.h"
#include "render/egl_context.h"

enum {
    BENCH_GPU_CHARACTERS = 1000, // at most
    BENCH_GPU_JOINTS = 60,
    BENCH_GPU_PIXELS = 64, // from side to side, and from bottom to top
    BENCH_GPU_TRIANGLES = 2 * (BENCH_VERTICES - 17)
};

typedef struct bench_gpu_stage {
    draw_egl egl;
    sinew_gl *gl;
    unsigned framebuffer, renderbuffer;
    bench_world *world;
    bench_crowd *crowd;
    bench_mesh *vertices;
    sinew_gl_mesh *mesh; // of those vertices
    int characters;
    sinew_affine places[BENCH_GPU_CHARACTERS];
} bench_gpu_stage;

// With 10 to BENCH_GPU_CHARACTERS characters. False, with the reason in `error`, where there is no OpenGL to be had or
// memory runs out. The context is current on
// this thread until bench_gpu_stage_close, which frees the stage in both cases.
bool bench_gpu_stage_open(bench_gpu_stage *stage, int characters, sinew_error *error);
void bench_gpu_stage_close(bench_gpu_stage *stage);

// The program that draws the mesh with palettes of that palette's variant; without one (NULL), as it is,
// moved by its uniform `place`, three vec4. OpenGL's to delete. 0, with the reason in `error`, when the driver refuses it.
unsigned bench_gpu_program(const bench_gpu_stage *stage, const sinew_gl_records *palette, sinew_error *error);

// What sinew-gl has sent since this was last asked: bytes of buffers, textures and plain uniforms, and draw calls, as
// which dispatches of compute shaders count.
typedef struct bench_gpu_sent {
    size_t bytes;
    int draws;
} bench_gpu_sent;

bench_gpu_sent bench_gpu_take_sent(void);

#endif
