// SPDX-License-Identifier: MIT
// Reading a graph from its text, as docs/graph.md describes it.
//
// The text becomes a sinew_graph_def in scratch memory, from which sinew_graph_create makes the graph. Machines are read
// one after another, those of the layers first; a state that contains a machine adds it to the end of the list. So
// nothing is recursive, and the states and transitions of a machine are adjacent.
//
// The types of values, and what the tables of the page rule out, are checked here, with line and column. All other
// rules are those of sinew_graph_create: its errors name an element, whose position in the text is kept for that.
//
// Functions return false once the error of the text is set.
#ifndef SINEWI_GRAPH_READ_H
#define SINEWI_GRAPH_READ_H

#include "motion/graph_text.h"

// A machine whose states may not have been read yet.
typedef struct sinewi_machine_text {
    sinewi_json_value owner; // the layer or state
    sinewi_json_value entry, states, transitions;
    int32_t depth; // 1 for that of a layer
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
    // Where the elements are in the text.
    sinewi_machine_text *machine_texts;   // [machine_count]
    sinewi_json_value *layer_values;      // [layer_count]
    sinewi_json_value *state_keys;        // [state_count]
    sinewi_json_value *transition_values; // [transition_count]
    sinewi_json_value sync_markers;       // the array; ABSENT if there is none
} sinewi_graph_reader;

// The members of a machine have these indices in layers and in states.
enum { SINEWI_MACHINE_ENTRY, SINEWI_MACHINE_STATES, SINEWI_MACHINE_TRANSITIONS, SINEWI_MACHINE_KEY_COUNT };

// Walk the elements of an array.
static inline sinewi_json_value sinewi_graph_first(const sinewi_graph_reader *r, sinewi_json_value array) {
    return sinewi_json_first(&r->text.json, array);
}

static inline sinewi_json_value sinewi_graph_next(const sinewi_graph_reader *r, sinewi_json_value element) {
    return sinewi_json_following(&r->text.json, element);
}

// ---- graph_read_parameters.c ---------------------------------------------------------------------------------

bool sinewi_graph_read_parameters(sinewi_graph_reader *r, sinewi_json_value object);

// Sets of types of parameters.
enum {
    SINEWI_FLOATS = 1 << SINEW_PARAMETER_FLOAT,
    SINEWI_NUMBERS = SINEWI_FLOATS | 1 << SINEW_PARAMETER_INT,
    SINEWI_COORDINATES = SINEWI_NUMBERS | 1 << SINEW_PARAMETER_VECTOR2
};

// Finds the parameter that a value names, of one of `types`, which `expected` describes. ABSENT leaves `*index`
// unchanged.
bool sinewi_graph_read_reference(sinewi_graph_reader *r, sinewi_json_value value, int types, const char *expected,
                                 int32_t *index);

// ---- graph_read_states.c -------------------------------------------------------------------------------------

// Adds the machine of a layer or state to those that are still to be read.
bool sinewi_graph_add_machine(sinewi_graph_reader *r, const sinewi_graph_members *members, int32_t depth,
                              int32_t *machine);

// Reads the states and transitions of all machines, of those too that it adds.
bool sinewi_graph_read_machines(sinewi_graph_reader *r);

#endif
