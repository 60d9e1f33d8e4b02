// SPDX-License-Identifier: MIT
// The posed vertices of all instances in the window, to compute bounds and draw normals.
#ifndef VIEWER_VERTICES_H
#define VIEWER_VERTICES_H

#include <sinew/all.h>

// One array for all primitives, in world space. Primitives without normals have zeros.
typedef struct view_vertices {
    int32_t count, capacity;
    float *positions, *normals; // 3 floats each
    float *morphed;             // buffer for the largest primitive's positions and normals
    uint16_t *joints;      // [4 × the largest primitive]; all 0, which means one joint, for meshes without a skin
    float *weights;        // like `joints`, all 1 0 0 0
    sinew_affine *palette; // buffer for the largest skin
} view_vertices;

// Allocates memory for a scene's instances, enough for all frames. If memory runs out, keeps the old memory and returns
// false. Free it with view_vertices_free.
bool view_vertices_make_room(view_vertices *vertices, const sinew_scene *scene);
void view_vertices_free(view_vertices *vertices);

// Skins the scene's vertices as of its last update.
void view_vertices_pose(view_vertices *vertices, const sinew_scene *scene);

// Returns the bounds of the vertices, or of all nodes if there aren't any. Never empty: a single point gets a 1 m box.
sinew_box view_vertices_box(const view_vertices *vertices, const sinew_scene *scene);

#endif
