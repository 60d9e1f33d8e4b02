// SPDX-License-Identifier: MIT
// Animator snapshots: its own block, then its mixer's; hashing; and adopting another animator's state.
#include <sinew/mixer_pose.h>
#include <sinew/motion/mixer_snapshot.h>

#include "motion/animator_state.h"
#include "core/mixer_interface.h"
#include "base/checksum.h"
#include "base/fnv.h"

#include <assert.h>
#include <string.h>

#define ANIMATOR_MAGIC UINT64_C(0x34726f74616d696e)

// The mixer's snapshot is 8-byte aligned.
static size_t padded_block_size(const sinew_animator *animator) {
    return (animator_block_size(animator) + 7) & ~(size_t)7;
}

size_t sinew_animator_snapshot_size(const sinew_animator *animator) {
    assert(animator);
    return sizeof(animator_head) + padded_block_size(animator) + sinew_mixer_snapshot_size(animator->mixer);
}

// The markers and loops of the last step are results of the mixer, but its snapshot doesn't contain them. `block` is a
// copy of the animator's block.
static void save_events(const sinew_animator *animator, char *block) {
    for (int32_t i = 0; i < animator_graph(animator)->layer_count; i++) {
        animator_layer layer = animator->layers[i];
        const animator_notes notes = sinewi_animator_note_events(animator, i);
        layer.looped = notes.looped;
        layer.late = notes.late;
        memcpy(block + (size_t)i * sizeof layer, &layer, sizeof layer);
        if (i >= animator_marker_count(animator)) continue;
        const char *to = (const char *)(animator_markers(animator) + i);
        memcpy(block + (to - (const char *)animator->layers), &notes.markers, sizeof notes.markers);
    }
}

// The program may have changed the pose, and the mixer's snapshot doesn't contain it. Returns whether the
// block has the curves.
static bool save_curves(const sinew_animator *animator, char *block) {
    float curves[SINEW_MAX_GRAPH_CURVES];
    if (!sinewi_animator_copy_curves(animator, curves)) return false;
    const char *to = (const char *)animator_curves(animator);
    size_t size = (size_t)animator_graph(animator)->curve_count * sizeof *curves;
    memcpy(block + (to - (const char *)animator->layers), curves, size);
    return true;
}

// Checksum of the animator's own part of a snapshot.
static uint64_t snapshot_checksum(const sinew_animator *animator, const void *memory) {
    const size_t start = sizeof(uint64_t), end = sizeof(animator_head) + padded_block_size(animator);
    return sinewi_checksum((const char *)memory + start, end - start);
}

size_t sinew_animator_save(const sinew_animator *animator, void *memory) {
    assert(animator && memory);
    animator_head head = {.magic = ANIMATOR_MAGIC,
                          .fingerprint = animator_graph(animator)->data->fingerprint,
                          .triggers = animator->triggers,
                          .block_size = animator_block_size(animator)};
    char *bytes = (char *)memory, *block = bytes + sizeof head, *rest = block + padded_block_size(animator);
    memset(rest - 8, 0, 8);
    memcpy(block, animator->layers, animator_block_size(animator));
    save_events(animator, block);
    head.has_curves = save_curves(animator, block);
    memcpy(bytes, &head, sizeof head);
    head.checksum = snapshot_checksum(animator, bytes);
    memcpy(bytes, &head.checksum, sizeof head.checksum);
    return (size_t)(rest - bytes) + sinew_mixer_save(animator->mixer, rest);
}

bool sinew_animator_restore(sinew_animator *animator, const void *memory, size_t size) {
    assert(animator);
    const size_t start = sizeof(animator_head) + padded_block_size(animator);
    animator_head head;
    if (!memory || size < start) return false;
    memcpy(&head, memory, sizeof head);
    const uint64_t fingerprint = animator_graph(animator)->data->fingerprint;
    if (head.magic != ANIMATOR_MAGIC || head.fingerprint != fingerprint ||
        head.block_size != animator_block_size(animator) || head.checksum != snapshot_checksum(animator, memory))
        return false;
    const char *bytes = (const char *)memory;
    if (!sinew_mixer_restore(animator->mixer, bytes + start, size - start)) return false;
    memcpy(animator->layers, bytes + sizeof head, animator_block_size(animator));
    animator->triggers = head.triggers;
    animator->is_restored = true;
    animator->has_curves = head.has_curves != 0;
    animator->event_count = 0;
    animator->dropped_event_count = 0;
    animator->forced = 0;
    if (sinewi_animator_is_recorded(animator)) sinewi_animator_record_restored(animator);
    return true;
}

