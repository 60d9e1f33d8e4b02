// SPDX-License-Identifier: MIT
// Lays out a graph's machines, starting with the innermost (layout.c).
#include "graph/arrange.h"
#include "graph/plot.h"

#include <math.h>
#include <stdlib.h>

bool graph_contains_machine(const sinew_graph *graph, int32_t state) {
    return state != GRAPH_ANY_STATE && graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE;
}

layout_point graph_machine_origin(void) {
    return (layout_point){GRAPH_MARGIN + GRAPH_ENTRY_WIDTH, GRAPH_MARGIN};
}

layout_point graph_submachine_corner(const graph_lines *lines) {
    return (layout_point){0.0, GRAPH_PADDING / 2.0 + GRAPH_LINE_HEIGHT * (double)lines->count};
}

// ---- Sizes ---------------------------------------------------------------------------------------------------

double graph_lines_width(const graph_lines *box) {
    double width = 0.0;
    for (int32_t i = 0; i < box->count; i++) width = fmax(width, graph_text_width(box->lines[i]));
    return width;
}

static double label_width(const graph_lines *box) {
    double width = 0.0;
    for (int32_t i = 0; i < box->count; i++) width = fmax(width, graph_mono_width(box->lines[i]));
    return width + 8.0;
}

// Returns where to count a transition's arrows, which depends on its source.
static int32_t source_of(const graph_arrangement *a, const sinew_graph_transition *t) {
    return t->from == SINEW_ANY_STATE ? a->graph->state_count + t->machine : t->from;
}

// Counts the states' arrows, and numbers those that start at the same state, because their order matters.
static bool read_arrows(graph_arrangement *a) {
    const sinew_graph *graph = a->graph;
    const size_t sources = (size_t)graph->state_count + (size_t)graph->machine_count + 1;
    int32_t *starting = calloc(sources, sizeof *starting);
    a->priorities = calloc((size_t)graph->transition_count + 1, sizeof *a->priorities);
    a->arrows = calloc(sources, sizeof *a->arrows);
    a->nodes = calloc((size_t)graph->state_count + 1, sizeof *a->nodes);
    const bool good = starting && a->priorities && a->arrows && a->nodes;
    for (int32_t i = 0; good && i < graph->transition_count; i++) {
        const int32_t from = source_of(a, &graph->transitions[i]);
        a->priorities[i] = ++starting[from];
        a->arrows[from]++;
        a->arrows[graph->transitions[i].to]++;
    }
    for (int32_t i = 0; good && i < graph->transition_count; i++) {
        if (starting[source_of(a, &graph->transitions[i])] == 1) a->priorities[i] = 0;
    }
    free(starting);
    return good;
}

static void measure_node(const graph_arrangement *a, int32_t machine, graph_machine_layout *m, int32_t node) {
    const int32_t state = m->states[node];
    const graph_lines box = graph_state_lines(a->graph, state);
    layout_node *to = &m->layout.nodes[node];
    to->width = graph_lines_width(&box) + 2.0 * GRAPH_PADDING;
    to->height = GRAPH_LINE_HEIGHT * (double)box.count + GRAPH_PADDING;
    if (graph_contains_machine(a->graph, state)) {
        const graph_machine_layout *inner = &a->machines[a->graph->states[state].submachine];
        to->width = fmax(to->width, inner->width);
        to->height += inner->height;
    }
    const int32_t arrows = a->arrows[state == GRAPH_ANY_STATE ? a->graph->state_count + machine : state];
    to->height = fmax(to->height, layout_node_height(arrows));
}

static bool allocate_machine(const sinew_graph *graph, int32_t machine, graph_machine_layout *m) {
    size_t states = 1, transitions = 1; // one for any state
    for (int32_t i = 0; i < graph->state_count; i++) states += graph->states[i].machine == machine;
    for (int32_t i = 0; i < graph->transition_count; i++) transitions += graph->transitions[i].machine == machine;
    m->states = calloc(states, sizeof *m->states);
    m->transitions = calloc(transitions, sizeof *m->transitions);
    m->layout.nodes = calloc(states, sizeof *m->layout.nodes);
    m->layout.edges = calloc(transitions, sizeof *m->layout.edges);
    return m->states && m->transitions && m->layout.nodes && m->layout.edges;
}

// Lists a machine's states (the entry first) and its transitions.
static void list_machine(const sinew_graph *graph, int32_t machine, graph_machine_layout *m) {
    const int32_t entry = graph->machines[machine].entry;
    m->states[m->layout.node_count++] = entry;
    for (int32_t i = 0; i < graph->state_count; i++) {
        if (graph->states[i].machine == machine && i != entry) m->states[m->layout.node_count++] = i;
    }
    bool has_any = false;
    for (int32_t i = 0; i < graph->transition_count; i++) {
        if (graph->transitions[i].machine != machine) continue;
        m->transitions[m->layout.edge_count++] = i;
        has_any = has_any || graph->transitions[i].from == SINEW_ANY_STATE;
    }
    if (has_any) m->states[m->layout.node_count++] = GRAPH_ANY_STATE;
}

static bool lay_out_machine(graph_arrangement *a, int32_t machine) {
    graph_machine_layout *m = &a->machines[machine];
    if (!allocate_machine(a->graph, machine, m)) return false;
    list_machine(a->graph, machine, m);
    for (int32_t i = 0; i < m->layout.node_count; i++) {
        const int32_t state = m->states[i];
        if (state != GRAPH_ANY_STATE) a->nodes[state] = i;
        if (graph_contains_machine(a->graph, state) && !lay_out_machine(a, a->graph->states[state].submachine))
            return false;
        measure_node(a, machine, m, i);
    }
    for (int32_t i = 0; i < m->layout.edge_count; i++) {
        const sinew_graph_transition *t = &a->graph->transitions[m->transitions[i]];
        const graph_lines box =
            graph_transition_lines(a->graph, m->transitions[i], a->priorities[m->transitions[i]]);
        m->layout.edges[i].from = t->from == SINEW_ANY_STATE ? m->layout.node_count - 1 : a->nodes[t->from];
        m->layout.edges[i].to = a->nodes[t->to];
        m->layout.edges[i].label_width = label_width(&box);
        m->layout.edges[i].label_height = GRAPH_LABEL_LINE_HEIGHT * (double)box.count + 2.0;
    }
    const bool good = layout_compute(&m->layout);
    m->width = m->layout.width + 2.0 * GRAPH_MARGIN + GRAPH_ENTRY_WIDTH;
    m->height = m->layout.height + 2.0 * GRAPH_MARGIN;
    return good;
}

bool graph_arrange(graph_arrangement *a, const sinew_graph *graph) {
    *a = (graph_arrangement){.graph = graph};
    a->machines = calloc((size_t)graph->machine_count + 1, sizeof *a->machines);
    bool good = read_arrows(a) && a->machines;
    for (int32_t i = 0; good && i < graph->layer_count; i++) good = lay_out_machine(a, graph->layers[i].machine);
    return good;
}

void graph_arrangement_end(graph_arrangement *a) {
    for (int32_t i = 0; a->machines && i < a->graph->machine_count; i++) {
        graph_machine_layout *m = &a->machines[i];
        layout_end(&m->layout);
        free(m->layout.nodes);
        free(m->layout.edges);
        free(m->states);
        free(m->transitions);
    }
    free(a->machines);
    free(a->priorities);
    free(a->arrows);
    free(a->nodes);
}
