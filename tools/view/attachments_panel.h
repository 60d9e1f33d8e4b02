// The panel for what hangs where.
#ifndef VIEWER_THINGS_PANEL_H
#define VIEWER_THINGS_PANEL_H

#include "view/canvas.h"
#include "view/state.h"

void view_things_draw(view_canvas *canvas, const view_state *state);

#endif
