// SPDX-License-Identifier: MIT
// The report: findings, their labels, and the memory for them.
#include "graph/model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Memory and labels ---------------------------------------------------------------------------------------------

typedef struct graph_memory {
    struct graph_memory *next;
    max_align_t bytes[];
} graph_memory;

void *graph_take(graph_model *m, size_t count, size_t size) {
    graph_memory *memory = NULL;
    if (count <= (SIZE_MAX - sizeof *memory) / size) memory = calloc(1, sizeof *memory + count * size);
    if (!memory) {
        m->out_of_memory = true;
        return NULL;
    }
    memory->next = m->report->memory;
    m->report->memory = memory;
    return memory->bytes;
}

void graph_report_end(graph_report *report) {
    while (report->memory) {
        graph_memory *next = report->memory->next;
        free(report->memory);
        report->memory = next;
    }
}

const char *graph_text(graph_model *m, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t length = strlen(text) + 1;
    char *copy = graph_array(m, char, length);
    return copy ? memcpy(copy, text, length) : "";
}

const char *graph_state_label(graph_model *m, int32_t state) {
    char path[512];
    sinew_graph_state_path(m->graph, state, path, sizeof path);
    return graph_text(m, "%s", path);
}

const char *graph_transition_label(graph_model *m, int32_t transition) {
    const sinew_graph_transition *t = &m->graph->transitions[transition];
    const char *to = m->graph->states[t->to].name;
    if (t->from != SINEW_ANY_STATE) return graph_text(m, "%s -> %.200s", graph_state_label(m, t->from), to);
    const int32_t owner = sinew_graph_machine_state(m->graph, t->machine);
    const char *machine = owner != SINEW_GRAPH_NONE ? graph_state_label(m, owner)
                                                    : m->graph->layers[m->machine_layers[t->machine]].name;
    return graph_text(m, "%.500s/* -> %.200s", machine, to);
}

// ---- Findings ------------------------------------------------------------------------------------------------------

static graph_finding about(graph_rule_id rule, int32_t line, const char *location) {
    return (graph_finding){.rule = rule,
                           .line = line,
                           .location = location,
                           .message = "",
                           .advice = "",
                           .state = SINEW_GRAPH_NONE,
                           .transition = SINEW_GRAPH_NONE,
                           .parameter = SINEW_GRAPH_NONE,
                           .layer = SINEW_GRAPH_NONE,
                           .step = SINEW_GRAPH_NONE};
}

graph_finding graph_about_state(graph_model *m, graph_rule_id rule, int32_t state) {
    graph_finding finding = about(rule, m->graph->states[state].line, graph_state_label(m, state));
    finding.state = state;
    return finding;
}

graph_finding graph_about_transition(graph_model *m, graph_rule_id rule, int32_t transition) {
    const int32_t line = m->graph->transitions[transition].line;
    graph_finding finding = about(rule, line, graph_transition_label(m, transition));
    finding.transition = transition;
    return finding;
}

graph_finding graph_about_parameter(graph_model *m, graph_rule_id rule, int32_t parameter) {
    const sinew_graph_parameter *p = &m->graph->parameters[parameter];
    graph_finding finding = about(rule, p->line, graph_text(m, "%.200s", p->name));
    finding.parameter = parameter;
    return finding;
}

graph_finding graph_about_layer(graph_model *m, graph_rule_id rule, int32_t layer) {
    const sinew_graph_layer *l = &m->graph->layers[layer];
    graph_finding finding = about(rule, l->line, graph_text(m, "%.200s", l->name));
    finding.layer = layer;
    return finding;
}

graph_finding graph_about_step(graph_model *m, graph_rule_id rule, int32_t step) {
    const sinew_rig_step *s = &m->graph->steps[step];
    graph_finding finding = about(rule, s->line, graph_text(m, "rig/%.200s", s->name));
    finding.step = step;
    return finding;
}

static bool grow(graph_model *m) {
    graph_report *report = m->report;
    if (report->count < report->capacity) return true;
    const int32_t capacity = report->capacity > 0 ? 2 * report->capacity : 64;
    graph_finding *findings = graph_array(m, graph_finding, capacity);
    if (!findings) return false;
    if (report->count > 0) memcpy(findings, report->findings, (size_t)report->count * sizeof *findings);
    report->findings = findings;
    report->capacity = capacity;
    return true;
}

void graph_add(graph_model *m, const graph_finding *finding) {
    if (!grow(m)) return;
    graph_report *report = m->report;
    report->findings[report->count++] = *finding;
    report->of_rule[finding->rule]++;
    report->of_severity[graph_rules[finding->rule].severity]++;
}

// Keeps the order within a rule.
bool graph_sort_by_rule(graph_model *m) {
    graph_report *report = m->report;
    graph_finding *sorted = graph_array(m, graph_finding, report->count);
    if (!sorted) return false;
    int32_t count = 0;
    for (int rule = 0; rule < GRAPH_RULE_COUNT; rule++) {
        for (int32_t i = 0; i < report->count; i++) {
            if ((int)report->findings[i].rule == rule) sorted[count++] = report->findings[i];
        }
    }
    report->findings = sorted;
    return true;
}
