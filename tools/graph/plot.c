// SPDX-License-Identifier: MIT
// Draws an animation graph: the machines are laid out from the innermost outward (layout.c), then drawn.
#include "graph/plot.h"
#include "graph/layout.h"

#include "plots/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE    15.0
#define PADDING 12.0
#define MARGIN  16.0

enum { MAX_LINES = 8, LINE_SIZE = 96, WRAP = 44, ANY = -1 };

// Some lines of text; the first of a box is its name.
typedef struct text_box {
    int32_t count;
    char lines[MAX_LINES][LINE_SIZE];
} text_box;

// A machine that has been laid out. Its nodes are its states, and one for any state.
typedef struct machine_plot {
    layout layout;
    int32_t *states;      // [layout.node_count]; ANY
    int32_t *transitions; // [layout.edge_count]
    double width, height;
} machine_plot;

typedef struct plot {
    const sinew_graph *graph;
    machine_plot *machines; // [machine_count]
    FILE *to;
} plot;

// ---- Texts ---------------------------------------------------------------------------------------------------

static void add_line(text_box *box, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a line; what does not fit is cut at a character.
static void add_line(text_box *box, const char *format, ...) {
    if (box->count == MAX_LINES) return;
    char *line = box->lines[box->count++];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, LINE_SIZE, format, arguments);
    va_end(arguments);
    if (length < LINE_SIZE) return;
    size_t end = LINE_SIZE - 4;
    while (end > 0 && ((unsigned char)line[end] & 0xc0) == 0x80) end--;
    memcpy(line + end, "...", 4);
}

// Control characters of names, and lines of conditions, become spaces.
static void clean(text_box *box) {
    for (int32_t i = 0; i < box->count; i++) {
        for (char *c = box->lines[i]; *c; c++) {
            if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
        }
    }
}

// Where a line of a condition ends: before && or ||, or at a space.
static size_t line_end(const char *text) {
    size_t length = strlen(text), end = 0;
    if (length <= WRAP) return length;
    for (size_t i = 1; i < WRAP; i++) {
        const bool joins = (text[i] == '&' && text[i + 1] == '&') || (text[i] == '|' && text[i + 1] == '|');
        if (joins) end = i;
    }
    for (size_t i = WRAP; end == 0 && i > 0; i--) {
        if (text[i] == ' ') end = i;
    }
    return end > 0 ? end : LINE_SIZE - 8;
}

static void add_condition(text_box *box, const char *when) {
    while (when && *when && box->count < MAX_LINES - 1) {
        const size_t end = line_end(when);
        const size_t length = end < strlen(when) ? end : strlen(when);
        add_line(box, "%.*s", (int)length, when);
        when += length;
        while (*when == ' ') when++;
    }
    if (when && *when) add_line(box, "...");
}

// Whether others start from the same state, so that the order matters.
static int32_t priority_of(const sinew_graph *graph, int32_t transition) {
    const sinew_graph_transition *t = &graph->transitions[transition];
    int32_t before = 0, count = 0;
    for (int32_t i = 0; i < graph->transition_count; i++) {
        const sinew_graph_transition *other = &graph->transitions[i];
        if (other->machine != t->machine || other->from != t->from) continue;
        before += i <= transition;
        count++;
    }
    return count > 1 ? before : 0;
}

static text_box transition_text(const sinew_graph *graph, int32_t index) {
    static const char *const kinds[] = {"fade", "inertialize", "dead blend"};
    static const char *const interrupts[] = {"", ", any state interrupts", ", not interrupted"};
    const sinew_graph_transition *t = &graph->transitions[index];
    text_box box = {0};
    if (t->when) {
        add_condition(&box, t->when);
    } else {
        add_line(&box, "always");
    }
    const int32_t priority = priority_of(graph, index);
    char first[16] = "", offset[32] = "";
    if (priority > 0) snprintf(first, sizeof first, "%d: ", (int)priority);
    if (t->offset > 0.0f) snprintf(offset, sizeof offset, ", from %.4g", (double)t->offset);
    const bool cuts = !(t->transition.duration > 0.0f);
    if (cuts) {
        add_line(&box, "%scut%s%s%s", first, offset, interrupts[t->interrupt], t->to_self ? ", to itself" : "");
    } else {
        add_line(&box, "%s%s %.4g s%s%s%s", first, kinds[t->transition.kind], (double)t->transition.duration,
                 offset, interrupts[t->interrupt], t->to_self ? ", to itself" : "");
    }
    clean(&box);
    return box;
}

