// SPDX-License-Identifier: MIT
// What the rules read: a graph with the relations between its parts, and what the exploration found. Private to
// tools/graph.
#ifndef GRAPH_MODEL_H
#define GRAPH_MODEL_H

#include "graph/check.h"

#include <sinew/motion/rig.h>

#include <stdarg.h>

enum { MAX_PATH = SINEW_MAX_GRAPH_DEPTH + 1, MAX_CYCLES = 64, MAX_CYCLE_LENGTH = 64 };

// Transitions that can be taken in one frame, and are more than SINEW_MAX_GRAPH_HOPS.
typedef struct graph_cycle {
    bool endless; // they repeat; otherwise they end
    int32_t count;
    int32_t transitions[MAX_CYCLE_LENGTH]; // [count]; the cycle's, or all of them
    const char *example;                   // parameter values such as "speed = 1"; "" for any
} graph_cycle;

// What a condition's words can be, as far as a clip decides it.
typedef struct graph_leaf {
    sinew_graph_state_kind kind;
    bool can_finish, can_loop;
    bool finishes_at_end; // `finished` is only true at a fraction of 1
    int32_t max_loops;
    float duration;   // in seconds; the longest in a blend space; negative if unknown
    int direction;    // 1 forward, -1 backward, 0 for either
    uint64_t markers; // bit i: the clip may have the marker names[i]
} graph_leaf;

// A name and its index in the file.
typedef struct graph_name {
    const char *name;
    int32_t index;
} graph_name;

typedef struct graph_names {
    int32_t count;
    const graph_name *sorted;
} graph_names;

// Sums up the leaves in a state or layer: all of them, or those that are entered.
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
    const sinew_graph_binding_def *clips; // NULL if unknown
    graph_report *report;
    bool out_of_memory;

    // The character's. Empty without `clips`.
    graph_names clip_names, node_names, curve_names;
    uint64_t *clip_markers; // [clip_count]; bit i: the clip has the marker names[i]
    int32_t comparisons;    // how many name comparisons for advice are left
    bool knows_roles;
    sinew_humanoid humanoid;

    // Relations between the parts.
    int32_t *parents;         // [state_count]; the state around it, or SINEW_GRAPH_NONE
    int32_t *layers;          // [state_count]
    int32_t *machine_layers;  // [machine_count]
    uint64_t *path_tags;      // [state_count]; tags of the state and those around it
    graph_leaf *leaves;       // [state_count]; only for states that aren't machines
    graph_inside *inside;     // [state_count + layer_count]; each state's, then each layer's
    graph_list *from_any;     // [machine_count]: transitions from any state
    graph_list *from_state;   // [state_count]: transitions
    uint64_t *absent_markers; // [transition_count]; in none of its clips, see marker-missing
    bool *in_conditions;      // [state_count]; in_state names it
    bool reads_layers;        // a condition uses in_tag or in_state

    // Found by the exploration.
    bool *entered;     // [state_count]
    bool *current;     // [state_count]: a leaf that is current when a frame begins
    bool *taken;       // [state_count]; a leaf that's current when a frame begins
    bool *can_be_true; // [transition_count]; its condition can be true when it's a candidate
    bool *can_be_false;
    int32_t *shadowed_by; // [transition_count]; the transition that precedes it, or SINEW_GRAPH_NONE
    uint64_t consumed;    // triggers
    graph_cycle *cycles;  // [cycle_count]
    int32_t cycle_count;

    struct graph_rig *rig; // about its steps; NULL if it has none
} graph_model;

// ---- report.c ------------------------------------------------------------------------------------------------------

// Returns zeroed memory from the report. If there's none, notes that in the model and returns NULL.
void *graph_take(graph_model *m, size_t count, size_t size);
#define graph_array(m, type, count) ((type *)graph_take((m), (size_t)(count), sizeof(type)))

const char *graph_text(graph_model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a finding. The caller must set its location, message and advice, using graph_text.
void graph_add(graph_model *m, const graph_finding *finding);
bool graph_sort_by_rule(graph_model *m);

// Base/Combo/Second, Base/* -> Jump.
const char *graph_state_label(graph_model *m, int32_t state);
const char *graph_transition_label(graph_model *m, int32_t transition);

// Return a finding about one element, with its line and location.
graph_finding graph_about_state(graph_model *m, graph_rule_id rule, int32_t state);
graph_finding graph_about_transition(graph_model *m, graph_rule_id rule, int32_t transition);
graph_finding graph_about_parameter(graph_model *m, graph_rule_id rule, int32_t parameter);
graph_finding graph_about_layer(graph_model *m, graph_rule_id rule, int32_t layer);
graph_finding graph_about_step(graph_model *m, graph_rule_id rule, int32_t step);

// ---- model.c -------------------------------------------------------------------------------------------------------

bool graph_read_model(graph_model *m);

// Returns whether a state is `outer` or inside it. SINEW_GRAPH_NONE contains all states.
bool graph_is_in(const graph_model *m, int32_t state, int32_t outer);

// Sums up the leaves of each state and layer in m->inside: all of them, or those that are entered.
void graph_sum_up(graph_model *m, bool entered_only);

// Returns the sum for `outer`, or for a layer if that's SINEW_GRAPH_NONE.
const graph_inside *graph_inside_of(const graph_model *m, int32_t layer, int32_t outer);

// Returns the state that a transition starts from, or SINEW_GRAPH_NONE for any state in the layer.
int32_t graph_source(const graph_model *m, const sinew_graph_transition *t);

// Returns the leaf that's entered with a state.
int32_t graph_entry_leaf(const graph_model *m, int32_t state);

// Writes a leaf's path, from outside to inside. Returns its length.
int32_t graph_path(const graph_model *m, int32_t leaf, int32_t path[MAX_PATH]);

// Returns the transitions that may be taken from a path, in the order they're tried. Start with a zeroed iterator; ends
// with SINEW_GRAPH_NONE. `depth` is the depth of the state that the transition starts from.
typedef struct graph_candidates {
    int32_t step, next, depth;
} graph_candidates;

int32_t graph_next_candidate(const graph_model *m, const int32_t *path, int32_t path_length, graph_candidates *it);

// Returns the clip with that name, or NULL.
const sinew_clip *graph_find_clip(const graph_model *m, const char *name);

// Returns whether a name starts with SINEW_ROLE_PREFIX.
bool graph_is_role(const char *name);

// ---- name_index.c --------------------------------------------------------------------------------------------------

bool graph_index_names(graph_model *m, graph_names *names, int32_t count,
                       const char *(*name_at)(const graph_model *m, int32_t index));

// Returns the first index with that name, or SINEW_GRAPH_NONE.
int32_t graph_find_name(const graph_names *names, const char *name);

// ---- names.c -------------------------------------------------------------------------------------------------------

// Compare a name with the character's clips, curves and nodes. If it isn't there, they add `finding` with its message
// and advice. `user` says what uses the name, such as "The mask".
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
