// SPDX-License-Identifier: MIT
// Defaults for a graph and its elements. Finds parameters, tags and states by name.
#include "motion/graph_data.h"
#include "motion/graph_find.h"
#include "base/float_rules.h"
#include "base/def_cookie.h"

#include <assert.h>
#include <math.h>
#include <string.h>

sinew_graph_def sinew_graph_default(void) {
    return (sinew_graph_def){.cookie = SINEWI_DEF_COOKIE};
}

sinew_graph_parameter sinew_graph_parameter_default(void) {
    sinew_graph_parameter parameter = {
        .min = -(double)INFINITY, .max = (double)INFINITY, .cookie = SINEWI_DEF_COOKIE};
    parameter.initial[SINEWI_TRANSFORM_W] = 1.0;
    return parameter;
}

sinew_graph_state sinew_graph_state_default(void) {
    return (sinew_graph_state){.submachine = SINEW_GRAPH_NONE,
                               .speed = 1.0f,
                               .speed_parameter = SINEW_GRAPH_NONE,
                               .loop = SINEW_LOOP_REPEAT,
                               .loop_count = SINEW_FOREVER,
                               .cookie = SINEWI_DEF_COOKIE};
}

sinew_graph_transition sinew_graph_transition_default(void) {
    return (sinew_graph_transition){.from = SINEW_ANY_STATE,
                                    .to = SINEW_GRAPH_NONE,
                                    .transition = sinew_transition_default(),
                                    .cookie = SINEWI_DEF_COOKIE};
}

sinew_graph_layer sinew_graph_layer_default(void) {
    return (sinew_graph_layer){.weight = 1.0f, .weight_parameter = SINEW_GRAPH_NONE, .cookie = SINEWI_DEF_COOKIE};
}

int32_t sinew_graph_find_parameter(const sinew_graph *graph, const char *name) {
    assert(graph && name);
    return sinewi_graph_parameter_named(graph, name, strlen(name));
}

int32_t sinew_graph_find_tag(const sinew_graph *graph, const char *name) {
    assert(graph && name);
    return sinewi_graph_tag_named(graph, name, strlen(name));
}

int32_t sinew_graph_find_state(const sinew_graph *graph, const char *path) {
    assert(graph && path);
    return sinewi_graph_state_at_path(graph, path, strlen(path));
}

int32_t sinew_graph_state_layer(const sinew_graph *graph, int32_t state) {
    assert(graph && state >= 0 && state < graph->state_count);
    return graph->data->owners[graph->states[state].machine].layer;
}

int32_t sinew_graph_machine_state(const sinew_graph *graph, int32_t machine) {
    assert(graph && machine >= 0 && machine < graph->machine_count);
    return graph->data->owners[machine].state;
}

size_t sinew_graph_state_path(const sinew_graph *graph, int32_t state, char *path, size_t size) {
    assert(graph && state >= 0 && state < graph->state_count && path && size > 0);
    return sinewi_graph_write_path(graph, state, path, size);
}
