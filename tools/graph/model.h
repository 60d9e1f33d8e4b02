// SPDX-License-Identifier: MIT
// What the rules read: a graph with the relations between its parts, and what the exploration found. Private to
// tools/graph.
#ifndef GRAPH_MODEL_H
#define GRAPH_MODEL_H

#include "graph/check.h"

#include <sinew/motion/rig.h>

#include <stdarg.h>

enum { MAX_PATH = SINEW_MAX_GRAPH_DEPTH + 1, MAX_CYCLES = 64, MAX_CYCLE_LENGTH = 64 };

// Transitions that can be taken in one frame, more than SINEW_MAX_GRAPH_HOPS of them.
typedef struct graph_cycle {
    bool endless; // they repeat; otherwise they end
    int32_t count;
    int32_t transitions[MAX_CYCLE_LENGTH]; // [count]: those of the cycle, or all of them
    const char *example;                   // values of parameters, such as "speed = 1"; "" for any
} graph_cycle;

// What a clip allows the words of a condition to be.
typedef struct graph_leaf {
    sinew_graph_state_kind kind;
    bool can_finish, can_loop;
    bool finishes_at_end; // `finished` is true only at a fraction of 1
    int32_t max_loops;
    float duration;   // seconds; of a blend space the longest; negative: unknown
    int direction;    // 1 forward, -1 backward, 0 either
    uint64_t markers; // bit i: the clip may have the marker names[i]
} graph_leaf;

// A name, and its index in the file.
typedef struct graph_name {
    const char *name;
    int32_t index;
} graph_name;

typedef struct graph_names {
    int32_t count;
    const graph_name *sorted;
} graph_names;

// What the leaves in a state are, or those of a layer: of all of them, or of those that are entered.
typedef struct graph_inside {
    int32_t leaves, clips, blend_spaces, can_finish;
    uint64_t markers;
} graph_inside;

typedef struct graph_list {
    int32_t count, first;
    const int32_t *items;
} graph_list;

typedef struct graph_model {
    const sinew_graph *graph;
    const sinew_graph_binding_def *clips; // NULL: unknown
    graph_report *report;
    bool out_of_memory;

    // Of the character; empty without `clips`.
    graph_names clip_names, node_names, curve_names;
    uint64_t *clip_markers; // [clip_count]: bit i: the clip has the marker names[i]
    int32_t comparisons;    // of names, for advice, that are left
    bool knows_roles;
    sinew_humanoid humanoid;

    // Relations.
    int32_t *parents;         // [state_count]: the state around it, or SINEW_GRAPH_NONE
    int32_t *layers;          // [state_count]
    int32_t *machine_layers;  // [machine_count]
    uint64_t *path_tags;      // [state_count]: tags of the state and of those around it
    graph_leaf *leaves;       // [state_count]; only of states that are no machines
    graph_inside *inside;     // [state_count + layer_count]: of each state, then of each layer
    graph_list *from_any;     // [machine_count]: transitions from any state
    graph_list *from_state;   // [state_count]: transitions
    uint64_t *absent_markers; // [transition_count]: that no clip of its states has, which marker-missing reports
    bool *in_conditions;      // [state_count]: in_state names it
    bool reads_layers;        // a condition has in_tag or in_state

    // Found by the exploration.
    bool *entered;     // [state_count]
    bool *current;     // [state_count]: a leaf that is current when a frame begins
    bool *taken;       // [transition_count]
    bool *can_be_true; // [transition_count]: the condition, where the transition is a candidate
    bool *can_be_false;
    int32_t *shadowed_by; // [transition_count]: the transition that precedes it; SINEW_GRAPH_NONE
    uint64_t consumed;    // triggers
    graph_cycle *cycles;  // [cycle_count]
    int32_t cycle_count;

    struct graph_rig *rig; // of its steps; NULL without any
} graph_model;

// ---- report.c ------------------------------------------------------------------------------------------------------

// Memory of the report, zeroed; NULL, noted in the model, if there is none.
void *graph_take(graph_model *m, size_t count, size_t size);
#define graph_array(m, type, count) ((type *)graph_take((m), (size_t)(count), sizeof(type)))

