// What a camera sees and a ray meets: posed bounds, frustum culling and picking.
#ifndef BENCH_SEEN_H
#define BENCH_SEEN_H

#include "bench/mesh.h"

#include <sinew/cull.h>
#include <sinew/pick.h>

enum { BENCH_BOXES = 10000, BENCH_TRIANGLES = BENCH_VERTICES / 3 };

// The measured mesh with bounds and a ray, and boxes all around a camera.
typedef struct bench_seen {
    bench_mesh *mesh;
    sinew_bounds *bounds;
    sinew_affine *model; // of the rest pose
    uint32_t *indices;
    sinew_ray ray;
    sinew_boxes boxes;
    sinew_frustum frustum;
    uint32_t *visible;
} bench_seen;

// NULL when memory runs out. Freed with bench_seen_destroy.
bench_seen *bench_seen_create(const bench_world *world);
void bench_seen_destroy(bench_seen *seen);

// Once each, of all boxes and triangles.
typedef void bench_seen_function(bench_seen *seen);

bench_seen_function bench_seen_box;    // the posed box
bench_seen_function bench_seen_sphere; // box and sphere
bench_seen_function bench_seen_cull;
bench_seen_function bench_seen_pick;

#endif
