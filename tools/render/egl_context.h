// SPDX-License-Identifier: MIT
// An OpenGL context without a window, for machines that may have no display.
#ifndef DRAW_EGL_CONTEXT_H
#define DRAW_EGL_CONTEXT_H

#include <sinew/gpu/gl.h>

typedef struct draw_egl {
    void *display;
    void *context;
} draw_egl;

typedef enum draw_egl_api {
    DRAW_EGL_DESKTOP, // OpenGL, core profile
    DRAW_EGL_ES       // OpenGL ES
} draw_egl_api;

typedef struct draw_egl_version {
    draw_egl_api api;
    int major, minor;
} draw_egl_version;

// Creates a context of that version, or of a later compatible one at the driver's choice, and makes it current on this
// thread. Returns false, with the reason and what to install in `error`, if that fails. Freed with draw_egl_close in
// both cases.
bool draw_egl_open_version(draw_egl *egl, draw_egl_version version, sinew_error *error);

// The same for what the renderer needs: OpenGL 3.3 or OpenGL ES 3.0.
bool draw_egl_open(draw_egl *egl, draw_egl_api api, sinew_error *error);
void draw_egl_close(draw_egl *egl);

// The get_proc_address of sinew_gl_def; `user` is ignored.
sinew_gl_proc draw_egl_proc(const char *name, void *user);

#endif
