// SPDX-License-Identifier: MIT
// Handles keys and the mouse. Keys, buttons and modifiers are GLFW's numbers. Points are picture pixels from the upper
// left.
#ifndef VIEWER_INPUT_H
#define VIEWER_INPUT_H

#include "view/state.h"

void view_key(view_state *state, int key, int modifiers);
void view_button(view_state *state, int button, bool down, int modifiers);
void view_move(view_state *state, float x, float y);
void view_wheel(view_state *state, float steps);

// The keys and what they do, for the help. The last one is empty.
typedef struct view_key_help {
    const char *keys, *what;
} view_key_help;

extern const view_key_help view_keys[];

#endif
