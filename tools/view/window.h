// SPDX-License-Identifier: MIT
// The window itself: GLFW, OpenGL, and the loop from events to frames.
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include "view/state.h"

// Opens a window of this size in screen units, and runs until it's closed. The state may have a pending scene. The
// state's GPU objects are freed with the window. Without a display or OpenGL, returns false with the reason in `error`.
bool view_window_run(view_state *state, int width, int height, sinew_error *error);

#endif
