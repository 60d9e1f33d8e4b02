// SPDX-License-Identifier: MIT
// A small character for tests of animation graphs: a chain of three nodes, and clips that slide the first one.
#ifndef GRAPH_STAGE_H
#define GRAPH_STAGE_H

#include "support/check.h"

// Clips: name, seconds and metres of node 0. Their speeds differ, so a mix of two is recognizable.
#define GRAPH_STAGE_CLIPS 5

typedef struct graph_stage {
    sinew_skeleton *skeleton;
    sinew_clip *clips[GRAPH_STAGE_CLIPS]; // "idle" 2 s 0 m, "walk" 1 s 1 m, "run" 0.5 s 2 m, "jump" 0.75 s
                                          // 3 m, "wave" 1 s 4 m with the marker "Hit" at 0.5 s
    sinew_graph *graph;
    sinew_graph_binding *binding;
    sinew_animator *animator;
} graph_stage;

static inline sinew_clip *make_marked_slide(const sinew_skeleton *skeleton) {
    float times[2] = {0.0f, 1.0f}, values[6] = {0, 0, 0, 4, 0, 0};
    sinew_channel_def channel = {0, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    const sinew_marker marker = {.name = "Hit", .time = 0.5f};
    sinew_clip_def def = sinew_clip_default();
    def.name = "wave";
    def.skeleton = skeleton;
    def.channels = &channel;
    def.channel_count = 1;
    def.markers = &marker;
    def.marker_count = 1;
    sinew_clip *clip;
    assert_int_equal(sinew_clip_create(&def, &clip, NULL), SINEW_OK);
    return clip;
}

static inline void make_graph_clips(graph_stage *stage) {
    stage->skeleton = make_chain(3);
    stage->clips[0] = make_slide(stage->skeleton, "idle", 0, 2.0f, 0.0f);
    stage->clips[1] = make_slide(stage->skeleton, "walk", 0, 1.0f, 1.0f);
    stage->clips[2] = make_slide(stage->skeleton, "run", 0, 0.5f, 2.0f);
    stage->clips[3] = make_slide(stage->skeleton, "jump", 0, 0.75f, 3.0f);
    stage->clips[4] = make_marked_slide(stage->skeleton);
}

static inline sinew_graph *read_graph(const char *text) {
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_memory(text, strlen(text), NULL, &graph, &error) != SINEW_OK)
        fail_msg("%s", error.message);
    return graph;
}

static inline const sinew_clip *find_stage_clip(const char *name, void *user) {
    const graph_stage *stage = (const graph_stage *)user;
    for (int i = 0; i < GRAPH_STAGE_CLIPS; i++) {
        if (strcmp(stage->clips[i]->name, name) == 0) return stage->clips[i];
    }
    return NULL;
}

static inline sinew_graph_binding_def stage_binding_def(const graph_stage *stage) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = stage->graph;
    def.skeleton = stage->skeleton;
    def.find_clip = find_stage_clip;
    def.user = (void *)(uintptr_t)stage;
    return def;
}

static inline sinew_animator *make_animator(const sinew_graph_binding *binding) {
    sinew_animator_def def = sinew_animator_default();
    def.binding = binding;
    def.max_events = 64;
    sinew_animator *animator;
    sinew_error error;
    if (sinew_animator_create(&def, &animator, &error) != SINEW_OK) fail_msg("%s", error.message);
    return animator;
}

static inline graph_stage make_graph_stage(const char *text) {
    graph_stage stage = {0};
    make_graph_clips(&stage);
    stage.graph = read_graph(text);
    sinew_graph_binding_def def = stage_binding_def(&stage);
    sinew_error error;
    if (sinew_graph_bind(&def, &stage.binding, &error) != SINEW_OK) fail_msg("%s", error.message);
    stage.animator = make_animator(stage.binding);
    return stage;
}

static inline void free_graph_stage(graph_stage *stage) {
    sinew_animator_destroy(stage->animator);
    sinew_graph_binding_destroy(stage->binding);
    sinew_graph_destroy(stage->graph);
    for (int i = 0; i < GRAPH_STAGE_CLIPS; i++) sinew_clip_destroy(stage->clips[i]);
    sinew_skeleton_destroy(stage->skeleton);
}

static inline int32_t parameter_of(const graph_stage *stage, const char *name) {
    int32_t parameter = sinew_graph_find_parameter(stage->graph, name);
    assert_int_not_equal(parameter, SINEW_GRAPH_NONE);
    return parameter;
}

static inline void check_leaf(const graph_stage *stage, int32_t layer, const char *path) {
    char text[256];
    sinew_graph_state_path(stage->graph, sinew_animator_state(stage->animator, layer), text, sizeof text);
    assert_string_equal(text, path);
}

#endif
