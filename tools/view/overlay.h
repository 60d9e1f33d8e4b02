// SPDX-License-Identifier: MIT
// The overlays of the picture: skeleton and joint names, colliders, bounds, normals, the joint that was clicked.
#ifndef VIEWER_OVERLAY_H
#define VIEWER_OVERLAY_H

#include "view/brush.h"
#include "view/state.h"

// Draws lines and bones into the picture with its depth buffer, which is cleared for the skeleton and the colliders.
void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera);

// Draws the names of joints, as many as fit, over the finished picture; after view_overlay_draw.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the name of the joint that was clicked last next to it; after view_overlay_draw.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state);

#endif
