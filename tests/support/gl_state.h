// SPDX-License-Identifier: MIT
// Captures OpenGL's state from the driver, so that a test can check what a call has changed.
#ifndef GL_STATE_H
#define GL_STATE_H

#include "support/gl_context.h"

// Binds objects of the test's own to all that sinew-gl could bind to, and sets the other state that it could set to
// what nobody else would; the program in use is `program`, or one of the test's own where it is 0. Remembers what the
// state is then, and resets the proxy's counts.
void gl_state_disturb(GLuint program);

// Fails where the state is another than gl_state_disturb left, but for the pieces that are named in `changed`, with
// ", " between them, as the proxy names them; and where the proxy saw something touched that is named neither there
// nor in `restored`.
void gl_state_expect(const char *changed, const char *restored);

// Deletes the test's own objects.
void gl_state_close(void);

#endif
