// Shader programs of the sample renderer.
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <sinew/gl.h>

#include <epoxy/gl.h>

// The texts of cli/shaders, made C arrays by cmake/embed.cmake.
extern const char cli_model_vert[], cli_model_frag[], cli_shadow_frag[], cli_light_glsl[];
extern const char cli_background_vert[], cli_background_frag[], cli_ground_vert[], cli_ground_frag[];

// Links a program of two shaders, each of several strings, and ties it to the palette. 0, with the compiler's first
// line printed, when the driver refuses it.
GLuint cli_program_link(const sinew_gl *gl, const char *const *vertex, int vertex_count,
                        const char *const *fragment, int fragment_count);

// The uniform of that name in the program that is in use; nothing happens when it has none.
void cli_set_int(GLuint program, const char *name, int value);
void cli_set_float(GLuint program, const char *name, float value);
void cli_set_vec3(GLuint program, const char *name, const float *value);
void cli_set_vec4(GLuint program, const char *name, const float *values, int count);
void cli_set_mat4(GLuint program, const char *name, const sinew_mat4 *value);

#endif
