// SPDX-License-Identifier: MIT
// Structs and functions that the files of the OpenGL backend share. It uses Sinew's public headers only.
#ifndef SINEWI_GL_INTERNAL_H
#define SINEWI_GL_INTERNAL_H

#include "gpu/gl_functions.h"

struct sinew_gl {
    sinew_gl_def def;
    sinewi_gl_functions functions;
    bool es;
    int version; // 33 for OpenGL 3.3
    bool has_storage, has_compute;
    int max_texture_size;
    int max_buffer_texels; // 0: the context has no buffer textures
    int max_storage_size;  // bytes
    int block_alignment;   // bytes; offsets of ranges of a uniform buffer are multiples of it
    const char *head;
    struct sinewi_gl_skinner *skinners; // linked list of the programs that skin ahead of draws
};

struct sinew_gl_records {
    sinew_gl *gl;
    sinew_gpu_record_format format;
    sinew_gpu_resource resource;
    int32_t character_count;
    int32_t record_texels;
    int32_t stride_texels; // from one record to the next
    unsigned buffer;       // 0 for plain uniforms and textures
    unsigned texture;      // of a texture or a buffer texture; 0 for others
    size_t size;           // bytes of the struct and the records
    float *data;           // [character_count] records, after the struct
};

enum { SINEWI_GL_MOVING, SINEWI_GL_FIXED, SINEWI_GL_INDICES, SINEWI_GL_BUFFERS };

// The offset of an array in its buffer, and whether the mesh has it.
typedef struct sinewi_gl_array {
    bool present;
    size_t offset; // bytes
} sinewi_gl_array;

// Positions and normals, which morph targets change, are in the moving buffer; all other arrays are in the fixed one.
struct sinew_gl_mesh {
    sinew_gl *gl;
    unsigned vertex_array;
    unsigned buffers[SINEWI_GL_BUFFERS];
    unsigned deltas; // a texture; 0: none
    int32_t vertex_count;
    int32_t index_count;
    int32_t target_count; // of the deltas
    int32_t influences;
    sinewi_gl_array normals;                                // in the moving buffer, after the positions
    sinewi_gl_array uvs, colors, tangents, joints, weights; // in the fixed buffer
};

// The variant of a program that skins ahead of draws.
typedef struct sinewi_gl_skinner_kind {
    sinew_gl_skinning skinning;
    sinew_shader_variant variant;
    bool normals, tangents; // whether feedback captures them; compute shaders get it with each dispatch
} sinewi_gl_skinner_kind;

// A program that skins ahead of draws, shared by all skinned meshes of its kind.
typedef struct sinewi_gl_skinner {
    struct sinewi_gl_skinner *next;
    int32_t users;
    sinewi_gl_skinner_kind kind;
    unsigned program;
    int vertices, fixed_offsets, draw; // uniform locations of a compute shader
} sinewi_gl_skinner;

// Finds a program or makes it, to be released with sinewi_gl_skinner_release before `gl` is destroyed. `records` are any
// of the kind's variant.
sinew_result sinewi_gl_skinner_acquire(sinew_gl *gl, const sinew_gl_records *records,
                                       const sinewi_gl_skinner_kind *kind, sinewi_gl_skinner **skinner,
                                       sinew_error *error);
void sinewi_gl_skinner_release(sinew_gl *gl, sinewi_gl_skinner *skinner);

// Storage buffer binding points of compute shaders: the lowest three that are not the records'.
enum { SINEWI_GL_BIND_MOVING, SINEWI_GL_BIND_FIXED, SINEWI_GL_BIND_SKINNED };
unsigned sinewi_gl_skinner_binding(const sinew_gl *gl, int which);

// Bytes of `count` floats for each vertex.
static inline size_t sinewi_gl_float_bytes(const sinew_gl_mesh *mesh, size_t count) {
    return (size_t)mesh->vertex_count * count * sizeof(float);
}

// Fills `error`, which may be NULL, and returns `result`.
sinew_result sinewi_gl_fail(sinew_error *error, sinew_result result, const char *format, ...)
#if defined(__GNUC__) && !defined(__MINGW32__) // which has two printfs
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// Allocates zeroed memory; NULL, with `error` filled, if there is none.
void *sinewi_gl_allocate(const sinew_allocator *allocator, size_t size, sinew_error *error);
void sinewi_gl_release(const sinew_allocator *allocator, void *memory, size_t size);

// Texels of the array that shaders declare for records, for any size of a record; 0 for resources without one.
int32_t sinewi_gl_declared_texels(const sinew_gl *gl, sinew_gpu_resource resource);

// The definition of a vertex shader's preamble. `records` may be NULL.
sinew_shader_def sinewi_gl_shader_def(const sinew_gl *gl, const sinew_gl_records *records, int32_t influences,
                                      bool morph);

// Makes an unfiltered texture, SINEW_TEXTURE_WIDTH texels wide, and binds it to a unit. `format` is GL_RGBA32F or
// GL_RGBA16F; `texels` may be NULL.
unsigned sinewi_gl_make_texture(const sinew_gl *gl, int32_t unit, unsigned format, int32_t rows,
                                const void *texels);
void sinewi_gl_bind_texture(const sinew_gl *gl, int32_t unit, unsigned target, unsigned texture);

// Rows of a texture of SINEW_TEXTURE_WIDTH that hold so many texels.
int32_t sinewi_gl_texture_rows(int64_t texels);

// Points an attribute to `components` floats of each vertex in the bound buffer; `stride` is in floats.
void sinewi_gl_point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset);

// Draws the mesh's triangles with the vertices of a vertex array.
void sinewi_gl_draw_triangles(const sinew_gl_mesh *mesh, unsigned vertex_array);

// Sets the attributes and the texture that a draw gives the vertex shader.
void sinewi_gl_set_draw(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

// Writes the four integers of the shader's `sinew_draw`.
void sinewi_gl_draw_numbers(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw, int32_t numbers[4]);

#endif
