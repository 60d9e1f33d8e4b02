// SPDX-License-Identifier: MIT
// Checks an animation graph without running it: missing clips, states that are never entered, transitions that are never
// taken, cycles within a frame, steps of its rig that undo one another. Rules have stable ids; docs/graph.md describes
// them and the method.
#ifndef GRAPH_CHECK_H
#define GRAPH_CHECK_H

#include <sinew/motion/graph.h>

typedef enum graph_severity {
    GRAPH_ERROR,   // the graph cannot be bound, or repeats transitions within a frame
    GRAPH_WARNING, // a part of the graph has no effect, or playback does not leave a state
    GRAPH_NOTE     // a part of the graph is superfluous
} graph_severity;

typedef enum graph_rule_id {
    GRAPH_CLIP_MISSING,
    GRAPH_NODE_MISSING,
    GRAPH_BLEND_SPACE_REFUSED,
    GRAPH_MARKER_MISSING,
    GRAPH_CURVE_MISSING,
    GRAPH_CYCLE_IN_FRAME,
    GRAPH_STATE_UNREACHABLE,
    GRAPH_STATE_WITHOUT_EXIT,
    GRAPH_TRANSITION_NEVER,
    GRAPH_TRANSITION_SHADOWED,
    GRAPH_CONDITION_ALWAYS_TRUE,
    GRAPH_TRIGGER_NOT_CONSUMED,
    GRAPH_PARAMETER_UNUSED,
    GRAPH_STEP_REFUSED,
    GRAPH_STEP_NEVER,
    GRAPH_STEPS_FIGHT,
    GRAPH_STEP_ORDER,
    GRAPH_GOAL_AT_ORIGIN,
    GRAPH_AIM_UNLIMITED,
    GRAPH_INPUT_RANGE,
    GRAPH_WARP_UNPLAYED,
    GRAPH_CONTACTS_MISSING,
    GRAPH_SPRINGS_OVERLAP,
    GRAPH_RULE_COUNT
} graph_rule_id;

// A rule. Ids and severities are stable.
typedef struct graph_rule {
    const char *id;
    graph_severity severity;
    bool needs_clips; // found only if the clips of a character are given
    const char *title;
} graph_rule;

extern const graph_rule graph_rules[GRAPH_RULE_COUNT];

const char *graph_severity_name(graph_severity severity);

// The tag of a state that playback need not leave, such as the death of a character, and of the states in it.
#define GRAPH_FINAL_TAG "final"

typedef struct graph_finding {
    graph_rule_id rule;
    int32_t line;         // in the file; 0 without one
    const char *location; // Base/Move -> Jump, rig/look, or the name of a parameter or a layer
    const char *message;  // the fault, one sentence
    const char *advice;   // what to do, one sentence
    int32_t state, transition, parameter, layer, step; // that it is about; else SINEW_GRAPH_NONE
} graph_finding;

typedef struct graph_report {
    int32_t count, capacity;
    graph_finding *findings; // sorted by rule, then in the file's order
    int32_t of_rule[GRAPH_RULE_COUNT];
    int32_t of_severity[GRAPH_NOTE + 1];
    // Bit i: layer i has too many combinations of values. All its states that may be entered count as reachable, and
    // shadowed transitions and cycles are not complete.
    uint32_t approximate_layers;
    const bool *reachable;       // [state_count]: the state can be entered; NULL if graph_check returned false
    const bool *taken;           // [transition_count]: the transition can be taken
    struct graph_memory *memory; // holds everything above
} graph_report;

// Checks a graph. `clips` may be NULL; otherwise the graph is compared with the skeleton, the clips and the roles that it
// would be bound to, and the graph in it is ignored. Returns false if memory runs out. Call graph_report_end in either case.
bool graph_check(graph_report *report, const sinew_graph *graph, const sinew_graph_binding_def *clips);
void graph_report_end(graph_report *report);

#endif
