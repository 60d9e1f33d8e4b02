// SPDX-License-Identifier: MIT
// Compiles and links programs and sets uniforms.
#include "render/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void draw_fail(sinew_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->result = SINEW_ERROR_UNSUPPORTED;
}

static void fail_with_log(sinew_error *error, const char *what, char *log) {
    log[strcspn(log, "\n")] = '\0';
    draw_fail(error, "the OpenGL driver cannot %s: %s", what, log);
}

static GLuint compile(GLenum type, const char *const *sources, int count, sinew_error *error) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[512] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fail_with_log(error, "compile a shader", log);
    glDeleteShader(shader);
    return 0;
}

static bool link(GLuint program, GLuint vertex, GLuint fragment, sinew_error *error) {
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return true;
    char log[512] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    fail_with_log(error, "link a program", log);
    return false;
}

GLuint draw_program_link(const sinew_gl *gl, const char *const *vertex_sources, int vertex_count,
                         const char *const *fragment_sources, int fragment_count, sinew_error *error) {
    GLuint vertex = compile(GL_VERTEX_SHADER, vertex_sources, vertex_count, error);
    GLuint fragment = vertex ? compile(GL_FRAGMENT_SHADER, fragment_sources, fragment_count, error) : 0;
    GLuint program = glCreateProgram();
    bool good = vertex && fragment && link(program, vertex, fragment, error);
    glDeleteShader(vertex); // the program holds a reference to its shaders; 0 is ignored
    glDeleteShader(fragment);
    if (good && sinew_gl_setup_program(gl, program, error) == SINEW_OK) return program;
    glDeleteProgram(program);
    return 0;
}

void draw_set_int(GLuint program, const char *name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}

void draw_set_float(GLuint program, const char *name, float value) {
    glUniform1f(glGetUniformLocation(program, name), value);
}

void draw_set_vec3(GLuint program, const char *name, const float *value) {
    glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

void draw_set_vec4(GLuint program, const char *name, const float *values, int count) {
    glUniform4fv(glGetUniformLocation(program, name), count, values);
}

void draw_set_mat4(GLuint program, const char *name, const sinew_mat4 *value) {
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value->m);
}
