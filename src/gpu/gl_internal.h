// SPDX-License-Identifier: MIT
// Structs and functions that the OpenGL backend's files share. The backend only uses Sinew's public headers.
#ifndef SINEWI_GL_INTERNAL_H
#define SINEWI_GL_INTERNAL_H

#include "gpu/gl_functions.h"

struct sinew_gl {
    sinew_gl_def def;
    sinewi_gl_functions functions;
    bool es;
    int version; // 33 means OpenGL 3.3
    bool has_storage, has_compute;
    int max_texture_size;
    int max_buffer_texels; // 0 if the context has no buffer textures
    int max_storage_size;  // bytes
    int block_alignment;   // in bytes; ranges of a uniform buffer start at multiples of it
    const char *head;
    struct sinewi_gl_skinner *skinners; // linked list of programs that skin ahead of draws
};

struct sinew_gl_records {
    sinew_gl *gl;
    sinew_gpu_record_format format;
    sinew_gpu_resource resource;
    int32_t character_count;
    int32_t record_texels;
    int32_t stride_texels; // from one record to the next
    unsigned buffer;       // 0 for plain uniforms and textures
    unsigned texture;      // a texture or a buffer texture; 0 for others
    size_t size;           // bytes of the struct plus the records
    float *data;           // [character_count] records, after the struct
};

enum { SINEWI_GL_MOVING, SINEWI_GL_FIXED, SINEWI_GL_INDICES, SINEWI_GL_BUFFERS };

// An array's offset in its buffer, and whether the mesh has it.
typedef struct sinewi_gl_array {
    bool present;
    size_t offset; // bytes
} sinewi_gl_array;

// Morph targets change positions and normals, so those are in the moving buffer. All other arrays are in the fixed one.
struct sinew_gl_mesh {
    sinew_gl *gl;
    unsigned vertex_array;
    unsigned buffers[SINEWI_GL_BUFFERS];
    unsigned deltas; // a texture, or 0
    int32_t vertex_count;
    int32_t index_count;
    int32_t target_count; // in the deltas
    int32_t influences;
    sinewi_gl_array normals;                                // in the moving buffer, after the positions
    sinewi_gl_array uvs, colors, tangents, joints, weights; // in the fixed buffer
};

// The variant of a program that skins ahead of draws.
typedef struct sinewi_gl_skinner_kind {
    sinew_gl_skinning skinning;
    sinew_shader_variant variant;
    bool normals, tangents; // whether feedback captures them; compute shaders are told at each dispatch
} sinewi_gl_skinner_kind;

// A program that skins ahead of draws. All skinned meshes of its kind share it.
typedef struct sinewi_gl_skinner {
    struct sinewi_gl_skinner *next;
    int32_t users;
    sinewi_gl_skinner_kind kind;
    unsigned program;
    int vertices, fixed_offsets, draw; // uniform locations of a compute shader
} sinewi_gl_skinner;

// Finds or creates a program. Release it with sinewi_gl_skinner_release before `gl` is destroyed. Any records of the
// kind's variant will do.
sinew_result sinewi_gl_skinner_acquire(sinew_gl *gl, const sinew_gl_records *records,
                                       const sinewi_gl_skinner_kind *kind, sinewi_gl_skinner **skinner,
                                       sinew_error *error);
void sinewi_gl_skinner_release(sinew_gl *gl, sinewi_gl_skinner *skinner);

// Storage buffer binding points for compute shaders: the lowest three that the records don't use.
enum { SINEWI_GL_BIND_MOVING, SINEWI_GL_BIND_FIXED, SINEWI_GL_BIND_SKINNED };
unsigned sinewi_gl_skinner_binding(const sinew_gl *gl, int which);

// Bytes of `count` floats per vertex.
static inline size_t sinewi_gl_float_bytes(const sinew_gl_mesh *mesh, size_t count) {
    return (size_t)mesh->vertex_count * count * sizeof(float);
}

// Fills `error`, which may be NULL, and returns `result`.
sinew_result sinewi_gl_fail(sinew_error *error, sinew_result result, const char *format, ...)
#if defined(__GNUC__) && !defined(__MINGW32__) // MinGW has two printf formats
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// Allocates zeroed memory. Returns NULL and fills `error` on failure.
void *sinewi_gl_allocate(const sinew_allocator *allocator, size_t size, sinew_error *error);
void sinewi_gl_release(const sinew_allocator *allocator, void *memory, size_t size);

// Texels in the array that shaders declare for records of any size. 0 for resources without such an array.
int32_t sinewi_gl_declared_texels(const sinew_gl *gl, sinew_gpu_resource resource);

// The definition of a vertex shader's preamble. `records` may be NULL.
sinew_shader_def sinewi_gl_shader_def(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph);

// Creates an unfiltered texture that is SINEW_TEXTURE_WIDTH texels wide, and binds it to a unit. `format` is GL_RGBA32F
// or GL_RGBA16F. `texels` may be NULL.
unsigned sinewi_gl_make_texture(const sinew_gl *gl, int32_t unit, unsigned format, int32_t rows,
                                const void *texels);
void sinewi_gl_bind_texture(const sinew_gl *gl, int32_t unit, unsigned target, unsigned texture);

// How many rows of SINEW_TEXTURE_WIDTH hold this many texels.
int32_t sinewi_gl_texture_rows(int64_t texels);

// Points an attribute to `components` floats per vertex in the bound buffer. `stride` is in floats.
void sinewi_gl_point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset);

// Draws the mesh's triangles with a vertex array's vertices.
void sinewi_gl_draw_triangles(const sinew_gl_mesh *mesh, unsigned vertex_array);

// Sets the attributes and the texture that a draw passes to the vertex shader.
void sinewi_gl_set_draw(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

// Writes the four integers of the shader's `sinew_draw`.
void sinewi_gl_draw_numbers(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw, int32_t numbers[4]);

#endif