// An action's number among the mixer's actions, from 1. 0 means no action, and one more than the count means an ended
// one. Handles can't be used, because they differ between mixers with the same calls.
static uint32_t number_of(const sinew_mixer *mixer, sinew_action action) {
    sinew_action actions[SINEW_MAX_ACTIONS];
    int32_t count = sinew_mixer_actions(mixer, actions, SINEW_MAX_ACTIONS), i = 0;
    if (action.id == 0) return 0;
    while (i < count && actions[i].id != action.id) i++;
    return (uint32_t)i + 1;
}

static void hash_animator_layer(uint64_t *hash, const sinew_animator *animator, int32_t layer) {
    const animator_layer l = animator->layers[layer];
    const animator_notes notes = sinewi_animator_note_events(animator, layer);
    sinewi_fnv_number(hash, number_of(animator->mixer, l.action));
    sinewi_fnv_number(hash, notes.markers);
    sinewi_fnv_number(hash, notes.looped);
    sinewi_fnv_float(hash, notes.late);
    sinewi_fnv_number(hash, l.runs);
    if (l.runs) {
        sinewi_fnv_float(hash, l.progress);
        sinewi_fnv_float(hash, l.duration);
        sinewi_fnv_number(hash, (uint16_t)l.transition);
        sinewi_fnv_number(hash, l.to);
        sinewi_fnv_number(hash, l.interrupt);
    }
    for (int32_t i = 0; i < l.depth; i++) {
        sinewi_fnv_number(hash, animator_path(animator, layer)[i]);
        sinewi_fnv_float(hash, animator_elapsed(animator, layer)[i]);
    }
}

uint64_t sinew_animator_hash(const sinew_animator *animator) {
    assert(animator);
    const sinew_graph *graph = animator_graph(animator);
    uint64_t hash = SINEWI_FNV_START;
    sinewi_fnv_number(&hash, graph->data->fingerprint);
    sinewi_fnv_number(&hash, animator->triggers);
    for (int32_t i = 0; i < graph->data->value_count; i++)
        sinewi_fnv_number(&hash, (uint32_t)animator_values(animator)[i].integer);
    for (int32_t i = 0; i < graph->layer_count; i++) hash_animator_layer(&hash, animator, i);
    sinewi_fnv_number(&hash, sinew_mixer_hash(animator->mixer));
    return hash;
}

// ---- Taking over ---------------------------------------------------------------------------------------------

static void adopt_parameter(sinew_animator *animator, const sinew_animator *other, int32_t from) {
    const sinew_graph *graph = animator_graph(animator), *old = animator_graph(other);
    int32_t to = sinew_graph_find_parameter(graph, old->parameters[from].name);
    if (to == SINEW_GRAPH_NONE || graph->parameters[to].type != old->parameters[from].type) return;
    const animator_value *values = animator_values(other) + old->data->values[from].target;
    switch (graph->parameters[to].type) {
    case SINEW_PARAMETER_INT:
        sinew_animator_set_int(animator, to, values[0].integer);
        break;
    case SINEW_PARAMETER_BOOL:
        sinew_animator_set_bool(animator, to, values[0].integer != 0);
        break;
    case SINEW_PARAMETER_FLOAT:
    case SINEW_PARAMETER_VECTOR2:
    case SINEW_PARAMETER_VECTOR3:
    case SINEW_PARAMETER_TRANSFORM:
        sinewi_animator_adopt_floats(animator, to, other, from);
        break;
    case SINEW_PARAMETER_TRIGGER:
        if (sinew_animator_trigger(other, from)) sinew_animator_fire(animator, to);
        break;
    }
}

