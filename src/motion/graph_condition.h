// SPDX-License-Identifier: MIT
// The condition language of animation graphs (docs/graph.md). A condition is compiled once, when the graph is created,
// to a short list of operations. Evaluating it each frame takes no branches other than on the operation.
#ifndef SINEWI_CONDITION_H
#define SINEWI_CONDITION_H

#include <sinew/motion/graph.h>

// What a condition's names refer to.
typedef struct sinewi_condition_scope {
    // Parameters, layers, machines, states and tags are complete. Conditions and the names of markers and
    // curves aren't read.
    const sinew_graph *graph;
    // Returns the index of a marker's name (MARKER) or a curve's (CURVE), and adds it if it's new. Returns
    // SINEW_GRAPH_NONE if there are too many. `name` isn't terminated.
    int32_t (*find_name)(sinew_condition_op op, const char *name, size_t length, void *user);
    void *user;
} sinewi_condition_scope;

// A fault in a condition: what is wrong, what was expected, and the nearest name. Goes into a message that
// starts with the column.
typedef struct sinewi_condition_problem {
    sinew_result result; // SINEW_ERROR_ARGUMENT; SINEW_ERROR_LIMIT for too many operations, parentheses or names
    int32_t column;      // in bytes, from 1
    char what[256];      // not escaped, and quotes the text
} sinewi_condition_problem;

// Compiles a text. Writes at most SINEW_MAX_CONDITION_NODES nodes and returns how many. If the text isn't a condition,
// returns 0 and fills `problem`. Any bytes are safe. It neither allocates nor recurses.
int32_t sinewi_condition_compile(const char *text, const sinewi_condition_scope *scope, sinew_condition_node *nodes,
                                 sinewi_condition_problem *problem);

// Everything that a condition reads: the state that its transition starts from, the parameters, and the frame.
typedef struct sinewi_condition_input {
    const double (*parameters)[2]; // [parameter_count], values after damping: x and y, or the value and 0
    const float *curves;           // [curve_count]
    double time, fraction, elapsed, loops;
    bool plays;             // false in an empty state
    bool finished, looped;  // looped: the clip reached an end in the last step
    uint64_t markers;       // bit i: the clip reached marker names[i] in the last step
    uint64_t tags;          // bit i: a state with tag i was active when the frame began
    const uint64_t *active; // bit i of word i / 64: state i was active when the frame began
} sinewi_condition_input;

// One step of evaluating a condition: one of its operations, or a comparison of a parameter with a constant.
typedef struct sinewi_condition_step {
    double number;  // the constant
    uint16_t index; // of a parameter, curve, marker, tag or state
    uint8_t op;     // sinew_condition_op, or a parameter comparison: see graph_condition.c
    int8_t left;    // operands, as steps
    int8_t right;
    int8_t decides; // the AND or OR that this step can decide as its left operand; -1 for none
} sinewi_condition_step;

// Turns a condition into steps. Returns how many, at most the number of nodes.
int32_t sinewi_condition_prepare(const sinew_condition *condition, sinewi_condition_step *steps);

// Whether these steps' condition is true. True without steps. Thread-safe.
bool sinewi_condition_is_true(const sinewi_condition_step *steps, int32_t step_count,
                              const sinewi_condition_input *input);

// What a condition reads from the state, as a sum of these.
#define SINEWI_CONDITION_READS_TIME     1 // time or fraction
#define SINEWI_CONDITION_READS_LOOPS    2 // loops
#define SINEWI_CONDITION_READS_FINISHED 4 // finished
uint8_t sinewi_condition_reads(const sinew_condition *condition);

// The TRIGGER parameters that a condition names: bit i is parameter i.
uint64_t sinewi_condition_triggers(const sinew_condition *condition, const sinew_graph *graph);

// Whether a name is a word of the language, such as "time". Parameters can't have such names.
bool sinewi_condition_is_word(const char *name);

#endif
