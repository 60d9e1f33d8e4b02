// SPDX-License-Identifier: MIT
// The proxy functions. Each records its name and the state that it changes, and calls the driver.
#include "support/gl_proxy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- What is noted -------------------------------------------------------------------------------------------

typedef enum object_kind { BUFFER, TEXTURE, VERTEX_ARRAY, PROGRAM, SHADER, KIND_COUNT } object_kind;

static const char *const kind_names[KIND_COUNT] = {"buffer", "texture", "vertex array", "program", "shader"};

typedef struct object {
    object_kind kind;
    GLuint name;
} object;

typedef struct limit {
    GLenum name;
    GLint value;
} limit;

enum { MOST_OBJECTS = 4096, MOST_LIMITS = 16, MOST_TOUCHED = 64, MOST_FUNCTIONS = 128 };

static struct {
    bool es;
    int version; // 33 for 3.3
    char version_text[128];
    int limit_count;
    limit limits[MOST_LIMITS];

    int object_count;
    object objects[MOST_OBJECTS];
    bool capturing; // between glBeginTransformFeedback and its end

    gl_counts counts;
    int calls[MOST_FUNCTIONS];
    int touched_count;
    char touched[MOST_TOUCHED][48];
} proxy;

static void note(const char *name);

static void touch(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void touch(const char *format, ...) {
    assert_in_range(proxy.touched_count, 0, MOST_TOUCHED - 1);
    char *name = proxy.touched[proxy.touched_count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof proxy.touched[0], format, arguments);
    va_end(arguments);
    for (int i = 0; i < proxy.touched_count; i++) {
        if (strcmp(proxy.touched[i], name) == 0) return;
    }
    proxy.touched_count++;
}

static const char *target_name(GLenum target) {
    static const struct {
        GLenum target;
        const char *name;
    } names[] = {
        {GL_ARRAY_BUFFER, "GL_ARRAY_BUFFER"},
        {GL_UNIFORM_BUFFER, "GL_UNIFORM_BUFFER"},
        {GL_TEXTURE_BUFFER, "GL_TEXTURE_BUFFER"},
        {GL_SHADER_STORAGE_BUFFER, "GL_SHADER_STORAGE_BUFFER"},
        {GL_TRANSFORM_FEEDBACK_BUFFER, "GL_TRANSFORM_FEEDBACK_BUFFER"},
        {GL_ELEMENT_ARRAY_BUFFER, "GL_ELEMENT_ARRAY_BUFFER"},
        {GL_TEXTURE_2D, "GL_TEXTURE_2D"},
        {GL_RASTERIZER_DISCARD, "GL_RASTERIZER_DISCARD"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].target == target) return names[i].name;
    }
    fail_msg("the proxy has no name for 0x%04x", target);
    return "";
}

