// SPDX-License-Identifier: MIT
// An OpenGL context without a window, for machines that may not have a display.
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

// Creates a context with that version, or with a later compatible one if the driver prefers, and makes it current on
// this thread. On failure, returns false with the reason and what to install in `error`. Call draw_egl_close either
// way.
bool draw_egl_open_version(draw_egl *egl, draw_egl_version version, sinew_error *error);

// Like draw_egl_open_version, with the version that the renderer needs: OpenGL 3.3 or OpenGL ES 3.0.
bool draw_egl_open(draw_egl *egl, draw_egl_api api, sinew_error *error);
void draw_egl_close(draw_egl *egl);

// The get_proc_address for sinew_gl_def. Ignores `user`.
sinew_gl_proc draw_egl_proc(const char *name, void *user);

#endif
