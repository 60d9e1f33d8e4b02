// SPDX-License-Identifier: MIT
// A proxy between sinew-gl and the driver. Every OpenGL function that sinew-gl loads goes through it. It hides what a
// version of OpenGL lacks, counts calls and records the state they change. It fails the test at an invalid call: an
// unknown function, deleting an object that sinew-gl doesn't own, or drawing from a block smaller than the shader
// declares.
#ifndef GL_PROXY_H
#define GL_PROXY_H

#include <sinew/gpu/gl.h>

#include <epoxy/gl.h>

// Offers the functions of this version, and its number, to sinew-gl. Forgets everything else.
void gl_proxy_open(bool es, int major, int minor);

// The loader for sinew_gl_def. `user` is ignored.
sinew_gl_proc gl_proxy_proc(const char *name, void *user);

// Makes glGetIntegerv report a tighter limit than the driver's.
void gl_proxy_limit(GLenum name, GLint value);

// ---- Counting ------------------------------------------------------------------------------------------------

typedef struct gl_counts {
    int calls;      // to all functions
    int draws;      // draw calls
    int instances;  // in all draws
    int dispatches; // of compute shaders
    int uploads;    // calls that send bytes to the GPU
    size_t upload_bytes;
} gl_counts;

// Counts since gl_proxy_reset, which also forgets what was touched.
gl_counts gl_proxy_counts(void);
int gl_proxy_calls(const char *name);
void gl_proxy_reset(void);

// Objects that sinew-gl has made and not deleted.
int gl_proxy_live_objects(void);

// Fails if there are any, with their kinds and names, or if OpenGL has an error.
void gl_proxy_expect_clean(void);

// ---- State ---------------------------------------------------------------------------------------------------

// Every piece of the context's state that calls set since gl_proxy_reset has a name:
//
//     GL_ARRAY_BUFFER                the binding; indexed ones also have GL_UNIFORM_BUFFER[3]
//     active texture, unit 7 GL_TEXTURE_2D
//     vertex array, program, GL_RASTERIZER_DISCARD, attribute 9
//     uniforms                       values and block bindings of programs that sinew-gl did not make
//     others' buffer                 contents of objects that sinew-gl did not make; also texture and vertex array
//
// Fails if anything was touched that isn't in `documented`: names separated by ", ".
void gl_proxy_expect_touched(const char *documented);

// Whether a name is in such a list.
bool gl_proxy_is_listed(const char *name, const char *list);

// Checks the blocks for draws that a test makes itself.
void gl_proxy_check_blocks(void);

#endif
