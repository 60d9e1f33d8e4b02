// SPDX-License-Identifier: MIT
// Checks a graph: reads the model once, explores it, then lets each rule add its findings.
#include "graph/model.h"

#include <string.h>

static void check_all(graph_model *m) {
    if (!graph_read_model(m)) return;
    graph_explore(m);
    if (m->out_of_memory) return;
    graph_check_names(m);
    graph_check_states(m);
    graph_check_transitions(m);
    graph_check_rig(m);
    graph_check_parameters(m);
    if (m->out_of_memory || !graph_sort_by_rule(m)) return;
    m->report->reachable = m->entered;
    m->report->taken = m->taken;
}

bool graph_check(graph_report *report, const sinew_graph *graph, const sinew_graph_binding_def *clips) {
    *report = (graph_report){0};
    graph_model model = {.graph = graph, .clips = clips, .report = report};
    check_all(&model);
    return !model.out_of_memory;
}
