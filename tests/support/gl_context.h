// SPDX-License-Identifier: MIT
// Opens an OpenGL context of a named version, with what tests need to read vertices back.
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include "support/gl_proxy.h"

// What the tests of a context begin and end with: the name that the command line gives, or "4.5"; a context of that
// version, open as long as the group of tests runs; and before each test, which is skipped where there is no
// context, a proxy that has forgotten everything.
const char *gl_context_choose(int argc, char **argv);
int gl_context_setup(void **state);
int gl_context_teardown(void **state);
void gl_context_need(void);

// OpenGL through the proxy, as the definition says or by default; the test fails where it is refused.
sinew_gl_def gl_context_def(void);
sinew_gl *gl_context_create(const sinew_gl_def *def);
sinew_gl *gl_context_create_default(void);

// Opens the context that `name` says: "3.3", "4.5", "es3.0", ... The driver is asked for no more than that, and the
// proxy hides what it has beyond. False, having said why, where there is none; to be closed in both cases.
bool gl_context_open(const char *name);
void gl_context_close(void);

// Whether one is open, and what it is.
bool gl_context_is_open(void);
bool gl_context_is_es(void);
const char *gl_context_name(void);

// Whether it is this version or a later one of its kind.
bool gl_context_has(int version, int version_es);

// The proxy as it was when the context was opened: everything forgotten, no limit but the driver's.
void gl_context_reset_proxy(void);

#endif