static GLint ask(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

// What glGetIntegerv says to sinew-gl.
static GLint limit_of(GLenum name) {
    GLint value = ask(name);
    for (int i = 0; i < proxy.limit_count; i++) {
        if (proxy.limits[i].name == name) value = proxy.limits[i].value;
    }
    return value;
}

// ---- Objects -------------------------------------------------------------------------------------------------

static int find_object(object_kind kind, GLuint name) {
    for (int i = 0; i < proxy.object_count; i++) {
        if (proxy.objects[i].kind == kind && proxy.objects[i].name == name) return i;
    }
    return -1;
}

static void add_objects(object_kind kind, GLsizei count, const GLuint *names) {
    for (GLsizei i = 0; i < count; i++) {
        if (names[i] == 0) continue;
        assert_in_range(proxy.object_count, 0, MOST_OBJECTS - 1);
        proxy.objects[proxy.object_count++] = (object){kind, names[i]};
    }
}

static void remove_objects(object_kind kind, GLsizei count, const GLuint *names) {
    for (GLsizei i = 0; i < count; i++) {
        if (names[i] == 0) continue;
        int at = find_object(kind, names[i]);
        if (at < 0) fail_msg("%s %u is deleted, which is none that sinew-gl has", kind_names[kind], names[i]);
        proxy.objects[at] = proxy.objects[--proxy.object_count];
    }
}

// Contents are the context's state where the object is somebody else's.
static void touch_contents(object_kind kind, GLint name) {
    if (find_object(kind, (GLuint)name) < 0) touch("others' %s", kind_names[kind]);
}

// ---- Asking --------------------------------------------------------------------------------------------------

static const GLubyte *get_string(GLenum name) {
    note("glGetString");
    const GLubyte *text = glGetString(name);
    if (name != GL_VERSION) return text;
    snprintf(proxy.version_text, sizeof proxy.version_text, "%s%d.%d (%s)", proxy.es ? "OpenGL ES " : "",
             proxy.version / 10, proxy.version % 10, (const char *)text);
    return (const GLubyte *)proxy.version_text;
}

static void get_integer(GLenum name, GLint *value) {
    note("glGetIntegerv");
    *value = limit_of(name);
}

// ---- Buffers -------------------------------------------------------------------------------------------------

static GLint bound_buffer(GLenum target) {
    switch (target) {
    case GL_ARRAY_BUFFER:
        return ask(GL_ARRAY_BUFFER_BINDING);
    case GL_ELEMENT_ARRAY_BUFFER:
        return ask(GL_ELEMENT_ARRAY_BUFFER_BINDING);
    case GL_UNIFORM_BUFFER:
        return ask(GL_UNIFORM_BUFFER_BINDING);
    case GL_SHADER_STORAGE_BUFFER:
        return ask(GL_SHADER_STORAGE_BUFFER_BINDING);
    case GL_TRANSFORM_FEEDBACK_BUFFER:
        return ask(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING);
    case GL_TEXTURE_BUFFER:
        return ask(GL_TEXTURE_BUFFER); // OpenGL's own name for that binding
    default:
        fail_msg("the proxy does not know how to ask what is bound to 0x%04x", target);
    }
    return 0;
}

static void touch_binding(GLenum target) {
    if (target != GL_ELEMENT_ARRAY_BUFFER) {
        touch("%s", target_name(target));
        return;
    }
    touch_contents(VERTEX_ARRAY, ask(GL_VERTEX_ARRAY_BINDING)); // which has that binding
}

static void upload(size_t bytes) {
    proxy.counts.uploads++;
    proxy.counts.upload_bytes += bytes;
}

static void gen_buffers(GLsizei count, GLuint *names) {
    note("glGenBuffers");
    glGenBuffers(count, names);
    add_objects(BUFFER, count, names);
}

static void delete_buffers(GLsizei count, const GLuint *names) {
    note("glDeleteBuffers");
    remove_objects(BUFFER, count, names);
    glDeleteBuffers(count, names);
}

static void bind_buffer(GLenum target, GLuint buffer) {
    note("glBindBuffer");
    touch_binding(target);
    glBindBuffer(target, buffer);
}

static void bind_buffer_base(GLenum target, GLuint index, GLuint buffer) {
    note("glBindBufferBase");
    touch_binding(target);
    touch("%s[%u]", target_name(target), index);
    glBindBufferBase(target, index, buffer);
}

// A range past the buffer's end is an error in no OpenGL until it is drawn with, and seldom then.
static void check_range(GLenum target, GLuint buffer, GLintptr offset, GLsizeiptr size) {
    GLint whole = 0;
    glBindBuffer(target, buffer);
    glGetBufferParameteriv(target, GL_BUFFER_SIZE, &whole);
    if (offset < 0 || size <= 0 || offset + size > whole) {
        fail_msg("bytes [%lld, %lld) are bound of a buffer of %d", (long long)offset, (long long)(offset + size),
                 whole);
    }
    if (target != GL_UNIFORM_BUFFER && target != GL_SHADER_STORAGE_BUFFER) return;
    GLint alignment = limit_of(target == GL_UNIFORM_BUFFER ? GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT
                                                           : GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    if (offset % alignment != 0)
        fail_msg("a range begins at byte %lld, not at a multiple of %d", (long long)offset, alignment);
}

static void bind_buffer_range(GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) {
    note("glBindBufferRange");
    check_range(target, buffer, offset, size);
    touch_binding(target);
    touch("%s[%u]", target_name(target), index);
    glBindBufferRange(target, index, buffer, offset, size);
}

static void buffer_data(GLenum target, GLsizeiptr size, const void *data, GLenum usage) {
    note("glBufferData");
    touch_contents(BUFFER, bound_buffer(target));
    if (data) upload((size_t)size);
    glBufferData(target, size, data, usage);
}

static void buffer_sub_data(GLenum target, GLintptr offset, GLsizeiptr size, const void *data) {
    note("glBufferSubData");
    touch_contents(BUFFER, bound_buffer(target));
    upload((size_t)size);
    glBufferSubData(target, offset, size, data);
}

// ---- Textures ------------------------------------------------------------------------------------------------

static unsigned active_unit(void) {
    return (unsigned)ask(GL_ACTIVE_TEXTURE) - GL_TEXTURE0;
}

static void touch_texture(GLenum target) {
    touch_contents(TEXTURE, ask(target == GL_TEXTURE_BUFFER ? GL_TEXTURE_BINDING_BUFFER : GL_TEXTURE_BINDING_2D));
}

// sinew-gl uploads floats, four a texel, or halves.
static size_t texel_bytes(GLenum format, GLenum type) {
    assert_int_equal(format, GL_RGBA);
    if (type == GL_FLOAT) return 16;
    assert_int_equal(type, GL_HALF_FLOAT);
    return 8;
}

static void gen_textures(GLsizei count, GLuint *names) {
    note("glGenTextures");
    glGenTextures(count, names);
    add_objects(TEXTURE, count, names);
}

static void delete_textures(GLsizei count, const GLuint *names) {
    note("glDeleteTextures");
    remove_objects(TEXTURE, count, names);
    glDeleteTextures(count, names);
}

static void active_texture(GLenum unit) {
    note("glActiveTexture");
    touch("active texture");
    glActiveTexture(unit);
}

static void bind_texture(GLenum target, GLuint texture) {
    note("glBindTexture");
    touch("unit %u %s", active_unit(), target_name(target));
    glBindTexture(target, texture);
}

static void tex_parameter(GLenum target, GLenum name, GLint value) {
    note("glTexParameteri");
    touch_texture(target);
    glTexParameteri(target, name, value);
}

static void tex_image(GLenum target, GLint level, GLint internal_format, GLsizei width, GLsizei height,
                      GLint border, GLenum format, GLenum type, const void *texels) {
    note("glTexImage2D");
    touch_texture(target);
    if (texels) upload((size_t)width * (size_t)height * texel_bytes(format, type));
    glTexImage2D(target, level, internal_format, width, height, border, format, type, texels);
}

static void tex_sub_image(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                          GLenum format, GLenum type, const void *texels) {
    note("glTexSubImage2D");
    touch_texture(target);
    upload((size_t)width * (size_t)height * texel_bytes(format, type));
    glTexSubImage2D(target, level, x, y, width, height, format, type, texels);
}

static void tex_buffer(GLenum target, GLenum internal_format, GLuint buffer) {
    note("glTexBuffer");
    touch_texture(target);
    glTexBuffer(target, internal_format, buffer);
}

// ---- Vertex arrays -------------------------------------------------------------------------------------------

static void touch_vertex_array(void) {
    touch_contents(VERTEX_ARRAY, ask(GL_VERTEX_ARRAY_BINDING));
}

static void gen_vertex_arrays(GLsizei count, GLuint *names) {
    note("glGenVertexArrays");
    glGenVertexArrays(count, names);
    add_objects(VERTEX_ARRAY, count, names);
}

static void delete_vertex_arrays(GLsizei count, const GLuint *names) {
    note("glDeleteVertexArrays");
    remove_objects(VERTEX_ARRAY, count, names);
    glDeleteVertexArrays(count, names);
}

static void bind_vertex_array(GLuint array) {
    note("glBindVertexArray");
    touch("vertex array");
    glBindVertexArray(array);
}

static void enable_vertex_attrib_array(GLuint location) {
    note("glEnableVertexAttribArray");
    touch_vertex_array();
    glEnableVertexAttribArray(location);
}

static void vertex_attrib_pointer(GLuint location, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                                  const void *offset) {
    note("glVertexAttribPointer");
    touch_vertex_array();
    glVertexAttribPointer(location, size, type, normalized, stride, offset);
}

static void vertex_attrib_i_pointer(GLuint location, GLint size, GLenum type, GLsizei stride, const void *offset) {
    note("glVertexAttribIPointer");
    touch_vertex_array();
    glVertexAttribIPointer(location, size, type, stride, offset);
}

static void vertex_attrib_4f(GLuint location, GLfloat x, GLfloat y, GLfloat z, GLfloat w) {
    note("glVertexAttrib4f");
    touch("attribute %u", location);
    glVertexAttrib4f(location, x, y, z, w);
}

static void vertex_attrib_i4i(GLuint location, GLint x, GLint y, GLint z, GLint w) {
    note("glVertexAttribI4i");
    touch("attribute %u", location);
    glVertexAttribI4i(location, x, y, z, w);
}

static void vertex_attrib_i4ui(GLuint location, GLuint x, GLuint y, GLuint z, GLuint w) {
    note("glVertexAttribI4ui");
    touch("attribute %u", location);
    glVertexAttribI4ui(location, x, y, z, w);
}

// ---- Draws ---------------------------------------------------------------------------------------------------

// The bytes that are bound to a binding point of uniform blocks.
static GLint64 bound_bytes(GLuint binding) {
    GLint buffer = 0, whole = 0, others = ask(GL_UNIFORM_BUFFER_BINDING);
    GLint64 start = 0, size = 0;
    glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, binding, &buffer);
    if (buffer == 0) return 0;
    glGetInteger64i_v(GL_UNIFORM_BUFFER_START, binding, &start);
    glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, binding, &size);
    glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)buffer);
    glGetBufferParameteriv(GL_UNIFORM_BUFFER, GL_BUFFER_SIZE, &whole);
    glBindBuffer(GL_UNIFORM_BUFFER, (GLuint)others);
    GLint64 left = whole - start;
    return size > 0 && size < left ? size : left;
}

