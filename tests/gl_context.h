// A context of OpenGL of a version that is asked for by name, and what tests need to read vertices back.
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include "gl_proxy.h"

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
