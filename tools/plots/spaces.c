// SPDX-License-Identifier: MIT
// spaces.c - blend spaces: the samples' weights over the parameter.
#include "plots/plots.h"

#include <math.h>

static sinew_blend_space *make_space(const stage *s, sinew_blend_space_kind kind, const sinew_blend_sample *samples,
                                     int32_t count) {
    sinew_blend_space_def def = sinew_blend_space_default();
    def.skeleton = s->hero->skeleton;
    def.kind = kind;
    def.samples = samples;
    def.sample_count = count;
    def.damping = 0.1f;
    sinew_blend_space *space;
    sinew_error error;
    if (sinew_blend_space_create(&def, &space, &error) != SINEW_OK) die(error.message);
    return space;
}

// ---- Along a line --------------------------------------------------------------------------------------------

enum { SAMPLES = 3 };

static void draw_weights(chart *c, const sinew_blend_space *space) {
    series lines[SAMPLES] = {{.count = 0}};
    for (int i = 0; i <= 160; i++) {
        double speed = 4.0 * (double)i / 160.0, shares[SAMPLES] = {0.0};
        sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
        int32_t count = sinew_blend_space_weights(space, (float)speed, 0.0f, weights);
        for (int32_t k = 0; k < count; k++) shares[weights[k].sample] = (double)weights[k].weight;
        for (int k = 0; k < SAMPLES; k++) series_add(&lines[k], speed, shares[k]);
    }
    static const char *const colors[SAMPLES] = {"l5", "l0", "l1"};
    for (int k = 0; k < SAMPLES; k++) chart_line(c, colors[k], &lines[k], space->samples[k].clip->name);
}

// Follows a stick that jumps to 3 m/s and back to 1.
static series follow(const sinew_blend_space *space, int rate) {
    series line = {.count = 0};
    sinew_blend_parameter at = {0};
    for (int i = 0; i <= 2 * rate; i++) {
        double time = (double)i / (double)rate;
        series_add(&line, time, at.x);
        sinew_blend_parameter_follow(&at, space,
                                     time < 0.2   ? 0.0f
                                     : time < 1.1 ? 3.0f
                                                  : 1.0f,
                                     0.0f, 1.0f / (float)rate);
    }
    return line;
}

void plot_space_line(FILE *to, const stage *s) {
    const sinew_blend_sample samples[SAMPLES] = {{s->idle, 0, 0, 1}, {s->walk, 1.15f, 0, 1}, {s->run, 3.1f, 0, 1}};
    sinew_blend_space *space = make_space(s, SINEW_BLEND_SPACE_LINE, samples, SAMPLES);
    figure f;
    figure_begin(&f, to, "A blend space of speeds", (figure_layout){2, 1, 140.0, false});
    chart c =
        chart_begin(&f, (chart_axis){"parameter, m/s", 0.0, 4.0, 0.5}, (chart_axis){"weight", 0.0, 1.05, 0.25});
    draw_weights(&c, space);
    c = chart_begin(&f, (chart_axis){"seconds", 0.0, 2.0, 0.2}, (chart_axis){"parameter, m/s", 0.0, 3.5, 0.5});
    series stick = {.count = 0};
    const double corners[][2] = {{0.0, 0.0}, {0.2, 0.0}, {0.2, 3.0}, {1.1, 3.0}, {1.1, 1.0}, {2.0, 1.0}};
    for (int i = 0; i < 6; i++) series_add(&stick, corners[i][0], corners[i][1]);
    const series smooth = follow(space, 240), coarse = follow(space, 20);
    chart_line(&c, "l5 dash", &stick, "the stick");
    chart_line(&c, "l2", &smooth, "240 frames per second");
    for (int i = 0; i < coarse.count; i++) chart_dot(&c, "f3", coarse.points[i].x, coarse.points[i].y, 3.0);
    chart_key_dot(&c, "f3", "20 frames per second");
    figure_end(&f);
    sinew_blend_space_destroy(space);
}