void gl_proxy_check_blocks(void) {
    GLuint program = (GLuint)ask(GL_CURRENT_PROGRAM);
    assert_int_not_equal(program, 0);
    GLint blocks = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &blocks);
    for (GLuint i = 0; i < (GLuint)blocks; i++) {
        GLint declared = 0, binding = 0;
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_DATA_SIZE, &declared);
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_BINDING, &binding);
        GLint64 bound = bound_bytes((GLuint)binding);
        if (bound >= declared) continue;
        fail_msg("a uniform block of %d bytes is drawn with %lld bound", declared, (long long)bound);
    }
}

static void draw(GLsizei instances) {
    gl_proxy_check_blocks();
    proxy.counts.draws++;
    proxy.counts.instances += instances;
}

static void draw_arrays(GLenum mode, GLint first, GLsizei count) {
    note("glDrawArrays");
    draw(1);
    glDrawArrays(mode, first, count);
}

static void draw_elements(GLenum mode, GLsizei count, GLenum type, const void *offset) {
    note("glDrawElements");
    draw(1);
    glDrawElements(mode, count, type, offset);
}

static void draw_elements_instanced(GLenum mode, GLsizei count, GLenum type, const void *offset,
                                    GLsizei instances) {
    note("glDrawElementsInstanced");
    draw(instances);
    glDrawElementsInstanced(mode, count, type, offset, instances);
}

