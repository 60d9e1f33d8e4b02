// SPDX-License-Identifier: MIT
// Reads vertices skinned by the GPU back, by transform feedback.
#ifndef GL_CAPTURE_H
#define GL_CAPTURE_H

#include "support/gl_character.h"
#include "support/gl_context.h"

typedef struct captured {
    float position[3], normal[3], tangent[4];
} captured;

// A program that skins and captures, made with sinew_gl_vertex_shader and set up; the test's to delete.
GLuint make_capture_program(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph);

// The same with another body, which is to write vec3 out_position, vec3 out_normal and vec4 out_tangent.
GLuint make_program_of(const sinew_gl *gl, const sinew_gl_records *palette, int influences, bool morph,
                       const char *body);

// Draws with it and the palette that is bound by sinew_gl_mesh_draw_many, or where `draw` is NULL by
// sinew_gl_mesh_draw. Gives the vertices of the crowd's primitive, for each instance, in static storage until the
// next call. OpenGL ES captures no indices: there, what is captured is a draw of points after that one, with the
// state that it left. The program in use, the vertex array, the framebuffer's rasterising and transform feedback
// are 0 or off afterwards.
const captured *capture_draw(GLuint program, const random_crowd *crowd, const sinew_gl_mesh *mesh,
                             const sinew_gl_draw *draw);

// The vertices that sinew_gl_skinned_update has skinned, likewise.
const captured *read_skinned(const random_crowd *crowd, const sinew_gl_skinned *skinned);

// The largest difference between a character's vertices and those of the CPU: of positions as a part of the model's
// size, of normals and tangents as they are. What is no number is infinitely wrong.
float capture_error(const captured *skinned, const random_crowd *crowd, int character, bool placed);

#endif
