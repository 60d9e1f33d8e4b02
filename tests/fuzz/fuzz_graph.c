// SPDX-License-Identifier: MIT
// Fuzzes an animation graph's text, up to the first zero byte, and an animator that plays it. Each byte after the
// zero sets parameters and advances the animator by a step. A graph with a rig also moves a character.
#include "fuzz/fuzz.h"
#include "fuzz/rig.h"

#include <sinew/motion/animator.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64 };

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

// ---- The graph -----------------------------------------------------------------------------------------------

// The message is one line that starts with a line and a column of the text.
static void check_error(const sinew_error *error, sinew_result result) {
    char *end;
    const long line = strtol(error->message, &end, 10);
    const long column = *end == ':' ? strtol(end + 1, &end, 10) : 0;
    require(error->result == result, "the error has another result");
    require(line > 0 && column > 0, error->message);
    require(!strchr(error->message, '\n'), "a message has two lines");
}

static bool is_index(int32_t index, int32_t count) {
    return index >= 0 && index < count;
}

static void check_states(const sinew_graph *graph) {
    for (int32_t i = 0; i < graph->state_count; i++) {
        const sinew_graph_state *state = &graph->states[i];
        char path[256];
        require(is_index(state->machine, graph->machine_count), "a state's machine");
        require((state->kind == SINEW_GRAPH_STATE_CLIP) == (state->clip != NULL), "a state's clip");
        require((state->kind == SINEW_GRAPH_STATE_BLEND_SPACE) == (state->blend != NULL), "a state's blend space");
        require(isfinite(state->speed), "a state's speed");
        if (sinew_graph_state_path(graph, i, path, sizeof path) < sizeof path)
            require(sinew_graph_find_state(graph, path) == i, "a state is not found by its path");
    }
}

static void check_graph(const sinew_graph *graph) {
    require(graph->layer_count > 0 || graph->step_count > 0, "a graph of nothing");
    require(graph->layer_count <= SINEW_MAX_GRAPH_LAYERS, "the number of layers");
    require(graph->step_count <= SINEW_MAX_RIG_STEPS && graph->foot_count <= SINEW_MAX_FEET, "the size of a rig");
    for (int32_t i = 0; i < graph->machine_count; i++) {
        int32_t entry = graph->machines[i].entry;
        require(is_index(entry, graph->state_count) && graph->states[entry].machine == i, "a machine's entry");
    }
    check_states(graph);
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const sinew_graph_transition *t = &graph->transitions[i];
        require(is_index(t->to, graph->state_count), "the end of a transition");
        require(t->from == SINEW_ANY_STATE || is_index(t->from, graph->state_count), "the start of a transition");
        require(graph->conditions[i].node_count <= SINEW_MAX_CONDITION_NODES, "the length of a condition");
        require(t->transition.duration >= 0.0f, "the duration of a transition");
    }
}

// ---- The animator --------------------------------------------------------------------------------------------

static const sinew_clip *the_clip;

// Every clip that a graph names exists.
static const sinew_clip *find_clip(const char *name, void *user) {
    (void)name;
    (void)user;
    return the_clip;
}

// Two nodes of the names that the seeds use, and a clip of a second with a marker.
static const sinew_skeleton *make_stage(void) {
    static sinew_skeleton *skeleton;
    if (skeleton) return skeleton;
    const sinew_node_def nodes[2] = {{.name = "Spine", .parent = -1, .rest = sinew_transform_identity()},
                                     {.name = "Head", .parent = 0, .rest = sinew_transform_identity()}};
    sinew_skeleton_def def = sinew_skeleton_default();
    def.node_count = 2;
    def.nodes = nodes;
    require(sinew_skeleton_create(&def, &skeleton, NULL) == SINEW_OK, "no skeleton");
    const float times[2] = {0.0f, 1.0f}, values[6] = {0, 0, 0, 1, 2, 3};
    const sinew_channel_def channel = {1, SINEW_TARGET_TRANSLATION, SINEW_INTERPOLATION_LINEAR, 2, times, values};
    const sinew_marker markers[1] = {{"Step", 0.5f}};
    sinew_clip_def clip = sinew_clip_default();
    clip.name = "Any";
    clip.skeleton = skeleton;
    clip.channels = &channel;
    clip.channel_count = 1;
    clip.markers = markers;
    clip.marker_count = 1;
    sinew_clip *made;
    require(sinew_clip_create(&clip, &made, NULL) == SINEW_OK, "no clip");
    the_clip = made;
    return skeleton;
}

static void play(const sinew_graph *graph, sinew_animator *animator, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count && i < MAX_STEPS; i++) {
        for (int32_t k = 0; k < graph->parameter_count; k++)
            fuzz_set_parameter(animator, &graph->parameters[k], k, (int8_t)(bytes[i] * (k + 1)));
        sinew_animator_update(animator, (float)(bytes[i] & 15) * 0.0625f);
        for (int32_t layer = 0; layer < graph->layer_count; layer++)
            require(is_index(sinew_animator_state(animator, layer), graph->state_count), "a layer's state");
    }
}

static void bind_and_play(const sinew_graph *graph, const uint8_t *bytes, size_t count) {
    sinew_graph_binding_def def = sinew_graph_binding_default();
    def.graph = graph;
    def.skeleton = make_stage();
    def.find_clip = find_clip;
    sinew_graph_binding *binding;
    if (sinew_graph_bind(&def, &binding, NULL) != SINEW_OK) return; // such as a mask of a node that does not exist
    sinew_animator_def animator_def = sinew_animator_default();
    animator_def.binding = binding;
    sinew_animator *animator;
    if (sinew_animator_create(&animator_def, &animator, NULL) == SINEW_OK) play(graph, animator, bytes, count);
    sinew_animator_destroy(animator);
    sinew_graph_binding_destroy(binding);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t text_size = fuzz_text_size(data, size);
    char *text = malloc(text_size > 0 ? text_size : 1); // exact length, so a sanitizer finds reads past the end
    if (!text) return 0;
    if (text_size > 0) memcpy(text, data, text_size);
    sinew_graph *graph;
    sinew_error error = {SINEW_OK, ""};
    const sinew_result result = sinew_graph_load_memory(text, text_size, NULL, &graph, &error);
    free(text);
    if (result != SINEW_OK) {
        require(!graph, "a graph and an error");
        check_error(&error, result);
        return 0;
    }
    check_graph(graph);
    static const uint8_t steps[] = {1, 2, 0, 3, 120, 15, 200, 7};
    const bool has_steps = size > text_size + 1;
    const uint8_t *bytes = has_steps ? data + text_size + 1 : steps;
    const size_t count = has_steps ? size - text_size - 1 : sizeof steps;
    bind_and_play(graph, bytes, count);
    fuzz_rig(graph, bytes, count);
    sinew_graph_destroy(graph);
    return 0;
}
