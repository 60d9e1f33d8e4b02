// SPDX-License-Identifier: MIT
// Reads a recorded animator's notes (listed in docs/graph.md) into a timeline.
#include "graph/timeline.h"

#include <stdlib.h>
#include <string.h>

// ---- Adding --------------------------------------------------------------------------------------------------

// Grows an array if it has no free element. Returns NULL if memory runs out.
static void *grow(void *array, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity) return array;
    const int32_t larger = 2 * *capacity + 64;
    void *grown = realloc(array, (size_t)larger * size);
    if (grown) *capacity = larger;
    return grown;
}

static bool add_event(timeline *t, timeline_event event) {
    timeline_event *events = grow(t->events, t->event_count, &t->event_capacity, sizeof *events);
    if (!events) return false;
    t->events = events;
    t->events[t->event_count++] = event;
    return true;
}

static bool is_same_space(const sinew_graph_blend *blend, const sinew_blend_space *space) {
    if (!blend || blend->sample_count != space->sample_count) return false;
    for (int32_t i = 0; i < space->sample_count; i++) {
        if (strcmp(blend->samples[i].clip, space->samples[i].clip->name) != 0) return false;
    }
    return true;
}

// Returns the name of an action's clip. For a blend space, that's its state's name, because its clip changes.
static const char *name_of_action(const timeline *t, const sinew_action_state *action) {
    const sinew_blend_space *space = action->source.blend_space;
    for (int32_t i = 0; space && i < t->graph->state_count; i++) {
        if (is_same_space(t->graph->states[i].blend, space)) return t->graph->states[i].name;
    }
    return action->clip->name;
}

bool timeline_add_weights(timeline *t, const sinew_mixer *mixer, double seconds) {
    sinew_action actions[64];
    const int32_t count = sinew_mixer_actions(mixer, actions, 64);
    for (int32_t i = 0; i < count; i++) {
        timeline_weight *weights = grow(t->weights, t->weight_count, &t->weight_capacity, sizeof *weights);
        if (!weights) return false;
        t->weights = weights;
        const sinew_action_state action = sinew_action_get(mixer, actions[i]);
        t->weights[t->weight_count++] =
            (timeline_weight){name_of_action(t, &action), action.layer, seconds, action.weight};
    }
    return true;
}

void timeline_end(timeline *t) {
    free(t->events);
    free(t->weights);
}

// ---- Reading -------------------------------------------------------------------------------------------------

// Returns what follows a word at the start of text, or NULL.
static const char *after(const char *text, const char *word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 ? text + length : NULL;
}

static bool add_parameter(timeline *t, const char *text, double seconds, timeline_kind kind) {
    char name[256];
    size_t length = strcspn(text, " ");
    if (length >= sizeof name) return true;
    memcpy(name, text, length);
    name[length] = '\0';
    timeline_event event = {.kind = kind, .index = sinew_graph_find_parameter(t->graph, name), .seconds = seconds};
    if (event.index == SINEW_GRAPH_NONE) return true;
    char *end = NULL;
    event.values[0] = after(text + length, " true") ? 1.0 : strtod(text + length, &end);
    for (int k = 1; end && k < 3; k++) event.values[k] = strtod(end, &end);
    return add_event(t, event);
}

static bool add_state(timeline *t, const char *path, double seconds, timeline_kind kind, double value) {
    const int32_t state = sinew_graph_find_state(t->graph, path);
    if (state == SINEW_GRAPH_NONE) return true;
    if (kind == TIMELINE_STATE && t->graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE) return true;
    const int32_t layer = sinew_graph_state_layer(t->graph, state);
    return add_event(t, (timeline_event){kind, state, layer, seconds, {value, 0.0}});
}

bool timeline_read(timeline *t, const char *line, double seconds) {
    const char *note = after(line, "note "), *text;
    if (!note) return true;
    if ((text = after(note, "set "))) return add_parameter(t, text, seconds, TIMELINE_VALUE);
    if ((text = after(note, "fire "))) return add_parameter(t, text, seconds, TIMELINE_FIRED);
    if ((text = after(note, "enter "))) return add_state(t, text, seconds, TIMELINE_STATE, 0.0);
    if ((text = after(note, "cycle "))) return add_state(t, text, seconds, TIMELINE_CYCLE, 0.0);
    if (strcmp(note, "restore") == 0)
        return add_event(t, (timeline_event){.kind = TIMELINE_RESTORED, .seconds = seconds});
    text = after(note, "start ") ? strstr(note, ", ") : NULL;
    const char *path = text ? strstr(text, " s, to ") : NULL;
    return path ? add_state(t, path + 7, seconds, TIMELINE_TRANSITION, strtod(text + 2, NULL)) : true;
}
