// A scene with many things in it, of which some are moved in each frame.
#ifndef BENCH_PLACED_H
#define BENCH_PLACED_H

#include <sinew/scene.h>

enum { BENCH_PLACED = 10000 };

// Boxes at rest, all around a camera.
typedef struct bench_placed {
    sinew_asset asset;
    sinew_skeleton *skeleton;
    sinew_bounds *bounds;
    sinew_scene *scene;
    sinew_scene_node *nodes; // [BENCH_PLACED], in an order that is not that of the scene
    sinew_frustum frustum;
    int32_t next; // that is moved
} bench_placed;

// NULL when memory runs out. Freed with bench_placed_destroy. Where unseen ones are left, each has a pose of its own that
// may be.
bench_placed *bench_placed_create(bool skip_unseen);
void bench_placed_destroy(bench_placed *placed);

// A frame: so many of them are moved, and the scene is updated.
void bench_placed_update(bench_placed *placed, int32_t moved);

void bench_placed_cull(bench_placed *placed);

#endif