// ---- Programs ------------------------------------------------------------------------------------------------

static void touch_uniforms(GLuint program) {
    if (find_object(PROGRAM, program) < 0) touch("uniforms");
}

static void touch_uniforms_in_use(void) {
    touch_uniforms((GLuint)ask(GL_CURRENT_PROGRAM));
}

static GLuint create_shader(GLenum type) {
    note("glCreateShader");
    GLuint shader = glCreateShader(type);
    add_objects(SHADER, 1, &shader);
    return shader;
}

static void delete_shader(GLuint shader) {
    note("glDeleteShader");
    remove_objects(SHADER, 1, &shader);
    glDeleteShader(shader);
}

static void shader_source(GLuint shader, GLsizei count, const GLchar *const *strings, const GLint *lengths) {
    note("glShaderSource");
    glShaderSource(shader, count, strings, lengths);
}

static void compile_shader(GLuint shader) {
    note("glCompileShader");
    glCompileShader(shader);
}

static void get_shader(GLuint shader, GLenum name, GLint *value) {
    note("glGetShaderiv");
    glGetShaderiv(shader, name, value);
}

static void get_shader_log(GLuint shader, GLsizei capacity, GLsizei *length, GLchar *log) {
    note("glGetShaderInfoLog");
    glGetShaderInfoLog(shader, capacity, length, log);
}

