// SPDX-License-Identifier: MIT
// Writes an animator's state as names and numbers: parameters, active states and running transitions, and the results of
// the last step that conditions read. animator_snapshot_read.c and animator_snapshot_parameters.c read them.
#include "motion/animator_snapshot_format.h"
#include "core/mixer_data.h"

#include <assert.h>

// ---- Parameters ----------------------------------------------------------------------------------------------

static void write_parameter(state_writer *to, const sinew_animator *animator, int32_t i) {
    const sinew_graph *graph = animator_graph(animator);
    const sinewi_graph_value place = graph->data->values[i];
    const animator_value *words = animator_values(animator) + place.target;
    const bool is_set = (animator->triggers >> i & 1) != 0;
    sinewi_state_put_string(to, graph->parameters[i].name);
    sinewi_state_put(to, place.type, 1);
    sinewi_state_put(to, place.width, 1);
    sinewi_state_put(to, (place.is_damped ? 1u : 0u) | (is_set ? 2u : 0u), 1);
    const int32_t count = place.is_damped ? 3 * place.width : place.width;
    for (int32_t k = 0; k < count; k++) sinewi_state_put(to, (uint32_t)words[k].integer, 4);
}

static void write_parameters(state_writer *to, const sinew_animator *animator) {
    const sinew_graph *graph = animator_graph(animator);
    sinewi_state_begin_section(to, SECTION_PARAMETERS);
    sinewi_state_put_count(to, (uint32_t)graph->parameter_count);
    for (int32_t i = 0; i < graph->parameter_count; i++) write_parameter(to, animator, i);
    sinewi_state_end_section(to);
}

// ---- Layers --------------------------------------------------------------------------------------------------

static void write_path(state_writer *to, const sinew_graph *graph, int32_t state) {
    int32_t states[SINEW_MAX_GRAPH_DEPTH], count = 0;
    for (; state != SINEW_GRAPH_NONE; state = sinew_graph_machine_state(graph, graph->states[state].machine))
        states[count++] = state;
    sinewi_state_put_count(to, (uint32_t)count);
    while (count > 0) sinewi_state_put_string(to, graph->states[states[--count]].name);
}

// How many transitions before this one have the same ends.
static int32_t ordinal_of(const sinew_graph *graph, int32_t transition) {
    const sinew_graph_transition *t = &graph->transitions[transition];
    int32_t ordinal = 0;
    for (int32_t i = 0; i < transition; i++)
        ordinal += graph->transitions[i].from == t->from && graph->transitions[i].to == t->to;
    return ordinal;
}

static void write_transition(state_writer *to, const sinew_graph *graph, const animator_layer *layer) {
    sinewi_state_put_float(to, layer->progress);
    sinewi_state_put_float(to, layer->duration);
    sinewi_state_put(to, layer->interrupt, 1);
    write_path(to, graph, layer->to);
    const bool is_forced = layer->transition == SINEW_GRAPH_NONE;
    sinewi_state_put(to, is_forced, 1);
    if (is_forced) return;
    const int32_t from = graph->transitions[layer->transition].from;
    sinewi_state_put_string(to, from == SINEW_ANY_STATE ? NULL : graph->states[from].name);
    sinewi_state_put_count(to, (uint32_t)ordinal_of(graph, layer->transition));
}

static void write_notes(state_writer *to, const sinew_graph *graph, animator_notes notes) {
    int32_t count = 0;
    for (int32_t i = 0; i < graph->name_count; i++) count += (int32_t)(notes.markers >> i & 1);
    sinewi_state_put(to, notes.looped, 1);
    sinewi_state_put_float(to, notes.late);
    sinewi_state_put_count(to, (uint32_t)count);
    for (int32_t i = 0; i < graph->name_count; i++)
        if ((notes.markers >> i & 1) != 0) sinewi_state_put_string(to, graph->names[i]);
}

static void write_layer(state_writer *to, const sinew_animator *animator, int32_t l) {
    const sinew_graph *graph = animator_graph(animator);
    const animator_layer *layer = &animator->layers[l];
    sinewi_state_put_string(to, graph->layers[l].name);
    sinewi_state_put(to, (uint64_t)graph->layers[l].mode, 1);
    sinewi_state_put(to, sinewi_handle_bits(animator->mixer, layer->action), 8);
    sinewi_state_put(to, sinew_action_is_active(animator->mixer, layer->action), 1);
    write_path(to, graph, animator_leaf(animator, l));
    for (int32_t k = 0; k < layer->depth; k++) sinewi_state_put_float(to, animator_elapsed(animator, l)[k]);
    sinewi_state_put(to, layer->runs, 1);
    if (layer->runs) write_transition(to, graph, layer);
    write_notes(to, graph, sinewi_animator_note_events(animator, l));
}

static void write_curves(state_writer *to, const sinew_animator *animator) {
    float curves[SINEW_MAX_GRAPH_CURVES];
    const sinew_graph *graph = animator_graph(animator);
    const bool has_curves = sinewi_animator_copy_curves(animator, curves);
    sinewi_state_put(to, has_curves, 1);
    sinewi_state_put_count(to, has_curves ? (uint32_t)graph->curve_count : 0);
    for (int32_t i = 0; has_curves && i < graph->curve_count; i++) {
        sinewi_state_put_string(to, graph->curves[i]);
        sinewi_state_put_float(to, curves[i]);
    }
}

static void write_states(state_writer *to, const sinew_animator *animator) {
    const int32_t count = animator_graph(animator)->layer_count;
    sinewi_state_begin_section(to, SECTION_STATES);
    sinewi_state_put_count(to, (uint32_t)count);
    for (int32_t l = 0; l < count; l++) write_layer(to, animator, l);
    write_curves(to, animator);
    sinewi_state_end_section(to);
}

// ---- Everything ----------------------------------------------------------------------------------------------

static size_t write_state(const sinew_animator *animator, const state_lookup *lookup,
                          const state_extension *extension, uint8_t *bytes, size_t capacity) {
    state_writer to;
    sinewi_state_begin(&to, lookup, bytes, capacity);
    if (extension) extension->write(&to, extension->from);
    write_parameters(&to, animator);
    write_states(&to, animator);
    sinewi_state_write_mixer(&to, animator->mixer);
    return sinewi_state_end(&to);
}

size_t sinewi_animator_write_open(const sinew_animator *animator, const sinew_state_names *names,
                                  const state_extension *extension, uint8_t *bytes, size_t capacity) {
    const state_lookup lookup = sinewi_animator_lookup(animator, names);
    return write_state(animator, &lookup, extension, bytes, capacity);
}

size_t sinewi_animator_write(const sinew_animator *animator, const sinew_state_names *names,
                             const state_extension *extension, void *bytes, size_t size) {
    const size_t needed = sinewi_animator_write_open(animator, names, extension, NULL, 0);
    if (!bytes || needed > size) return needed;
    sinewi_animator_write_open(animator, names, extension, (uint8_t *)bytes, needed);
    sinewi_state_seal((uint8_t *)bytes, needed);
    return needed;
}

size_t sinew_animator_write(const sinew_animator *animator, const sinew_state_names *names, void *bytes,
                            size_t size) {
    assert(animator);
    return sinewi_animator_write(animator, names, NULL, bytes, size);
}