// ---- Over the plane ------------------------------------------------------------------------------------------

// The samples: idle in the center, walks in all directions, and a run forward.
enum { PLACES = 6 };
static const float places[PLACES][2] = {{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 2}};
static const char *const place_names[PLACES] = {"stand", "ahead", "right", "back", "left", "run"};
static const char *const place_colors[PLACES] = {"f5", "f0", "f1", "f2", "f3", "f4"};

enum { CELLS = 24 };
static const chart_axis across = {"to the right, m/s", -2.0, 2.0, 1.0};
static const chart_axis along[2] = {{"triangles: ahead, m/s", -1.5, 2.5, 1.0}, {"directional", -1.5, 2.5, 1.0}};

typedef struct squares {
    svg_point centers[CELLS * CELLS];
    double sides[CELLS * CELLS];
    int count;
} squares;

static sinew_blend_weight heaviest(const sinew_blend_space *space, double x, double y) {
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    int32_t count = sinew_blend_space_weights(space, (float)x, (float)y, weights), most = 0;
    for (int32_t k = 1; k < count; k++) {
        if (weights[k].weight > weights[most].weight) most = k;
    }
    return weights[most];
}

// Draws a square in each cell. Its area is the largest weight, and its color is that sample's.
static void draw_cells(const chart *c, const sinew_blend_space *space) {
    squares of[PLACES] = {{.count = 0}};
    for (int i = 0; i < CELLS * CELLS; i++) {
        int column = i % CELLS, row = i / CELLS;
        double u = ((double)column + 0.5) / CELLS, v = ((double)row + 0.5) / CELLS;
        double x = c->x.from + u * (c->x.to - c->x.from), y = c->y.from + v * (c->y.to - c->y.from);
        sinew_blend_weight most = heaviest(space, x, y);
        squares *its = &of[most.sample];
        its->sides[its->count] = sqrt((double)most.weight) * c->width / CELLS;
        its->centers[its->count++] = chart_point(c, x, y);
    }
    for (int i = 0; i < PLACES; i++) svg_squares(c->to, place_colors[i], of[i].centers, of[i].sides, of[i].count);
}

static void draw_triangles(const chart *c, const sinew_blend_space *space) {
    for (int32_t i = 0; i < space->triangle_count; i++) {
        svg_point corners[3];
        for (int k = 0; k < 3; k++) {
            const sinew_blend_sample *sample = &space->samples[space->triangles[i].corners[k]];
            corners[k] = chart_point(c, (double)sample->x, (double)sample->y);
        }
        svg_polygon(c->to, "edge", corners, 3);
    }
}

static void draw_places(const chart *c) {
    for (int i = 0; i < PLACES; i++) {
        svg_point at = chart_point(c, (double)places[i][0], (double)places[i][1]);
        svg_circle(c->to, "paper", at, 5.5);
        svg_circle(c->to, place_colors[i], at, 4.0);
        svg_text(c->to, "middle halo", (svg_point){at.x, at.y - 10.0}, place_names[i]);
    }
}

void plot_space_plane(FILE *to, const stage *s) {
    sinew_blend_sample samples[PLACES];
    for (int i = 0; i < PLACES; i++) samples[i] = (sinew_blend_sample){s->walk, places[i][0], places[i][1], 1.0f};
    static const sinew_blend_space_kind kinds[2] = {SINEW_BLEND_SPACE_TRIANGLES, SINEW_BLEND_SPACE_DIRECTIONAL};
    figure f;
    figure_begin(&f, to, "The sample with the largest weight, and that weight",
                 (figure_layout){1, 2, 273.0, false});
    for (int i = 0; i < 2; i++) {
        sinew_blend_space *space = make_space(s, kinds[i], samples, PLACES);
        chart c = chart_begin(&f, across, along[i]);
        draw_cells(&c, space);
        draw_triangles(&c, space);
        draw_places(&c);
        sinew_blend_space_destroy(space);
    }
    figure_end(&f);
}
