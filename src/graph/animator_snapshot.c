// SPDX-License-Identifier: MIT
// Snapshots of an animator: its own block, then that of its mixer; hashing; and taking over from another version.
#include "graph/animator_state.h"
#include "core/fnv.h"

#include <assert.h>
#include <string.h>

size_t sinew_animator_snapshot_size(const sinew_animator *animator) {
    assert(animator);
    return animator->head->size + sinew_mixer_snapshot_size(animator->mixer);
}

// The markers and loops of the last step are results of the mixer, which snapshots do not have.
static animator_layer layer_with_events(const sinew_animator *animator, int32_t layer) {
    animator_layer copy = animator->layers[layer];
    bool looped;
    sinew_animator_note_events(animator, layer, &copy.markers, &looped);
    copy.looped = looped;
    return copy;
}

size_t sinew_animator_save(const sinew_animator *animator, void *memory) {
    assert(animator && memory);
    size_t size = animator->head->size;
    char *bytes = (char *)memory;
    memcpy(bytes, animator->head, size);
    animator_head head = *animator->head;
    head.is_restored = true;
    memcpy(bytes, &head, sizeof head);
    size_t at = (size_t)((const char *)animator->layers - (const char *)animator->head);
    for (int32_t i = 0; i < animator_graph(animator)->layer_count; i++) {
        animator_layer layer = layer_with_events(animator, i);
        memcpy(bytes + at + (size_t)i * sizeof layer, &layer, sizeof layer);
    }
    return size + sinew_mixer_save(animator->mixer, bytes + size);
}

bool sinew_animator_restore(sinew_animator *animator, const void *memory, size_t size) {
    assert(animator);
    animator_head head;
    if (!memory || size < animator->head->size) return false;
    memcpy(&head, memory, sizeof head);
    const animator_head *own = animator->head;
    if (head.magic != own->magic || head.fingerprint != own->fingerprint || head.size != own->size) return false;
    const char *bytes = (const char *)memory;
    if (!sinew_mixer_restore(animator->mixer, bytes + head.size, size - head.size)) return false;
    memcpy(animator->head, memory, head.size);
    animator->event_count = 0;
    animator->dropped_event_count = 0;
    animator->forced = 0;
    if (sinew_animator_is_recorded(animator)) sinew_animator_record_restored(animator);
    return true;
}

// The number of an action among those of the mixer, from 1; 0 for none, and one more than all for one that has ended. The
// handle itself differs between mixers of the same calls.
static uint32_t number_of(const sinew_mixer *mixer, sinew_action action) {
    sinew_action actions[64]; // the most that a mixer has
    int32_t count = sinew_mixer_actions(mixer, actions, 64), i = 0;
    if (action.id == 0) return 0;
    while (i < count && actions[i].id != action.id) i++;
    return (uint32_t)i + 1;
}

static void hash_animator_layer(uint64_t *hash, const sinew_animator *animator, int32_t layer) {
    const animator_layer l = layer_with_events(animator, layer);
    sinew_fnv_number(hash, number_of(animator->mixer, l.action));
    sinew_fnv_number(hash, l.markers);
    sinew_fnv_number(hash, l.looped);
    sinew_fnv_number(hash, l.runs);
    if (l.runs) {
        sinew_fnv_float(hash, l.progress);
        sinew_fnv_float(hash, l.duration);
        sinew_fnv_number(hash, (uint16_t)l.transition);
        sinew_fnv_number(hash, l.to);
        sinew_fnv_number(hash, l.interrupt);
    }
    for (int32_t i = 0; i < l.depth; i++) {
        sinew_fnv_number(hash, animator_path(animator, layer)[i]);
        sinew_fnv_float(hash, animator_elapsed(animator, layer)[i]);
    }
}

uint64_t sinew_animator_hash(const sinew_animator *animator) {
    assert(animator);
    const sinew_graph *graph = animator_graph(animator);
    uint64_t hash = SINEW_FNV_START;
    sinew_fnv_number(&hash, animator->head->fingerprint);
    sinew_fnv_number(&hash, animator->head->triggers);
    for (int32_t i = 0; i < graph->data->value_count; i++)
        sinew_fnv_number(&hash, (uint32_t)animator->values[i].integer);
    for (int32_t i = 0; i < graph->layer_count; i++) hash_animator_layer(&hash, animator, i);
    sinew_fnv_number(&hash, sinew_mixer_hash(animator->mixer));
    return hash;
}

// ---- Taking over ---------------------------------------------------------------------------------------------

static void adopt_parameter(sinew_animator *animator, const sinew_animator *other, int32_t from) {
    const sinew_graph *graph = animator_graph(animator), *old = animator_graph(other);
    int32_t to = sinew_graph_find_parameter(graph, old->parameters[from].name);
    if (to == SINEW_GRAPH_NONE || graph->parameters[to].type != old->parameters[from].type) return;
    const animator_value *values = other->values + old->data->values[from].target;
    switch (graph->parameters[to].type) {
    case SINEW_PARAMETER_FLOAT:
        sinew_animator_set_float(animator, to, values[0].number);
        break;
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(animator, to, values[0].integer);
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(animator, to, values[0].integer != 0);
        break;
    case SINEW_PARAMETER_VECTOR2:
        sinew_animator_set_vector2(animator, to, values[0].number, values[1].number);
        break;
    case SINEW_PARAMETER_TRIGGER:
        if (sinew_animator_trigger(other, from)) sinew_animator_fire(animator, to);
        break;
    }
}

// Finds the state of the new graph with the path of an old one; if there is none, that of a state around it.
static int32_t find_same_state(const sinew_graph *graph, const sinew_graph *old, int32_t state) {
    for (; state != SINEW_GRAPH_NONE; state = sinew_graph_machine_state(old, old->states[state].machine)) {
        char path[1024];
        if (sinew_graph_state_path(old, state, path, sizeof path) >= sizeof path) continue;
        int32_t same = sinew_graph_find_state(graph, path);
        if (same != SINEW_GRAPH_NONE) return same;
    }
    return SINEW_GRAPH_NONE;
}

static void adopt_layer(sinew_animator *animator, const sinew_animator *other, int32_t layer, float duration) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = SINEW_TRANSITION_INERTIALIZE;
    transition.duration = duration;
    int32_t state = find_same_state(animator_graph(animator), animator_graph(other), animator_leaf(other, layer));
    if (state == SINEW_GRAPH_NONE) return;
    sinew_animator_force_state(animator, state, &transition);
    int32_t own = sinew_graph_state_layer(animator_graph(animator), state);
    sinew_action action = animator->layers[own].action, old = other->layers[layer].action;
    if (action.id != 0 && old.id != 0)
        sinew_action_set_time(animator->mixer, action, sinew_action_time(other->mixer, old));
}

void sinew_animator_adopt(sinew_animator *animator, const sinew_animator *other, float duration) {
    assert(animator && other && animator->binding->skeleton == other->binding->skeleton);
    if (animator->binding->skeleton != other->binding->skeleton) return;
    for (int32_t i = 0; i < animator_graph(other)->parameter_count; i++) adopt_parameter(animator, other, i);
    sinew_mixer_evaluate(animator->mixer);
    sinew_mixer_set_pose(animator->mixer, sinew_mixer_pose(other->mixer));
    for (int32_t i = 0; i < animator_graph(other)->layer_count; i++) adopt_layer(animator, other, i, duration);
}
