// SPDX-License-Identifier: MIT
// The picture's overlays: skeleton and joint names, colliders, bounds, normals, and the clicked joint.
#ifndef VIEWER_OVERLAY_H
#define VIEWER_OVERLAY_H

#include "view/brush.h"
#include "view/state.h"

// Draws lines and bones into the picture. Clears its depth buffer before the skeleton and the colliders.
void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera);

// Draws as many joint names as fit over the finished picture. Call this after view_overlay_draw.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the name next to the joint that was clicked last. Call this after view_overlay_draw.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state);

#endif
