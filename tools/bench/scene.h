// SPDX-License-Identifier: MIT
// A scene with many instances. Some of them move in each frame.
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include <sinew/scene/scene.h>

enum { BENCH_INSTANCES = 10000 };

// Instances in the rest pose, all around a camera.
typedef struct bench_scene {
    sinew_asset asset;
    sinew_skeleton *skeleton;
    sinew_bounds *bounds;
    sinew_scene *scene;
    sinew_scene_node *nodes; // [BENCH_INSTANCES], shuffled
    sinew_frustum frustum;
    int32_t next; // next instance to move
} bench_scene;

// Returns NULL if memory runs out. Free with bench_scene_destroy. With `skip_unseen`, each instance has its own pose.
bench_scene *bench_scene_create(bool skip_unseen);
void bench_scene_destroy(bench_scene *bench);

// Runs a frame: moves this many instances and updates the scene.
void bench_scene_update(bench_scene *bench, int32_t moved);

void bench_scene_cull(bench_scene *bench);

#endif
