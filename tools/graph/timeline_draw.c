// SPDX-License-Identifier: MIT
// Draws a timeline. Time goes to the right, and each layer and parameter has a row.
#include "graph/plot.h"
#include "graph/timeline.h"

#include "plots/svg.h"

#include <math.h>
#include <string.h>

#define LEFT          170.0
#define RIGHT         20.0
#define TOP           34.0
#define BAND          22.0
#define CHART         56.0
#define PARAMETER_ROW 30.0
#define GAP           14.0

enum { HUES = SVG_COLORS - 1, MAX_CLIPS = 24, MAX_POINTS = 4096 };

typedef struct drawing {
    const timeline *t;
    FILE *to;
    double width, height, scale; // pixels per second
    double y;                    // of the next row
} drawing;

static double x_of(const drawing *d, double seconds) {
    return LEFT + seconds * d->scale;
}

static double end_of(const drawing *d) {
    return x_of(d, d->t->seconds);
}

// ---- Time ----------------------------------------------------------------------------------------------------

static void draw_time(const drawing *d) {
    static const double steps[] = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && steps[i] * d->scale < 60.0) i++;
    for (int32_t k = 0; (double)k * steps[i] <= d->t->seconds + 1e-6; k++) {
        char text[32];
        const double x = x_of(d, (double)k * steps[i]);
        snprintf(text, sizeof text, "%.4g s", (double)k * steps[i]);
        svg_line(d->to, "grid", (svg_point){x, TOP}, (svg_point){x, d->height - GAP});
        svg_text(d->to, "small dim middle", (svg_point){x, TOP - 8.0}, text);
    }
    for (int32_t e = 0; e < d->t->event_count; e++) {
        if (d->t->events[e].kind != TIMELINE_RESTORED) continue;
        const double x = x_of(d, d->t->events[e].seconds);
        svg_line(d->to, "moment", (svg_point){x, TOP}, (svg_point){x, d->height - GAP});
        svg_text(d->to, "small dim", (svg_point){x + 3.0, d->height - 3.0}, "restored");
    }
}

// Writes as much text as fits.
static void draw_fitting(const drawing *d, const char *text, double x, double y, double width) {
    char part[128];
    snprintf(part, sizeof part, "%s", text);
    size_t length = strlen(part);
    while (length > 0 && graph_text_width(part) > width - 8.0) {
        length--;
        while (length > 0 && ((unsigned char)part[length] & 0xc0) == 0x80) length--;
        part[length] = '\0';
    }
    if (length >= 2 || strlen(text) == length) svg_text(d->to, "small", (svg_point){x + 4.0, y}, part);
}

// ---- Layers --------------------------------------------------------------------------------------------------

// Returns when an event's state or transition ends: at the layer's next one.
static double next_in_layer(const drawing *d, int32_t event, timeline_kind kind) {
    const timeline_event *events = d->t->events;
    for (int32_t i = event + 1; i < d->t->event_count; i++) {
        if (events[i].kind == kind && events[i].layer == events[event].layer) return events[i].seconds;
    }
    return d->t->seconds;
}

static void draw_states(const drawing *d, int32_t layer) {
    const sinew_graph *graph = d->t->graph;
    for (int32_t i = 0; i < d->t->event_count; i++) {
        const timeline_event *e = &d->t->events[i];
        if (e->layer != layer || e->kind != TIMELINE_STATE) continue;
        const double x = x_of(d, e->seconds), width = x_of(d, next_in_layer(d, i, TIMELINE_STATE)) - x;
        if (!(width > 0.0)) continue;
        const sinew_graph_state *state = &graph->states[e->index];
        char classes[32];
        snprintf(classes, sizeof classes, "band f%d",
                 state->kind == SINEW_GRAPH_STATE_EMPTY ? HUES : e->index % HUES);
        svg_rect(d->to, classes, (svg_point){x, d->y}, width, BAND);
        svg_line(d->to, "frame", (svg_point){x, d->y}, (svg_point){x, d->y + BAND});
        draw_fitting(d, state->name, x, d->y + 15.0, width);
    }
}

