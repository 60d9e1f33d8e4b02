// SPDX-License-Identifier: MIT
// The sample renderer's shader programs.
#ifndef DRAW_PROGRAM_H
#define DRAW_PROGRAM_H

#include <sinew/gpu/gl.h>

#include <epoxy/gl.h>

// The shaders in tools/render/shaders, turned into C arrays by cmake/embed.cmake.
extern const char draw_model_vert[], draw_model_frag[], draw_shadow_frag[], draw_wire_frag[], draw_light_glsl[];
extern const char draw_background_vert[], draw_background_frag[], draw_ground_vert[], draw_ground_frag[];
extern const char draw_blur_frag[];

// Sets an error to SINEW_ERROR_UNSUPPORTED, because the driver lacks a feature.
void draw_fail(sinew_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Links a program from two shaders with several strings each, and binds it to the palette. On failure, returns 0 with
// the compiler's first line in `error`.
GLuint draw_program_link(const sinew_gl *gl, const char *const *vertex, int vertex_count,
                         const char *const *fragment, int fragment_count, sinew_error *error);

// Set a uniform of the program in use. No-op if it doesn't have that uniform.
void draw_set_int(GLuint program, const char *name, int value);
void draw_set_float(GLuint program, const char *name, float value);
void draw_set_vec3(GLuint program, const char *name, const float *value);
void draw_set_vec4(GLuint program, const char *name, const float *values, int count);
void draw_set_mat4(GLuint program, const char *name, const sinew_mat4 *value);

#endif
