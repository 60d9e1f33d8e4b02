// SPDX-License-Identifier: MIT
// Reads a graph from its text and creates it. This file reads the layers and calls the other readers.
#include "motion/graph_read.h"

#include "base/file.h"
#include "motion/graph_create.h"

#include <sinew/motion/rig.h>

#include <string.h>

// ---- Layers --------------------------------------------------------------------------------------------------

static const char *const mode_words[] = {"override", "additive", NULL};

enum {
    LAYER_NAME = SINEWI_MACHINE_KEY_COUNT,
    LAYER_MODE,
    LAYER_MASK,
    LAYER_WEIGHT,
    LAYER_WEIGHT_PARAMETER,
    LAYER_WEIGHT_CURVE,
    LAYER_REFERENCE
};
static const sinewi_graph_keys layer_keys = {"a layer",
                                             {"entry", "states", "transitions", "name", "mode", "mask", "weight",
                                              "weightParameter", "weightCurve", "reference"}};

static bool read_layer(sinewi_graph_reader *r, sinewi_json_value value, int32_t index) {
    sinewi_graph_text *t = &r->text;
    sinew_graph_layer *layer = &r->layers[index];
    sinewi_graph_members m;
    int mode = SINEW_LAYER_OVERRIDE;
    *layer = sinew_graph_layer_default();
    layer->line = sinewi_graph_line(t, value);
    r->layer_values[index] = value;
    static const char upper[] = "a layer above the base";
    if (!sinewi_graph_read_members(t, value, &layer_keys, &m) || !sinewi_graph_require(t, &m, LAYER_NAME) ||
        !sinewi_graph_require(t, &m, SINEWI_MACHINE_STATES) ||
        !sinewi_graph_read_string(t, m.values[LAYER_NAME], &layer->name) ||
        !sinewi_graph_read_word(t, m.values[LAYER_MODE], mode_words, &mode))
        return false;
    layer->mode = (sinew_layer_mode)mode;
    return sinewi_graph_allow(t, &m, LAYER_MASK, index > 0, upper) &&
           sinewi_graph_allow(t, &m, LAYER_WEIGHT, index > 0, upper) &&
           sinewi_graph_allow(t, &m, LAYER_WEIGHT_PARAMETER, index > 0, upper) &&
           sinewi_graph_allow(t, &m, LAYER_WEIGHT_CURVE, index > 0, upper) &&
           sinewi_graph_allow(t, &m, LAYER_REFERENCE, mode == SINEW_LAYER_ADDITIVE, "an additive layer") &&
           sinewi_graph_read_mask(r, m.values[LAYER_MASK], &layer->part_count, &layer->parts) &&
           sinewi_graph_read_weight(t, m.values[LAYER_WEIGHT], &layer->weight) &&
           sinewi_graph_read_reference(r, m.values[LAYER_WEIGHT_PARAMETER], SINEWI_FLOATS, "a float",
                                       &layer->weight_parameter) &&
           sinewi_graph_read_string(t, m.values[LAYER_WEIGHT_CURVE], &layer->weight_curve) &&
           sinewi_graph_read_string(t, m.values[LAYER_REFERENCE], &layer->reference) &&
           sinewi_graph_add_machine(r, &m, 1, &layer->machine);
}

static bool read_layers(sinewi_graph_reader *r, sinewi_json_value array) {
    int32_t count;
    if (array == SINEWI_JSON_ABSENT) return true; // a rig stands alone
    if (!sinewi_graph_check_array(&r->text, array, "an array of layers", &count)) return false;
    sinewi_json_value element = sinewi_graph_first(r, array);
    for (int32_t i = 0; i < count; i++, element = sinewi_graph_next(r, element)) {
        if (i == SINEW_MAX_GRAPH_LAYERS)
            return sinewi_graph_fail_limit(&r->text, element, "a graph can have at most %d layers",
                                           SINEW_MAX_GRAPH_LAYERS);
        if (!read_layer(r, element, i)) return false;
    }
    r->def.layer_count = count;
    return true;
}

// ---- The graph -----------------------------------------------------------------------------------------------

enum { GRAPH_SCHEMA, GRAPH_VERSION, GRAPH_PARAMETERS, GRAPH_SYNC_MARKERS, GRAPH_LAYERS, GRAPH_RIG };
static const sinewi_graph_keys graph_keys = {
    "a graph", {"$schema", "sinewGraph", "parameters", "syncMarkers", "layers", "rig"}};

static bool check_version(sinewi_graph_reader *r, sinewi_json_value version) {
    if (version == SINEWI_JSON_ABSENT) return true;
    bool is_number = sinewi_graph_is(&r->text, version, SINEWI_JSON_NUMBER);
    return (is_number && sinewi_json_number(&r->text.json, version) == 1.0) ||
           sinewi_graph_fail_type(&r->text, version, "1, the format version");
}

