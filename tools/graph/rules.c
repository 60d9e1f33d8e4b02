// SPDX-License-Identifier: MIT
// The table of rules. docs/graph.md describes each one at length.
#include "graph/check.h"

const char *graph_severity_name(graph_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const graph_rule graph_rules[GRAPH_RULE_COUNT] = {
    [GRAPH_CLIP_MISSING] = {"clip-missing", GRAPH_ERROR, true, "a clip that isn't in the file"},
    [GRAPH_NODE_MISSING] = {"node-missing", GRAPH_ERROR, true, "a node or role that isn't in the file"},
    [GRAPH_BLEND_SPACE_REFUSED] = {"blend-space-refused", GRAPH_ERROR, true, "a blend space that can't be created"},
    [GRAPH_MARKER_MISSING] = {"marker-missing", GRAPH_WARNING, true, "a marker that isn't in the state's clips"},
    [GRAPH_CURVE_MISSING] = {"curve-missing", GRAPH_ERROR, true, "a curve that isn't in the file"},
    [GRAPH_CYCLE_IN_FRAME] = {"cycle-in-frame", GRAPH_ERROR, false, "transitions that repeat within a frame"},
    [GRAPH_STATE_UNREACHABLE] = {"state-unreachable", GRAPH_WARNING, false, "a state that is never entered"},
    [GRAPH_STATE_WITHOUT_EXIT] = {"state-without-exit", GRAPH_WARNING, false, "a state that is never left"},
    [GRAPH_TRANSITION_NEVER] = {"transition-never", GRAPH_WARNING, false, "a condition that is never true"},
    [GRAPH_TRANSITION_SHADOWED] = {"transition-shadowed", GRAPH_WARNING, false,
                                   "a transition that an earlier one always preempts"},
    [GRAPH_CONDITION_ALWAYS_TRUE] = {"condition-always-true", GRAPH_WARNING, false,
                                     "a condition that is always true"},
    [GRAPH_TRIGGER_NOT_CONSUMED] = {"trigger-not-consumed", GRAPH_WARNING, false,
                                    "a trigger that no transition consumes"},
    [GRAPH_PARAMETER_UNUSED] = {"parameter-unused", GRAPH_NOTE, false, "an unused parameter"},
    [GRAPH_STEP_REFUSED] = {"step-refused", GRAPH_ERROR, true, "a step that can't be created"},
    [GRAPH_STEP_NEVER] = {"step-never", GRAPH_WARNING, false, "a step that is always off"},
    [GRAPH_STEPS_FIGHT] = {"steps-fight", GRAPH_WARNING, false, "two steps that do the same to one node"},
    [GRAPH_STEP_ORDER] = {"step-order", GRAPH_WARNING, false, "a step that a later one undoes"},
    [GRAPH_GOAL_AT_ORIGIN] = {"goal-at-origin", GRAPH_WARNING, false, "a goal that starts at the origin"},
    [GRAPH_AIM_UNLIMITED] = {"aim-unlimited", GRAPH_WARNING, false, "an aim without a limit"},
    [GRAPH_INPUT_RANGE] = {"input-range", GRAPH_WARNING, false, "an input that doesn't suit its warp"},
    [GRAPH_WARP_UNPLAYED] = {"warp-unplayed", GRAPH_WARNING, false, "a root warp whose clip the base doesn't play"},
    [GRAPH_CONTACTS_MISSING] = {"contacts-missing", GRAPH_WARNING, true,
                                "a foot lock, but no foot is ever planted"},
    [GRAPH_SPRINGS_OVERLAP] = {"springs-overlap", GRAPH_WARNING, true, "springs on a node that another step moves"},
};