static GLuint create_program(void) {
    note("glCreateProgram");
    GLuint program = glCreateProgram();
    add_objects(PROGRAM, 1, &program);
    return program;
}

static void delete_program(GLuint program) {
    note("glDeleteProgram");
    remove_objects(PROGRAM, 1, &program);
    glDeleteProgram(program);
}

static void attach_shader(GLuint program, GLuint shader) {
    note("glAttachShader");
    glAttachShader(program, shader);
}

static void transform_feedback_varyings(GLuint program, GLsizei count, const GLchar *const *names, GLenum mode) {
    note("glTransformFeedbackVaryings");
    glTransformFeedbackVaryings(program, count, names, mode);
}

static void link_program(GLuint program) {
    note("glLinkProgram");
    glLinkProgram(program);
}

static void get_program(GLuint program, GLenum name, GLint *value) {
    note("glGetProgramiv");
    glGetProgramiv(program, name, value);
}

static void get_program_log(GLuint program, GLsizei capacity, GLsizei *length, GLchar *log) {
    note("glGetProgramInfoLog");
    glGetProgramInfoLog(program, capacity, length, log);
}

static void use_program(GLuint program) {
    note("glUseProgram");
    touch("program");
    glUseProgram(program);
}

static GLint get_uniform_location(GLuint program, const GLchar *name) {
    note("glGetUniformLocation");
    return glGetUniformLocation(program, name);
}

static void get_uniform_indices(GLuint program, GLsizei count, const GLchar *const *names, GLuint *indices) {
    note("glGetUniformIndices");
    glGetUniformIndices(program, count, names, indices);
}

static void get_active_uniforms(GLuint program, GLsizei count, const GLuint *indices, GLenum name, GLint *values) {
    note("glGetActiveUniformsiv");
    glGetActiveUniformsiv(program, count, indices, name, values);
}

static void uniform_1i(GLint location, GLint value) {
    note("glUniform1i");
    touch_uniforms_in_use();
    glUniform1i(location, value);
}

static void uniform_4i(GLint location, GLint x, GLint y, GLint z, GLint w) {
    note("glUniform4i");
    touch_uniforms_in_use();
    glUniform4i(location, x, y, z, w);
}

static void uniform_4fv(GLint location, GLsizei count, const GLfloat *values) {
    note("glUniform4fv");
    touch_uniforms_in_use();
    upload((size_t)count * 16);
    glUniform4fv(location, count, values);
}

static GLuint get_uniform_block_index(GLuint program, const GLchar *name) {
    note("glGetUniformBlockIndex");
    return glGetUniformBlockIndex(program, name);
}

static void get_active_uniform_block(GLuint program, GLuint block, GLenum name, GLint *value) {
    note("glGetActiveUniformBlockiv");
    glGetActiveUniformBlockiv(program, block, name, value);
}

static void uniform_block_binding(GLuint program, GLuint block, GLuint binding) {
    note("glUniformBlockBinding");
    touch_uniforms(program);
    glUniformBlockBinding(program, block, binding);
}

// ---- Transform feedback and compute --------------------------------------------------------------------------

static void enable(GLenum what) {
    note("glEnable");
    touch("%s", target_name(what));
    glEnable(what);
}

static void disable(GLenum what) {
    note("glDisable");
    touch("%s", target_name(what));
    glDisable(what);
}

static void begin_transform_feedback(GLenum mode) {
    note("glBeginTransformFeedback");
    proxy.capturing = true;
    glBeginTransformFeedback(mode);
}

static void end_transform_feedback(void) {
    note("glEndTransformFeedback");
    proxy.capturing = false;
    glEndTransformFeedback();
}

static void dispatch_compute(GLuint x, GLuint y, GLuint z) {
    note("glDispatchCompute");
    gl_proxy_check_blocks();
    proxy.counts.dispatches++;
    glDispatchCompute(x, y, z);
}

