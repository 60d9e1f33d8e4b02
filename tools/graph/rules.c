// SPDX-License-Identifier: MIT
// The table of rules. docs/graph.md describes each at length.
#include "graph/check.h"

const char *graph_severity_name(graph_severity severity) {
    static const char *const names[] = {"error", "warning", "note"};
    return names[severity];
}

const graph_rule graph_rules[GRAPH_RULE_COUNT] = {
    [GRAPH_CLIP_MISSING] = {"clip-missing", GRAPH_ERROR, true, "clips that the file does not have"},
    [GRAPH_NODE_MISSING] = {"node-missing", GRAPH_ERROR, true, "nodes of masks that the file does not have"},
    [GRAPH_BLEND_SPACE_REFUSED] = {"blend-space-refused", GRAPH_ERROR, true, "blend spaces that cannot be made"},
    [GRAPH_MARKER_MISSING] = {"marker-missing", GRAPH_WARNING, true, "markers that the state's clip does not have"},
    [GRAPH_CURVE_MISSING] = {"curve-missing", GRAPH_ERROR, true, "curves that the file does not have"},
    [GRAPH_CYCLE_IN_FRAME] = {"cycle-in-frame", GRAPH_ERROR, false,
                              "transitions that are taken again and again within a frame"},
    [GRAPH_STATE_UNREACHABLE] = {"state-unreachable", GRAPH_WARNING, false, "states that are never entered"},
    [GRAPH_STATE_WITHOUT_EXIT] = {"state-without-exit", GRAPH_WARNING, false, "states that are never left"},
    [GRAPH_TRANSITION_NEVER] = {"transition-never", GRAPH_WARNING, false, "conditions that are never true"},
    [GRAPH_TRANSITION_SHADOWED] = {"transition-shadowed", GRAPH_WARNING, false,
                                   "transitions that earlier ones always precede"},
    [GRAPH_CONDITION_ALWAYS_TRUE] = {"condition-always-true", GRAPH_WARNING, false,
                                     "conditions that are always true"},
    [GRAPH_TRIGGER_NOT_CONSUMED] = {"trigger-not-consumed", GRAPH_WARNING, false,
                                    "triggers that no transition consumes"},
    [GRAPH_PARAMETER_UNUSED] = {"parameter-unused", GRAPH_NOTE, false, "parameters without a use"},
};
