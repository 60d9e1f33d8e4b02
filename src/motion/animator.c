// SPDX-License-Identifier: MIT
// Animators: creation, queries, and forcing a state.
#include "motion/animator_state.h"
#include "core/mixer_interface.h"
#include "base/def_cookie.h"
#include "base/fail.h"
#include "base/memory.h"

#ifndef SINEW_NO_RECORDING
#include <sinew/motion/recording.h>
#endif

#include <assert.h>
#include <string.h>

sinew_animator_def sinew_animator_default(void) {
    return (sinew_animator_def){.max_events = 8, .cookie = SINEWI_DEF_COOKIE};
}

// ---- Creating ------------------------------------------------------------------------------------------------

// Computes the addresses of all arrays in the animator's memory. They stay NULL while the size is measured. The block's
// arrays follow each other without gaps, because their alignment decreases.
static sinew_animator *lay_out_animator(sinewi_layout *layout, const sinew_animator_def *def) {
    const sinew_graph *graph = def->binding->graph;
    size_t layers = (size_t)graph->layer_count, depth = (size_t)graph->data->depth;
    sinew_animator a = {.binding = def->binding, .allocator = def->allocator};
    sinew_animator *animator = sinewi_layout_array(layout, sinew_animator, 1, alignof(max_align_t));
    a.events = sinewi_layout_array(layout, sinew_graph_event, (size_t)def->max_events, alignof(sinew_graph_event));
    a.layers = sinewi_layout_array(layout, animator_layer, layers, alignof(uint64_t));
    if (graph->name_count > 0) (void)sinewi_layout_array(layout, uint64_t, layers, alignof(uint64_t));
    (void)sinewi_layout_array(layout, animator_value, (size_t)graph->data->value_count, alignof(animator_value));
    (void)sinewi_layout_array(layout, float, (size_t)graph->curve_count, alignof(float));
    (void)sinewi_layout_array(layout, float, layers *depth, alignof(float));
    (void)sinewi_layout_array(layout, uint16_t, layers * depth, alignof(uint16_t));
    if (!layout->base) return NULL;
    memset(layout->base, 0, layout->size);
    a.max_events = (uint8_t)def->max_events;
    a.size = (uint32_t)layout->size;
    *animator = a;
    return animator;
}

static int32_t at_least(int32_t value, int32_t least) {
    return value > least ? value : least;
}

// The caller's mixer definition, plus whatever the graph needs.
static sinew_mixer_def mixer_def_of(const sinew_animator_def *def) {
    const sinew_graph *graph = def->binding->graph;
    sinew_mixer_def mixer = def->mixer ? *def->mixer : sinew_mixer_default();
    int32_t spaces = graph->data->blend_space_count;
    mixer.skeleton = def->binding->skeleton;
    mixer.layer_count = at_least(mixer.layer_count, graph->layer_count);
    mixer.max_blend_spaces = at_least(mixer.max_blend_spaces, spaces < 4 ? spaces : 4);
    if (mixer.sync_name_count == 0) {
        mixer.sync_names = graph->sync_names;
        mixer.sync_name_count = graph->sync_name_count;
    }
    return mixer;
}

static void init_curves(sinew_animator *animator) {
    const sinew_graph_binding *binding = animator->binding;
    for (int32_t i = 0; i < binding->graph->curve_count; i++)
        animator_curves(animator)[i] = binding->skeleton->rest_curves[binding->curves[i]];
}

static void set_up_layers(sinew_animator *animator) {
    const sinew_graph *graph = animator_graph(animator);
    for (int32_t i = 1; i < graph->layer_count; i++) {
        const sinew_graph_layer *layer = &graph->layers[i];
        sinew_layer_set_mode(animator->mixer, i, layer->mode);
        if (animator->binding->masks[i]) sinew_layer_set_mask(animator->mixer, i, animator->binding->masks[i]);
        sinew_layer_set_weight(animator->mixer, i, layer->weight);
    }
}

// A recording must start before the mixer's first call.
static sinew_result start_recording(const sinew_animator_def *def, sinew_mixer *mixer, sinew_error *error) {
    if (!def->write_recording) return SINEW_OK;
#ifndef SINEW_NO_RECORDING
    return sinew_mixer_record(mixer, def->write_recording, def->recording_user, error);
#else
    (void)mixer;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, "animator: this build does not support recordings");
