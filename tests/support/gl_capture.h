// SPDX-License-Identifier: MIT
// Reads vertices that the GPU has skinned back, by transform feedback.
#ifndef GL_CAPTURE_H
#define GL_CAPTURE_H

#include "support/gl_character.h"
#include "support/gl_context.h"

typedef struct captured {
    float position[3], normal[3], tangent[4];
} captured;

// A program that skins and captures, made with sinew_gl_vertex_shader and set up. The test deletes it.
GLuint make_capture_program(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph);

// The same with another body, which must write vec3 out_position, vec3 out_normal and vec4 out_tangent.
GLuint make_program_of(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph,
                       const char *body);

// Draws with the program and the bound palette: with sinew_gl_mesh_draw_many, or if `draw` is NULL with
// sinew_gl_mesh_draw. Returns the vertices of the crowd's primitive for each instance, in static storage until the
// next call. OpenGL ES doesn't capture indices, so there it captures points drawn after that with the state it left.
// Afterwards the program in use, the vertex array, the framebuffer's rasterization and transform feedback are 0 or
// off.
const captured *capture_draw(GLuint program, const random_crowd *crowd, const sinew_gl_mesh *mesh,
                             const sinew_gl_draw *draw);

// The vertices that sinew_gl_skinned_update has skinned, in the same form.
const captured *read_skinned(const random_crowd *crowd, const sinew_gl_skinned *skinned);

// The largest difference between a character's vertices and the CPU's: of positions relative to the model's size, of
// normals and tangents absolute. NaN is infinitely wrong.
float capture_error(const captured *skinned, const random_crowd *crowd, int character, bool placed);

#endif
