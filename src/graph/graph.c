// SPDX-License-Identifier: MIT
// Finding things in a graph by name.
#include "graph/graph_data.h"
#include "core/def_cookie.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

sinew_graph_def sinew_graph_default(void) {
    return (sinew_graph_def){.cookie = SINEW_DEF_COOKIE};
}

int32_t sinew_graph_find_parameter(const sinew_graph *graph, const char *name) {
    assert(graph && name);
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        if (strcmp(graph->parameters[i].name, name) == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

int32_t sinew_graph_find_tag(const sinew_graph *graph, const char *name) {
    assert(graph && name);
    for (int32_t i = 0; i < graph->tag_count; i++) {
        if (strcmp(graph->tags[i], name) == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

static bool name_is(const char *name, const char *text, size_t length) {
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static int32_t find_state_in(const sinew_graph *graph, int32_t machine, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (graph->states[i].machine == machine && name_is(graph->states[i].name, name, length)) return i;
    }
    return SINEW_GRAPH_NONE;
}

static int32_t find_machine_of_layer(const sinew_graph *graph, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->layer_count; i++) {
        if (name_is(graph->layers[i].name, name, length)) return graph->layers[i].machine;
    }
    return SINEW_GRAPH_NONE;
}

// Conditions are compiled before a graph has its private data: this reads the public arrays only.
int32_t sinew_graph_find_state(const sinew_graph *graph, const char *path) {
    assert(graph && path);
    size_t length = strcspn(path, "/");
    int32_t machine = find_machine_of_layer(graph, path, length), state = SINEW_GRAPH_NONE;
    for (path += length; *path == '/' && machine != SINEW_GRAPH_NONE; path += length) {
        length = strcspn(++path, "/");
        state = find_state_in(graph, machine, path, length);
        bool is_machine = state != SINEW_GRAPH_NONE && graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE;
        machine = is_machine ? graph->states[state].submachine : SINEW_GRAPH_NONE;
    }
    return *path == '\0' ? state : SINEW_GRAPH_NONE;
}

int32_t sinew_graph_state_layer(const sinew_graph *graph, int32_t state) {
    assert(graph && state >= 0 && state < graph->state_count);
    return graph->data->owners[graph->states[state].machine].layer;
}

int32_t sinew_graph_machine_state(const sinew_graph *graph, int32_t machine) {
    assert(graph && machine >= 0 && machine < graph->machine_count);
    return graph->data->owners[machine].state;
}

// Appends to a text that may be longer than its buffer.
static size_t append_name(char *text, size_t size, size_t length, const char *separator, const char *name) {
    size_t at = length < size ? length : size - 1;
    return length + (size_t)snprintf(text + at, size - at, "%s%s", separator, name);
}

size_t sinew_graph_state_path(const sinew_graph *graph, int32_t state, char *path, size_t size) {
    assert(graph && state >= 0 && state < graph->state_count && path && size > 0);
    int32_t states[SINEW_MAX_GRAPH_DEPTH], depth = 0;
    int32_t layer = sinew_graph_state_layer(graph, state);
    for (; state != SINEW_GRAPH_NONE; state = sinew_graph_machine_state(graph, graph->states[state].machine))
        states[depth++] = state;
    size_t length = append_name(path, size, 0, "", graph->layers[layer].name);
    while (depth > 0) length = append_name(path, size, length, "/", graph->states[states[--depth]].name);
    return length;
}
