// SPDX-License-Identifier: MIT
// chart.c - draws panels.
#include "plots/chart.h"

#include "plots/die.h"

#include <math.h>

// Pixels.
enum { WIDTH = 680, LEFT = 58, RIGHT = 16, TITLE = 34, HEAD = 24, FOOT = 42, GAP = 14 };

// ---- Drawings ------------------------------------------------------------------------------------------------

static double foot_of(const figure_layout *layout, int row) {
    return layout->shares_x && row + 1 < layout->rows ? GAP : FOOT;
}

static double top_of(const figure_layout *layout, int row) {
    double top = TITLE;
    for (int i = 0; i < row; i++) top += HEAD + layout->height + foot_of(layout, i);
    return top;
}

void figure_begin(figure *f, FILE *to, const char *title, figure_layout layout) {
    f->to = to;
    f->layout = layout;
    f->panel = 0;
    svg_begin(to, WIDTH, top_of(&layout, layout.rows), title);
    svg_text(to, "title", (svg_point){LEFT, 22.0}, title);
}

void figure_end(const figure *f) {
    svg_end(f->to);
}

// ---- Panels --------------------------------------------------------------------------------------------------

svg_point chart_point(const chart *c, double x, double y) {
    double along = (x - c->x.from) / (c->x.to - c->x.from), up = (y - c->y.from) / (c->y.to - c->y.from);
    return (svg_point){c->corner.x + along * c->width, c->corner.y + (1.0 - up) * c->height};
}

// Returns the first multiple of the step in the range, as a factor.
static int first_tick(const chart_axis *axis) {
    return axis->step > 0.0 ? (int)ceil(axis->from / axis->step - 1e-6) : 0;
}

static int end_of_ticks(const chart_axis *axis) {
    return axis->step > 0.0 ? (int)floor(axis->to / axis->step + 1e-6) + 1 : 0;
}

static void draw_x_ticks(const chart *c, bool labelled) {
    for (int i = first_tick(&c->x); i < end_of_ticks(&c->x); i++) {
        double value = c->x.step * (double)i;
        svg_point top = chart_point(c, value, c->y.to), bottom = chart_point(c, value, c->y.from);
        svg_line(c->to, "grid", top, bottom);
        if (!labelled) continue;
        char text[32];
        snprintf(text, sizeof text, "%.4g", value);
        svg_text(c->to, "middle", (svg_point){bottom.x, bottom.y + 16.0}, text);
    }
    svg_point below = {c->corner.x + c->width / 2.0, c->corner.y + c->height + 34.0};
    if (labelled) svg_text(c->to, "middle", below, c->x.label);
}

static void draw_y_ticks(const chart *c) {
    for (int i = first_tick(&c->y); i < end_of_ticks(&c->y); i++) {
        double value = c->y.step * (double)i;
        svg_point left = chart_point(c, c->x.from, value), right = chart_point(c, c->x.to, value);
        svg_line(c->to, "grid", left, right);
        char text[32];
        snprintf(text, sizeof text, "%.4g", value);
        svg_text(c->to, "end", (svg_point){left.x - 6.0, left.y + 4.0}, text);
    }
}

// Returns the approximate width of text. Each UTF-8 character counts once.
static double text_width(const char *text) {
    int characters = 0;
    for (; *text; text++) characters += ((unsigned char)*text & 0xc0) != 0x80;
    return 6.9 * (double)characters;
}

chart chart_begin(figure *f, chart_axis x, chart_axis y) {
    const figure_layout *layout = &f->layout;
    int row = f->panel / layout->columns, column = f->panel % layout->columns;
    double room = (double)(WIDTH - RIGHT) / (double)layout->columns;
    chart c = {
        .to = f->to,
        .corner = {room * (double)column + LEFT, top_of(layout, row) + HEAD},
        .width = room - LEFT,
        .height = layout->height,
        .x = x,
        .y = y,
    };
    f->panel++;
    draw_x_ticks(&c, !layout->shares_x || row + 1 == layout->rows);
    draw_y_ticks(&c);
    svg_rect(c.to, "frame", c.corner, c.width, c.height);
    svg_text(c.to, "label", (svg_point){c.corner.x, c.corner.y - 8.0}, y.label);
    c.key = c.corner.x + text_width(y.label) + 20.0;
    return c;
}

// ---- What is in them -----------------------------------------------------------------------------------------

void series_add(series *s, double x, double y) {
    if (s->count == SERIES_MAX) die("a line has too many points");
    s->points[s->count++] = (svg_point){x, y};
}

// Returns the center of the mark for the legend's next entry. Its name comes after it.
static svg_point key_entry(chart *c, const char *name) {
    svg_point mark = {c->key + 9.0, c->corner.y - 12.0};
    svg_text(c->to, "", (svg_point){c->key + 23.0, c->corner.y - 8.0}, name);
    c->key += 23.0 + text_width(name) + 14.0;
    return mark;
}

void chart_line(chart *c, const char *classes, const series *s, const char *name) {
    char all[64];
    snprintf(all, sizeof all, "line %s", classes);
    svg_point line[SERIES_MAX];
    int count = 0;
    for (int i = 0; i <= s->count; i++) {
        bool ends = i == s->count || isnan(s->points[i].y);
        if (!ends) line[count++] = chart_point(c, s->points[i].x, s->points[i].y);
        if (!ends) continue;
        if (count > 1) svg_polyline(c->to, all, line, count);
        count = 0;
    }
    if (!name) return;
    svg_point mark = key_entry(c, name);
    svg_line(c->to, all, (svg_point){mark.x - 9.0, mark.y}, (svg_point){mark.x + 9.0, mark.y});
}

void chart_key_dot(chart *c, const char *classes, const char *name) {
    svg_circle(c->to, classes, key_entry(c, name), 4.0);
}

void chart_key_area(chart *c, const char *classes, const char *name) {
    svg_point mark = key_entry(c, name);
    svg_rect(c->to, classes, (svg_point){mark.x - 7.0, mark.y - 5.0}, 14.0, 10.0);
}

void chart_dot(const chart *c, const char *classes, double x, double y, double radius) {
    svg_circle(c->to, classes, chart_point(c, x, y), radius);
}

void chart_moment(const chart *c, double x, const char *what) {
    svg_point top = chart_point(c, x, c->y.to), bottom = chart_point(c, x, c->y.from);
    svg_line(c->to, "moment", top, bottom);
    if (*what) svg_text(c->to, "halo", (svg_point){top.x + 5.0, top.y + 15.0}, what);
}