const char *graph_text(graph_model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a finding; its location, message and advice are set by the caller, from graph_text.
void graph_add(graph_model *m, const graph_finding *finding);
bool graph_sort_by_rule(graph_model *m);

// Base/Combo/Second, Base/* -> Jump.
const char *graph_state_label(graph_model *m, int32_t state);
const char *graph_transition_label(graph_model *m, int32_t transition);

// A finding about one element, with its line and location.
graph_finding graph_about_state(graph_model *m, graph_rule_id rule, int32_t state);
graph_finding graph_about_transition(graph_model *m, graph_rule_id rule, int32_t transition);
graph_finding graph_about_parameter(graph_model *m, graph_rule_id rule, int32_t parameter);
graph_finding graph_about_layer(graph_model *m, graph_rule_id rule, int32_t layer);
graph_finding graph_about_step(graph_model *m, graph_rule_id rule, int32_t step);

// ---- model.c -------------------------------------------------------------------------------------------------------

bool graph_read_model(graph_model *m);

// Whether a state is `outer` or in it. `outer` may be SINEW_GRAPH_NONE, which contains all.
bool graph_is_in(const graph_model *m, int32_t state, int32_t outer);

// Sums up the leaves of each state and layer, all of them or those that are entered, in m->inside.
void graph_sum_up(graph_model *m, bool entered_only);

// Of the leaves in `outer`, or in a layer if it is SINEW_GRAPH_NONE.
const graph_inside *graph_inside_of(const graph_model *m, int32_t layer, int32_t outer);

// The state that a transition starts from; SINEW_GRAPH_NONE: any of a layer.
int32_t graph_source(const graph_model *m, const sinew_graph_transition *t);

// The leaf that is entered with a state.
int32_t graph_entry_leaf(const graph_model *m, int32_t state);

// Writes the path of a leaf, from outside; returns its length.
int32_t graph_path(const graph_model *m, int32_t leaf, int32_t path[MAX_PATH]);

// The transitions that may be taken from a path, in the order in which they are tried. Call with a zeroed iterator;
// SINEW_GRAPH_NONE at the end. `depth` is that of the state that the transition starts from.
typedef struct graph_candidates {
    int32_t step, next, depth;
} graph_candidates;

int32_t graph_next_candidate(const graph_model *m, const int32_t *path, int32_t path_length, graph_candidates *it);

// The clip of that name, or NULL.
const sinew_clip *graph_find_clip(const graph_model *m, const char *name);

// Whether a name starts with SINEW_ROLE_PREFIX.
bool graph_is_role(const char *name);

// ---- name_index.c --------------------------------------------------------------------------------------------------

bool graph_index_names(graph_model *m, graph_names *names, int32_t count,
                       const char *(*name_at)(const graph_model *m, int32_t index));

// The first index with that name, or SINEW_GRAPH_NONE.
int32_t graph_find_name(const graph_names *names, const char *name);

// ---- names.c -------------------------------------------------------------------------------------------------------

// Clips, curves and nodes, held against the character. Each adds `finding` with its message and advice if the name isn't
// there. `user` names what uses it, such as "The mask".
bool graph_check_clip(graph_model *m, graph_finding finding, const char *name);
void graph_check_curve(graph_model *m, graph_finding finding, const char *name, const char *use, const char *more);
void graph_check_condition_curves(graph_model *m, graph_finding finding, const sinew_condition *condition);

// Returns the node with that name or role, or SINEW_NO_NODE.
int32_t graph_check_node(graph_model *m, graph_finding finding, const char *name, const char *user);

void graph_check_names(graph_model *m);

// ---- explore.c, conditions.c, findings.c, rig_rules.c ------------------------------------------------------------------

void graph_explore(graph_model *m);
void graph_check_rig(graph_model *m);
void graph_check_states(graph_model *m);
void graph_check_transitions(graph_model *m);
void graph_check_parameters(graph_model *m);

#endif
