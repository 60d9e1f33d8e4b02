// SPDX-License-Identifier: MIT
// Reads an animator's state from bytes that may come from anywhere. See animator_snapshot_write.c.
#include "motion/animator_snapshot_format.h"
#include "core/mixer_checks.h"
#include "base/fail.h"

#include <assert.h>
#include <float.h>
#include <string.h>

// What a layer will be. The first `depth` states of its path are found. It enters the rest if there is one.
typedef struct layer_image {
    animator_layer layer;
    int32_t path[SINEW_MAX_GRAPH_DEPTH];
    float elapsed[SINEW_MAX_GRAPH_DEPTH];
    uint64_t markers;
    uint64_t handle; // without its tag
    int32_t entered; // state to enter at level `depth`, or SINEW_GRAPH_NONE
    bool plays;      // its leaf was playing
    bool is_known;
} layer_image;

typedef struct animator_image {
    layer_image layers[SINEW_MAX_GRAPH_LAYERS];
    float curves[SINEW_MAX_GRAPH_CURVES];
    bool has_curves;
} animator_image;

typedef struct animator_decoder {
    state_reader in;
    const sinew_animator *animator;
    const sinew_graph *graph;
    animator_image *image;
} animator_decoder;

// ---- Paths ---------------------------------------------------------------------------------------------------

// The names of a path within a layer.
typedef struct path_names {
    const char *names[SINEW_MAX_GRAPH_DEPTH];
    int32_t count;
} path_names;

static path_names read_path(animator_decoder *d) {
    path_names path = {.count = (int32_t)sinewi_state_count(&d->in, SINEW_MAX_GRAPH_DEPTH)};
    for (int32_t i = 0; i < path.count; i++) {
        path.names[i] = sinewi_state_string(&d->in);
        if (path.names[i]) continue;
        sinewi_state_fail(&d->in, "a state without a name");
        path.count = 0;
    }
    if (path.count == 0) sinewi_state_fail(&d->in, "a path without states");
    return path;
}

static void report_path(const animator_decoder *d, const char *kind, int32_t layer, const path_names *path) {
    state_path whole = {.parts = {d->graph->layers[layer].name}, .count = 1};
    for (int32_t i = 0; i < path->count; i++) whole.parts[whole.count++] = path->names[i];
    sinewi_state_report_path(d->in.file, kind, &whole);
}

// The state at a path, or SINEW_GRAPH_NONE.
static int32_t find_state(const animator_decoder *d, int32_t layer, const path_names *path) {
    int32_t states[SINEW_MAX_GRAPH_DEPTH];
    const int32_t found = sinewi_animator_follow_path(d->graph, layer, path->names, path->count, states);
    return found == path->count && found > 0 ? states[found - 1] : SINEW_GRAPH_NONE;
}

// ---- Transitions ---------------------------------------------------------------------------------------------

static bool starts_at(const sinew_graph *graph, const sinew_graph_transition *t, const char *from) {
    if (!from || t->from == SINEW_ANY_STATE) return !from && t->from == SINEW_ANY_STATE;
    return strcmp(graph->states[t->from].name, from) == 0;
}

// Transitions between the same states are numbered in the graph's order. `from` is NULL for any state.
static int32_t find_transition(const sinew_graph *graph, const char *from, int32_t to, uint64_t ordinal) {
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const sinew_graph_transition *t = &graph->transitions[i];
        if (t->to == to && starts_at(graph, t, from) && ordinal-- == 0) return i;
    }
    return SINEW_GRAPH_NONE;
}

// `layer` is SINEW_GRAPH_NONE if the graph doesn't have it.
static void read_transition(animator_decoder *d, int32_t layer, animator_layer *l) {
    l->progress = sinewi_state_amount(&d->in, FLT_MAX);
    l->duration = sinewi_state_amount(&d->in, FLT_MAX);
    l->interrupt = (uint8_t)sinewi_state_byte(&d->in, SINEW_GRAPH_INTERRUPT_NEVER);
    const path_names path = read_path(d);
    const bool is_forced = sinewi_state_byte(&d->in, 1) != 0;
    const char *from = is_forced ? NULL : sinewi_state_string(&d->in);
    const uint64_t ordinal = is_forced ? 0 : sinewi_state_count(&d->in, SINEW_MAX_GRAPH_TRANSITIONS);
    l->transition = SINEW_GRAPH_NONE;
    if (layer == SINEW_GRAPH_NONE || d->in.in.is_cut) return;
    const int32_t to = find_state(d, layer, &path);
    l->runs = to != SINEW_GRAPH_NONE;
    l->to = (uint16_t)(l->runs ? to : 0);
    if (l->runs && !is_forced) l->transition = (int16_t)find_transition(d->graph, from, to, ordinal);
    const bool is_found = l->runs && (is_forced || l->transition != SINEW_GRAPH_NONE);
    if (!is_found) report_path(d, "transition", layer, &path);
}

// ---- Layers --------------------------------------------------------------------------------------------------