// Finds the members. Checks the version first, because another version may have other keys.
static bool read_root(sinewi_graph_reader *r, sinewi_graph_members *m) {
    sinewi_json_value version = sinewi_json_get(&r->text.json, 0, graph_keys.names[GRAPH_VERSION]);
    return check_version(r, version) && sinewi_graph_read_members(&r->text, 0, &graph_keys, m) &&
           sinewi_graph_require(&r->text, m, GRAPH_VERSION) &&
           (m->values[GRAPH_RIG] != SINEWI_JSON_ABSENT || sinewi_graph_require(&r->text, m, GRAPH_LAYERS)) &&
           check_version(r, m->values[GRAPH_VERSION]); // also rejects null
}

// Reserves the arrays whose lengths aren't known yet. Each element has at least one JSON node of its own.
static bool take_arrays(sinewi_graph_reader *r) {
    const size_t nodes = (size_t)r->text.json.node_count;
    const size_t states = nodes < SINEW_MAX_GRAPH_STATES ? nodes : SINEW_MAX_GRAPH_STATES;
    const size_t transitions = nodes < SINEW_MAX_GRAPH_TRANSITIONS ? nodes : SINEW_MAX_GRAPH_TRANSITIONS;
    const size_t machines = states + SINEW_MAX_GRAPH_LAYERS;
    sinewi_graph_text *t = &r->text;
    return (r->layers = sinewi_graph_scratch(t, sinew_graph_layer, SINEW_MAX_GRAPH_LAYERS)) &&
           (r->layer_values = sinewi_graph_scratch(t, sinewi_json_value, SINEW_MAX_GRAPH_LAYERS)) &&
           (r->machines = sinewi_graph_scratch(t, sinew_graph_machine, machines)) &&
           (r->machine_texts = sinewi_graph_scratch(t, sinewi_machine_text, machines)) &&
           (r->states = sinewi_graph_scratch(t, sinew_graph_state, states)) &&
           (r->state_keys = sinewi_graph_scratch(t, sinewi_json_value, states)) &&
           (r->transitions = sinewi_graph_scratch(t, sinew_graph_transition, transitions)) &&
           (r->transition_values = sinewi_graph_scratch(t, sinewi_json_value, transitions));
}

static bool read_graph(sinewi_graph_reader *r) {
    sinewi_graph_text *t = &r->text;
    sinewi_graph_members m;
    const char *schema;
    if (!read_root(r, &m) || !sinewi_graph_read_string(t, m.values[GRAPH_SCHEMA], &schema) || !take_arrays(r) ||
        !sinewi_graph_read_parameters(r, m.values[GRAPH_PARAMETERS]) ||
        !sinewi_graph_read_strings(t, m.values[GRAPH_SYNC_MARKERS], &r->def.sync_name_count, &r->def.sync_names) ||
        !read_layers(r, m.values[GRAPH_LAYERS]) || !sinewi_graph_read_machines(r) ||
        !sinewi_graph_read_rig(r, m.values[GRAPH_RIG]))
        return false;
    r->sync_markers = m.values[GRAPH_SYNC_MARKERS];
    r->def.parameters = r->parameters;
    r->def.layers = r->layers;
    r->def.machines = r->machines;
    r->def.states = r->states;
    r->def.transitions = r->transitions;
    return true;
}

// ---- Creating it ---------------------------------------------------------------------------------------------

// Fails at a column in the condition of a transition or a step.
static bool fail_condition(sinewi_graph_reader *r, const sinewi_graph_problem *problem) {
    sinewi_graph_text *t = &r->text;
    const bool is_step = problem->part == SINEWI_GRAPH_PART_STEP_CONDITION;
    const sinewi_json_value *owners = is_step ? r->step_values : r->transition_values;
    const char *text = is_step ? r->def.steps[problem->index].when : r->transitions[problem->index].when;
    sinewi_json_value when = sinewi_json_get(&t->json, owners[problem->index], "when");
    size_t length, offset = sinewi_graph_offset(t, when);
    const char *raw = sinewi_json_raw_string(&t->json, when, &length);
    if (raw && strlen(text) == length && memcmp(raw, text, length) == 0)
        return sinewi_graph_fail_at(t, offset + (size_t)problem->column, problem->result, "%s", problem->what);
    return sinewi_graph_fail_at(t, offset, problem->result, "column %d: %s", (int)problem->column, problem->what);
}

