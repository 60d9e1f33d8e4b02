// SPDX-License-Identifier: MIT
// Posed bounds, frustum culling and picking.
#ifndef BENCH_SPATIAL_H
#define BENCH_SPATIAL_H

#include "bench/mesh.h"

#include <sinew/scene/cull.h>
#include <sinew/scene/pick.h>

enum { BENCH_BOXES = 10000, BENCH_TRIANGLES = BENCH_VERTICES / 3 };

// The measured mesh with bounds and a ray, and boxes all around a camera.
typedef struct bench_spatial {
    bench_mesh *mesh;
    sinew_bounds *bounds;
    sinew_affine *model; // the rest pose's
    uint32_t *indices;
    sinew_ray ray;
    sinew_boxes boxes;
    sinew_frustum frustum;
    uint32_t *visible;
} bench_spatial;

// Returns NULL if memory runs out. Free with bench_spatial_destroy.
bench_spatial *bench_spatial_create(const bench_world *world);
void bench_spatial_destroy(bench_spatial *bench);

// Each processes all boxes or triangles once.
typedef void bench_spatial_function(bench_spatial *bench);

bench_spatial_function bench_spatial_box;    // the posed box
bench_spatial_function bench_spatial_sphere; // box and sphere
bench_spatial_function bench_spatial_cull;
bench_spatial_function bench_spatial_pick;

#endif