#endif
}

// Enters the entry states without events, and plays them immediately.
static void enter_entries(sinew_animator *animator) {
    const sinew_graph *graph = animator_graph(animator);
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        animator->layers[i].transition = SINEW_GRAPH_NONE;
        sinewi_animator_enter(animator, i, 0, graph->machines[graph->layers[i].machine].entry);
        sinewi_animator_play(animator, i, &cut, 0.0f, 0.0f);
    }
    animator->event_count = 0;
    animator->dropped_event_count = 0;
    sinewi_animator_push(animator);
}

// Allocates an animator without its mixer. NULL if memory runs out.
static sinew_animator *allocate_animator(const sinew_animator_def *def) {
    sinewi_layout measure = {0};
    lay_out_animator(&measure, def);
    sinewi_layout layout = {(char *)sinewi_allocate(&def->allocator, measure.size, alignof(max_align_t)), 0};
    return layout.base ? lay_out_animator(&layout, def) : NULL;
}

static void free_animator(sinew_animator *animator) {
    sinew_allocator allocator = animator->allocator;
    sinewi_release(&allocator, animator, animator->size, alignof(max_align_t));
}

static sinew_result make_mixer(const sinew_animator_def *def, sinew_mixer **mixer, sinew_error *error) {
    sinew_mixer_def mixer_def = mixer_def_of(def);
    sinew_result result = sinew_mixer_create(&mixer_def, mixer, error);
    if (result != SINEW_OK) return result;
    result = start_recording(def, *mixer, error);
    if (result != SINEW_OK) sinew_mixer_destroy(*mixer);
    return result;
}

static sinew_result check_animator_def(const sinew_animator_def *def, sinew_error *error) {
    sinew_result result = SINEWI_CHECK_DEF(def, "sinew_animator_def: start from sinew_animator_default()", error);
    if (result != SINEW_OK) return result;
    if (!def->binding) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "animator: no binding");
    if (def->max_events < 0 || def->max_events > UINT8_MAX)
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "animator: max_events is %d; it must be 0 to 255",
                           (int)def->max_events);
    if (!def->mixer) return SINEW_OK;
    return SINEWI_CHECK_DEF(def->mixer, "sinew_mixer_def: start from sinew_mixer_default()", error);
}

sinew_result sinew_animator_create(const sinew_animator_def *def, sinew_animator **animator, sinew_error *error) {
    *animator = NULL;
    sinew_result result = check_animator_def(def, error);
    if (result != SINEW_OK) return result;
    sinew_animator *created = allocate_animator(def);
    if (!created) return sinewi_fail_memory(error);
    result = make_mixer(def, &created->mixer, error);
    if (result != SINEW_OK) {
        free_animator(created);
        return result;
    }
    sinewi_animator_init_values(created);
    init_curves(created);
    if (sinewi_animator_is_recorded(created)) sinewi_animator_record_parameters(created);
    set_up_layers(created);
    enter_entries(created);
    *animator = created;
    return SINEW_OK;
}

void sinew_animator_destroy(sinew_animator *animator) {
    if (!animator) return;
    if (sinewi_mixer_destroy_idle(animator->mixer)) free_animator(animator);
}

// ---- Asking --------------------------------------------------------------------------------------------------

sinew_mixer *sinew_animator_mixer(const sinew_animator *animator) {
    assert(animator);
    return animator->mixer;
}

static bool has_layer(const sinew_animator *animator, int32_t layer) {
    assert(animator);
    assert(layer >= 0 && layer < animator_graph(animator)->layer_count);
    return layer >= 0 && layer < animator_graph(animator)->layer_count;
}

static bool has_state(const sinew_animator *animator, int32_t state) {
    assert(animator);
    assert(state >= 0 && state < animator_graph(animator)->state_count &&
           "no state has this index: a misspelled path?");
    return state >= 0 && state < animator_graph(animator)->state_count;
}

int32_t sinew_animator_state(const sinew_animator *animator, int32_t layer) {
    return has_layer(animator, layer) ? animator_leaf(animator, layer) : SINEW_GRAPH_NONE;
}

