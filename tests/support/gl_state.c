// SPDX-License-Identifier: MIT
// Changes state, and reads it. The names are the proxy's.
#include "support/gl_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PIECES = 192, BINDINGS = 8, FEEDBACK_BINDINGS = 4, UNITS = 12, ATTRIBUTES = 16, OWN_BYTES = 65536 };

typedef struct piece {
    char name[48];
    GLint value[4];
} piece;

typedef struct state {
    int count;
    piece pieces[MOST_PIECES];
} state;

static state disturbed;

// The test's own objects: one buffer and one texture of each kind for all bindings.
static struct { GLuint buffer, texture_buffer, texture, buffer_texture, vertex_array, program; } own;

static bool has_buffer_textures(void) {
    return gl_context_has(31, 32);
}

static bool has_storage(void) {
    return gl_context_has(43, 31);
}

// ---- Reading -------------------------------------------------------------------------------------------------

static piece *add_piece(state *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static piece *add_piece(state *s, const char *format, ...) {
    assert_in_range(s->count, 0, MOST_PIECES - 1);
    piece *p = &s->pieces[s->count++];
    *p = (piece){0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->name, sizeof p->name, format, arguments);
    va_end(arguments);
    return p;
}

typedef struct query {
    const char *name;
    GLenum what;
    int since, since_es;
} query;

static void read_integers(state *s) {
    static const query queries[] = {
        {"GL_ARRAY_BUFFER", GL_ARRAY_BUFFER_BINDING, 15, 20},
        {"GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER_BINDING, 31, 30},
        {"GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 30, 30},
        {"GL_COPY_READ_BUFFER", GL_COPY_READ_BUFFER, 31, 30},
        {"GL_COPY_WRITE_BUFFER", GL_COPY_WRITE_BUFFER, 31, 30},
        {"GL_PIXEL_PACK_BUFFER", GL_PIXEL_PACK_BUFFER_BINDING, 21, 30},
        {"GL_PIXEL_UNPACK_BUFFER", GL_PIXEL_UNPACK_BUFFER_BINDING, 21, 30},
        {"GL_TEXTURE_BUFFER", GL_TEXTURE_BUFFER, 31, 32},
        {"GL_SHADER_STORAGE_BUFFER", GL_SHADER_STORAGE_BUFFER_BINDING, 43, 31},
        {"GL_DISPATCH_INDIRECT_BUFFER", GL_DISPATCH_INDIRECT_BUFFER_BINDING, 43, 31},
        {"GL_DRAW_INDIRECT_BUFFER", GL_DRAW_INDIRECT_BUFFER_BINDING, 40, 31},
        {"vertex array", GL_VERTEX_ARRAY_BINDING, 30, 30},
        {"program", GL_CURRENT_PROGRAM, 20, 20},
        {"active texture", GL_ACTIVE_TEXTURE, 13, 20},
        {"GL_DRAW_FRAMEBUFFER", GL_DRAW_FRAMEBUFFER_BINDING, 30, 30},
        {"GL_READ_FRAMEBUFFER", GL_READ_FRAMEBUFFER_BINDING, 30, 30},
        {"GL_RENDERBUFFER", GL_RENDERBUFFER_BINDING, 30, 20},
        {"GL_UNPACK_ALIGNMENT", GL_UNPACK_ALIGNMENT, 10, 20},
        {"GL_UNPACK_ROW_LENGTH", GL_UNPACK_ROW_LENGTH, 10, 30},
        {"GL_RASTERIZER_DISCARD", GL_RASTERIZER_DISCARD, 30, 30},
        {"GL_CULL_FACE", GL_CULL_FACE, 10, 20},
        {"GL_DEPTH_TEST", GL_DEPTH_TEST, 10, 20},
        {"GL_BLEND", GL_BLEND, 10, 20},
        {"GL_SCISSOR_TEST", GL_SCISSOR_TEST, 10, 20},
        {"viewport", GL_VIEWPORT, 10, 20},
    };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        if (!gl_context_has(queries[i].since, queries[i].since_es)) continue;
        glGetIntegerv(queries[i].what, add_piece(s, "%s", queries[i].name)->value);
    }
}

static void read_bindings(state *s, const char *name, GLenum what, int count) {
    for (int i = 0; i < count; i++) {
        glGetIntegeri_v(what, (GLuint)i, add_piece(s, "%s[%d]", name, i)->value);
    }
}

static void read_units(state *s) {
    GLint active;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int i = 0; i < UNITS; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, add_piece(s, "unit %d GL_TEXTURE_2D", i)->value);
        glGetIntegerv(GL_SAMPLER_BINDING, add_piece(s, "unit %d sampler", i)->value);
        if (!has_buffer_textures()) continue;
        glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, add_piece(s, "unit %d GL_TEXTURE_BUFFER", i)->value);
    }
    glActiveTexture((GLenum)active);
}

static void read_attributes(state *s) {
    for (int i = 0; i < ATTRIBUTES; i++) {
        glGetVertexAttribIiv((GLuint)i, GL_CURRENT_VERTEX_ATTRIB, add_piece(s, "attribute %d", i)->value);
    }
}

