// SPDX-License-Identifier: MIT
// The overlays of the picture: skeleton and joint names, bounds, normals, root paths, the selection.
#ifndef VIEWER_OVERLAY_H
#define VIEWER_OVERLAY_H

#include "view/brush.h"
#include "view/state.h"

// Draws lines and bones into the picture with its depth buffer, which is cleared for the skeleton and the colliders.
void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera);

// Draws the names of joints, as many as fit, over the finished picture; after view_overlay_draw.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the kind of transition above each of two compared characters; after view_overlay_draw.
void view_overlay_sides(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the name of the joint that was clicked last next to it; after view_overlay_draw.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the rings of the effectors while the body panel is shown; after view_overlay_draw.
void view_overlay_effectors(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Draws the root paths of a clip with its warp and without, for view_overlay_draw.
void view_overlay_warp(view_brush *brush, const view_state *state);

// Draws the colliders of the springs, for view_overlay_draw.
void view_overlay_colliders(view_brush *brush, const view_state *state);

#endif