static void add_blend(text_box *box, const sinew_graph *graph, const sinew_graph_blend *blend) {
    const char *y = blend->y_parameter == SINEW_GRAPH_NONE ? NULL : graph->parameters[blend->y_parameter].name;
    add_line(box, "%d clips by %s%s%s", (int)blend->sample_count, graph->parameters[blend->x_parameter].name,
             y ? ", " : "", y ? y : "");
    char names[LINE_SIZE] = "";
    size_t length = 0;
    for (int32_t i = 0; i < blend->sample_count && length < 40; i++) {
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
                                   blend->samples[i].clip);
        if (length >= sizeof names) length = sizeof names - 1;
        if (length >= 40 && i + 1 < blend->sample_count) snprintf(names + length, sizeof names - length, ", ...");
    }
    add_line(box, "%s", names);
}

static text_box state_text(const sinew_graph *graph, int32_t index) {
    static const char *const loops[] = {", once", "", ", ping-pong"};
    text_box box = {0};
    if (index == ANY) {
        add_line(&box, "any state");
        return box;
    }
    const sinew_graph_state *state = &graph->states[index];
    add_line(&box, "%s", state->name);
    if (state->kind == SINEW_GRAPH_STATE_EMPTY) add_line(&box, "empty");
    if (state->clip) add_line(&box, "%s%s", state->clip, loops[state->loop]);
    if (state->blend) add_blend(&box, graph, state->blend);
    const bool has_speed = state->speed < 1.0f || state->speed > 1.0f;
    const bool plays = state->clip || state->blend;
    if (plays && state->speed_parameter != SINEW_GRAPH_NONE)
        add_line(&box, "speed %.4g x %s", (double)state->speed, graph->parameters[state->speed_parameter].name);
    else if (plays && has_speed)
        add_line(&box, "speed %.4g", (double)state->speed);
    if (state->sync) add_line(&box, "sync %s", state->sync);
    char tags[LINE_SIZE] = "";
    size_t length = 0;
    for (int32_t i = 0; i < state->tag_count && length + 4 < sizeof tags; i++)
        length += (size_t)snprintf(tags + length, sizeof tags - length, "%s#%.40s", i ? " " : "", state->tags[i]);
    if (state->tag_count > 0) add_line(&box, "%s", tags);
    clean(&box);
    return box;
}

// ---- Sizes ---------------------------------------------------------------------------------------------------

static double text_width(const text_box *box) {
    double width = 0.0;
    for (int32_t i = 0; i < box->count; i++) width = fmax(width, graph_text_width(box->lines[i]));
    return width;
}

static double label_width(const text_box *box) {
    double width = 0.0;
    for (int32_t i = 0; i < box->count; i++) width = fmax(width, graph_mono_width(box->lines[i]));
    return width + 8.0;
}

static int32_t count_arrows(const plot *p, const machine_plot *m, int32_t state) {
    int32_t count = 0;
    for (int32_t i = 0; i < m->layout.edge_count; i++) {
        const sinew_graph_transition *t = &p->graph->transitions[m->transitions[i]];
        count += t->from == state;
        count += t->to == state;
    }
    return count;
}

static void measure_node(const plot *p, machine_plot *m, int32_t node) {
    const int32_t state = m->states[node];
    const text_box box = state_text(p->graph, state);
    layout_node *to = &m->layout.nodes[node];
    to->width = text_width(&box) + 2.0 * PADDING;
    to->height = LINE * (double)box.count + PADDING;
    if (state != ANY && p->graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE) {
        const machine_plot *inner = &p->machines[p->graph->states[state].submachine];
        to->width = fmax(to->width, inner->width);
        to->height += inner->height;
    }
    to->height = fmax(to->height, layout_node_height(count_arrows(p, m, state)));
}

static int32_t node_of(const machine_plot *m, int32_t state) {
    for (int32_t i = 0; i < m->layout.node_count; i++) {
        if (m->states[i] == state) return i;
    }
    return 0;
}

// Lists the states of a machine, the entry first, and its transitions.
static bool list_machine(const plot *p, int32_t machine, machine_plot *m) {
    const sinew_graph *graph = p->graph;
    const size_t states = (size_t)graph->state_count + 2, transitions = (size_t)graph->transition_count + 1;
    m->states = calloc(states, sizeof *m->states);
    m->transitions = calloc(transitions, sizeof *m->transitions);
    m->layout.nodes = calloc(states, sizeof *m->layout.nodes);
    m->layout.edges = calloc(transitions, sizeof *m->layout.edges);
    if (!m->states || !m->transitions || !m->layout.nodes || !m->layout.edges) return false;
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
    if (has_any) m->states[m->layout.node_count++] = ANY;
    return true;
}

