// SPDX-License-Identifier: MIT
// Names of what an animator's binding plays, for written states. A blend space has its state's path. An additive clip
// that the binding made has its layer's name and the clip's. A mask has its layer's name.
#include "motion/animator_snapshot_format.h"
#include "motion/graph_binding.h"
#include "motion/graph_find.h"

#include <string.h>

static const sinew_graph_binding *binding_of(const state_lookup *lookup) {
    return (const sinew_graph_binding *)lookup->owner;
}

static bool is_made(const sinew_graph_binding *binding, const sinew_clip *clip) {
    for (int32_t i = 0; i < binding->data->clip_count; i++)
        if (binding->data->clips[i] == clip) return true;
    return false;
}

// The first state that plays an object, or SINEW_GRAPH_NONE.
static int32_t find_player(const sinew_graph_binding *binding, const void *object) {
    for (int32_t i = 0; i < binding->graph->state_count; i++) {
        const sinew_source *source = &binding->sources[i];
        if (source->clip == object || source->blend_space == object) return i;
    }
    return SINEW_GRAPH_NONE;
}

static const char *layer_of_state(const sinew_graph *graph, int32_t state) {
    return graph->layers[sinew_graph_state_layer(graph, state)].name;
}

// ---- Writing -------------------------------------------------------------------------------------------------

static void add_part(state_path *path, const char *part) {
    path->parts[path->count++] = part;
}

static void name_clip(const sinew_graph_binding *binding, int32_t state, state_path *path) {
    const sinew_clip *clip = binding->sources[state].clip;
    if (is_made(binding, clip)) add_part(path, layer_of_state(binding->graph, state));
    add_part(path, clip->name);
}

static void name_space(const sinew_graph *graph, int32_t state, state_path *path) {
    int32_t states[SINEW_MAX_GRAPH_DEPTH], count = 0;
    add_part(path, layer_of_state(graph, state));
    for (; state != SINEW_GRAPH_NONE; state = sinew_graph_machine_state(graph, graph->states[state].machine))
        states[count++] = state;
    while (count > 0) add_part(path, graph->states[states[--count]].name);
}

static void name_mask(const sinew_graph_binding *binding, const void *mask, state_path *path) {
    for (int32_t l = 0; l < binding->graph->layer_count && path->count == 0; l++)
        if (binding->masks[l] == mask) add_part(path, binding->graph->layers[l].name);
}

static void name_object(const state_lookup *lookup, state_kind kind, const void *object, state_path *path) {
    const sinew_graph_binding *binding = binding_of(lookup);
    const int32_t state = kind == WRITTEN_MASK ? SINEW_GRAPH_NONE : find_player(binding, object);
    path->by_graph = true;
    if (kind == WRITTEN_MASK) name_mask(binding, object, path);
    if (state != SINEW_GRAPH_NONE && kind == WRITTEN_CLIP) name_clip(binding, state, path);
    if (state != SINEW_GRAPH_NONE && kind == WRITTEN_BLEND_SPACE) name_space(binding->graph, state, path);
    if (path->count > 0) return;
    path->by_graph = false;
    sinewi_state_name_listed(lookup, kind, object, path);
}

// ---- Reading -------------------------------------------------------------------------------------------------

static int32_t find_layer_named(const sinew_graph *graph, const char *name) {
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].name, name) == 0) return l;
    return SINEW_GRAPH_NONE;
}

int32_t sinewi_animator_follow_path(const sinew_graph *graph, int32_t layer, const char *const *names,
                                    int32_t count, int32_t *states) {
    int32_t machine = graph->layers[layer].machine, found = 0;
    for (; found < count && found < SINEW_MAX_GRAPH_DEPTH && machine != SINEW_GRAPH_NONE; found++) {
        const int32_t state = sinewi_graph_state_named(graph, machine, names[found], strlen(names[found]));
        if (state == SINEW_GRAPH_NONE) break;
        states[found] = state;
        const sinew_graph_state *s = &graph->states[state];
        machine = s->kind == SINEW_GRAPH_STATE_MACHINE ? s->submachine : SINEW_GRAPH_NONE;
    }
    return found;
}

