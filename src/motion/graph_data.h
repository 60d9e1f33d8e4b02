// SPDX-License-Identifier: MIT
// What a graph knows about its own structure: who contains whom, and each state's and machine's transitions.
#ifndef SINEWI_GRAPH_DATA_H
#define SINEWI_GRAPH_DATA_H

#include <sinew/motion/graph.h>

// A range of `transition_order`.
typedef struct sinewi_graph_range {
    int32_t first, count;
} sinewi_graph_range;

// A TRANSFORM's coordinates: the first of the rotation, and its w.
enum { SINEWI_TRANSFORM_ROTATION = 3, SINEWI_TRANSFORM_W = 6 };

// The number of a parameter's coordinates.
static inline uint8_t sinewi_parameter_width(sinew_parameter_type type) {
    if (type == SINEW_PARAMETER_TRANSFORM) return 7;
    if (type == SINEW_PARAMETER_VECTOR3) return 3;
    return type == SINEW_PARAMETER_VECTOR2 ? 2 : 1;
}

// The words of a parameter's value in an animator, one per coordinate. A damped parameter has targets,
// values and velocities.
typedef struct sinewi_graph_value {
    uint16_t target; // first word that the program sets
    uint16_t value;  // first word that the graph uses
    uint8_t width;   // in words: sinewi_parameter_width
    uint8_t type;    // sinew_parameter_type
    uint8_t is_damped;
} sinewi_graph_value;

// A condition's steps in `steps`.
typedef struct sinewi_graph_steps {
    const struct sinewi_condition_step *steps;
    int32_t count;
} sinewi_graph_steps;

// What contains a machine.
typedef struct sinewi_graph_owner {
    int32_t state; // that contains the machine; SINEW_GRAPH_NONE for a layer's machine
    int32_t layer;
    int32_t depth; // 0 for a layer's machine
} sinewi_graph_owner;

typedef struct sinew_graph_data {
    sinew_allocator allocator;
    const sinewi_graph_owner *owners;          // [machine_count]
    const int32_t *states_by_name;             // [state_count], by machine, then by name
    const int32_t *transition_order;           // [transition_count], by where they start, then as in the graph
    const sinewi_graph_range *from_states;     // [state_count]
    const sinewi_graph_range *from_any;        // [machine_count]
    const sinewi_graph_steps *conditions;      // [transition_count]
    const uint64_t *triggers;                  // [transition_count], triggers that the condition names
    const uint8_t *reads;                      // [transition_count], what the condition reads from the state
    const uint64_t *tag_bits;                  // [state_count]
    const uint8_t *sync_groups;                // [state_count], 1 to 255; 0 for none
    const int8_t *weight_curves;               // [layer_count], index in the graph's curves, or SINEW_GRAPH_NONE
    const sinewi_graph_steps *step_conditions; // [step_count]
    const int8_t *step_curves;                 // [step_count], like weight_curves
    int32_t depth;                             // length of the longest path of states, at least 1
    const sinewi_graph_value *values;          // [parameter_count], where an animator keeps the parameter's value
    int32_t value_count;                       // words of all values
    int32_t blend_space_count;                 // number of states that play a blend space
    uint64_t fingerprint;                      // of the structure, for snapshots
} sinew_graph_data;

#endif
