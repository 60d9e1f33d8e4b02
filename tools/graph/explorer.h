// SPDX-License-Identifier: MIT
// Explores one layer. Parameter values, clips and other layers are variables with finitely many values. These are
// chosen so each comparison in a condition can have all its possible results. A frame runs as docs/graph.md describes.
// A variable gets its value when a condition reads it, and the run is repeated for every other value. Private to
// tools/graph.
#ifndef GRAPH_EXPLORER_H
#define GRAPH_EXPLORER_H

#include "graph/model.h"

// What conditions compare with numbers.
enum {
    VALUE_Y = SINEW_MAX_GRAPH_PARAMETERS, // of vectors; the values before it are numbers and vectors' x
    VALUE_ELAPSED = 2 * SINEW_MAX_GRAPH_PARAMETERS,
    VALUE_TIME,
    VALUE_FRACTION,
    VALUE_LOOPS,
    VALUE_CURVE, // one per curve
    VALUE_COUNT = VALUE_CURVE + SINEW_MAX_GRAPH_CURVES
};

enum {
    VARIABLE_ELAPSED = 2 * SINEW_MAX_GRAPH_PARAMETERS, // after the parameters; one per depth
    VARIABLE_CLIP = VARIABLE_ELAPSED + MAX_PATH,       // fraction, finished, and time if the duration is known
    VARIABLE_TIME,                                     // of a clip with unknown duration
    VARIABLE_FRESH_TIME,                               // of a clip that starts in this frame
    VARIABLE_LOOPS,
    VARIABLE_LOOPED, // a loop was completed in the last step
    VARIABLE_LAYER,  // each layer's leaf when the frame began
    VARIABLE_MARKER = VARIABLE_LAYER + SINEW_MAX_GRAPH_LAYERS,
    VARIABLE_CURVE = VARIABLE_MARKER + 64,
    VARIABLE_COUNT = VARIABLE_CURVE + SINEW_MAX_GRAPH_CURVES,
    VARIABLE_FREE = VARIABLE_COUNT // a different one each time
};

enum {
    MAX_CHOICES = 512,
    MAX_RELATED = 16 // values compared with one another; if there are more, not all orders are represented
};

// ---- search.c ------------------------------------------------------------------------------------------------------

typedef struct graph_choice {
    int32_t variable, index, count;
} graph_choice;

// Runs the same code once for each combination of the values that it reads.
typedef struct graph_search {
    int32_t depth, length;
    graph_choice trail[MAX_CHOICES]; // [length]; this run's choices are the first [depth]
    int32_t chosen[VARIABLE_COUNT];  // index of the value, or -1 if it isn't chosen
    bool started;
    int64_t steps; // in all searches: transitions tried, operations evaluated, values chosen
    int64_t end;   // once `steps` reaches this, the search doesn't start another run
    bool overflow; // not all combinations were run
} graph_search;

// for (graph_search_begin(s, n); graph_search_next(s);) ...
void graph_search_begin(graph_search *s, int64_t max_steps);
bool graph_search_next(graph_search *s);

// Returns the index of the variable's value in this run. It's below `count`, which must be at least 1.
int32_t graph_choose(graph_search *s, int32_t variable, int32_t count);

// ---- values.c ------------------------------------------------------------------------------------------------------

typedef struct graph_values {
    int32_t count, capacity;
    double *items; // sorted
} graph_values;

typedef struct graph_clip_value {
    double fraction, time;
    bool finished;
} graph_clip_value;

typedef struct graph_explorer {
    graph_model *m;
    int32_t layer;                     // SINEW_GRAPH_NONE for rig steps
    const sinew_condition *conditions; // of the graph's transitions or steps
    graph_list transitions;            // the layer's, or steps
    int32_t *candidates;               // [graph->transition_count]: scratch

    int32_t related[VALUE_COUNT]; // values that are compared with one another have the same number
    int32_t related_count[VALUE_COUNT];
    bool mirrored[VALUE_COUNT];                              // it's compared with a negated value
    bool undecided;                                          // more than MAX_RELATED values are related
    graph_values parameters[2 * SINEW_MAX_GRAPH_PARAMETERS]; // for this layer
    graph_values curves[SINEW_MAX_GRAPH_CURVES];             // for this layer
    graph_values fresh_times;
    graph_values elapsed, fractions, times, loops; // of the leaf when the frame began
    int32_t clip_value_count, clip_value_capacity;
    graph_clip_value *clip_values;
    graph_values scratch[2];
    int32_t layer_leaf_counts[SINEW_MAX_GRAPH_LAYERS];
    int32_t *layer_leaves[SINEW_MAX_GRAPH_LAYERS]; // leaves that differ for in_tag and in_state

    int32_t *looks;     // [state_count]; leaves with the same number look the same to in_tag and in_state
    int32_t *look_seen; // [state_count]; the list of leaves that has one with that number
    int32_t look_count; // number of lists

    graph_search search;
    bool loose; // in_tag and in_state can have any value for the layer itself
} graph_explorer;

bool graph_read_looks(graph_explorer *e);
void graph_read_layer_values(graph_explorer *e);
void graph_read_leaf_values(graph_explorer *e, int32_t leaf);

// Returns which value an operand of a comparison is, or SINEW_GRAPH_NONE for a constant. Returns false for booleans.
bool graph_read_operand(const sinew_graph *graph, const sinew_condition *condition, int32_t node, int32_t *value,
                        double *number, bool *negated);

// ---- conditions.c --------------------------------------------------------------------------------------------------

// A layer during a frame.
typedef struct graph_frame {
    int32_t start; // the leaf when the frame began
    int32_t length;
    int32_t path[MAX_PATH];
    int32_t fresh_depth; // states from this depth on were entered in this frame; if <= `length`, so was the leaf
    float offset;        // of the leaf's clip, if it was entered in this frame
    uint64_t consumed;   // triggers
    sinew_graph_interrupt interrupt; // of the last transition taken
} graph_frame;

bool graph_is_true(graph_explorer *e, const graph_frame *frame, int32_t transition, int32_t depth);

// Returns whether a step's condition is true. It can't read clips. Any layer can have any leaf that is ever current.
bool graph_step_is_true(graph_explorer *e, int32_t step);

#endif
