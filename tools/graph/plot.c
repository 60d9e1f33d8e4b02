// SPDX-License-Identifier: MIT
// Draws an animation graph: its parameters, its rig's steps, and the machines that arrange.c laid out.
#include "graph/plot.h"
#include "graph/arrange.h"

#include "plots/svg.h"

#include <sinew/motion/rig.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct plot {
    graph_arrangement arrangement;
    const sinew_graph *graph;
    FILE *to;
} plot;

// ---- Drawing -------------------------------------------------------------------------------------------------

static void draw_arrow_head(FILE *to, const char *classes, layout_point before, layout_point end) {
    const double back = before.x < end.x ? -8.0 : 8.0;
    const svg_point points[3] = {{end.x, end.y}, {end.x + back, end.y - 4.0}, {end.x + back, end.y + 4.0}};
    svg_polygon(to, classes, points, 3);
}

static void draw_edge(const plot *p, const graph_machine_layout *m, int32_t edge, double x, double y) {
    const sinew_graph_transition *t = &p->graph->transitions[m->transitions[edge]];
    const layout_edge *e = &m->layout.edges[edge];
    const bool is_any = t->from == SINEW_ANY_STATE;
    svg_point points[512];
    const int32_t count = e->point_count < 512 ? e->point_count : 512;
    for (int32_t i = 0; i < count; i++) points[i] = (svg_point){x + e->points[i].x, y + e->points[i].y};
    svg_flow(p->to, is_any ? "arrow any l1" : "arrow l0", points, count);
    const layout_point end = {points[count - 1].x, points[count - 1].y};
    const layout_point before = {points[count - 2].x, points[count - 2].y};
    draw_arrow_head(p->to, is_any ? "f1" : "f0", before, end);
    const graph_lines box =
        graph_transition_lines(p->graph, m->transitions[edge], p->arrangement.priorities[m->transitions[edge]]);
    for (int32_t i = 0; i < box.count; i++) {
        const svg_point at = {x + e->label.x + 4.0, y + e->label.y + 11.0 + GRAPH_LABEL_LINE_HEIGHT * (double)i};
        svg_text(p->to, i + 1 < box.count ? "mono" : "mono dim", at, box.lines[i]);
    }
}

static void draw_machine(const plot *p, int32_t machine, double x, double y);

static void draw_node(const plot *p, const graph_machine_layout *m, int32_t node, double x, double y) {
    const int32_t state = m->states[node];
    const layout_node *one = &m->layout.nodes[node];
    const svg_point corner = {x + one->corner.x, y + one->corner.y};
    const bool contains = graph_contains_machine(p->graph, state);
    const char *classes = state == GRAPH_ANY_STATE ? "state any l1 f1"
                          : contains               ? "state machine l2 f2"
                                                   : "state l0 f0";
    svg_box(p->to, classes, corner, one->width, one->height, state == GRAPH_ANY_STATE ? one->height / 2.0 : 8.0);
    const graph_lines box = graph_state_lines(p->graph, state);
    const double text_height = GRAPH_LINE_HEIGHT * (double)box.count;
    const double top = contains ? GRAPH_PADDING / 2.0 : (one->height - text_height) / 2.0;
    for (int32_t i = 0; i < box.count; i++) {
        const svg_point at = {corner.x + GRAPH_PADDING, corner.y + top + 11.0 + GRAPH_LINE_HEIGHT * (double)i};
        svg_text(p->to, i == 0 ? "label" : "small dim", at, box.lines[i]);
    }
    if (!contains) return;
    const layout_point inner = graph_submachine_corner(&box);
    draw_machine(p, p->graph->states[state].submachine, corner.x + inner.x, corner.y + inner.y);
}

// Draws a dot with an arrow to the entry state, which is in the first column.
static void draw_entry(const plot *p, const graph_machine_layout *m, double x, double y) {
    const layout_node *entry = &m->layout.nodes[0];
    const double middle = y + entry->corner.y + entry->height / 2.0, left = x + entry->corner.x;
    svg_circle(p->to, "f5", (svg_point){left - 18.0, middle}, 4.0);
    svg_line(p->to, "arrow l5", (svg_point){left - 18.0, middle}, (svg_point){left - 4.0, middle});
    draw_arrow_head(p->to, "f5", (layout_point){left - 18.0, middle}, (layout_point){left, middle});
}

