// SPDX-License-Identifier: MIT
// The properties that clips animate by curves (KHR_animation_pointer), as far as the sample renderer draws them: base
// colours and alpha cutoffs of materials, the visibility of nodes, and cameras.
#ifndef DRAW_PROPERTIES_H
#define DRAW_PROPERTIES_H

#include <sinew/asset.h>

// Writes the materials of an asset, [material_count], with the values of `curves`.
void draw_animate_materials(const sinew_asset *asset, const float *curves, sinew_material *materials);

// Returns a camera of an asset with the values of `curves`.
sinew_camera draw_animate_camera(const sinew_asset *asset, int32_t camera, const float *curves);

// Writes the curve of the visibility of each node, [node_count]; SINEW_NO_CURVE where no clip animates it.
void draw_find_visibility(const sinew_asset *asset, int32_t *visibility);

// Whether a mesh node is visible with the values of `curves`: neither the node nor an ancestor is hidden. `visibility`
// is that of draw_find_visibility. A mesh node that is hidden in the file is taken to be hidden by the animated nodes
// that are, if there is one.
bool draw_is_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node,
                     const float *curves);

// Whether it is visible with some values: those that it can have are true or false.
bool draw_may_be_visible(const sinew_asset *asset, const int32_t *visibility, const sinew_mesh_node *mesh_node);

#endif
