// SPDX-License-Identifier: MIT
// The rows of the mixing panel, without their drawing: their text and their actions.
#ifndef VIEWER_MIXING_H
#define VIEWER_MIXING_H

#include "view/state.h"

// A row of the panel.
typedef struct view_mixing_line {
    const char *label, *key;
    char value[96];
    bool on; // false: drawn dimmed
} view_mixing_line;

void view_mixing_describe(const view_state *state, view_mixing_row row, view_mixing_line *line);

// Performs the action of a row, for its key or a click on it; with Shift its second action, or the reverse.
void view_mixing_act(view_state *state, view_mixing_row row, bool shift);

// Plays a clip on the layer, or fades it out if it plays there.
void view_mixing_toggle_layer_clip(view_state *state, int32_t clip);

#endif
