// SPDX-License-Identifier: MIT
// What a character in the window plays instead of clips: an animation graph from the window's owner.
#ifndef VIEWER_ACT_H
#define VIEWER_ACT_H

#include <sinew/all.h>

enum { VIEW_ACT_LINES = 24 };

// A line in the list: a layer's state, or a step with its weight.
typedef struct view_act_line {
    char text[96];
    float weight; // 0 to 1; negative to show none
} view_act_line;

typedef struct view_act {
    void *user;
    // Starts playing on an asset, which outlives the result. On failure, returns NULL with the reason in `error`.
    void *(*begin)(void *user, const sinew_asset *asset, sinew_error *error);
    void (*end)(void *playing);
    void (*advance)(void *playing, float dt);
    void (*pose)(const void *playing, sinew_pose *pose, sinew_affine *model);
    bool (*swings)(const void *playing); // it has its own springs, so the file's are off
    // Writes up to VIEW_ACT_LINES lines. Returns how many.
    int (*describe)(const void *playing, view_act_line *lines);
} view_act;

#endif