static int32_t find_layer(const sinew_graph *graph, const char *name) {
    for (int32_t l = 0; l < graph->layer_count; l++)
        if (strcmp(graph->layers[l].name, name) == 0) return l;
    return SINEW_GRAPH_NONE;
}

static int32_t entry_of(const sinew_graph *graph, int32_t layer) {
    return graph->machines[graph->layers[layer].machine].entry;
}

static void enter_entry(const animator_decoder *d, int32_t layer, layer_image *image) {
    image->layer.depth = 0;
    image->layer.runs = image->layer.looped = false;
    image->layer.late = 0.0f;
    image->layer.transition = SINEW_GRAPH_NONE;
    image->markers = 0;
    image->entered = entry_of(d->graph, layer);
}

static void find_states(const animator_decoder *d, int32_t layer, const path_names *path, layer_image *image) {
    const int32_t found = sinewi_animator_follow_path(d->graph, layer, path->names, path->count, image->path);
    image->layer.depth = (uint8_t)found;
    image->entered = SINEW_GRAPH_NONE;
    if (found < path->count) {
        report_path(d, "state", layer, path);
        enter_entry(d, layer, image);
        return;
    }
    const sinew_graph_state *leaf = &d->graph->states[image->path[found - 1]];
    if (leaf->kind != SINEW_GRAPH_STATE_MACHINE) return;
    image->entered = d->graph->machines[leaf->submachine].entry;
}

static uint64_t find_marker(const sinew_graph *graph, const char *name) {
    for (int32_t i = 0; i < graph->name_count; i++)
        if (strcmp(graph->names[i], name) == 0) return UINT64_C(1) << i;
    return 0;
}

static void read_notes(animator_decoder *d, layer_image *image) {
    image->layer.looped = (uint8_t)sinewi_state_byte(&d->in, 1);
    image->layer.late = sinewi_state_amount(&d->in, FLT_MAX);
    const int32_t count = (int32_t)sinewi_state_count(&d->in, 64);
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) {
        const char *name = sinewi_state_string(&d->in);
        if (!name) sinewi_state_fail(&d->in, "a marker without a name");
        if (!name) return;
        const uint64_t bit = find_marker(d->graph, name);
        if (bit == 0) sinewi_state_report_unknown(d->in.file, "marker", name);
        image->markers |= bit;
    }
}

static void read_layer(animator_decoder *d) {
    layer_image read = {.layer = {.transition = SINEW_GRAPH_NONE}, .entered = SINEW_GRAPH_NONE, .is_known = true};
    const char *name = sinewi_state_string(&d->in);
    if (!name) sinewi_state_fail(&d->in, "a layer without a name");
    const int32_t layer = name ? find_layer(d->graph, name) : SINEW_GRAPH_NONE;
    const sinew_layer_mode mode = (sinew_layer_mode)sinewi_state_byte(&d->in, SINEW_LAYER_ADDITIVE);
    read.handle = sinewi_read_number(&d->in.in, 8);
    if (read.handle >> SINEWI_HANDLE_BITS != 0) sinewi_state_fail(&d->in, "a handle with too many bits");
    read.plays = sinewi_state_byte(&d->in, 1) != 0;
    const path_names path = read_path(d);
    for (int32_t k = 0; k < path.count; k++) read.elapsed[k] = sinewi_state_amount(&d->in, FLT_MAX);
    const bool runs = sinewi_state_byte(&d->in, 1) != 0;
    if (runs) read_transition(d, layer, &read.layer);
    read_notes(d, &read);
    if (d->in.in.is_cut || layer == SINEW_GRAPH_NONE) return; // the mixer's part reports the layer
    if (d->image->layers[layer].is_known) sinewi_state_fail(&d->in, "a layer that occurs twice");
    find_states(d, layer, &path, &read);
    if (mode != d->graph->layers[layer].mode) enter_entry(d, layer, &read);
    d->image->layers[layer] = read;
}

static void read_curves(animator_decoder *d) {
    const sinew_graph_binding *binding = d->animator->binding;
    for (int32_t i = 0; i < d->graph->curve_count; i++)
        d->image->curves[i] = binding->skeleton->rest_curves[binding->curves[i]];
    d->image->has_curves = sinewi_state_byte(&d->in, 1) != 0;
    const int32_t count = (int32_t)sinewi_state_count(&d->in, SINEW_MAX_GRAPH_CURVES);
    for (int32_t i = 0; i < count && !d->in.in.is_cut; i++) {
        const char *name = sinewi_state_string(&d->in);
        const float value = sinewi_state_float(&d->in);
        if (!name) sinewi_state_fail(&d->in, "a curve without a name");
        int32_t curve = 0;
        while (name && curve < d->graph->curve_count && strcmp(d->graph->curves[curve], name) != 0) curve++;
        if (curve < d->graph->curve_count) d->image->curves[curve] = value;
        if (name && curve == d->graph->curve_count) sinewi_state_report_unknown(d->in.file, "curve", name);
    }
}