// What stands in the test's own vertex array, and how large its buffer is.
static void read_own(state *s) {
    GLint bound, buffer;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    glBindVertexArray(own.vertex_array);
    piece *array = add_piece(s, "others' vertex array");
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &array->value[0]);
    for (int i = 0; i < ATTRIBUTES; i++) {
        GLint enabled;
        glGetVertexAttribiv((GLuint)i, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
        array->value[1] += enabled << i;
    }
    glBindVertexArray((GLuint)bound);
    glGetIntegerv(GL_COPY_READ_BUFFER, &buffer);
    glBindBuffer(GL_COPY_READ_BUFFER, own.buffer);
    glGetBufferParameteriv(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, add_piece(s, "others' buffer")->value);
    glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)buffer);
}

static void read_state(state *s) {
    s->count = 0;
    read_integers(s);
    read_bindings(s, "GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER_BINDING, BINDINGS);
    read_bindings(s, "GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, FEEDBACK_BINDINGS);
    if (has_storage()) read_bindings(s, "GL_SHADER_STORAGE_BUFFER", GL_SHADER_STORAGE_BUFFER_BINDING, BINDINGS);
    read_units(s);
    read_attributes(s);
    read_own(s);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

// ---- Disturbing ----------------------------------------------------------------------------------------------

static void attach(GLenum type, const char *head, const char *text) {
    const char *const strings[] = {head, text};
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    glAttachShader(own.program, shader);
    glDeleteShader(shader);
}

static void make_own(void) {
    const char *head = gl_context_is_es() ? "#version 300 es\n" : "#version 330 core\n";
    glGenBuffers(1, &own.buffer);
    glGenTextures(1, &own.texture);
    glGenVertexArrays(1, &own.vertex_array);
    own.program = glCreateProgram();
    attach(GL_VERTEX_SHADER, head, "void main() { gl_Position = vec4(0.0); }\n");
    attach(GL_FRAGMENT_SHADER, head, "void main() {}\n");
    glLinkProgram(own.program);
    glBindBuffer(GL_ARRAY_BUFFER, own.buffer);
    glBufferData(GL_ARRAY_BUFFER, OWN_BYTES, NULL, GL_STATIC_DRAW);
    if (!has_buffer_textures()) return;
    glGenTextures(1, &own.buffer_texture);
    glBindBuffer(GL_TEXTURE_BUFFER, own.buffer);
    glBindTexture(GL_TEXTURE_BUFFER, own.buffer_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, own.buffer);
}

// Not of the pixel-store buffers: sinew-gl is entitled to none.
static void bind_own_buffers(void) {
    static const query targets[] = {
        {NULL, GL_ARRAY_BUFFER, 15, 20},         {NULL, GL_COPY_READ_BUFFER, 31, 30},
        {NULL, GL_COPY_WRITE_BUFFER, 31, 30},    {NULL, GL_TEXTURE_BUFFER, 31, 32},
        {NULL, GL_DRAW_INDIRECT_BUFFER, 40, 31}, {NULL, GL_DISPATCH_INDIRECT_BUFFER, 43, 31},
    };
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (gl_context_has(targets[i].since, targets[i].since_es)) glBindBuffer(targets[i].what, own.buffer);
    }
    for (GLuint i = 0; i < BINDINGS; i++) {
        glBindBufferBase(GL_UNIFORM_BUFFER, i, own.buffer);
        if (i < FEEDBACK_BINDINGS) glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, i, own.buffer);
        if (has_storage()) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, own.buffer);
    }
}

static void bind_own_textures(void) {
    for (GLenum i = 0; i < UNITS; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, own.texture);
        if (has_buffer_textures()) glBindTexture(GL_TEXTURE_BUFFER, own.buffer_texture);
    }
    glActiveTexture(GL_TEXTURE1);
}

void gl_state_disturb(GLuint program) {
    if (own.program == 0) make_own();
    bind_own_buffers();
    bind_own_textures();
    glBindVertexArray(own.vertex_array);
    glUseProgram(program ? program : own.program);
    glEnable(GL_RASTERIZER_DISCARD);
    for (GLuint i = 0; i < ATTRIBUTES; i++) glVertexAttribI4i(i, 1001, 1002, 1003, 1004);
    read_state(&disturbed);
    gl_proxy_reset();
}

void gl_state_close(void) {
    glDisable(GL_RASTERIZER_DISCARD);
    glUseProgram(0);
    glBindVertexArray(0);
    glDeleteProgram(own.program);
    glDeleteVertexArrays(1, &own.vertex_array);
    glDeleteTextures(1, &own.texture);
    glDeleteTextures(1, &own.buffer_texture);
    glDeleteBuffers(1, &own.buffer);
    memset(&own, 0, sizeof own);
}

// ---- Comparing -----------------------------------------------------------------------------------------------

void gl_state_expect(const char *changed, const char *restored) {
    static state now;
    int faults = 0;
    char touched[512];
    snprintf(touched, sizeof touched, "%s, %s", changed, restored);
    gl_proxy_expect_touched(touched);
    read_state(&now);
    assert_int_equal(now.count, disturbed.count);
    for (int i = 0; i < now.count; i++) {
        const piece *p = &now.pieces[i];
        if (memcmp(p->value, disturbed.pieces[i].value, sizeof p->value) == 0) continue;
        if (gl_proxy_is_listed(p->name, changed)) continue;
        print_error("changed: %s, from %d to %d; documented: %s\n", p->name, disturbed.pieces[i].value[0],
                    p->value[0], changed);
        faults++;
    }
    assert_int_equal(faults, 0);
}
