// SPDX-License-Identifier: MIT
// A root warp for the window: a clip, the window that its markers name, and a goal.
#ifndef VIEWER_WARP_H
#define VIEWER_WARP_H

#include <sinew/all.h>

enum { VIEW_WARP_NAME = 64 };

// The character starts at the origin in each cycle of the clip, so that its transform is a function of the time in it.
typedef struct view_warp {
    bool is_on;   // asked for
    bool acts;    // the clip that plays is warped
    bool is_held; // the goal stays when the clip changes: it was dragged
    sinew_vec3 goal;
    sinew_root_motion_def motion;
    sinew_warp_def def;        // its clip is NULL before the first view_warp_begin
    sinew_warp warp, unwarped; // to the goal, and as the clip moves by itself
} view_warp;

// Warps a clip of a character with that root motion. The window is between markers NAME and NAME.end, else from the first marker
// to the last, else the whole clip. A goal that was not dragged is 1 m ahead of the clip's own position at the window's end.
// False, with the reason in `error`, for a clip that cannot be warped.
bool view_warp_begin(view_warp *warp, const sinew_clip *clip, const sinew_root_motion_def *motion,
                     sinew_error *error);

// Moves the goal, in the axes of the asset.
void view_warp_set_goal(view_warp *warp, sinew_vec3 goal);

// The character's transform at a time in the clip, seconds, and that without the warp.
sinew_warp_transform view_warp_at(const view_warp *warp, float time);
sinew_warp_transform view_warp_unwarped_at(const view_warp *warp, float time);

// Writes the name of the window, such as "TakeOff to Land".
void view_warp_describe(const view_warp *warp, char name[VIEW_WARP_NAME]);

#endif
