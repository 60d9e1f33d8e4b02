// SPDX-License-Identifier: MIT
// The body of the first character: its springs, the wind, the effectors that are dragged, and the curves of its clip. Also the
// rows of the body panel, without their drawing.
#ifndef VIEWER_BODY_H
#define VIEWER_BODY_H

#include "view/state.h"

// A row of the panel.
typedef struct view_body_line {
    const char *label, *key;
    char value[96];
    float fraction; // of a slider
    bool on;        // false: the row is drawn dimmed
} view_body_line;

void view_body_describe(const view_state *state, view_body_row row, view_body_line *line);

// Performs the action of a row, for its key or a click on it; `less` for its other key.
void view_body_act(view_state *state, view_body_row row, bool less);

// Handles a key of the panel; false for any other key.
bool view_body_key(view_state *state, int key);

// Sets the slider that is dragged to the pointer.
void view_body_slide(view_state *state);

// The effector whose ring is under the pointer, or -1. Rings are drawn while the panel is shown.
int view_body_effector_at(const view_state *state, float x, float y);

// Starts to drag an effector, moves it in the plane of the view, and releases it.
void view_body_grab(view_state *state, int effector);
void view_body_drag(view_state *state);
void view_body_release(view_state *state);

// Whether the ring of the root warp's goal is under the pointer; its position in world space; and its drag on the ground.
bool view_body_goal_is_at(const view_state *state, float x, float y);
sinew_vec3 view_body_goal(const view_state *state);
void view_body_grab_goal(view_state *state);
void view_body_drag_goal(view_state *state);

// The position of an effector in world space.
sinew_vec3 view_body_position(const view_state *state, int effector);

#endif
