// The panel for mixing, without the drawing: what its lines say and do.
#ifndef VIEWER_MIXING_H
#define VIEWER_MIXING_H

#include "view/state.h"

// A line of the panel.
typedef struct view_mixing_line {
    const char *label, *key;
    char value[96];
    bool on; // or faint
} view_mixing_line;

void view_mixing_describe(const view_state *state, view_mixing_row row, view_mixing_line *line);

// Does what a line's key or a click on it does; with Shift the other thing, or the other way round.
void view_mixing_act(view_state *state, view_mixing_row row, bool shift);

// Lays a clip over what plays, or takes it off.
void view_mixing_lay(view_state *state, int32_t clip);

#endif
