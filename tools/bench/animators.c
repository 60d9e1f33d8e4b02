// SPDX-License-Identifier: MIT
// A graph that plays generated clips, and its characters.
#include "bench/animators.h"

#include "bench/memory.h"

#include <stdlib.h>

// The fade from Idle to Walk is longer than any measurement.
static const char text[] =
    "{\"sinewGraph\":1,\"parameters\":{\"speed\":{\"type\":\"float\"},\"jump\":{\"type\":\"trigger\"}},\"layers\":["
    "{"
    "\"name\":\"Base\",\"states\":{\"Idle\":{\"clip\":\"0\"},\"Walk\":{\"clip\":\"1\"},\"Jump\":{\"clip\":\"2\","
    "\"loop\":\"once\"}},\"transitions\":[{\"from\":\"Idle\",\"to\":\"Walk\",\"when\":\"speed > "
    "0.3\",\"duration\":1e6},"
    "{\"from\":\"Walk\",\"to\":\"Idle\",\"when\":\"speed < "
    "0.1\"},{\"from\":\"Idle\",\"to\":\"Jump\",\"when\":\"jump\"},"
    "{\"from\":\"Walk\",\"to\":\"Jump\",\"when\":\"jump\"},{\"from\":\"Jump\",\"to\":\"Idle\",\"when\":"
    "\"finished\"}]}]}";

static const float frame = 1.0f / 60.0f;

static const sinew_clip *find_clip(const char *name, void *user) {
    const bench_world *world = user;
    return world->clips[strtol(name, NULL, 10)];
}

static bool bind_graph(bench_animators *all, bench_world world) {
    if (sinew_graph_load_memory(text, sizeof text - 1, NULL, &all->graph, NULL) != SINEW_OK) return false;
    all->speed = sinew_graph_find_parameter(all->graph, "speed");
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = all->graph;
    def.skeleton = world.skeleton;
    def.find_clip = find_clip;
    def.user = &world;
    return sinew_graph_bind(&def, &all->binding, NULL) == SINEW_OK;
}

static bool start_animators(bench_animators *all) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = all->binding;
    for (int32_t i = 0; i < all->count; i++) {
        if (sinew_animator_create(&def, &all->animators[i], NULL) != SINEW_OK) return false;
        sinew_animator_set_float(all->animators[i], all->speed, 1.0f);
        sinew_animator_update(all->animators[i], (float)(i % 50) * frame); // each at a different time
    }
    return true;
}

bench_animators *bench_animators_create(const bench_world *world, int32_t count) {
    bench_animators *all = bench_allocate(1, sizeof *all);
    all->count = count;
    all->animators =
        bench_allocate((size_t)count, sizeof *all->animators); // NOLINT(bugprone-sizeof-expression): pointers
    if (bind_graph(all, *world) && start_animators(all)) return all;
    bench_animators_destroy(all);
    return NULL;
}

void bench_animators_destroy(bench_animators *all) {
    if (!all) return;
    for (int32_t i = 0; i < all->count; i++) sinew_animator_destroy(all->animators[i]);
    sinew_graph_binding_destroy(all->binding);
    sinew_graph_destroy(all->graph);
    bench_release(all->animators);
    bench_release(all);
}

void bench_animators_update(bench_animators *all, bool by_graph, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        sinew_animator *animator = all->animators[all->next];
        if (by_graph) {
            sinew_animator_set_float(animator, all->speed, 1.0f);
            sinew_animator_update(animator, frame);
        } else {
            sinew_mixer_update(sinew_animator_mixer(animator), frame);
        }
        all->next = (all->next + 1) % all->count;
    }
}