static bool lay_out_machine(plot *p, int32_t machine) {
    machine_plot *m = &p->machines[machine];
    if (!list_machine(p, machine, m)) return false;
    for (int32_t i = 0; i < m->layout.node_count; i++) {
        const int32_t state = m->states[i];
        const bool contains = state != ANY && p->graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE;
        if (contains && !lay_out_machine(p, p->graph->states[state].submachine)) return false;
        measure_node(p, m, i);
    }
    for (int32_t i = 0; i < m->layout.edge_count; i++) {
        const sinew_graph_transition *t = &p->graph->transitions[m->transitions[i]];
        const text_box box = transition_text(p->graph, m->transitions[i]);
        m->layout.edges[i].from = node_of(m, t->from == SINEW_ANY_STATE ? ANY : t->from);
        m->layout.edges[i].to = node_of(m, t->to);
        m->layout.edges[i].label_width = label_width(&box);
        m->layout.edges[i].label_height = 13.0 * (double)box.count + 2.0;
    }
    const bool good = layout_compute(&m->layout);
    m->width = m->layout.width + 2.0 * MARGIN + 14.0; // and the entry's arrow
    m->height = m->layout.height + 2.0 * MARGIN;
    return good;
}

// ---- Drawing -------------------------------------------------------------------------------------------------

static void draw_arrow_head(FILE *to, const char *classes, layout_point before, layout_point end) {
    const double back = before.x < end.x ? -8.0 : 8.0;
    const svg_point points[3] = {{end.x, end.y}, {end.x + back, end.y - 4.0}, {end.x + back, end.y + 4.0}};
    svg_polygon(to, classes, points, 3);
}

static void draw_edge(const plot *p, const machine_plot *m, int32_t edge, double x, double y) {
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
    const text_box box = transition_text(p->graph, m->transitions[edge]);
    for (int32_t i = 0; i < box.count; i++) {
        const svg_point at = {x + e->label.x + 4.0, y + e->label.y + 11.0 + 13.0 * (double)i};
        svg_text(p->to, i + 1 < box.count ? "mono" : "mono dim", at, box.lines[i]);
    }
}

static void draw_machine(const plot *p, int32_t machine, double x, double y);

static void draw_node(const plot *p, const machine_plot *m, int32_t node, double x, double y) {
    const int32_t state = m->states[node];
    const layout_node *one = &m->layout.nodes[node];
    const svg_point corner = {x + one->corner.x, y + one->corner.y};
    const bool contains = state != ANY && p->graph->states[state].kind == SINEW_GRAPH_STATE_MACHINE;
    const char *classes = state == ANY ? "state any l1 f1" : contains ? "state machine l2 f2" : "state l0 f0";
    svg_box(p->to, classes, corner, one->width, one->height, state == ANY ? one->height / 2.0 : 8.0);
    const text_box box = state_text(p->graph, state);
    const double text_height = LINE * (double)box.count;
    const double top = contains ? PADDING / 2.0 : (one->height - text_height) / 2.0;
    for (int32_t i = 0; i < box.count; i++) {
        const svg_point at = {corner.x + PADDING, corner.y + top + 11.0 + LINE * (double)i};
        svg_text(p->to, i == 0 ? "label" : "small dim", at, box.lines[i]);
    }
    if (contains)
        draw_machine(p, p->graph->states[state].submachine, corner.x, corner.y + PADDING / 2.0 + text_height);
}

// A dot with an arrow to the entry state, which is in the first column.
static void draw_entry(const plot *p, const machine_plot *m, double x, double y) {
    const layout_node *entry = &m->layout.nodes[0];
    const double middle = y + entry->corner.y + entry->height / 2.0, left = x + entry->corner.x;
    svg_circle(p->to, "f5", (svg_point){left - 18.0, middle}, 4.0);
    svg_line(p->to, "arrow l5", (svg_point){left - 18.0, middle}, (svg_point){left - 4.0, middle});
    draw_arrow_head(p->to, "f5", (layout_point){left - 18.0, middle}, (layout_point){left, middle});
}

static void draw_machine(const plot *p, int32_t machine, double x, double y) {
    const machine_plot *m = &p->machines[machine];
    x += MARGIN + 14.0;
    y += MARGIN;
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

static text_box parameter_text(const sinew_graph_parameter *parameter) {
    static const char *const types[] = {"float", "int", "bool", "trigger", "vector2"};
    text_box box = {0};
    char low[32], high[32], more[96] = "";
    describe_number(low, sizeof low, parameter->min);
    describe_number(high, sizeof high, parameter->max);
    const bool has_range = parameter->type != SINEW_PARAMETER_BOOL && parameter->type != SINEW_PARAMETER_TRIGGER &&
                           (fabs(parameter->min) < 2e9 || fabs(parameter->max) < 2e9); // else all of an int
    if (has_range) snprintf(more, sizeof more, " %s to %s", low, high);
    if (parameter->damping > 0.0f)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", damping %.4g s", (double)parameter->damping);
    if (parameter->hold > 0.0f)
        snprintf(more + strlen(more), sizeof more - strlen(more), ", hold %.4g s", (double)parameter->hold);
    add_line(&box, "%.40s", parameter->name);
    add_line(&box, "%s%s", types[parameter->type], more);
    clean(&box);
    return box;
}

