// The panels: clips, timeline, help, status, messages, and what is shown before there is a file.
#ifndef VIEWER_PANEL_H
#define VIEWER_PANEL_H

#include "view/canvas.h"
#include "view/state.h"

// Draws all panels that the state asks for.
void view_panels_draw(view_canvas *canvas, const view_state *state);

// Breaks a text into at most `most` lines that are each at most `width` wide by the measure given, at spaces where
// that is possible. Writes where each begins and how many bytes it has; returns how many there are.
typedef int (*view_measure)(const void *user, const char *text);
int view_wrap(const char *text, int width, view_measure measure, const void *user, int most, int *starts,
              int *lengths);

#endif