static void memory_barrier(GLbitfield barriers) {
    note("glMemoryBarrier");
    glMemoryBarrier(barriers);
}

// ---- The table -----------------------------------------------------------------------------------------------

// With the versions of OpenGL and OpenGL ES that brought it (Khronos registry, gl.xml).
static const struct {
    const char *name;
    sinew_gl_proc function;
    int since, since_es;
} functions[] = {
    {"glActiveTexture", (sinew_gl_proc)active_texture, 13, 20},
    {"glAttachShader", (sinew_gl_proc)attach_shader, 20, 20},
    {"glBeginTransformFeedback", (sinew_gl_proc)begin_transform_feedback, 30, 30},
    {"glBindBuffer", (sinew_gl_proc)bind_buffer, 15, 20},
    {"glBindBufferBase", (sinew_gl_proc)bind_buffer_base, 30, 30},
    {"glBindBufferRange", (sinew_gl_proc)bind_buffer_range, 30, 30},
    {"glBindTexture", (sinew_gl_proc)bind_texture, 11, 20},
    {"glBindVertexArray", (sinew_gl_proc)bind_vertex_array, 30, 30},
    {"glBufferData", (sinew_gl_proc)buffer_data, 15, 20},
    {"glBufferSubData", (sinew_gl_proc)buffer_sub_data, 15, 20},
    {"glCompileShader", (sinew_gl_proc)compile_shader, 20, 20},
    {"glCreateProgram", (sinew_gl_proc)create_program, 20, 20},
    {"glCreateShader", (sinew_gl_proc)create_shader, 20, 20},
    {"glDeleteBuffers", (sinew_gl_proc)delete_buffers, 15, 20},
    {"glDeleteProgram", (sinew_gl_proc)delete_program, 20, 20},
    {"glDeleteShader", (sinew_gl_proc)delete_shader, 20, 20},
    {"glDeleteTextures", (sinew_gl_proc)delete_textures, 11, 20},
    {"glDeleteVertexArrays", (sinew_gl_proc)delete_vertex_arrays, 30, 30},
    {"glDisable", (sinew_gl_proc)disable, 10, 20},
    {"glDispatchCompute", (sinew_gl_proc)dispatch_compute, 43, 31},
    {"glDrawArrays", (sinew_gl_proc)draw_arrays, 11, 20},
    {"glDrawElements", (sinew_gl_proc)draw_elements, 11, 20},
    {"glDrawElementsInstanced", (sinew_gl_proc)draw_elements_instanced, 31, 30},
    {"glEnable", (sinew_gl_proc)enable, 10, 20},
    {"glEnableVertexAttribArray", (sinew_gl_proc)enable_vertex_attrib_array, 20, 20},
    {"glEndTransformFeedback", (sinew_gl_proc)end_transform_feedback, 30, 30},
    {"glGenBuffers", (sinew_gl_proc)gen_buffers, 15, 20},
    {"glGenTextures", (sinew_gl_proc)gen_textures, 11, 20},
    {"glGenVertexArrays", (sinew_gl_proc)gen_vertex_arrays, 30, 30},
    {"glGetActiveUniformBlockiv", (sinew_gl_proc)get_active_uniform_block, 31, 30},
    {"glGetActiveUniformsiv", (sinew_gl_proc)get_active_uniforms, 31, 30},
    {"glGetIntegerv", (sinew_gl_proc)get_integer, 10, 20},
    {"glGetProgramInfoLog", (sinew_gl_proc)get_program_log, 20, 20},
    {"glGetProgramiv", (sinew_gl_proc)get_program, 20, 20},
    {"glGetShaderInfoLog", (sinew_gl_proc)get_shader_log, 20, 20},
    {"glGetShaderiv", (sinew_gl_proc)get_shader, 20, 20},
    {"glGetString", (sinew_gl_proc)get_string, 10, 20},
    {"glGetUniformBlockIndex", (sinew_gl_proc)get_uniform_block_index, 31, 30},
    {"glGetUniformIndices", (sinew_gl_proc)get_uniform_indices, 31, 30},
    {"glGetUniformLocation", (sinew_gl_proc)get_uniform_location, 20, 20},
    {"glLinkProgram", (sinew_gl_proc)link_program, 20, 20},
    {"glMemoryBarrier", (sinew_gl_proc)memory_barrier, 42, 31},
    {"glShaderSource", (sinew_gl_proc)shader_source, 20, 20},
    {"glTexBuffer", (sinew_gl_proc)tex_buffer, 31, 32},
    {"glTexImage2D", (sinew_gl_proc)tex_image, 10, 20},
    {"glTexParameteri", (sinew_gl_proc)tex_parameter, 10, 20},
    {"glTexSubImage2D", (sinew_gl_proc)tex_sub_image, 11, 20},
    {"glTransformFeedbackVaryings", (sinew_gl_proc)transform_feedback_varyings, 30, 30},
    {"glUniform1i", (sinew_gl_proc)uniform_1i, 20, 20},
    {"glUniform4fv", (sinew_gl_proc)uniform_4fv, 20, 20},
    {"glUniform4i", (sinew_gl_proc)uniform_4i, 20, 20},
    {"glUniformBlockBinding", (sinew_gl_proc)uniform_block_binding, 31, 30},
    {"glUseProgram", (sinew_gl_proc)use_program, 20, 20},
    {"glVertexAttrib4f", (sinew_gl_proc)vertex_attrib_4f, 20, 20},
    {"glVertexAttribI4i", (sinew_gl_proc)vertex_attrib_i4i, 30, 30},
    {"glVertexAttribI4ui", (sinew_gl_proc)vertex_attrib_i4ui, 30, 30},
    {"glVertexAttribIPointer", (sinew_gl_proc)vertex_attrib_i_pointer, 30, 30},
    {"glVertexAttribPointer", (sinew_gl_proc)vertex_attrib_pointer, 20, 20},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

static int find_function(const char *name) {
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(functions[i].name, name) == 0) return i;
    }
    fail_msg("the proxy does not know %s: give it a stand-in", name);
    return -1;
}