// The level of an active state in its layer, or -1 if it isn't active.
static int32_t level_of(const sinew_animator *animator, int32_t state) {
    const sinew_graph *graph = animator_graph(animator);
    int32_t layer = sinew_graph_state_layer(graph, state);
    int32_t level = graph->data->owners[graph->states[state].machine].depth;
    bool is_active = level < animator->layers[layer].depth && animator_path(animator, layer)[level] == state;
    return is_active ? level : -1;
}

bool sinew_animator_is_active(const sinew_animator *animator, int32_t state) {
    return has_state(animator, state) && level_of(animator, state) >= 0;
}

bool sinew_animator_has_tag(const sinew_animator *animator, int32_t tag) {
    assert(animator);
    const sinew_graph *graph = animator_graph(animator);
    assert(tag >= 0 && tag < graph->tag_count && "no tag has this index: a misspelled name?");
    if (tag < 0 || tag >= graph->tag_count) return false;
    for (int32_t i = 0; i < graph->layer_count; i++) {
        for (int32_t k = 0; k < animator->layers[i].depth; k++) {
            if ((graph->data->tag_bits[animator_path(animator, i)[k]] >> tag & 1) != 0) return true;
        }
    }
    return false;
}

float sinew_animator_elapsed(const sinew_animator *animator, int32_t state) {
    if (!has_state(animator, state)) return 0.0f;
    int32_t level = level_of(animator, state);
    return level < 0 ? 0.0f
                     : animator_elapsed(animator, sinew_graph_state_layer(animator_graph(animator), state))[level];
}

int32_t sinew_animator_transition(const sinew_animator *animator, int32_t layer) {
    return has_layer(animator, layer) ? animator->layers[layer].transition : SINEW_GRAPH_NONE;
}

float sinew_animator_progress(const sinew_animator *animator, int32_t layer) {
    if (!has_layer(animator, layer)) return 0.0f;
    const animator_layer *l = &animator->layers[layer];
    return l->runs && l->progress < l->duration ? l->progress / l->duration : 1.0f;
}

sinew_action sinew_animator_action(const sinew_animator *animator, int32_t layer) {
    return has_layer(animator, layer) ? animator->layers[layer].action : (sinew_action){0};
}

sinew_graph_events sinew_animator_events(const sinew_animator *animator) {
    assert(animator);
    return (sinew_graph_events){animator->events, animator->event_count, animator->dropped_event_count};
}

// ---- Forcing -------------------------------------------------------------------------------------------------

// Leaves the current states. Then enters the states that contain a state, starting at the outermost inactive one, and
// finally the state itself.
static void enter_path(sinew_animator *animator, int32_t layer, int32_t state, float duration) {
    const sinew_graph *graph = animator_graph(animator);
    int32_t path[SINEW_MAX_GRAPH_DEPTH], level = graph->data->owners[graph->states[state].machine].depth, first = 0;
    for (int32_t s = state, i = level; i >= 0; i--) {
        path[i] = s;
        s = sinew_graph_machine_state(graph, graph->states[s].machine);
    }
    while (first < level && level_of(animator, path[first]) == first) first++;
    sinewi_animator_leave(animator, layer, first);
    sinewi_animator_start_transition(animator, layer, SINEW_GRAPH_NONE, state, duration,
                                     SINEW_GRAPH_INTERRUPT_ALWAYS);
    for (; first < level; first++) sinewi_animator_enter_only(animator, layer, first, path[first]);
    sinewi_animator_enter(animator, layer, level, state);
}

void sinew_animator_force_state(sinew_animator *animator, int32_t state, const sinew_transition *transition) {
    if (!has_state(animator, state)) return;
    const sinew_transition defaults = sinew_transition_default();
    if (!transition) transition = &defaults;
    if (!SINEWI_IS_DEF(transition, "sinew_transition: start from sinew_transition_default()")) return;
    int32_t layer = sinew_graph_state_layer(animator_graph(animator), state);
    sinewi_animator_read_curves(animator); // before the mixer plays anything else
    sinewi_animator_end_transition(animator, layer);
    enter_path(animator, layer, state, transition->duration);
    sinewi_animator_play(animator, layer, transition, 0.0f, 0.0f);
    animator->forced |= (uint8_t)(1U << layer);
}
