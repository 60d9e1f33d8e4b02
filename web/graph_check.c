// SPDX-License-Identifier: MIT
// A graph's findings for JavaScript.
#include "graph_check.h"
#include "internal.h"
#include "text.h"

#include "graph/arrange.h"
#include "graph/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The file with the clips -------------------------------------------------------------------------------------

static sinew_error last_error;
static sinew_asset *asset;

const char *web_error(void) {
    return last_error.message;
}

void web_fail(const char *message) {
    snprintf(last_error.message, sizeof last_error.message, "%s", message);
}

void web_check_unload(void) {
    sinew_asset_destroy(asset);
    asset = NULL;
}

bool web_check_load(const uint8_t *data, size_t size, const web_file *files, int32_t file_count,
                    sinew_meshopt_decode decode) {
    web_check_unload();
    asset = web_asset_load(data, size, files, file_count, NULL, decode, NULL);
    return asset != NULL;
}

// ---- Graphs ------------------------------------------------------------------------------------------------------

static char *fail(const char *message) {
    web_text to = {0};
    web_text_add(&to, "{\"error\":");
    web_text_add_string(&to, message);
    web_text_add(&to, "}");
    return web_text_end(&to);
}

// Loads a graph and returns `describe`'s text, or the reason why the graph can't be loaded.
static char *with_graph(const char *text, size_t size, char *(*describe)(const sinew_graph *graph)) {
    sinew_graph *graph;
    sinew_error error;
    if (sinew_graph_load_memory(text, size, NULL, &graph, &error) != SINEW_OK) return fail(error.message);
    char *description = describe(graph);
    sinew_graph_destroy(graph);
    return description;
}

// ---- Findings ----------------------------------------------------------------------------------------------------

static void add_string(web_text *to, const char *key, const char *string) {
    web_text_add(to, ",\"%s\":", key);
    web_text_add_string(to, string);
}

// Elements are indices into the graph, or -1.
static void add_finding(web_text *to, const graph_finding *finding) {
    const graph_rule *rule = &graph_rules[finding->rule];
    web_text_add(to, "{\"line\":%d,\"state\":%d,\"transition\":%d,\"parameter\":%d,\"layer\":%d,\"step\":%d",
                 (int)finding->line, (int)finding->state, (int)finding->transition, (int)finding->parameter,
                 (int)finding->layer, (int)finding->step);
    add_string(to, "rule", rule->id);
    add_string(to, "title", rule->title);
    add_string(to, "severity", graph_severity_name(rule->severity));
    add_string(to, "location", finding->location);
    add_string(to, "message", finding->message);
    add_string(to, "advice", finding->advice);
    web_text_add(to, "}");
}

static void add_approximate_layers(web_text *to, const graph_report *report, const sinew_graph *graph) {
    int count = 0;
    web_text_add(to, ",\"approximateLayers\":[");
    for (int32_t i = 0; i < graph->layer_count; i++) {
        if (!(report->approximate_layers >> i & 1)) continue;
        web_text_add(to, "%s", web_comma(count++));
        web_text_add_string(to, graph->layers[i].name);
    }
    web_text_add(to, "]");
}

static void add_report(web_text *to, const graph_report *report, const sinew_graph *graph) {
    const int32_t *counts = report->of_severity;
    web_text_add(to, "{\"errors\":%d,\"warnings\":%d,\"notes\":%d", (int)counts[GRAPH_ERROR],
                 (int)counts[GRAPH_WARNING], (int)counts[GRAPH_NOTE]);
    add_approximate_layers(to, report, graph);
    web_text_add(to, ",\"findings\":[");
    for (int32_t i = 0; i < report->count; i++) {
        web_text_add(to, "%s", web_comma(i));
        add_finding(to, &report->findings[i]);
    }
    web_text_add(to, "]}");
}

static char *check(const sinew_graph *graph) {
    sinew_graph_binding_def clips = sinew_graph_binding_default();
    sinew_humanoid humanoid;
    if (asset) {
        if (sinew_humanoid_find(asset, NULL, &humanoid, NULL, NULL) != SINEW_OK) humanoid = sinew_humanoid_empty();
        clips.humanoid = &humanoid;
        clips.asset = asset;
        clips.skeleton = asset->skeleton;
        clips.clips = asset->clips;
        clips.clip_count = asset->clip_count;
    }
    web_text to = {0};
    graph_report report;
    if (graph_check(&report, graph, asset ? &clips : NULL)) {
        add_report(&to, &report, graph);
    } else {
        to.failed = true;
    }
    graph_report_end(&report);
    return web_text_end(&to);
}

