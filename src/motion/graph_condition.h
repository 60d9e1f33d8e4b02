// SPDX-License-Identifier: MIT
// The condition language of animation graphs (docs/graph.md): compiled once, when a graph is created, to a short list
// of operations; evaluated in each frame without a branch that depends on anything but the operation.
#ifndef SINEWI_CONDITION_H
#define SINEWI_CONDITION_H

#include <sinew/motion/graph.h>

// What the names in a condition refer to.
typedef struct sinewi_condition_scope {
    // Parameters, layers, machines, states and tags are complete; conditions and names of markers and curves are not read.
    const sinew_graph *graph;
    // Returns the index of the name of a marker (MARKER) or a curve (CURVE), which it adds if it is new; SINEW_GRAPH_NONE if
    // there are too many. `name` is not terminated.
    int32_t (*find_name)(sinew_condition_op op, const char *name, size_t length, void *user);
    void *user;
} sinewi_condition_scope;

// A fault of a condition: what is wrong, what was expected and the nearest name, for a message that starts with the
// column.
typedef struct sinewi_condition_problem {
    sinew_result result; // SINEW_ERROR_ARGUMENT; SINEW_ERROR_LIMIT for too many operations, parentheses or names
    int32_t column;      // in bytes, from 1
    char what[256];      // not escaped: it quotes the text
} sinewi_condition_problem;

// Compiles a text. Writes at most SINEW_MAX_CONDITION_NODES nodes and returns their number; 0 with `problem` for a text
// that is not a condition. Any bytes are safe. Allocates nothing and does not recurse.
int32_t sinewi_condition_compile(const char *text, const sinewi_condition_scope *scope, sinew_condition_node *nodes,
                                 sinewi_condition_problem *problem);

// What a condition reads of the state that its transition starts from, of the parameters and of the frame.
typedef struct sinewi_condition_input {
    const double (*parameters)[2]; // [parameter_count]: values after damping; x and y, or the value and 0
    const float *curves;           // [curve_count]
    double time, fraction, elapsed, loops;
    bool plays;             // false in an empty state
    bool finished, looped;  // looped: the clip reached an end in the last step
    uint64_t markers;       // bit i: the clip reached the marker names[i] in the last step
    uint64_t tags;          // bit i: a state with the tag i was active when the frame began
    const uint64_t *active; // bit i of word i / 64: state i was active when the frame began
} sinewi_condition_input;

// One step of the evaluation of a condition: an operation of its nodes, or a comparison of a parameter with a constant.
typedef struct sinewi_condition_step {
    double number;  // the constant
    uint16_t index; // of a parameter, curve, marker, tag or state
    uint8_t op;     // sinew_condition_op, or a comparison of a parameter: see graph_condition.c
    int8_t left;    // operands: steps
    int8_t right;
    int8_t decides; // the AND or OR whose value this step, its left operand, can decide; -1 for none
} sinewi_condition_step;

// Makes the steps of a condition; returns their number, at most that of the nodes.
int32_t sinewi_condition_prepare(const sinew_condition *condition, sinewi_condition_step *steps);

// Whether the condition of these steps is true; without steps it is. Any thread.
bool sinewi_condition_is_true(const sinewi_condition_step *steps, int32_t step_count,
                              const sinewi_condition_input *input);

// What a condition reads of the state: a sum of these.
#define SINEWI_CONDITION_READS_TIME     1 // time or fraction
#define SINEWI_CONDITION_READS_LOOPS    2 // loops
#define SINEWI_CONDITION_READS_FINISHED 4 // finished
uint8_t sinewi_condition_reads(const sinew_condition *condition);

// The parameters of type TRIGGER that a condition names: bit i is parameter i.
uint64_t sinewi_condition_triggers(const sinew_condition *condition, const sinew_graph *graph);

// Whether a name is a word of the language, such as "time", so that no parameter may have it.
bool sinewi_condition_is_word(const char *name);

#endif
