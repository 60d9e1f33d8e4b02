// SPDX-License-Identifier: MIT
// Attachments: the selected file, the clicked joint, and the joint that a file is attached to. Also the rows of the
// attachments panel, without their drawing.
#ifndef VIEWER_ATTACHMENTS_H
#define VIEWER_ATTACHMENTS_H

#include "view/state.h"

// A row of the panel.
typedef struct view_attachments_line {
    const char *label, *key;
    char value[96];
    bool on; // false: the row is drawn dimmed, and a click on it is a no-op
} view_attachments_line;

void view_attachments_describe(const view_state *state, view_attachments_row row, view_attachments_line *line);

// Performs the action of a row, for its key or a click on it.
void view_attachments_act(view_state *state, view_attachments_row row);

// Handles a click on the picture: stores the joint under the pointer, and selects its file. The playing character is
// selected only if no movable file is, so that a file selected before can be attached to it. With `joint_only` the
// selection stays. A click that hits no mesh clears the joint and the selection.
void view_attachments_click(view_state *state, bool joint_only);

// Selects an instance.
void view_attachments_select(view_state *state, sinew_scene_node node);

// Writes a node's name, such as "Grip_R of hero.glb"; returns false, with an empty text, if the node no longer exists.
bool view_attachments_name(const view_state *state, sinew_scene_node node, char *text, size_t size);

#endif
