// SPDX-License-Identifier: MIT
// A proxy of OpenGL between sinew-gl and the driver; every function that sinew-gl loads goes through it. It hides
// what a version of OpenGL lacks, counts calls and records the state that they change. It fails the test at an
// invalid call: of an unknown function, deleting an object that sinew-gl does not own, or drawing from a block
// smaller than the shader declares.
#ifndef GL_PROXY_H
#define GL_PROXY_H

#include <sinew/gpu/gl.h>

#include <epoxy/gl.h>

// What sinew-gl may find from now on: the functions of that version, and its number. Forgets everything else.
void gl_proxy_open(bool es, int major, int minor);

// What sinew_gl_def wants; `user` is not looked at.
sinew_gl_proc gl_proxy_proc(const char *name, void *user);

// What glGetIntegerv is to say from now on of a limit that is to be tighter than the driver's.
void gl_proxy_limit(GLenum name, GLint value);

// ---- Counting ------------------------------------------------------------------------------------------------

typedef struct gl_counts {
    int calls;      // of all functions
    int draws;      // draw calls
    int instances;  // in all draws
    int dispatches; // of compute shaders
    int uploads;    // calls that brought bytes to the GPU
    size_t upload_bytes;
} gl_counts;

// Since gl_proxy_reset, which also forgets what was touched.
gl_counts gl_proxy_counts(void);
int gl_proxy_calls(const char *name);
void gl_proxy_reset(void);

// Objects that sinew-gl has made and not deleted.
int gl_proxy_live_objects(void);

// Fails, with their kinds and names, where there are any, or where OpenGL has an error.
void gl_proxy_expect_clean(void);

// ---- State ---------------------------------------------------------------------------------------------------

// Every piece of the context's state that calls set since gl_proxy_reset has a name:
//
//     GL_ARRAY_BUFFER                the binding; of indexed ones GL_UNIFORM_BUFFER[3] as well
//     active texture, unit 7 GL_TEXTURE_2D
//     vertex array, program, GL_RASTERIZER_DISCARD, attribute 9
//     uniforms                       values and block bindings of programs that sinew-gl did not make
//     others' buffer                 contents of objects that sinew-gl did not make; also texture and vertex array
//
// Fails where something was touched that is not in `documented`, names with ", " between them.
void gl_proxy_expect_touched(const char *documented);

// Whether a name is in such a list.
bool gl_proxy_is_listed(const char *name, const char *list);

// The check of drawing, for draws that a test makes itself.
void gl_proxy_check_blocks(void);

#endif