static const void *find_space(const sinew_graph_binding *binding, const state_path *path) {
    int32_t states[SINEW_MAX_GRAPH_DEPTH];
    const int32_t layer = find_layer_named(binding->graph, path->parts[0]), count = path->count - 1;
    if (layer == SINEW_GRAPH_NONE || count < 1) return NULL;
    if (sinewi_animator_follow_path(binding->graph, layer, path->parts + 1, count, states) < count) return NULL;
    return binding->sources[states[count - 1]].blend_space;
}

static const void *find_mask(const sinew_graph_binding *binding, const state_path *path) {
    const int32_t layer = find_layer_named(binding->graph, path->parts[0]);
    return layer == SINEW_GRAPH_NONE ? NULL : binding->masks[layer];
}

// A clip of some state, which must be in a layer for an additive clip that the binding made.
static const void *find_clip(const sinew_graph_binding *binding, const state_wanted *wanted) {
    const sinew_graph *graph = binding->graph;
    const bool is_of_layer = wanted->path.count == 2;
    const char *name = wanted->path.parts[is_of_layer ? 1 : 0];
    const sinew_clip *found = NULL;
    for (int32_t i = 0; i < graph->state_count && wanted->path.count <= 2; i++) {
        const sinew_clip *clip = binding->sources[i].clip;
        if (!clip || strcmp(clip->name, name) != 0 || is_made(binding, clip) != is_of_layer) continue;
        if (is_of_layer && strcmp(layer_of_state(graph, i), wanted->path.parts[0]) != 0) continue;
        if (sinewi_state_is_better(clip, found, wanted)) found = clip;
    }
    return found;
}

static const void *find_bound(const state_lookup *lookup, state_kind kind, const state_wanted *wanted) {
    const sinew_graph_binding *binding = binding_of(lookup);
    if (kind == WRITTEN_CLIP) return find_clip(binding, wanted);
    if (!wanted->path.by_graph) return NULL;
    return kind == WRITTEN_MASK ? find_mask(binding, &wanted->path) : find_space(binding, &wanted->path);
}

// A clip that the program played may be the graph's now, or the other way around.
static const void *find_object(const state_lookup *lookup, state_kind kind, const state_wanted *wanted) {
    state_wanted listed = *wanted;
    listed.path.by_graph = wanted->path.by_graph && kind != WRITTEN_CLIP;
    const void *bound = wanted->path.by_graph ? find_bound(lookup, kind, wanted) : NULL;
    if (bound) return bound;
    const void *found = sinewi_state_find_listed(lookup, kind, &listed);
    return found ? found : find_bound(lookup, kind, wanted);
}

// ---- Layers and sync groups ----------------------------------------------------------------------------------

static const char *name_layer(const state_lookup *lookup, int32_t layer) {
    const sinew_graph *graph = binding_of(lookup)->graph;
    return layer < graph->layer_count ? graph->layers[layer].name : sinewi_state_listed_layer(lookup, layer);
}

static const char *name_group(const state_lookup *lookup, int32_t group) {
    const sinew_graph *graph = binding_of(lookup)->graph;
    for (int32_t i = 0; i < graph->state_count; i++)
        if (graph->data->sync_groups[i] == group) return graph->states[i].sync;
    return sinewi_state_listed_group(lookup, group);
}

static uint8_t find_group(const state_lookup *lookup, const char *name) {
    const sinew_graph *graph = binding_of(lookup)->graph;
    for (int32_t i = 0; i < graph->state_count; i++)
        if (graph->states[i].sync && strcmp(graph->states[i].sync, name) == 0) return graph->data->sync_groups[i];
    return sinewi_state_find_listed_group(lookup, name);
}

state_lookup sinewi_animator_lookup(const sinew_animator *animator, const sinew_state_names *names) {
    state_lookup lookup = sinewi_state_lookup(animator->mixer, names);
    lookup.owner = animator->binding;
    lookup.name = name_object;
    lookup.find = find_object;
    lookup.layer = name_layer;
    lookup.sync_group = name_group;
    lookup.find_group = find_group;
    return lookup;
}