char *web_check_graph(const char *text, size_t size) {
    return with_graph(text, size, check);
}

// ---- The layout --------------------------------------------------------------------------------------------------

static void add_lines(web_text *to, const graph_lines *lines) {
    web_text_add(to, ",\"lines\":[");
    for (int32_t i = 0; i < lines->count; i++) {
        web_text_add(to, "%s", web_comma(i));
        web_text_add_string(to, lines->lines[i]);
    }
    web_text_add(to, "]");
}

// Positions are relative to the machine's upper left corner.
static void add_node(web_text *to, const graph_arrangement *a, const graph_machine_layout *m, int32_t node) {
    const int32_t state = m->states[node];
    const layout_node *one = &m->layout.nodes[node];
    const layout_point origin = graph_machine_origin();
    const graph_lines lines = graph_state_lines(a->graph, state);
    const layout_point inner = graph_submachine_corner(&lines);
    web_text_add(to, "{\"state\":%d,\"machine\":%d,\"x\":%.9g,\"y\":%.9g,\"width\":%.9g,\"height\":%.9g",
                 (int)state, graph_contains_machine(a->graph, state) ? (int)a->graph->states[state].submachine : -1,
                 origin.x + one->corner.x, origin.y + one->corner.y, one->width, one->height);
    web_text_add(to, ",\"inner\":{\"x\":%.9g,\"y\":%.9g}", origin.x + one->corner.x + inner.x,
                 origin.y + one->corner.y + inner.y);
    add_lines(to, &lines);
    web_text_add(to, "}");
}

static void add_edge(web_text *to, const graph_arrangement *a, const graph_machine_layout *m, int32_t edge) {
    const layout_edge *one = &m->layout.edges[edge];
    const layout_point origin = graph_machine_origin();
    const graph_lines lines =
        graph_transition_lines(a->graph, m->transitions[edge], a->priorities[m->transitions[edge]]);
    web_text_add(to, "{\"transition\":%d,\"from\":%d,\"to\":%d", (int)m->transitions[edge], (int)one->from,
                 (int)one->to);
    web_text_add(to, ",\"label\":{\"x\":%.9g,\"y\":%.9g,\"width\":%.9g,\"height\":%.9g},\"points\":[",
                 origin.x + one->label.x, origin.y + one->label.y, one->label_width, one->label_height);
    for (int32_t i = 0; i < one->point_count; i++)
        web_text_add(to, "%s{\"x\":%.9g,\"y\":%.9g}", web_comma(i), origin.x + one->points[i].x,
                     origin.y + one->points[i].y);
    web_text_add(to, "]");
    add_lines(to, &lines);
    web_text_add(to, "}");
}

static void add_machine(web_text *to, const graph_arrangement *a, int32_t machine) {
    const graph_machine_layout *m = &a->machines[machine];
    web_text_add(to, "{\"width\":%.9g,\"height\":%.9g,\"nodes\":[", m->width, m->height);
    for (int32_t i = 0; i < m->layout.node_count; i++) {
        web_text_add(to, "%s", web_comma(i));
        add_node(to, a, m, i);
    }
    web_text_add(to, "],\"edges\":[");
    for (int32_t i = 0; i < m->layout.edge_count; i++) {
        web_text_add(to, "%s", web_comma(i));
        add_edge(to, a, m, i);
    }
    web_text_add(to, "]}");
}

static char *lay_out(const sinew_graph *graph) {
    web_text to = {0};
    graph_arrangement arrangement;
    to.failed = !graph_arrange(&arrangement, graph);
    web_text_add(&to, "{\"machines\":[");
    for (int32_t i = 0; !to.failed && i < graph->machine_count; i++) {
        web_text_add(&to, "%s", web_comma(i));
        add_machine(&to, &arrangement, i);
    }
    web_text_add(&to, "]}");
    graph_arrangement_end(&arrangement);
    return web_text_end(&to);
}

char *web_layout_graph(const char *text, size_t size) {
    return with_graph(text, size, lay_out);
}