static void draw_machine(const plot *p, int32_t machine, double x, double y) {
    const graph_machine_layout *m = &p->arrangement.machines[machine];
    const layout_point origin = graph_machine_origin();
    x += origin.x;
    y += origin.y;
    for (int32_t i = 0; i < m->layout.edge_count; i++) draw_edge(p, m, i, x, y);
    for (int32_t i = 0; i < m->layout.node_count; i++) draw_node(p, m, i, x, y);
    draw_entry(p, m, x, y);
}

// ---- Parameters and layers -----------------------------------------------------------------------------------

static void describe_number(char *text, size_t size, double number) {
    if (isinf(number)) {
        snprintf(text, size, number < 0.0 ? "-inf" : "inf");
    } else {
        snprintf(text, size, "%.6g", number);
    }
}

static graph_lines parameter_text(const sinew_graph_parameter *parameter) {
    static const char *const types[] = {"float", "int", "bool", "trigger", "vector2", "vector3", "transform"};
    graph_lines box = {0};
    char low[32], high[32], more[96] = "";
    describe_number(low, sizeof low, parameter->min);
    describe_number(high, sizeof high, parameter->max);
    const bool has_range = parameter->type != SINEW_PARAMETER_BOOL && parameter->type != SINEW_PARAMETER_TRIGGER &&
                           (fabs(parameter->min) < 2e9 || fabs(parameter->max) < 2e9); // not an int's whole range
    if (has_range) snprintf(more, sizeof more, " %s to %s", low, high);
    if (parameter->space == SINEW_PARAMETER_SPACE_MODEL)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", model space");
    if (parameter->damping > 0.0f)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", damping %.4g s", (double)parameter->damping);
    if (parameter->hold > 0.0f)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", hold %.4g s", (double)parameter->hold);
    graph_add_line(&box, "%.40s", parameter->name);
    graph_add_line(&box, "%s%s", types[parameter->type], more);
    graph_clean_lines(&box);
    return box;
}

static graph_lines layer_text(const sinew_graph *graph, int32_t index) {
    const sinew_graph_layer *layer = &graph->layers[index];
    graph_lines box = {0};
    graph_add_line(&box, "%s", layer->name);
    if (index == 0) return box;
    char mask[64] = "", weight[128] = "";
    if (layer->part_count > 0)
        snprintf(mask, sizeof mask, ", mask %.40s%s", layer->parts[0].name, layer->part_count > 1 ? ", ..." : "");
    const bool is_whole = !(layer->weight < 1.0f) && !(layer->weight > 1.0f);
    const bool has_parameter = layer->weight_parameter != SINEW_GRAPH_NONE;
    if (has_parameter || layer->weight_curve || !is_whole)
        snprintf(weight, sizeof weight, ", weight %.4g%s%.40s%s%.40s", (double)layer->weight,
                 has_parameter ? " x " : "", has_parameter ? graph->parameters[layer->weight_parameter].name : "",
                 layer->weight_curve ? " x curve " : "", layer->weight_curve ? layer->weight_curve : "");
    graph_add_line(&box, "%s%s%s", layer->mode == SINEW_LAYER_ADDITIVE ? "additive" : "override", mask, weight);
    graph_clean_lines(&box);
    return box;
}

#define PARAMETER_WIDTH 250.0

// Describes a step of the rig, with its number in the order.
static graph_lines step_text(const sinew_graph *graph, int32_t index) {
    static const char *const kinds[] = {
        "root warp", "aim offset", "orientation warp", "stride warp", "foot lock", "foot placement",
        "limb",      "chain",      "whole body",       "aim",         "springs",   "callback"};
    const sinew_rig_step *step = &graph->steps[index];
    graph_lines box = {0};
    graph_add_line(&box, "%d. %.34s", (int)index + 1, step->name);
    graph_add_line(&box, "%s%s%.28s", kinds[step->kind], step->when ? " when " : "", step->when ? step->when : "");
    graph_clean_lines(&box);
    return box;
}

