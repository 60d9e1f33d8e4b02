// SPDX-License-Identifier: MIT
// The rows of the graph panel, without their drawing: their text, their controls and their actions; and its keys.
#ifndef VIEWER_GRAPH_ROWS_H
#define VIEWER_GRAPH_ROWS_H

#include "view/state.h"

// The control of a row.
typedef enum view_graph_control {
    VIEW_CONTROL_NONE,
    VIEW_CONTROL_SLIDER,
    VIEW_CONTROL_SWITCH,
    VIEW_CONTROL_BUTTON
} view_graph_control;

// A row of the panel.
typedef struct view_graph_line {
    char label[VIEW_GRAPH_PATH], value[3 * VIEW_GRAPH_PATH], key[8];
    view_graph_control control;
    bool on; // a switch that is on, a trigger that waits, an active state, a running transition
    float target, damped,
        zero;       // SLIDER: the set value, the one that the graph uses, and 0: from 0 to 1 of the range
    float progress; // of the running transition of a layer, from 0 to 1
} view_graph_line;

// The row of a number in the panel; NULL for none.
const view_graph_row *view_graph_row_of(const view_state *state, int number);

void view_graph_describe(const view_state *state, const view_graph_row *row, view_graph_line *line);

// Handles a press of the pointer on a row: presses a button or a switch, enters a state, or begins to drag a slider.
void view_graph_click(view_state *state, int number);

// Sets the dragged slider to the pointer.
void view_graph_drag(view_state *state);

// Handles a key while a graph drives the first character; false for keys that keep their meaning. Keys that choose
// clips or their playback show a message.
bool view_graph_key(view_state *state, int key, int modifiers);

// Shows that the graph chooses the clips, and how to change what plays; true if a graph drives the first character.
bool view_graph_refuses(view_state *state, const char *what);

#endif