// Finds the new graph's state with an old state's path. If there isn't one, tries the states around it.
static int32_t find_same_state(const sinew_graph *graph, const sinew_graph *old, int32_t state) {
    for (; state != SINEW_GRAPH_NONE; state = sinew_graph_machine_state(old, old->states[state].machine)) {
        char path[1024];
        if (sinew_graph_state_path(old, state, path, sizeof path) >= sizeof path) continue;
        int32_t same = sinew_graph_find_state(graph, path);
        if (same != SINEW_GRAPH_NONE) return same;
    }
    return SINEW_GRAPH_NONE;
}

// Swaps a blend space coordinate with the graph's number for it, unless that is an integer.
static void exchange_coordinate(sinew_animator *animator, int32_t parameter, int32_t coordinate, float *number) {
    if (parameter == SINEW_GRAPH_NONE) return;
    if (animator_graph(animator)->parameters[parameter].type == SINEW_PARAMETER_INT) return;
    animator_value *value =
        animator_values(animator) + animator_graph(animator)->data->values[parameter].value + coordinate;
    const float was = value->number;
    value->number = *number;
    *number = was;
}

static void exchange_blend_parameter(sinew_animator *animator, const sinew_graph_blend *blend, float at[2]) {
    exchange_coordinate(animator, blend->x_parameter, 0, &at[0]);
    const bool is_vector = animator_graph(animator)->parameters[blend->x_parameter].type == SINEW_PARAMETER_VECTOR2;
    exchange_coordinate(animator, is_vector ? blend->x_parameter : blend->y_parameter, is_vector ? 1 : 0, &at[1]);
}

// A blend space starts at the parameter that the other animator has reached, and follows the graph's
// parameter from there.
static void force_same_state(sinew_animator *animator, const sinew_animator *other, int32_t layer, int32_t state,
                             const sinew_transition *transition) {
    const sinew_graph_blend *blend = animator_graph(animator)->states[state].blend;
    const bool starts_there = blend && animator_graph(other)->states[animator_leaf(other, layer)].blend;
    const sinew_blend_parameter now = sinew_action_get(other->mixer, other->layers[layer].action).parameter;
    float at[2] = {(float)now.x, (float)now.y};
    if (starts_there) exchange_blend_parameter(animator, blend, at);
    sinew_animator_force_state(animator, state, transition);
    if (starts_there) exchange_blend_parameter(animator, blend, at);
}

static void adopt_layer(sinew_animator *animator, const sinew_animator *other, int32_t layer, float duration) {
    sinew_transition transition = sinew_transition_default();
    transition.kind = SINEW_TRANSITION_INERTIALIZE;
    transition.duration = duration;
    int32_t state = find_same_state(animator_graph(animator), animator_graph(other), animator_leaf(other, layer));
    if (state == SINEW_GRAPH_NONE) return;
    const int32_t own = sinew_graph_state_layer(animator_graph(animator), state);
    sinew_action_stop(animator->mixer, animator->layers[own].action); // the entry state
    force_same_state(animator, other, layer, state, &transition);
    sinew_action action = animator->layers[own].action, old = other->layers[layer].action;
    if (action.id != 0 && old.id != 0)
        sinew_action_set_time(animator->mixer, action, sinew_action_time(other->mixer, old));
}

void sinew_animator_adopt(sinew_animator *animator, const sinew_animator *other, float duration) {
    assert(animator && other && animator->binding->skeleton == other->binding->skeleton);
    if (animator->binding->skeleton != other->binding->skeleton) return;
    for (int32_t i = 0; i < animator_graph(other)->parameter_count; i++) adopt_parameter(animator, other, i);
    sinew_mixer_evaluate(animator->mixer);
    sinewi_mixer_adopt(animator->mixer, other->mixer);
    for (int32_t i = 0; i < animator_graph(other)->layer_count; i++) adopt_layer(animator, other, i, duration);
}
