// SPDX-License-Identifier: MIT
// The window itself: GLFW, OpenGL, and the loop from events to frames.
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include "view/state.h"

// Opens a window of that size, in screen units, and runs until it is closed. The state may have a pending scene. All GPU
// objects of the state are freed with the window. Returns false, with the reason in `error`, without a display or OpenGL.
bool view_window_run(view_state *state, int width, int height, sinew_error *error);

#endif
