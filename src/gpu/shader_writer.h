// Text that grows in the caller's buffer, as snprintf writes it: what does not fit is counted.
#ifndef SINEW_SHADER_WRITER_H
#define SINEW_SHADER_WRITER_H

#include <sinew/shader.h>

typedef struct sinew_shader_writer {
    char *text;
    size_t capacity;
    size_t length; // of all that was written, whether it fitted or not
} sinew_shader_writer;

void sinew_shader_print(sinew_shader_writer *writer, const char *format, ...)
#if defined(__GNUC__) && !defined(__MINGW32__) // which has two printfs
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// The preambles of the two languages. The variant was checked.
void sinew_shader_write_glsl(sinew_shader_writer *writer, const sinew_shader_def *def);
void sinew_shader_write_wgsl(sinew_shader_writer *writer, const sinew_shader_def *def);

#endif
