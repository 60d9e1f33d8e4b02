// Compiling, linking and uniforms.
#include "program.h"

#include "cli.h"

#include <string.h>

static void print_log(const char *what, char *log) {
    log[strcspn(log, "\n")] = '\0';
    cli_fail("the OpenGL driver does not %s: %s", what, log);
}

static GLuint compile(GLenum type, const char *const *sources, int count) {
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[512] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    print_log("compile a shader", log);
    glDeleteShader(shader);
    return 0;
}

static bool link(GLuint program, GLuint vertex, GLuint fragment) {
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return true;
    char log[512] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    print_log("link a program", log);
    return false;
}

GLuint cli_program_link(const sinew_gl *gl, const char *const *vertex_sources, int vertex_count,
                        const char *const *fragment_sources, int fragment_count) {
    GLuint vertex = compile(GL_VERTEX_SHADER, vertex_sources, vertex_count);
    GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_sources, fragment_count);
    GLuint program = glCreateProgram();
    bool good = vertex && fragment && link(program, vertex, fragment);
    glDeleteShader(vertex); // the program keeps them as long as it needs them; 0 is ignored
    glDeleteShader(fragment);
    sinew_error error;
    if (good && sinew_gl_setup_program(gl, program, &error) != SINEW_OK) {
        cli_fail("%s", error.message);
        good = false;
    }
    if (good) return program;
    glDeleteProgram(program);
    return 0;
}

void cli_set_int(GLuint program, const char *name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}

void cli_set_float(GLuint program, const char *name, float value) {
    glUniform1f(glGetUniformLocation(program, name), value);
}

void cli_set_vec3(GLuint program, const char *name, const float *value) {
    glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

void cli_set_vec4(GLuint program, const char *name, const float *values, int count) {
    glUniform4fv(glGetUniformLocation(program, name), count, values);
}

void cli_set_mat4(GLuint program, const char *name, const sinew_mat4 *value) {
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value->m);
}
