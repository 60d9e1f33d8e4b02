// An OpenGL context without a window, for machines that may have no display.
#ifndef CLI_EGL_CONTEXT_H
#define CLI_EGL_CONTEXT_H

#include <sinew/gl.h>

typedef struct cli_egl {
    void *display;
    void *context;
} cli_egl;

typedef enum cli_egl_api {
    CLI_EGL_DESKTOP, // OpenGL 3.3, core profile
    CLI_EGL_ES       // OpenGL ES 3.0
} cli_egl_api;

// Makes a context and makes it current on this thread. False, with the reason and what to install in `error`, when
// there is none to be had. Freed with cli_egl_close in both cases.
bool cli_egl_open(cli_egl *egl, cli_egl_api api, sinew_error *error);
void cli_egl_close(cli_egl *egl);

// What sinew_gl_def wants; `user` is not looked at.
sinew_gl_proc cli_egl_proc(const char *name, void *user);

#endif