static text_box layer_text(const sinew_graph *graph, int32_t index) {
    const sinew_graph_layer *layer = &graph->layers[index];
    text_box box = {0};
    add_line(&box, "%s", layer->name);
    if (index == 0) return box;
    char mask[64] = "", weight[64] = "";
    if (layer->part_count > 0)
        snprintf(mask, sizeof mask, ", mask %.40s%s", layer->parts[0].name, layer->part_count > 1 ? ", ..." : "");
    const bool is_whole = !(layer->weight < 1.0f) && !(layer->weight > 1.0f);
    if (layer->weight_parameter != SINEW_GRAPH_NONE) {
        snprintf(weight, sizeof weight, ", weight %.4g x %.40s", (double)layer->weight,
                 graph->parameters[layer->weight_parameter].name);
    } else if (!is_whole) {
        snprintf(weight, sizeof weight, ", weight %.4g", (double)layer->weight);
    }
    add_line(&box, "%s%s%s", layer->mode == SINEW_LAYER_ADDITIVE ? "additive" : "override", mask, weight);
    clean(&box);
    return box;
}

#define PARAMETER_WIDTH 250.0

// The parameters in as many columns as fit; returns their height. Draws them if `to` is not NULL.
static double draw_parameters(FILE *to, const sinew_graph *graph, double width) {
    const int32_t columns = (int32_t)fmax(1.0, floor((width - 2.0 * MARGIN) / PARAMETER_WIDTH));
    for (int32_t i = 0; to && i < graph->parameter_count; i++) {
        const text_box box = parameter_text(&graph->parameters[i]);
        const svg_point at = {MARGIN + PARAMETER_WIDTH * (double)(i % columns),
                              MARGIN + 12.0 + 34.0 * (double)(i / columns)};
        svg_text(to, "label", at, box.lines[0]);
        svg_text(to, "small dim", (svg_point){at.x, at.y + 14.0}, box.lines[1]);
    }
    const int32_t rows = (graph->parameter_count + columns - 1) / columns;
    return rows > 0 ? 34.0 * (double)rows + MARGIN : 0.0;
}

static void draw_layers(const plot *p, double width, double y) {
    for (int32_t i = 0; i < p->graph->layer_count; i++) {
        const machine_plot *m = &p->machines[p->graph->layers[i].machine];
        const text_box box = layer_text(p->graph, i);
        const double title = LINE * (double)box.count + 6.0;
        svg_box(p->to, "layer frame f5", (svg_point){MARGIN, y}, width - 2.0 * MARGIN, m->height + title, 6.0);
        for (int32_t k = 0; k < box.count; k++) {
            const svg_point at = {2.0 * MARGIN, y + 18.0 + LINE * (double)k};
            svg_text(p->to, k == 0 ? "title" : "small dim", at, box.lines[k]);
        }
        draw_machine(p, p->graph->layers[i].machine, MARGIN, y + title);
        y += m->height + title + MARGIN;
    }
}

static void draw(const plot *p, const char *title) {
    double width = 2.0 * MARGIN + PARAMETER_WIDTH, height = MARGIN;
    for (int32_t i = 0; i < p->graph->layer_count; i++) {
        const machine_plot *m = &p->machines[p->graph->layers[i].machine];
        const text_box box = layer_text(p->graph, i);
        width = fmax(width, fmax(m->width, text_width(&box) + 2.0 * MARGIN) + 2.0 * MARGIN);
        height += m->height + LINE * (double)box.count + 6.0 + MARGIN;
    }
    const double top = draw_parameters(NULL, p->graph, width) + MARGIN;
    svg_begin(p->to, ceil(width), ceil(height + top - MARGIN), title);
    graph_plot_style(p->to);
    draw_parameters(p->to, p->graph, width);
    draw_layers(p, width, top);
    svg_end(p->to);
}

bool graph_plot(FILE *to, const sinew_graph *graph, const char *title) {
    plot p = {.graph = graph, .to = to};
    p.machines = calloc((size_t)graph->machine_count + 1, sizeof *p.machines);
    bool good = p.machines != NULL;
    for (int32_t i = 0; good && i < graph->layer_count; i++) good = lay_out_machine(&p, graph->layers[i].machine);
    if (good) draw(&p, title);
    for (int32_t i = 0; p.machines && i < graph->machine_count; i++) {
        machine_plot *m = &p.machines[i];
        layout_end(&m->layout);
        free(m->layout.nodes);
        free(m->layout.edges);
        free(m->states);
        free(m->transitions);
    }
    free(p.machines);
    return good;
}