// Draws a bar below the state while the transition to it runs, and a mark for each cycle.
static void draw_transitions(const drawing *d, int32_t layer) {
    for (int32_t i = 0; i < d->t->event_count; i++) {
        const timeline_event *e = &d->t->events[i];
        if (e->layer != layer) continue;
        const double x = x_of(d, e->seconds);
        if (e->kind == TIMELINE_TRANSITION) {
            const double next = next_in_layer(d, i, TIMELINE_TRANSITION), end = e->seconds + e->values[0];
            svg_rect(d->to, "fading f0", (svg_point){x, d->y + BAND}, x_of(d, fmin(next, end)) - x, 4.0);
        }
        if (e->kind != TIMELINE_CYCLE) continue;
        const svg_point mark[3] = {{x, d->y}, {x - 5.0, d->y - 8.0}, {x + 5.0, d->y - 8.0}};
        svg_polygon(d->to, "f1", mark, 3);
    }
}

// Lists a layer's clips in the order they first play.
static int32_t list_clips(const timeline *t, int32_t layer, const char *clips[MAX_CLIPS]) {
    int32_t count = 0;
    for (int32_t i = 0; i < t->weight_count && count < MAX_CLIPS; i++) {
        if (t->weights[i].layer != layer) continue;
        int32_t k = 0;
        while (k < count && strcmp(clips[k], t->weights[i].clip) != 0) k++;
        if (k == count) clips[count++] = t->weights[i].clip;
    }
    return count;
}

static void draw_line(const drawing *d, const char *classes, const svg_point *points, int32_t count) {
    if (count > 1) svg_polyline(d->to, classes, points, count);
}

// Draws one clip's weight: the sum of its actions. If the clip doesn't play for half a frame or more, the line ends.
static void draw_weight(const drawing *d, int32_t layer, const char *clip, const char *classes) {
    svg_point points[MAX_POINTS];
    int32_t count = 0;
    double last = -1.0, sum = 0.0;
    for (int32_t i = 0; i < d->t->weight_count;) {
        const double seconds = d->t->weights[i].seconds;
        bool plays = false;
        sum = 0.0;
        for (; i < d->t->weight_count && !(d->t->weights[i].seconds > seconds); i++) {
            const timeline_weight *w = &d->t->weights[i];
            if (w->layer != layer || strcmp(w->clip, clip) != 0) continue;
            sum += (double)w->weight;
            plays = true;
        }
        const bool continues = plays && last >= 0.0;
        if ((!continues || count == MAX_POINTS) && count > 0) {
            draw_line(d, classes, points, count);
            count = 0;
        }
        last = plays ? seconds : -1.0;
        if (plays) points[count++] = (svg_point){x_of(d, seconds), d->y + CHART - fmin(sum, 1.0) * (CHART - 4.0)};
    }
    draw_line(d, classes, points, count);
}

static void draw_weights(drawing *d, int32_t layer) {
    const char *clips[MAX_CLIPS];
    const int32_t count = list_clips(d->t, layer, clips);
    svg_line(d->to, "grid", (svg_point){LEFT, d->y + CHART}, (svg_point){end_of(d), d->y + CHART});
    svg_line(d->to, "grid", (svg_point){LEFT, d->y + 4.0}, (svg_point){end_of(d), d->y + 4.0});
    double x = 24.0, y = d->y + 16.0;
    for (int32_t i = 0; i < count; i++) {
        char classes[32];
        snprintf(classes, sizeof classes, "line l%d", (int)(i % HUES));
        draw_weight(d, layer, clips[i], classes);
        const double width = fmin(graph_text_width(clips[i]), LEFT - 60.0) + 26.0;
        if (x + width > LEFT) {
            x = 24.0;
            y += 14.0;
        }
        if (y > d->y + CHART) continue;
        svg_line(d->to, classes, (svg_point){x - 12.0, y - 4.0}, (svg_point){x - 2.0, y - 4.0});
        draw_fitting(d, clips[i], x - 3.0, y, LEFT - 50.0);
        x += width;
    }
}

static void draw_layer(drawing *d, int32_t layer) {
    svg_text(d->to, "label", (svg_point){12.0, d->y + 15.0}, d->t->graph->layers[layer].name);
    draw_states(d, layer);
    draw_transitions(d, layer);
    d->y += BAND + 8.0;
    draw_weights(d, layer);
    d->y += CHART + GAP;
}

// ---- Parameters ----------------------------------------------------------------------------------------------

typedef struct range {
    double low, high;
} range;

// Returns how many lines a parameter has. A transform's rotation isn't drawn.
static int line_count(sinew_parameter_type type) {
    if (type == SINEW_PARAMETER_VECTOR3 || type == SINEW_PARAMETER_TRANSFORM) return 3;
    return type == SINEW_PARAMETER_VECTOR2 ? 2 : 1;
}