// The value that an element of the definition was read from.
static sinewi_json_value find_element(const sinewi_graph_reader *r, const sinewi_graph_problem *problem) {
    switch (problem->part) {
    case SINEWI_GRAPH_PART_PARAMETER:
        return r->parameter_names.in_order[problem->index].key;
    case SINEWI_GRAPH_PART_LAYER:
        return r->layer_values[problem->index];
    case SINEWI_GRAPH_PART_MACHINE:
        return r->machine_texts[problem->index].owner;
    case SINEWI_GRAPH_PART_STATE:
        return r->state_keys[problem->index];
    case SINEWI_GRAPH_PART_TRANSITION:
    case SINEWI_GRAPH_PART_CONDITION:
        return r->transition_values[problem->index];
    case SINEWI_GRAPH_PART_STEP:
    case SINEWI_GRAPH_PART_STEP_CONDITION:
        return r->step_values[problem->index];
    case SINEWI_GRAPH_PART_FOOT:
        return r->foot_values[problem->index];
    case SINEWI_GRAPH_PART_WHOLE: // the reader has already checked all other counts
        if (r->sync_markers != SINEWI_JSON_ABSENT) return r->sync_markers;
        break;
    }
    return 0; // the root
}

static bool create_graph(sinewi_graph_reader *r, sinew_graph **graph) {
    sinewi_graph_problem problem;
    if (sinewi_graph_create_located(&r->def, graph, &problem) == SINEW_OK) return true;
    if (problem.result == SINEW_ERROR_OUT_OF_MEMORY) return sinewi_graph_fail_memory(&r->text);
    if (problem.result == SINEW_ERROR_ARGUMENT) problem.result = SINEW_ERROR_FORMAT; // the file is bad
    if (problem.part == SINEWI_GRAPH_PART_CONDITION || problem.part == SINEWI_GRAPH_PART_STEP_CONDITION)
        return fail_condition(r, &problem);
    return sinewi_graph_fail_at(&r->text, sinewi_graph_offset(&r->text, find_element(r, &problem)), problem.result,
                                "%s", problem.what);
}

// Writes the error only on failure.
static sinew_result load_text(const char *text, size_t size, const char *path, const sinew_allocator *allocator,
                              sinew_graph **graph, sinew_error *error) {
    sinewi_graph_reader r = {.def = sinew_graph_default()};
    r.def.path = path;
    if (allocator) r.def.allocator = *allocator;
    const bool is_made =
        sinewi_graph_text_parse(&r.text, text, size, allocator) && read_graph(&r) && create_graph(&r, graph);
    sinewi_graph_text_free(&r.text);
    if (is_made) return SINEW_OK;
    *error = r.text.error;
    return error->result;
}

sinew_result sinew_graph_load_memory(const char *text, size_t size, const sinew_allocator *allocator,
                                     sinew_graph **graph, sinew_error *error) {
    if (!graph) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph is NULL");
    *graph = NULL;
    if (!text && size > 0) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "text is NULL, but size is %zu", size);
    sinew_error inner;
    if (load_text(text, size, NULL, allocator, graph, &inner) == SINEW_OK) return SINEW_OK;
    return sinewi_fail(error, inner.result, "%s", inner.message);
}

// Reads a file and loads it. The error doesn't include the path.
static sinew_result load_from_path(const char *path, sinewi_arena *arena, sinew_graph **graph, sinew_error *error) {
    size_t size = 0;
    const char *reason = sinewi_file_text_size(path, &size);
    if (reason) return sinewi_fail(error, SINEW_ERROR_IO, "%s", reason);
    char *text = sinewi_arena_array(arena, char, size);
    if (!text) return sinewi_fail_memory(error);
    reason = sinewi_file_read(path, text, size);
    if (reason) return sinewi_fail(error, SINEW_ERROR_IO, "%s", reason);
    return load_text(text, size, path, &arena->allocator, graph, error);
}

sinew_result sinew_graph_load_file(const char *path, const sinew_allocator *allocator, sinew_graph **graph,
                                   sinew_error *error) {
    if (!graph) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "graph is NULL");
    *graph = NULL;
    if (!path) return sinewi_fail(error, SINEW_ERROR_ARGUMENT, "path is NULL");
    sinew_error inner;
    sinewi_arena arena;
    sinewi_arena_init(&arena, allocator);
    const sinew_result result = load_from_path(path, &arena, graph, &inner);
    sinewi_arena_free(&arena);
    if (result == SINEW_OK) return SINEW_OK;
    // Errors in the text start with the line: path:12:24: ...
    const bool is_in_text = result != SINEW_ERROR_IO && result != SINEW_ERROR_OUT_OF_MEMORY;
    return sinewi_fail_in_file(error, result, path, is_in_text ? ":" : ": ", inner.message);
}
