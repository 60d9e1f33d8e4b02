// What a camera sees and a ray meets.
#include "bench/seen.h"

#include "bench/memory.h"

#include <math.h>

static bool make_bounds(bench_seen *seen, const bench_world *world) {
    const sinew_skin_job *job = &seen->mesh->job;
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
    return sinew_bounds_create(&def, &seen->bounds, NULL) == SINEW_OK;
}

static bool make_model(bench_seen *seen, const bench_world *world) {
    sinew_pose *pose;
    if (sinew_pose_create(world->skeleton, NULL, &pose) != SINEW_OK) return false;
    seen->model = bench_allocate((size_t)world->skeleton->node_count, sizeof *seen->model);
    sinew_pose_to_model(pose, seen->model);
    sinew_pose_destroy(pose);
    return true;
}

// One in six or so is in front of a camera that looks along -Z from their middle.
static void make_boxes(bench_seen *seen) {
    bench_random random = {1};
    float **arrays[] = {&seen->boxes.center_x, &seen->boxes.center_y, &seen->boxes.center_z,
                        &seen->boxes.extent_x, &seen->boxes.extent_y, &seen->boxes.extent_z};
    for (int i = 0; i < 6; i++) *arrays[i] = bench_allocate(BENCH_BOXES, sizeof(float));
    for (int32_t i = 0; i < BENCH_BOXES; i++) {
        sinew_vec3 at = {bench_random_float(&random, -100.0f, 100.0f), bench_random_float(&random, -20.0f, 20.0f),
                         bench_random_float(&random, -100.0f, 100.0f)};
        sinew_boxes_set(&seen->boxes, i, (sinew_box){at, {at.x + 0.5f, at.y + 1.8f, at.z + 0.4f}});
    }
    sinew_mat4 projection = sinew_mat4_perspective(1.0384f, 1.75f, 0.1f, INFINITY, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    seen->frustum = sinew_frustum_from_matrix(projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    seen->visible = bench_allocate((size_t)SINEW_VISIBLE_WORDS(BENCH_BOXES), sizeof *seen->visible);
}

static void make_ray(bench_seen *seen) {
    seen->indices = bench_allocate(3 * (size_t)BENCH_TRIANGLES, sizeof *seen->indices);
    for (uint32_t i = 0; i < 3 * BENCH_TRIANGLES; i++) seen->indices[i] = i;
    seen->ray = (sinew_ray){{0.01f, 1.0f, 5.0f}, {0.01f, 0.02f, -1.0f}};
}

bench_seen *bench_seen_create(const bench_world *world) {
    bench_seen *seen = bench_allocate(1, sizeof *seen);
    seen->mesh = bench_mesh_create(world, BENCH_POSITION, BENCH_LAYOUT_4);
    if (!seen->mesh || !make_bounds(seen, world) || !make_model(seen, world)) {
        bench_seen_destroy(seen);
        return NULL;
    }
    make_boxes(seen);
    make_ray(seen);
    return seen;
}

void bench_seen_destroy(bench_seen *seen) {
    if (!seen) return;
    bench_mesh_destroy(seen->mesh);
    sinew_bounds_destroy(seen->bounds);
    float *const arrays[] = {seen->boxes.center_x, seen->boxes.center_y, seen->boxes.center_z,
                             seen->boxes.extent_x, seen->boxes.extent_y, seen->boxes.extent_z};
    for (int i = 0; i < 6; i++) bench_release(arrays[i]);
    bench_release(seen->model);
    bench_release(seen->indices);
    bench_release(seen->visible);
    bench_release(seen);
}

// ---- The stages ----------------------------------------------------------------------------------------------

void bench_seen_box(bench_seen *seen) {
    sinew_box box;
    sinew_bounds_pose(seen->bounds, seen->model, NULL, &box, NULL);
}

void bench_seen_sphere(bench_seen *seen) {
    sinew_box box;
    sinew_sphere sphere;
    sinew_bounds_pose(seen->bounds, seen->model, NULL, &box, &sphere);
}

void bench_seen_cull(bench_seen *seen) {
    sinew_cull_boxes(&seen->frustum, &seen->boxes, 0, BENCH_BOXES, seen->visible);
}

void bench_seen_pick(bench_seen *seen) {
    sinew_triangle_hit hit;
    sinew_pick_triangles(seen->ray, seen->mesh->job.positions, seen->indices, 3 * BENCH_TRIANGLES, INFINITY, &hit);
}
