// All vertices that the window shows, as posed: for the box around them, and their normals.
#ifndef VIEWER_VERTICES_H
#define VIEWER_VERTICES_H

#include <sinew/sinew.h>

// Side by side for all primitives, in the world; normals are zero where there are none.
typedef struct view_vertices {
    int32_t count, capacity;
    float *positions, *normals; // 3 floats each
    float *morphed;             // room for the largest primitive's positions and normals
    uint16_t *joints;           // [4 × the largest primitive], all 0: one joint, for what has no skin
    float *weights;             // the same, all 1 0 0 0
    sinew_affine *palette;      // room for the largest skin
} view_vertices;

// Takes the memory of all frames to come, for what the instances of a scene show. False, and what there was stays, when there is
// not enough. Freed with view_vertices_free.
bool view_vertices_make_room(view_vertices *vertices, const sinew_scene *scene);
void view_vertices_free(view_vertices *vertices);

// Those of the scene as of its last update.
void view_vertices_pose(view_vertices *vertices, const sinew_scene *scene);

// The box around them; around all nodes where there are none. It is never flat in all directions.
sinew_box view_vertices_box(const view_vertices *vertices, const sinew_scene *scene);

#endif
