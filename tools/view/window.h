// The window itself: GLFW, OpenGL, and the loop from events to frames.
#ifndef VIEWER_WINDOW_H
#define VIEWER_WINDOW_H

#include "view/state.h"

// Opens a window of that size, in the screen's own units, and runs until it is closed. The state may have a scene
// pending; all that is on the GPU is freed with the window. False, with the reason in `error`, when there is no display or
// no OpenGL.
bool view_window_run(view_state *state, int width, int height, sinew_error *error);

#endif
