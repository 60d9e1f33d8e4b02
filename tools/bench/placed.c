// Many things in a scene.
#include "bench/placed.h"

#include "bench/memory.h"

#include <math.h>

static bool make_asset(bench_placed *placed) {
    const sinew_node_def node = {.name = "box", .parent = SINEW_NO_NODE, .rest = sinew_transform_identity()};
    sinew_skeleton_def skeleton = sinew_skeleton_default();
    skeleton.node_count = 1;
    skeleton.nodes = &node;
    if (sinew_skeleton_create(&skeleton, &placed->skeleton, NULL) != SINEW_OK) return false;
    static const float corners[6] = {-0.3f, 0.0f, -0.2f, 0.3f, 1.8f, 0.2f};
    const int32_t root = 0;
    const sinew_bounds_mesh mesh = {.node_count = 1, .nodes = &root, .vertex_count = 2, .positions = corners};
    sinew_bounds_def bounds = sinew_bounds_default();
    bounds.skeleton = placed->skeleton;
    bounds.mesh_count = 1;
    bounds.meshes = &mesh;
    if (sinew_bounds_create(&bounds, &placed->bounds, NULL) != SINEW_OK) return false;
    placed->asset = (sinew_asset){.skeleton = placed->skeleton, .bounds = placed->bounds};
    return true;
}

static sinew_transform place_of(bench_random *random) {
    sinew_transform t = sinew_transform_identity();
    t.translation =
        (sinew_vec3){bench_random_float(random, -100.0f, 100.0f), bench_random_float(random, -20.0f, 20.0f),
                     bench_random_float(random, -100.0f, 100.0f)};
    return t;
}

static void shuffle(sinew_scene_node *nodes, bench_random *random) {
    for (uint32_t i = BENCH_PLACED - 1; i > 0; i--) {
        uint32_t with = bench_random_next(random) % (i + 1);
        sinew_scene_node node = nodes[i];
        nodes[i] = nodes[with];
        nodes[with] = node;
    }
}

static bool fill_scene(bench_placed *placed, bool skip_unseen) {
    sinew_scene_def scene = sinew_scene_default();
    scene.max_nodes = BENCH_PLACED;
    scene.skip_unseen = skip_unseen;
    if (sinew_scene_create(&scene, &placed->scene, NULL) != SINEW_OK) return false;
    placed->nodes = bench_allocate(BENCH_PLACED, sizeof *placed->nodes);
    bench_random random = {1};
    sinew_instance_def def = sinew_instance_default();
    def.asset = &placed->asset;
    def.pose = skip_unseen ? SINEW_INSTANCE_POSE_OWN : SINEW_INSTANCE_POSE_REST;
    for (int32_t i = 0; i < BENCH_PLACED; i++) {
        def.node.transform = place_of(&random);
        if (sinew_scene_add_instance(placed->scene, &def, &placed->nodes[i], NULL) != SINEW_OK) return false;
    }
    shuffle(placed->nodes, &random);
    sinew_scene_update(placed->scene, 0.0f);
    return true;
}

bench_placed *bench_placed_create(bool skip_unseen) {
    bench_placed *placed = bench_allocate(1, sizeof *placed);
    if (!make_asset(placed) || !fill_scene(placed, skip_unseen)) {
        bench_placed_destroy(placed);
        return NULL;
    }
    sinew_mat4 projection = sinew_mat4_perspective(1.0384f, 1.75f, 0.1f, INFINITY, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    placed->frustum = sinew_frustum_from_matrix(projection, SINEW_DEPTH_MINUS_ONE_TO_ONE);
    return placed;
}

void bench_placed_destroy(bench_placed *placed) {
    if (!placed) return;
    sinew_scene_destroy(placed->scene);
    sinew_bounds_destroy(placed->bounds);
    sinew_skeleton_destroy(placed->skeleton);
    bench_release(placed->nodes);
    bench_release(placed);
}

void bench_placed_update(bench_placed *placed, int32_t moved) {
    for (int32_t i = 0; i < moved; i++) {
        sinew_scene_node node = placed->nodes[placed->next];
        sinew_transform t = sinew_scene_transform(placed->scene, node);
        t.translation.x = -t.translation.x;
        sinew_scene_set_transform(placed->scene, node, t);
        placed->next = placed->next + 1 < BENCH_PLACED ? placed->next + 1 : 0;
    }
    sinew_scene_update(placed->scene, 1.0f / 60.0f);
}

void bench_placed_cull(bench_placed *placed) {
    sinew_scene_cull(placed->scene, &placed->frustum);
}