static void read_states(state_file *file, const sinew_animator *animator, animator_image *image) {
    animator_decoder d = {.animator = animator, .graph = animator_graph(animator), .image = image};
    memset(image, 0, sizeof *image);
    d.in = sinewi_state_read_section(file, SECTION_STATES);
    const int32_t count = (int32_t)sinewi_state_count(&d.in, SINEW_MAX_GRAPH_LAYERS);
    for (int32_t i = 0; i < count && !d.in.in.is_cut; i++) read_layer(&d);
    read_curves(&d);
    sinewi_state_close_section(&d.in);
    for (int32_t l = 0; l < d.graph->layer_count; l++)
        if (!image->layers[l].is_known) enter_entry(&d, l, &image->layers[l]);
}

// ---- Applying ------------------------------------------------------------------------------------------------

static void apply_layer(sinew_animator *animator, int32_t l, const layer_image *image) {
    const uint64_t tag = animator->mixer->state->tag;
    animator_layer *layer = &animator->layers[l];
    *layer = image->layer;
    layer->action.id = image->handle == 0 ? 0 : tag << SINEWI_HANDLE_BITS | image->handle;
    for (int32_t k = 0; k < layer->depth; k++) {
        animator_path(animator, l)[k] = (uint16_t)image->path[k];
        animator_elapsed(animator, l)[k] = image->elapsed[k];
    }
    if (l < animator_marker_count(animator)) animator_markers(animator)[l] = image->markers;
}

// Enters what a layer doesn't have, and plays what has been entered or isn't found. Returns whether it did.
static bool settle_layer(sinew_animator *animator, int32_t l, const layer_image *image) {
    sinew_transition cut = sinew_transition_default();
    cut.duration = 0.0f;
    const bool enters = image->entered != SINEW_GRAPH_NONE;
    if (enters) sinewi_animator_enter(animator, l, image->layer.depth, image->entered);
    const bool is_lost = image->plays && !sinew_action_is_active(animator->mixer, animator->layers[l].action);
    if (!enters && (!is_lost || !sinewi_animator_plays(animator, l))) return false;
    sinewi_animator_play(animator, l, &cut, 0.0f, 0.0f);
    return true;
}

static void apply_animator(state_file *file, sinew_animator *animator, const animator_image *image) {
    const sinew_graph *graph = animator_graph(animator);
    bool has_played = false;
    file->report = NULL; // it has been told
    sinewi_animator_read_parameters(file, animator, true);
    for (int32_t i = 0; i < graph->curve_count; i++) animator_curves(animator)[i] = image->curves[i];
    for (int32_t l = 0; l < graph->layer_count; l++) apply_layer(animator, l, &image->layers[l]);
    animator->is_restored = true;
    animator->has_curves = image->has_curves;
    animator->forced = 0;
    for (int32_t l = 0; l < graph->layer_count; l++) has_played |= settle_layer(animator, l, &image->layers[l]);
    if (has_played) sinewi_animator_push(animator);
    animator->event_count = 0;
    animator->dropped_event_count = 0;
    if (sinewi_animator_is_recorded(animator)) sinewi_animator_record_restored(animator);
}

// ---- The public function -------------------------------------------------------------------------------------

static sinew_result check(state_file *file, sinew_animator *animator, mixer_image *mixer, animator_image *image,
                          state_lanes *lanes, sinew_error *error) {
    sinew_result result = sinewi_state_check(file, animator->mixer, mixer, lanes, error);
    if (result != SINEW_OK) return result;
    sinewi_animator_read_parameters(file, animator, false);
    read_states(file, animator, image);
    return sinewi_state_result(file, error);
}

sinew_result sinew_animator_read(sinew_animator *animator, const sinew_state_names *names, const void *bytes,
                                 size_t size, const sinew_state_report *report, sinew_error *error) {
    assert(animator);
    if (!SINEWI_MIXER_IS_IDLE(animator->mixer, "sinew_animator_read"))
        return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "state: read during an update; defer it until after that");
    const state_lookup lookup = sinewi_animator_lookup(animator, names);
    state_file file;
    mixer_image mixer;
    animator_image image;
    state_lanes lanes;
    sinew_result result = sinewi_state_open(&file, &lookup, bytes, size, error);
    if (result != SINEW_OK) return result;
    result = check(&file, animator, &mixer, &image, &lanes, error);
    if (result == SINEW_OK) {
        sinewi_state_report(&file, animator->mixer, report, &mixer);
        if (report) sinewi_animator_read_parameters(&file, animator, false);
        if (report) read_states(&file, animator, &image);
        SINEWI_NOTE_CALL(animator->mixer, .kind = CALL_RESTORE); // without a stamp: the recording ends
        sinewi_state_apply(&file, animator->mixer, &mixer, &lanes);
        apply_animator(&file, animator, &image);
    }
    sinewi_state_free_lanes(&lanes);
    return result;
}