static void note(const char *name) {
    proxy.calls[find_function(name)]++;
    proxy.counts.calls++;
}

sinew_gl_proc gl_proxy_proc(const char *name, void *user) {
    (void)user;
    int i = find_function(name);
    int since = proxy.es ? functions[i].since_es : functions[i].since;
    return proxy.version >= since ? functions[i].function : NULL;
}

// ---- What tests ask ------------------------------------------------------------------------------------------

void gl_proxy_open(bool es, int major, int minor) {
    memset(&proxy, 0, sizeof proxy);
    proxy.es = es;
    proxy.version = 10 * major + minor;
    while (glGetError() != GL_NO_ERROR) {
    }
}

void gl_proxy_limit(GLenum name, GLint value) {
    assert_in_range(proxy.limit_count, 0, MOST_LIMITS - 1);
    proxy.limits[proxy.limit_count++] = (limit){name, value};
}

gl_counts gl_proxy_counts(void) {
    return proxy.counts;
}

int gl_proxy_calls(const char *name) {
    return proxy.calls[find_function(name)];
}

void gl_proxy_reset(void) {
    proxy.counts = (gl_counts){0};
    memset(proxy.calls, 0, sizeof proxy.calls);
    proxy.touched_count = 0;
}

int gl_proxy_live_objects(void) {
    return proxy.object_count;
}

void gl_proxy_expect_clean(void) {
    for (int i = 0; i < proxy.object_count; i++) {
        print_error("%s %u is left\n", kind_names[proxy.objects[i].kind], proxy.objects[i].name);
    }
    assert_int_equal(proxy.object_count, 0);
    assert_false(proxy.capturing);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

bool gl_proxy_is_listed(const char *name, const char *list) {
    const size_t length = strlen(name);
    while (*list) {
        list += strspn(list, ", ");
        const size_t listed = strcspn(list, ",");
        if (listed == length && strncmp(list, name, length) == 0) return true;
        list += listed;
    }
    return false;
}

void gl_proxy_expect_touched(const char *documented) {
    int faults = 0;
    for (int i = 0; i < proxy.touched_count; i++) {
        if (gl_proxy_is_listed(proxy.touched[i], documented)) continue;
        print_error("touched: %s; documented: %s\n", proxy.touched[i], documented);
        faults++;
    }
    assert_int_equal(faults, 0);
}
