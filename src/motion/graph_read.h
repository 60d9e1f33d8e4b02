// SPDX-License-Identifier: MIT
// Reads a graph from its text. See docs/graph.md.
//
// The text becomes a sinew_graph_def in scratch memory, and sinew_graph_create makes the graph from that. Machines are
// read one after another, layers' machines first. A state that contains a machine adds it to the end of the list. So
// nothing recurses, and a machine's states and transitions are adjacent.
//
// The reader checks value types, and whatever the tables in docs/graph.md rule out, with line and column. All
// other rules are checked by sinew_graph_create. Its errors name an element, so the reader keeps each element's
// position in the text.
//
// Functions return false once the text's error is set.
#ifndef SINEWI_GRAPH_READ_H
#define SINEWI_GRAPH_READ_H

#include "motion/graph_text.h"

// A machine whose states may not have been read yet.
typedef struct sinewi_machine_text {
    sinewi_json_value owner; // the layer or state
    sinewi_json_value entry, states, transitions;
    int32_t depth; // 1 for a layer's machine
} sinewi_machine_text;

typedef struct sinewi_graph_reader {
    sinewi_graph_text text;
    sinew_graph_def def; // its counts grow while elements are read
    sinew_graph_parameter *parameters;
    sinew_graph_layer *layers;
    sinew_graph_machine *machines;
    sinew_graph_state *states;
    sinew_graph_transition *transitions;
    sinewi_graph_names parameter_names;
    // The elements' positions in the text.
    sinewi_machine_text *machine_texts;   // [machine_count]
    sinewi_json_value *layer_values;      // [layer_count]
    sinewi_json_value *state_keys;        // [state_count]
    sinewi_json_value *transition_values; // [transition_count]
    const char **step_nodes;              // [SINEW_MAX_RIG_NODES], of the step that is read
    sinewi_json_value *step_values;       // [step_count]
    sinewi_json_value *foot_values;       // [foot_count]
    sinewi_json_value sync_markers;       // the array, or ABSENT
} sinewi_graph_reader;

// A machine's members have these indices in layers and in states.
enum { SINEWI_MACHINE_ENTRY, SINEWI_MACHINE_STATES, SINEWI_MACHINE_TRANSITIONS, SINEWI_MACHINE_KEY_COUNT };

// Iterate over an array's elements.
static inline sinewi_json_value sinewi_graph_first(const sinewi_graph_reader *r, sinewi_json_value array) {
    return sinewi_json_first(&r->text.json, array);
}

static inline sinewi_json_value sinewi_graph_next(const sinewi_graph_reader *r, sinewi_json_value element) {
    return sinewi_json_following(&r->text.json, element);
}

// ---- graph_read_parameters.c ---------------------------------------------------------------------------------

bool sinewi_graph_read_parameters(sinewi_graph_reader *r, sinewi_json_value object);

// Sets of parameter types.
enum {
    SINEWI_FLOATS = 1 << SINEW_PARAMETER_FLOAT,
    SINEWI_NUMBERS = SINEWI_FLOATS | 1 << SINEW_PARAMETER_INT,
    SINEWI_COORDINATES = SINEWI_NUMBERS | 1 << SINEW_PARAMETER_VECTOR2
};

// Finds the parameter that a value names. Its type must be one of `types`, which `expected` describes. ABSENT leaves
// `*index` unchanged.
bool sinewi_graph_read_reference(sinewi_graph_reader *r, sinewi_json_value value, int types, const char *expected,
                                 int32_t *index);

// ---- graph_read_mask.c ---------------------------------------------------------------------------------------

// Reads a mask's part, or an array of parts.
bool sinewi_graph_read_mask(sinewi_graph_reader *r, sinewi_json_value value, int32_t *part_count,
                            const sinew_mask_part **parts);

// ---- rig_read.c ----------------------------------------------------------------------------------------------

// Reads the feet and steps of a rig.
bool sinewi_graph_read_rig(sinewi_graph_reader *r, sinewi_json_value object);

// ---- rig_read_values.c ---------------------------------------------------------------------------------------

// Reads a number from `min` to `max`. FLT_MAX means that there's no upper limit. ABSENT leaves `*out` unchanged.
bool sinewi_rig_read_number(sinewi_graph_text *t, sinewi_json_value value, float min, float max, float *out);

// Read `count` numbers, which `expected` describes, or three. ABSENT leaves `*out` unchanged.
bool sinewi_rig_read_floats(sinewi_graph_reader *r, sinewi_json_value value, const char *expected, int count,
                            float *out);
bool sinewi_rig_read_vector(sinewi_graph_reader *r, sinewi_json_value value, sinew_vec3 *out);

// ---- rig_read_springs.c --------------------------------------------------------------------------------------

struct sinew_rig_springs;

// Read the colliders of a step of springs, then its chains, which name them by index.
bool sinewi_rig_read_colliders(sinewi_graph_reader *r, sinewi_json_value array, struct sinew_rig_springs *springs);
bool sinewi_rig_read_chains(sinewi_graph_reader *r, sinewi_json_value array, struct sinew_rig_springs *springs);

// ---- graph_read_states.c -------------------------------------------------------------------------------------

// Queues the machine of a layer or state for reading.
bool sinewi_graph_add_machine(sinewi_graph_reader *r, const sinewi_graph_members *members, int32_t depth,
                              int32_t *machine);

// Reads the states and transitions of all machines, including those that it queues itself.
bool sinewi_graph_read_machines(sinewi_graph_reader *r);

#endif
