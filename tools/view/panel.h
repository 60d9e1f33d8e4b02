// SPDX-License-Identifier: MIT
// The panels: clips, timeline, help, status, messages and the welcome page.
#ifndef VIEWER_PANEL_H
#define VIEWER_PANEL_H

#include "view/canvas.h"
#include "view/state.h"

void view_panels_draw(view_canvas *canvas, const view_state *state);

// Breaks text into at most `most` lines, each at most `width` wide by the given measure. Breaks at spaces if possible.
// Writes each line's first byte and number of bytes. Returns the number of lines.
typedef int (*view_measure)(const void *user, const char *text);
int view_wrap(const char *text, int width, view_measure measure, const void *user, int most, int *starts,
              int *lengths);

#endif
