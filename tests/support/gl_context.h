// SPDX-License-Identifier: MIT
// Opens an OpenGL context of a given version, with what tests need to read vertices back.
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include "support/gl_proxy.h"

// Setup and teardown for tests that need a context. Takes the version from the command line, default "4.5". Opens the
// context while the group of tests runs. Before each test, resets the proxy, and skips the test if there's no
// context.
const char *gl_context_choose(int argc, char **argv);
int gl_context_setup(void **state);
int gl_context_teardown(void **state);
void gl_context_need(void);

// OpenGL through the proxy, with the given definition or the default. Fails the test if it's refused.
sinew_gl_def gl_context_def(void);
sinew_gl *gl_context_create(const sinew_gl_def *def);
sinew_gl *gl_context_create_default(void);

// Opens a context by name: "3.3", "4.5", "es3.0", ... Asks the driver for exactly that version, and the proxy hides
// anything newer. If there isn't one, says why and returns false. Close it in both cases.
bool gl_context_open(const char *name);
void gl_context_close(void);

// Whether one is open, and what it is.
bool gl_context_is_open(void);
bool gl_context_is_es(void);
const char *gl_context_name(void);

// Whether the context has this version or a later one of its kind.
bool gl_context_has(int version, int version_es);

// Resets the proxy to its state after the context was opened: nothing recorded, and only the driver's limits.
void gl_context_reset_proxy(void);

#endif
