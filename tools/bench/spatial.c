// SPDX-License-Identifier: MIT
// The bounds, boxes and ray to measure with.
#include "bench/spatial.h"

#include <sinew/scene/camera.h>

#include "bench/memory.h"

#include <math.h>

static bool make_bounds(bench_spatial *bench, const bench_world *world) {
    const sinew_skin_job *job = &bench->mesh->job;
    const int32_t root = 0;
    const sinew_bounds_mesh mesh = {.node_count = 1,
                                    .nodes = &root,
                                    .skin = world->skin,
                                    .vertex_count = BENCH_VERTICES,
                                    .positions = job->positions,
                                    .influences = job->influences,
                                    .joints = job->joints,
                                    .weights = job->weights};
    sinew_bounds_def def = sinew_bounds_default();
    def.skeleton = world->skeleton;
    def.meshes = &mesh;
    def.mesh_count = 1;
    return sinew_bounds_create(&def, &bench->bounds, NULL) == SINEW_OK;
}

static bool make_model(bench_spatial *bench, const bench_world *world) {
    sinew_pose *pose;
    if (sinew_pose_create(world->skeleton, NULL, &pose) != SINEW_OK) return false;
    bench->model = bench_allocate((size_t)world->skeleton->node_count, sizeof *bench->model);
    sinew_pose_to_model(pose, bench->model);
    sinew_pose_destroy(pose);
    return true;
}

// Makes boxes around a camera that looks along -Z. It sees about one in six.
static void make_boxes(bench_spatial *bench) {
    bench_random random = {1};
    float **arrays[] = {&bench->boxes.center_x, &bench->boxes.center_y, &bench->boxes.center_z,
                        &bench->boxes.extent_x, &bench->boxes.extent_y, &bench->boxes.extent_z};
    for (int i = 0; i < 6; i++) *arrays[i] = bench_allocate(BENCH_BOXES, sizeof(float));
    for (int32_t i = 0; i < BENCH_BOXES; i++) {
        sinew_vec3 at = {bench_random_float(&random, -100.0f, 100.0f), bench_random_float(&random, -20.0f, 20.0f),
                         bench_random_float(&random, -100.0f, 100.0f)};
        sinew_boxes_set(&bench->boxes, i, (sinew_box){at, {at.x + 0.5f, at.y + 1.8f, at.z + 0.4f}});
    }
    sinew_mat4 projection = sinew_mat4_perspective(1.0384f, 1.75f, 0.1f, INFINITY, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    bench->frustum = sinew_frustum_from_matrix(projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    bench->visible = bench_allocate((size_t)SINEW_VISIBLE_WORDS(BENCH_BOXES), sizeof *bench->visible);
}

static void make_ray(bench_spatial *bench) {
    bench->indices = bench_allocate(3 * (size_t)BENCH_TRIANGLES, sizeof *bench->indices);
    for (uint32_t i = 0; i < 3 * BENCH_TRIANGLES; i++) bench->indices[i] = i;
    bench->ray = (sinew_ray){{0.01f, 1.0f, 5.0f}, {0.01f, 0.02f, -1.0f}};
}

bench_spatial *bench_spatial_create(const bench_world *world) {
    bench_spatial *bench = bench_allocate(1, sizeof *bench);
    bench->mesh = bench_mesh_create(world, BENCH_POSITION, BENCH_LAYOUT_4);
    if (!bench->mesh || !make_bounds(bench, world) || !make_model(bench, world)) {
        bench_spatial_destroy(bench);
        return NULL;
    }
    make_boxes(bench);
    make_ray(bench);
    return bench;
}

void bench_spatial_destroy(bench_spatial *bench) {
    if (!bench) return;
    bench_mesh_destroy(bench->mesh);
    sinew_bounds_destroy(bench->bounds);
    float *const arrays[] = {bench->boxes.center_x, bench->boxes.center_y, bench->boxes.center_z,
                             bench->boxes.extent_x, bench->boxes.extent_y, bench->boxes.extent_z};
    for (int i = 0; i < 6; i++) bench_release(arrays[i]);
    bench_release(bench->model);
    bench_release(bench->indices);
    bench_release(bench->visible);
    bench_release(bench);
}

// ---- The stages ----------------------------------------------------------------------------------------------

void bench_spatial_box(bench_spatial *bench) {
    sinew_box box;
    sinew_bounds_pose(bench->bounds, bench->model, NULL, &box, NULL);
}

void bench_spatial_sphere(bench_spatial *bench) {
    sinew_box box;
    sinew_sphere sphere;
    sinew_bounds_pose(bench->bounds, bench->model, NULL, &box, &sphere);
}

void bench_spatial_cull(bench_spatial *bench) {
    sinew_cull_boxes(&bench->frustum, &bench->boxes, 0, BENCH_BOXES, bench->visible);
}

void bench_spatial_pick(bench_spatial *bench) {
    sinew_triangle_hit hit;
    sinew_pick_triangles(bench->ray, bench->mesh->job.positions, bench->indices, 3 * BENCH_TRIANGLES, INFINITY,
                         &hit);
}
