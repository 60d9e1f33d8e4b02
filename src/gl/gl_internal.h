// What the files of the OpenGL backend share. The backend stands on Sinew's public headers alone.
#ifndef SINEW_GL_INTERNAL_H
#define SINEW_GL_INTERNAL_H

#include "gl/gl_functions.h"

// How many joints' matrices stand in a row of a palette texture, and how many texels that is: fewer than the 1024
// that every OpenGL 3.3 texture may be wide. The shader divides by it, so a power of two.
#define SINEW_GL_ROW_JOINTS 256
#define SINEW_GL_ROW_TEXELS (3 * SINEW_GL_ROW_JOINTS)

// The vertex shaders that differ in their defines: rigid; block and texture, each with 4 and with 8 influences.
#define SINEW_GL_VARIANTS 5

struct sinew_gl {
    sinew_gl_def def;
    sinew_gl_functions functions;
    bool es;
    int max_texture_size;
    const char *head;
    char defines[SINEW_GL_VARIANTS][640];
};

// Fills `error`, which may be NULL, and returns `result`.
sinew_result sinew_gl_fail(sinew_error *error, sinew_result result, const char *format, ...)
#if defined(__GNUC__) && !defined(__MINGW32__) // which has two printfs
    __attribute__((format(printf, 3, 4)))
#endif
    ;

// Zeroed memory for one of the backend's own structs, or NULL, with `error` filled.
void *sinew_gl_allocate(const sinew_allocator *allocator, size_t size, sinew_error *error);
void sinew_gl_release(const sinew_allocator *allocator, void *memory, size_t size);

// Writes the version line and the defines of every variant.
void sinew_gl_write_defines(sinew_gl *gl);

// The bytes of a palette's uniform buffer: what the shader declares, whatever the skin needs of it.
size_t sinew_gl_block_size(const sinew_gl *gl);

#endif
