// What the files of the OpenGL backend share. The backend stands on Sinew's public headers alone.
#ifndef SINEW_GL_INTERNAL_H
#define SINEW_GL_INTERNAL_H

#include "gl/gl_functions.h"

struct sinew_gl {
    sinew_gl_def def;
    sinew_gl_functions functions;
    bool es;
    int version; // 33 for OpenGL 3.3
    bool has_storage, has_compute;
    int max_texture_size;
    int max_buffer_texels; // 0 where there are no buffer textures
    int max_storage_size;  // bytes
    int block_alignment;   // bytes, of ranges of a uniform buffer
    const char *head;
    struct sinew_gl_skinner *skinners; // a list: all programs that skin ahead of draws
};

struct sinew_gl_records {
    sinew_gl *gl;
    sinew_gpu_record_format format;
    sinew_gpu_resource source;
    int32_t character_count;
    int32_t record_texels;
    int32_t stride_texels; // from one record to the next
    unsigned buffer;       // 0 for plain uniforms and textures
    unsigned texture;      // of a texture or a buffer texture, else 0
    size_t size;           // bytes of records, and of the struct before them
    float *records;        // [character_count], behind the struct
};

enum { SINEW_GL_MOVING, SINEW_GL_FIXED, SINEW_GL_INDICES, SINEW_GL_BUFFERS };

// Where an array begins in its buffer, and that it is there.
typedef struct sinew_gl_array {
    bool present;
    size_t offset; // bytes
} sinew_gl_array;

// Positions and normals, which morph targets change, have a buffer of their own (moving).
struct sinew_gl_mesh {
    sinew_gl *gl;
    unsigned vertex_array;
    unsigned buffers[SINEW_GL_BUFFERS];
    unsigned deltas; // a texture; 0 where there are none
    int32_t vertex_count;
    int32_t index_count;
    int32_t target_count; // of the deltas
    int32_t influences;
    sinew_gl_array normals;                                // in the moving buffer; positions begin it
    sinew_gl_array uvs, colors, tangents, joints, weights; // in the fixed one
};

// What makes one program that skins ahead of draws different from another.
typedef struct sinew_gl_skinner_kind {
    sinew_gl_skinning skinning;
    sinew_shader_variant variant;
    bool normals, tangents; // whether feedback captures them; compute shaders are told with each dispatch
} sinew_gl_skinner_kind;

// Such a program, shared by all that want one of its kind, in a list of `gl`'s.
typedef struct sinew_gl_skinner {
    struct sinew_gl_skinner *next;
    int32_t users;
    sinew_gl_skinner_kind kind;
    unsigned program;
    int vertices, fixed_at, draw; // of a compute shader: where its uniforms are
} sinew_gl_skinner;

// Finds one or makes it; to be let go of, while `gl` lives, with sinew_gl_skinner_release. `palette` is any that has the
// kind's variant.
sinew_result sinew_gl_skinner_acquire(sinew_gl *gl, const sinew_gl_records *palette,
                                      const sinew_gl_skinner_kind *kind, sinew_gl_skinner **skinner,
                                      sinew_error *error);
void sinew_gl_skinner_release(sinew_gl *gl, sinew_gl_skinner *skinner);

// Storage buffer binding points of compute shaders: the lowest three that are not the palettes'.
enum { SINEW_GL_BIND_MOVING, SINEW_GL_BIND_FIXED, SINEW_GL_BIND_SKINNED };
unsigned sinew_gl_skinner_binding(const sinew_gl *gl, int which);

// Bytes of `count` floats for each vertex.
static inline size_t sinew_gl_float_bytes(const sinew_gl_mesh *mesh, size_t count) {
    return (size_t)mesh->vertex_count * count * sizeof(float);
}

// Fills `error`, which may be NULL, and returns `result`.
sinew_result sinew_gl_fail(sinew_error *error, sinew_result result, const char *format, ...)
#if defined(__GNUC__) && !defined(__MINGW32__) // which has two printfs
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// Zeroed memory for one of the backend's own structs, or NULL, with `error` filled.
void *sinew_gl_allocate(const sinew_allocator *allocator, size_t size, sinew_error *error);
void sinew_gl_release(const sinew_allocator *allocator, void *memory, size_t size);

// The version line, and what must follow it.
const char *sinew_gl_head_of(const sinew_gl *gl);

// What the shader declares, whatever a palette needs of it: in texels.
int32_t sinew_gl_declared_texels(const sinew_gl *gl, sinew_gpu_resource source);

// The defines of a vertex shader, without `no_attributes`.
sinew_shader_def sinew_gl_shader_def(const sinew_gl *gl, const sinew_gl_records *palette, int32_t influences,
                                     bool morph);

// A texture of RGBA texels without filtering, SINEW_TEXTURE_WIDTH wide and bound to a unit, and how many rows that many
// texels take. `format` is GL_RGBA32F or GL_RGBA16F; `texels` may be NULL.
unsigned sinew_gl_make_texture(const sinew_gl *gl, int32_t unit, unsigned format, int32_t rows, const void *texels);
void sinew_gl_bind_texture(const sinew_gl *gl, int32_t unit, unsigned target, unsigned texture);
int32_t sinew_gl_rows_of(int64_t texels);

// `components` floats of each vertex, in the bound buffer; `stride` is counted in floats.
void sinew_gl_point_floats(const sinew_gl *gl, int32_t location, int components, int stride, size_t offset);

// The mesh's triangles, of the vertices that a vertex array has.
void sinew_gl_draw_triangles(const sinew_gl_mesh *mesh, unsigned vertex_array);

// Everything that a draw says to the vertex shader.
void sinew_gl_set_draw(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw);

// The draw's own four integers, as the shader's `sinew_draw` has them.
void sinew_gl_draw_numbers(const sinew_gl_mesh *mesh, const sinew_gl_draw *draw, int32_t numbers[4]);

#endif
