// Files in the window: which one is selected, which joint was clicked, and what hangs where. And the lines of the panel
// for it, without the drawing.
#ifndef VIEWER_THINGS_H
#define VIEWER_THINGS_H

#include "view/state.h"

// A line of the panel.
typedef struct view_thing_line {
    const char *label, *key;
    char value[96];
    bool on; // or faint: a click on it would do nothing
} view_thing_line;

void view_things_describe(const view_state *state, view_thing_row row, view_thing_line *line);

// Does what a line's key or a click on it does.
void view_things_act(view_state *state, view_thing_row row);

// A click on the picture: names the joint under the pointer, and selects its file. What plays is selected only where
// nothing else is, so that what was clicked before can be hung on it; with `joint_only` nothing is selected. Where
// nothing is hit, nothing is selected any longer.
void view_things_click(view_state *state, bool joint_only);

// Selects an instance.
void view_things_select(view_state *state, sinew_scene_node node);

// "Grip_R of hero.glb"; false, and an empty text, where the node is gone.
bool view_things_name(const view_state *state, sinew_scene_node node, char *text, size_t size);

#endif