static graph_lines text_of_parameter(const sinew_graph *graph, int32_t index) {
    return parameter_text(&graph->parameters[index]);
}

// Draws two lines for each of `count` parameters or steps, in as many columns as fit, starting at `y`. Returns their
// height. If `to` is NULL, only measures.
static double draw_list(FILE *to, const sinew_graph *graph, int32_t count,
                        graph_lines (*text_of)(const sinew_graph *graph, int32_t index), double width, double y) {
    const int32_t columns = (int32_t)fmax(1.0, floor((width - 2.0 * GRAPH_MARGIN) / PARAMETER_WIDTH));
    for (int32_t i = 0; to && i < count; i++) {
        const graph_lines box = text_of(graph, i);
        const int32_t column = i % columns, row = i / columns;
        const svg_point at = {GRAPH_MARGIN + PARAMETER_WIDTH * column, y + GRAPH_MARGIN + 12.0 + 34.0 * row};
        svg_text(to, "label", at, box.lines[0]);
        svg_text(to, "small dim", (svg_point){at.x, at.y + 14.0}, box.lines[1]);
    }
    const int32_t rows = (count + columns - 1) / columns;
    return rows > 0 ? 34.0 * (double)rows + GRAPH_MARGIN : 0.0;
}

// Draws the parameters, then the rig's steps. Returns their height.
static double draw_lists(FILE *to, const sinew_graph *graph, double width) {
    const double top = draw_list(to, graph, graph->parameter_count, text_of_parameter, width, 0.0);
    return top + draw_list(to, graph, graph->step_count, step_text, width, top);
}

static void draw_layers(const plot *p, double width, double y) {
    for (int32_t i = 0; i < p->graph->layer_count; i++) {
        const graph_machine_layout *m = &p->arrangement.machines[p->graph->layers[i].machine];
        const graph_lines box = layer_text(p->graph, i);
        const double title = GRAPH_LINE_HEIGHT * (double)box.count + 6.0;
        svg_box(p->to, "layer frame f5", (svg_point){GRAPH_MARGIN, y}, width - 2.0 * GRAPH_MARGIN,
                m->height + title, 6.0);
        for (int32_t k = 0; k < box.count; k++) {
            const svg_point at = {2.0 * GRAPH_MARGIN, y + 18.0 + GRAPH_LINE_HEIGHT * (double)k};
            svg_text(p->to, k == 0 ? "title" : "small dim", at, box.lines[k]);
        }
        draw_machine(p, p->graph->layers[i].machine, GRAPH_MARGIN, y + title);
        y += m->height + title + GRAPH_MARGIN;
    }
}

static void draw(const plot *p, const char *title) {
    double width = 2.0 * GRAPH_MARGIN + PARAMETER_WIDTH, height = GRAPH_MARGIN;
    for (int32_t i = 0; i < p->graph->layer_count; i++) {
        const graph_machine_layout *m = &p->arrangement.machines[p->graph->layers[i].machine];
        const graph_lines box = layer_text(p->graph, i);
        width = fmax(width, fmax(m->width, graph_lines_width(&box) + 2.0 * GRAPH_MARGIN) + 2.0 * GRAPH_MARGIN);
        height += m->height + GRAPH_LINE_HEIGHT * (double)box.count + 6.0 + GRAPH_MARGIN;
    }
    const double top = draw_lists(NULL, p->graph, width) + GRAPH_MARGIN;
    svg_begin(p->to, ceil(width), ceil(height + top - GRAPH_MARGIN), title);
    graph_plot_style(p->to);
    draw_lists(p->to, p->graph, width);
    draw_layers(p, width, top);
    svg_end(p->to);
}

bool graph_plot(FILE *to, const sinew_graph *graph, const char *title) {
    plot p = {.graph = graph, .to = to};
    const bool good = graph_arrange(&p.arrangement, graph);
    if (good) draw(&p, title);
    graph_arrangement_end(&p.arrangement);
    return good;
}
