// The panel for mixing: transitions, the layer, root motion, the blend space and its pad.
#ifndef VIEWER_MIXING_PANEL_H
#define VIEWER_MIXING_PANEL_H

#include "view/canvas.h"
#include "view/state.h"

void view_mixing_draw(view_canvas *canvas, const view_state *state);

#endif
