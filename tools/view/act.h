// SPDX-License-Identifier: MIT
// What a character of the window plays instead of clips: an animation graph of the owner of the window.
#ifndef VIEWER_ACT_H
#define VIEWER_ACT_H

#include <sinew/all.h>

enum { VIEW_ACT_LINES = 24 };

// A line of the list: a layer's state, or a step with its weight.
typedef struct view_act_line {
    char text[96];
    float weight; // 0 to 1; negative: not shown
} view_act_line;

typedef struct view_act {
    void *user;
    // Starts with an asset, which outlives the result. NULL, with the reason in `error`, if that fails.
    void *(*begin)(void *user, const sinew_asset *asset, sinew_error *error);
    void (*end)(void *playing);
    void (*advance)(void *playing, float dt);
    void (*pose)(const void *playing, sinew_pose *pose, sinew_affine *model);
    bool (*swings)(const void *playing); // it has springs of its own, so the file's are off
    // Writes at most VIEW_ACT_LINES, and returns how many.
    int (*describe)(const void *playing, view_act_line *lines);
} view_act;

#endif
