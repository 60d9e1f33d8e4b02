// SPDX-License-Identifier: MIT
// Finds which values steps' conditions can have, one by one and two at a time.
#include "graph/explorer.h"
#include "graph/rig.h"

#define RIG_STEPS  INT64_C(16000000) // for all searches, see graph_search
#define PAIR_STEPS INT64_C(100000)   // for one search

// ---- All values ----------------------------------------------------------------------------------------------------

static graph_explorer *make_explorer(graph_model *m) {
    graph_explorer *e = graph_array(m, graph_explorer, 1);
    if (!e) return NULL;
    e->m = m;
    e->layer = SINEW_GRAPH_NONE;
    e->conditions = m->graph->step_conditions;
    return graph_read_looks(e) ? e : NULL;
}

static bool is_decided(const graph_step_cases *cases) {
    return cases->both && cases->only_first && cases->only_second && cases->neither;
}

static void note_case(graph_step_cases *cases, bool first, bool second) {
    cases->both |= first && second;
    cases->only_first |= first && !second;
    cases->only_second |= !first && second;
    cases->neither |= !first && !second;
}

graph_step_cases graph_compare_steps(graph_model *m, int32_t first, int32_t second) {
    graph_explorer *e = m->rig->cases;
    const int32_t steps[2] = {first, second};
    graph_step_cases cases = {0};
    e->transitions = (graph_list){.count = first == second ? 1 : 2, .items = steps};
    const int64_t before = e->search.steps;
    graph_read_layer_values(e);
    graph_search_begin(&e->search, m->rig->left < PAIR_STEPS ? m->rig->left : PAIR_STEPS);
    while (!m->out_of_memory && !is_decided(&cases) && graph_search_next(&e->search))
        note_case(&cases, graph_step_is_true(e, first), graph_step_is_true(e, second));
    m->rig->left -= e->search.steps - before;
    cases.is_known = is_decided(&cases) || !e->search.overflow;
    return cases;
}

bool graph_weight_can_rise(const sinew_graph *graph, int32_t step) {
    const sinew_rig_step *s = &graph->steps[step];
    if (!(s->weight > 0)) return false;
    return s->weight_parameter == SINEW_GRAPH_NONE || graph->parameters[s->weight_parameter].max > 0;
}

// ---- The start -----------------------------------------------------------------------------------------------------

static void set_value(graph_model *m, graph_values *values, double value) {
    *values = (graph_values){.count = 1, .capacity = 1, .items = graph_array(m, double, 1)};
    if (values->items) values->items[0] = value;
}

static void set_leaf(graph_explorer *e, int32_t layer) {
    const sinew_graph *graph = e->m->graph;
    e->layer_leaf_counts[layer] = 1;
    e->layer_leaves[layer] = graph_array(e->m, int32_t, 1);
    if (!e->layer_leaves[layer]) return;
    e->layer_leaves[layer][0] = graph_entry_leaf(e->m, graph->machines[graph->layers[layer].machine].entry);
}

// Gives each variable one value: defaults, 0 for curves, and entry states.
static void set_start(graph_explorer *e) {
    const sinew_graph *graph = e->m->graph;
    for (int32_t i = 0; i < graph->parameter_count; i++) {
        set_value(e->m, &e->parameters[i], graph->parameters[i].initial[0]);
        set_value(e->m, &e->parameters[VALUE_Y + i], graph->parameters[i].initial[1]);
    }
    for (int32_t i = 0; i < graph->curve_count; i++) set_value(e->m, &e->curves[i], 0);
    for (int32_t i = 0; i < graph->layer_count; i++) set_leaf(e, i);
}

static bool is_true_at_start(const graph_model *m, int32_t step) {
    graph_explorer *e = m->rig->start;
    graph_search_begin(&e->search, PAIR_STEPS);
    graph_search_next(&e->search);
    for (int32_t i = 0; i < m->graph->parameter_count; i++) {
        const sinew_graph_parameter *parameter = &m->graph->parameters[i];
        if (parameter->type == SINEW_PARAMETER_BOOL) e->search.chosen[i] = parameter->initial[0] != 0;
    }
    return graph_step_is_true(e, step);
}

bool graph_step_starts_on(graph_model *m, int32_t step) {
    const sinew_rig_step *s = &m->graph->steps[step];
    const int32_t parameter = s->weight_parameter;
    if (!(s->weight > 0) || s->weight_curve) return false;
    if (parameter != SINEW_GRAPH_NONE && !(m->graph->parameters[parameter].initial[0] > 0)) return false;
    return is_true_at_start(m, step);
}

bool graph_read_step_cases(graph_model *m) {
    m->rig->left = RIG_STEPS;
    m->rig->cases = make_explorer(m);
    m->rig->start = make_explorer(m);
    if (m->out_of_memory) return false;
    set_start(m->rig->start);
    return !m->out_of_memory;
}
