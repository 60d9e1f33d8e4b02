// SPDX-License-Identifier: MIT
// Captures OpenGL's state from the driver, so tests can check what a call changed.
#ifndef GL_STATE_H
#define GL_STATE_H

#include "support/gl_context.h"

// Binds the test's own objects everywhere that sinew-gl could bind, and sets other state that it could set to unusual
// values. The program in use is `program`, or the test's own if it's 0. Remembers this state and resets the proxy's
// counts.
void gl_state_disturb(GLuint program);

// Fails if the state isn't as gl_state_disturb left it, except for the pieces in `changed`: the proxy's names,
// separated by ", ". Also fails if the proxy saw something touched that's in neither `changed` nor `restored`.
void gl_state_expect(const char *changed, const char *restored);

// Deletes the test's own objects.
void gl_state_close(void);

#endif