static range range_of(const timeline *t, int32_t parameter) {
    range r = {(double)INFINITY, -(double)INFINITY};
    const int lines = line_count(t->graph->parameters[parameter].type);
    for (int32_t i = 0; i < t->event_count; i++) {
        const timeline_event *e = &t->events[i];
        if (e->kind != TIMELINE_VALUE || e->index != parameter) continue;
        for (int k = 0; k < lines; k++) {
            r.low = fmin(r.low, e->values[k]);
            r.high = fmax(r.high, e->values[k]);
        }
    }
    return r;
}

static double value_y(const drawing *d, range r, double value) {
    const double size = PARAMETER_ROW - 6.0, span = r.high - r.low;
    return d->y + 2.0 + size - (span > 0.0 ? (value - r.low) / span * size : 0.5 * size);
}

// Draws values. They stay until they're set again.
static void draw_values(const drawing *d, int32_t parameter, int coordinate, const char *classes) {
    const range r = range_of(d->t, parameter);
    svg_point points[MAX_POINTS];
    int32_t count = 0;
    double value = 0.0;
    for (int32_t i = 0; i < d->t->event_count; i++) {
        const timeline_event *e = &d->t->events[i];
        if (e->kind != TIMELINE_VALUE || e->index != parameter) continue;
        if (count + 3 > MAX_POINTS) {
            draw_line(d, classes, points, count);
            count = 0;
        }
        const double x = x_of(d, e->seconds);
        if (count > 0) points[count++] = (svg_point){x, value_y(d, r, value)};
        value = e->values[coordinate];
        points[count++] = (svg_point){x, value_y(d, r, value)};
    }
    if (count > 0) points[count++] = (svg_point){end_of(d), value_y(d, r, value)};
    draw_line(d, classes, points, count);
}

static void draw_fired(const drawing *d, int32_t parameter) {
    for (int32_t i = 0; i < d->t->event_count; i++) {
        const timeline_event *e = &d->t->events[i];
        if (e->kind != TIMELINE_FIRED || e->index != parameter) continue;
        const double x = x_of(d, e->seconds);
        svg_line(d->to, "line l1", (svg_point){x, d->y + 4.0}, (svg_point){x, d->y + PARAMETER_ROW - 6.0});
    }
}

static void draw_parameter(drawing *d, int32_t parameter) {
    const sinew_graph_parameter *p = &d->t->graph->parameters[parameter];
    const bool is_trigger = p->type == SINEW_PARAMETER_TRIGGER;
    const double floor_y = d->y + PARAMETER_ROW - 4.0;
    svg_text(d->to, "label", (svg_point){12.0, d->y + 14.0}, p->name);
    svg_line(d->to, "grid", (svg_point){LEFT, floor_y}, (svg_point){end_of(d), floor_y});
    if (is_trigger) {
        draw_fired(d, parameter);
    } else {
        const range r = range_of(d->t, parameter);
        char text[64];
        const bool is_number = p->type != SINEW_PARAMETER_BOOL && r.low <= r.high;
        snprintf(text, sizeof text, r.low < r.high ? "%.4g to %.4g" : "%.4g", r.low, r.high);
        if (is_number) svg_text(d->to, "small dim", (svg_point){12.0, d->y + 27.0}, text);
        for (int k = 0; k < line_count(p->type); k++) {
            snprintf(text, sizeof text, "line l%d", k);
            draw_values(d, parameter, k, text);
        }
    }
    d->y += PARAMETER_ROW + 4.0;
}

// ---- All of it -----------------------------------------------------------------------------------------------

void timeline_draw(FILE *to, const timeline *t, const char *title) {
    const sinew_graph *graph = t->graph;
    drawing d = {.t = t, .to = to, .y = TOP + 10.0};
    d.scale = fmin(fmax(900.0 / fmax(t->seconds, 1e-3), 60.0), 400.0);
    if (t->seconds * d.scale > 6000.0) d.scale = 6000.0 / t->seconds;
    d.width = ceil(LEFT + t->seconds * d.scale + RIGHT);
    d.height = d.y + (double)graph->layer_count * (BAND + 8.0 + CHART + GAP) +
               (double)graph->parameter_count * (PARAMETER_ROW + 4.0) + GAP;
    svg_begin(to, d.width, d.height, title);
    graph_plot_style(to);
    draw_time(&d);
    for (int32_t i = 0; i < graph->layer_count; i++) draw_layer(&d, i);
    for (int32_t i = 0; i < graph->parameter_count; i++) draw_parameter(&d, i);
    svg_end(to);
}
