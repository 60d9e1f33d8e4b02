// What is drawn over the picture: skeleton and names, bounds, normals, the way of root motion, what is selected.
#ifndef VIEWER_OVERLAY_H
#define VIEWER_OVERLAY_H

#include "view/brush.h"
#include "view/state.h"

// Into the picture, whose depth it needs and, for the skeleton, clears.
void view_overlay_draw(view_brush *brush, const view_state *state, const draw_camera *camera);

// The joints' names, as far as there is room, over the finished picture; after view_overlay_draw.
void view_overlay_names(view_canvas *canvas, const view_brush *brush, const view_state *state);

// Side by side, what each of the two is, above its head; after view_overlay_draw.
void view_overlay_sides(view_canvas *canvas, const view_brush *brush, const view_state *state);

// The name of the joint that was clicked last, at the joint; after view_overlay_draw.
void view_overlay_joint(view_canvas *canvas, const view_brush *brush, const view_state *state);

#endif
