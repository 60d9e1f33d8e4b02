// SPDX-License-Identifier: MIT
// Many instances in a scene.
#include "bench/scene.h"

#include <sinew/scene/camera.h>

#include "bench/memory.h"

#include <math.h>

static bool make_asset(bench_scene *bench) {
    const sinew_node_def node = {.name = "box", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    sinew_skeleton_def skeleton = sinew_skeleton_default();
    skeleton.node_count = 1;
    skeleton.nodes = &node;
    if (sinew_skeleton_create(&skeleton, &bench->skeleton, NULL) != SINEW_OK) return false;
    static const float corners[6] = {-0.3f, 0.0f, -0.2f, 0.3f, 1.8f, 0.2f};
    const int32_t root = 0;
    const sinew_bounds_mesh mesh = {.node_count = 1, .nodes = &root, .vertex_count = 2, .positions = corners};
    sinew_bounds_def bounds = sinew_bounds_default();
    bounds.skeleton = bench->skeleton;
    bounds.mesh_count = 1;
    bounds.meshes = &mesh;
    if (sinew_bounds_create(&bounds, &bench->bounds, NULL) != SINEW_OK) return false;
    bench->asset = (sinew_asset){.skeleton = bench->skeleton, .bounds = bench->bounds};
    return true;
}

static sinew_transform random_transform(bench_random *random) {
    sinew_transform t = sinew_transform_identity();
    t.translation =
        (sinew_vec3){bench_random_float(random, -100.0f, 100.0f), bench_random_float(random, -20.0f, 20.0f),
                     bench_random_float(random, -100.0f, 100.0f)};
    return t;
}

static void shuffle(sinew_scene_node *nodes, bench_random *random) {
    for (uint32_t i = BENCH_INSTANCES - 1; i > 0; i--) {
        uint32_t with = bench_random_next(random) % (i + 1);
        sinew_scene_node node = nodes[i];
        nodes[i] = nodes[with];
        nodes[with] = node;
    }
}

static bool fill_scene(bench_scene *bench, bool skip_unseen) {
    sinew_scene_def scene = sinew_scene_default();
    scene.max_nodes = BENCH_INSTANCES;
    scene.skip_unseen = skip_unseen;
    if (sinew_scene_create(&scene, &bench->scene, NULL) != SINEW_OK) return false;
    bench->nodes = bench_allocate(BENCH_INSTANCES, sizeof *bench->nodes);
    bench_random random = {1};
    sinew_instance_def def = sinew_instance_default();
    def.asset = &bench->asset;
    def.pose = skip_unseen ? SINEW_INSTANCE_POSE_OWN : SINEW_INSTANCE_POSE_REST;
    for (int32_t i = 0; i < BENCH_INSTANCES; i++) {
        def.node.transform = random_transform(&random);
        if (sinew_scene_add_instance(bench->scene, &def, &bench->nodes[i], NULL) != SINEW_OK) return false;
    }
    shuffle(bench->nodes, &random);
    sinew_scene_update(bench->scene, 0.0f);
    return true;
}

bench_scene *bench_scene_create(bool skip_unseen) {
    bench_scene *bench = bench_allocate(1, sizeof *bench);
    if (!make_asset(bench) || !fill_scene(bench, skip_unseen)) {
        bench_scene_destroy(bench);
        return NULL;
    }
    sinew_mat4 projection = sinew_mat4_perspective(1.0384f, 1.75f, 0.1f, INFINITY, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    bench->frustum = sinew_frustum_from_matrix(projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    return bench;
}

void bench_scene_destroy(bench_scene *bench) {
    if (!bench) return;
    sinew_scene_destroy(bench->scene);
    sinew_bounds_destroy(bench->bounds);
    sinew_skeleton_destroy(bench->skeleton);
    bench_release(bench->nodes);
    bench_release(bench);
}

void bench_scene_update(bench_scene *bench, int32_t moved) {
    for (int32_t i = 0; i < moved; i++) {
        sinew_scene_node node = bench->nodes[bench->next];
        sinew_transform t = sinew_scene_transform(bench->scene, node);
        t.translation.x = -t.translation.x;
        sinew_scene_set_transform(bench->scene, node, t);
        bench->next = bench->next + 1 < BENCH_INSTANCES ? bench->next + 1 : 0;
    }
    sinew_scene_update(bench->scene, 1.0f / 60.0f);
}

void bench_scene_cull(bench_scene *bench) {
    sinew_scene_cull(bench->scene, &bench->frustum);
}
