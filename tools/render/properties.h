// SPDX-License-Identifier: MIT
// The properties that clips animate with curves (KHR_animation_pointer) and the sample renderer can draw: materials'
// base colors and alpha cutoffs, node visibility, and cameras.
#ifndef DRAW_PROPERTIES_H
#define DRAW_PROPERTIES_H

#include <sinew/asset.h>

// Writes an asset's materials, [material_count], with the values from `curves`.
void draw_animate_materials(const sinew_asset *asset, const float *curves, sinew_material *materials);

// Returns an asset's camera with the values from `curves`.
sinew_camera draw_animate_camera(const sinew_asset *asset, int32_t camera, const float *curves);

// Writes the visibility curve of each node, [node_count], or SINEW_NO_CURVE if no clip animates it.
void draw_find_visibility(const sinew_asset *asset, int32_t *visibility);

// Returns whether neither a mesh node nor an ancestor is hidden in `curves`. `visibility` comes from
// draw_find_visibility. If the file hides a mesh node and has animated nodes that are hidden, those are assumed to be
// the reason.
bool draw_is_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node,
                     const float *curves);

// Returns whether a mesh node can be visible. Each animated node can be shown or hidden.
bool draw_may_be_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node);

#endif
