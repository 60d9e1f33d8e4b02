// SPDX-License-Identifier: MIT
// Checks an animation graph without running it. Finds missing clips, states that are never entered, transitions that
// are never taken, cycles within a frame, and rig steps that undo one another. Rules have stable ids. docs/graph.md
// describes them and the method.
#ifndef GRAPH_CHECK_H
#define GRAPH_CHECK_H

#include <sinew/motion/graph.h>

typedef enum graph_severity {
    GRAPH_ERROR,   // the graph can't be bound, or repeats transitions within a frame
    GRAPH_WARNING, // part of the graph has no effect, or playback can't leave a state
    GRAPH_NOTE     // part of the graph isn't needed
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
    bool needs_clips; // only found if a character's clips are given
    const char *title;
} graph_rule;

extern const graph_rule graph_rules[GRAPH_RULE_COUNT];

const char *graph_severity_name(graph_severity severity);

// Tags a state that playback doesn't have to leave, such as a character's death, and the states in it.
#define GRAPH_FINAL_TAG "final"

typedef struct graph_finding {
    graph_rule_id rule;
    int32_t line;         // in the file; 0 if unknown
    const char *location; // Base/Move -> Jump, rig/look, or a parameter's or layer's name
    const char *message;  // the fault, in one sentence
    const char *advice;   // what to do, in one sentence
    int32_t state, transition, parameter, layer, step; // what it's about; SINEW_GRAPH_NONE for the others
} graph_finding;

typedef struct graph_report {
    int32_t count, capacity;
    graph_finding *findings; // sorted by rule, then in the file's order
    int32_t of_rule[GRAPH_RULE_COUNT];
    int32_t of_severity[GRAPH_NOTE + 1];
    // Bit i: layer i has too many combinations of values. All its states that may be entered count as reachable, and
    // shadowed transitions and cycles may be missed.
    uint32_t approximate_layers;
    const bool *reachable;       // [state_count]; states that can be entered; NULL if graph_check returned false
    const bool *taken;           // [transition_count]; transitions that can be taken
    struct graph_memory *memory; // holds everything above
} graph_report;

// Checks a graph. If `clips` isn't NULL, compares the graph with the skeleton, clips and roles in it, which the graph
// would be bound to. Ignores the graph in `clips`. Returns false if memory runs out. Call graph_report_end either way.
bool graph_check(graph_report *report, const sinew_graph *graph, const sinew_graph_binding_def *clips);
void graph_report_end(graph_report *report);

#endif
