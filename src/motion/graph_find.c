// SPDX-License-Identifier: MIT
// Names and paths in a graph.
//
// A path is followed from its layer inward. Each name is a state in the machine that the previous state contains.
#include "motion/graph_find.h"

#include "base/nearest_name.h"
#include "motion/graph_data.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length) {
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

int32_t sinewi_graph_parameter_named(const sinew_graph *graph, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->parameter_count; i++)
        if (is_name(graph->parameters[i].name, name, length)) return i;
    return SINEW_GRAPH_NONE;
}

int32_t sinewi_graph_tag_named(const sinew_graph *graph, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->tag_count; i++)
        if (is_name(graph->tags[i], name, length)) return i;
    return SINEW_GRAPH_NONE;
}

// The machine inside a state, or SINEW_GRAPH_NONE.
static int32_t submachine_of(const sinew_graph_state *state) {
    return state->kind == SINEW_GRAPH_STATE_MACHINE ? state->submachine : SINEW_GRAPH_NONE;
}

// ---- From a path to a state ----------------------------------------------------------------------------------------

// How far a path leads.
typedef struct path_walk {
    const char *name; // the first name that isn't found, or else the last one
    size_t length;    // of that name
    size_t rest;      // from that name to the end of the path
    bool in_layers;   // whether that name is a layer's
    int32_t machine;  // lacks a state of that name; SINEW_GRAPH_NONE: the previous state contains no machine
    int32_t state;    // that the whole path leads to, or SINEW_GRAPH_NONE
} path_walk;

static int32_t find_layer_machine(const sinew_graph *graph, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->layer_count; i++)
        if (is_name(graph->layers[i].name, name, length)) return graph->layers[i].machine;
    return SINEW_GRAPH_NONE;
}

// Compares a state with `name` in a machine, in the order of states_by_name.
static int compare_state(const sinew_graph_state *state, int32_t machine, const char *name, size_t length) {
    if (state->machine != machine) return state->machine < machine ? -1 : 1;
    int order = strncmp(state->name, name, length);
    return order != 0 || state->name[length] == '\0' ? order : 1;
}

int32_t sinewi_graph_state_named(const sinew_graph *graph, int32_t machine, const char *name, size_t length) {
    const int32_t *order = graph->data->states_by_name;
    int32_t low = 0, high = graph->state_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int compared = compare_state(&graph->states[order[middle]], machine, name, length);
        if (compared == 0) return order[middle];
        if (compared < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return SINEW_GRAPH_NONE;
}

// Moves to the name that starts `rest` characters before the path's end.
static void start_name(path_walk *walk, const char *name, size_t rest) {
    const char *slash = rest > 0 ? (const char *)memchr(name, '/', rest) : NULL;
    walk->name = name;
    walk->rest = rest;
    walk->length = slash ? (size_t)(slash - name) : rest;
}

static path_walk follow_path(const sinew_graph *graph, const char *path, size_t length) {
    path_walk walk = {.in_layers = true, .state = SINEW_GRAPH_NONE};
    start_name(&walk, path, length);
    walk.machine = find_layer_machine(graph, walk.name, walk.length);
    while (walk.machine != SINEW_GRAPH_NONE && walk.length < walk.rest) {
        start_name(&walk, walk.name + walk.length + 1, walk.rest - walk.length - 1);
        walk.in_layers = false;
        int32_t state = sinewi_graph_state_named(graph, walk.machine, walk.name, walk.length);
        if (state == SINEW_GRAPH_NONE) return walk;
        walk.machine = submachine_of(&graph->states[state]);
        if (walk.length == walk.rest) walk.state = state;
    }
    return walk;
}

int32_t sinewi_graph_state_at_path(const sinew_graph *graph, const char *path, size_t length) {
    return follow_path(graph, path, length).state;
}

// ---- From a state to its path --------------------------------------------------------------------------------------

// Appends as much as fits to a path of `length` characters, and returns the length that the whole path would have.
static size_t append(char *path, size_t size, size_t length, const char *text, size_t text_length) {
    size_t room = length < size ? size - 1 - length : 0;
    size_t copied = text_length < room ? text_length : room;
    if (copied > 0) memcpy(path + length, text, copied);
    path[length + copied < size ? length + copied : size - 1] = '\0';
    return length + text_length;
}

size_t sinewi_graph_write_path(const sinew_graph *graph, int32_t state, char *path, size_t size) {
    const sinewi_graph_owner *owners = graph->data->owners;
    const char *layer = graph->layers[owners[graph->states[state].machine].layer].name;
    int32_t states[SINEW_MAX_GRAPH_DEPTH], count = 0; // from the state outward
    for (; state != SINEW_GRAPH_NONE; state = owners[graph->states[state].machine].state) states[count++] = state;
    size_t length = append(path, size, 0, layer, strlen(layer));
    while (count > 0) {
        const char *name = graph->states[states[--count]].name;
        length = append(path, size, length, "/", 1);
        length = append(path, size, length, name, strlen(name));
    }
    return length;
}

// ---- Suggestions ---------------------------------------------------------------------------------------------------

// A state with this name, in any machine.
static int32_t find_state_named(const sinew_graph *graph, const char *name, size_t length) {
    for (int32_t i = 0; i < graph->state_count; i++)
        if (is_name(graph->states[i].name, name, length)) return i;
    return SINEW_GRAPH_NONE;
}

// The name closest to the first one that isn't found.
static sinewi_nearest find_nearest(const sinew_graph *graph, const path_walk *walk) {
    sinewi_nearest nearest = sinewi_nearest_begin(walk->name, walk->length);
    if (walk->in_layers) {
        for (int32_t i = 0; walk->machine == SINEW_GRAPH_NONE && i < graph->layer_count; i++)
            sinewi_nearest_try(&nearest, graph->layers[i].name);
        return nearest;
    }
    for (int32_t i = 0; walk->machine != SINEW_GRAPH_NONE && i < graph->state_count; i++)
        if (graph->states[i].machine == walk->machine) sinewi_nearest_try(&nearest, graph->states[i].name);
    return nearest;
}

// Replaces a path's first wrong name with the closest one. Returns false if there isn't one.
static bool correct_name(const sinew_graph *graph, char *path, size_t size, const path_walk *walk) {
    sinewi_nearest nearest = find_nearest(graph, walk);
    size_t start = (size_t)(walk->name - path), length = strlen(nearest.name), rest = walk->rest - walk->length;
    if (length == 0 || start + length + rest + 1 > size) return false;
    memmove(path + start + length, walk->name + walk->length, rest + 1);
    memcpy(path + start, nearest.name, length);
    return true;
}

// Suggests the state with the path's last name in any machine, or else the path with corrected names.
void sinewi_graph_suggest_path(const sinew_graph *graph, const char *path, size_t length, char *suggestion,
                               size_t size) {
    suggestion[0] = '\0';
    size_t last = length;
    while (last > 0 && path[last - 1] != '/') last--;
    int32_t state = find_state_named(graph, path + last, length - last);
    if (state != SINEW_GRAPH_NONE) {
        sinewi_graph_write_path(graph, state, suggestion, size);
        return;
    }
    if (length >= size) return;
    append(suggestion, size, 0, path, length);
    path_walk walk = follow_path(graph, suggestion, length);
    while (walk.state == SINEW_GRAPH_NONE) { // each pass corrects a later name
        if (!correct_name(graph, suggestion, size, &walk)) {
            suggestion[0] = '\0';
            return;
        }
        walk = follow_path(graph, suggestion, strlen(suggestion));
    }
}
