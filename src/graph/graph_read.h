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
#ifndef SINEW_GRAPH_READ_H
#define SINEW_GRAPH_READ_H

#include "graph/graph_text.h"

// A machine whose states may not have been read yet.
typedef struct sinew_machine_text {
    sinew_json_value owner; // the layer or state
    sinew_json_value entry, states, transitions;
    int32_t depth; // 1 for that of a layer
} sinew_machine_text;

typedef struct sinew_graph_reader {
    sinew_graph_text text;
    sinew_graph_def def; // its counts grow while elements are read
    sinew_graph_parameter *parameters;
    sinew_graph_layer *layers;
    sinew_graph_machine *machines;
    sinew_graph_state *states;
    sinew_graph_transition *transitions;
    sinew_graph_names parameter_names;
    // Where the elements are in the text.
    sinew_machine_text *machine_texts;   // [machine_count]
    sinew_json_value *layer_values;      // [layer_count]
    sinew_json_value *state_keys;        // [state_count]
    sinew_json_value *transition_values; // [transition_count]
    sinew_json_value sync_markers;       // the array; ABSENT if there is none
} sinew_graph_reader;

// The members of a machine have these indices in layers and in states.
enum { SINEW_MACHINE_ENTRY, SINEW_MACHINE_STATES, SINEW_MACHINE_TRANSITIONS, SINEW_MACHINE_KEY_COUNT };

// Walk the elements of an array.
static inline sinew_json_value sinew_graph_first(const sinew_graph_reader *r, sinew_json_value array) {
    return sinew_json_first(&r->text.json, array);
}

static inline sinew_json_value sinew_graph_next(const sinew_graph_reader *r, sinew_json_value element) {
    return sinew_json_following(&r->text.json, element);
}

// ---- graph_read_parameters.c ---------------------------------------------------------------------------------

bool sinew_graph_read_parameters(sinew_graph_reader *r, sinew_json_value object);

// Sets of types of parameters.
enum {
    SINEW_FLOATS = 1 << SINEW_PARAMETER_FLOAT,
    SINEW_NUMBERS = SINEW_FLOATS | 1 << SINEW_PARAMETER_INT,
    SINEW_COORDINATES = SINEW_NUMBERS | 1 << SINEW_PARAMETER_VECTOR2
};

// Finds the parameter that a value names, of one of `types`, which `expected` describes. ABSENT leaves `*index`
// unchanged.
bool sinew_graph_read_reference(sinew_graph_reader *r, sinew_json_value value, int types, const char *expected,
                                int32_t *index);

// ---- graph_read_states.c -------------------------------------------------------------------------------------

// Adds the machine of a layer or state to those that are still to be read.
bool sinew_graph_add_machine(sinew_graph_reader *r, const sinew_graph_members *members, int32_t depth,
                             int32_t *machine);

// Reads the states and transitions of all machines, of those too that it adds.
bool sinew_graph_read_machines(sinew_graph_reader *r);

#endif
