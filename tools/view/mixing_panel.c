// SPDX-License-Identifier: MIT
// The drawing of the mixing panel: transitions, the layer, root motion, and the blend space with its pad.
#include "view/panel.h"

#include "view/mixing.h"
#include "view/style.h"

#include <stdio.h>

// ---- Lines ---------------------------------------------------------------------------------------------------

static void draw_slider(view_canvas *canvas, const view_state *state, bool on) {
    const view_rect r = state->layout.slider;
    const int thick = px(state, 6.0f), y = r.y + (r.height - thick) / 2;
    const int filled = (int)lrintf(state->scene->player.layer.weight * (float)r.width);
    const view_color color = on ? LAYER : DIM;
    view_canvas_rect(canvas, (view_rect){r.x, y, r.width, thick}, INSET);
    view_canvas_rect(canvas, (view_rect){r.x, y, filled, thick}, faded(color, 0.6f));
    view_canvas_dot(canvas, (float)(r.x + filled), (float)y + 0.5f * (float)thick, 6.0f * state->scale, color);
}

static view_color value_color(view_mixing_row row, bool on) {
    if (!on) return DIM;
    if (row == VIEW_MIXING_COMPARE) return COMPARED;
    return row >= VIEW_MIXING_LAYER && row <= VIEW_MIXING_MODE ? LAYER : ACCENT;
}

static void draw_line(view_canvas *canvas, const view_state *state, view_mixing_row row) {
    const view_rect r = state->layout.mixing_rows[row];
    const int label = state->layout.slider.x - r.x,
              key = r.x + r.width - (state->layout.slider.x + state->layout.slider.width);
    view_mixing_line line;
    view_mixing_describe(state, row, &line);
    if (view_rect_has(r, state->x, state->y) && state->drag == VIEW_DRAG_NONE) {
        const int pad = state->layout.padding;
        view_canvas_rect(canvas, (view_rect){r.x - pad, r.y, r.width + 2 * pad, r.height}, HOVER);
    }
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, r.height, 0, DIM, line.label);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, r.height, faded(DIM, 0.8f), line.key);
    if (row == VIEW_MIXING_WEIGHT) {
        draw_slider(canvas, state, line.on);
    } else {
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + label, r.y, r.height, r.width - label - key,
                         value_color(row, line.on), line.value);
    }
}

// ---- The curve -----------------------------------------------------------------------------------------------

static void draw_curve_of(view_canvas *canvas, const view_state *state, int side) {
    enum { STEPS = 40 };
    const view_rect r = state->layout.curve;
    const view_player *player = &state->scene->player;
    const view_kind kind = player->settings.kinds[side];
    const float left = (float)r.x, bottom = (float)(r.y + r.height), width = (float)r.width,
                height = (float)r.height;
    const view_color color = side_color(side);
    for (int i = 0; i < STEPS; i++) {
        const float u0 = (float)i / (float)STEPS, u1 = (float)(i + 1) / (float)STEPS;
        view_canvas_line(canvas, left + u0 * width, bottom - view_kind_progress(kind, u0) * height,
                         left + u1 * width, bottom - view_kind_progress(kind, u1) * height, 1.5f * state->scale,
                         faded(color, 0.8f));
    }
    const float u = view_player_progress(player);
    view_canvas_dot(canvas, left + u * width, bottom - view_kind_progress(kind, u) * height, 4.0f * state->scale,
                    color);
}

// The transition's weight over its time, with a dot at the current time.
static void draw_curve(view_canvas *canvas, const view_state *state) {
    const view_rect r = state->layout.curve;
    const view_player *player = &state->scene->player;
    const int passed = (int)lrintf(view_player_progress(player) * (float)r.width);
    view_canvas_rect(canvas, r, INSET);
    view_canvas_rect(canvas, (view_rect){r.x, r.y, passed, r.height}, HOVER);
    if (view_player_is_comparing(player)) draw_curve_of(canvas, state, 1);
    draw_curve_of(canvas, state, 0);
}

// ---- The pad -------------------------------------------------------------------------------------------------

typedef struct pad {
    view_canvas *canvas;
    const view_state *state;
    const sinew_blend_space *space;
    view_rect area;
    view_extent extent;
} pad;

// The point of the pad for a parameter. On a line all points have one height, below the names.
static view_point pad_point(const pad *p, float x, float y) {
    const float across = (x - p->extent.x) / p->extent.width, up = (y - p->extent.y) / p->extent.height;
    const bool is_line = p->space->kind == SINEW_BLEND_SPACE_LINE;
    const float height = (float)p->area.height;
    return (view_point){(float)p->area.x + across * (float)p->area.width,
                        (float)p->area.y + (is_line ? 0.75f : 1.0f - up) * height};
}

static void draw_pad_line(const pad *p, view_point a, view_point b) {
    view_canvas_line(p->canvas, a.x, a.y, b.x, b.y, p->state->scale, faded(TEXT, 0.35f));
}

static void draw_edges(const pad *p) {
    const sinew_blend_sample *samples = p->space->samples;
    if (p->space->kind == SINEW_BLEND_SPACE_LINE) {
        draw_pad_line(p, pad_point(p, p->extent.x, 0.0f), pad_point(p, p->extent.x + p->extent.width, 0.0f));
    }
    for (int32_t i = 0; i < p->space->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            const sinew_blend_sample *a = &samples[p->space->triangles[i].corners[k]];
            const sinew_blend_sample *b = &samples[p->space->triangles[i].corners[(k + 1) % 3]];
            draw_pad_line(p, pad_point(p, a->x, a->y), pad_point(p, b->x, b->y));
        }
    }
}

static float weight_at(const sinew_blend_weight *weights, int32_t count, int32_t sample) {
    for (int32_t i = 0; i < count; i++) {
        if (weights[i].sample == sample) return weights[i].weight;
    }
    return 0.0f;
}

// Draws a sample's name inside the pad, also at its edges.
static void draw_sample_name(const pad *p, view_point at, const sinew_blend_sample *sample, bool has_weight) {
    const view_rect r = p->state->layout.pad;
    const int width = view_canvas_text_width(p->canvas, VIEW_FONT_SMALL, sample->clip->name),
              height = px(p->state, 15.0f);
    const int inset = px(p->state, 3.0f);
    int x = (int)at.x - width / 2, y = (int)at.y - height - px(p->state, 5.0f);
    if (x + width > r.x + r.width - inset) x = r.x + r.width - inset - width;
    if (x < r.x + inset) x = r.x + inset;
    if (y < r.y) y = (int)at.y + px(p->state, 5.0f);
    view_canvas_text(p->canvas, VIEW_FONT_SMALL, x, y, height, r.width, has_weight ? TEXT : DIM,
                     sample->clip->name);
}

// Draws the samples as dots whose size is their weight.
static void draw_samples(const pad *p, float x, float y) {
    const view_player *player = &p->state->scene->player;
    sinew_blend_weight weights[SINEW_MAX_BLEND_WEIGHTS];
    const int32_t count = player->in_space ? sinew_blend_space_weights(p->space, x, y, weights) : 0;
    for (int32_t i = 0; i < p->space->sample_count; i++) {
        const sinew_blend_sample *sample = &p->space->samples[i];
        const float weight = weight_at(weights, count, i);
        const view_point at = pad_point(p, sample->x, sample->y);
        view_canvas_dot(p->canvas, at.x, at.y, (3.0f + 5.0f * weight) * p->state->scale,
                        color_of(view_player_number(player, sample->clip)));
        draw_sample_name(p, at, sample, weight > 0.0f);
    }
}

// Draws the current parameter, and its target as a smaller dot.
static void draw_parameter(const pad *p, float x, float y) {
    const view_player *player = &p->state->scene->player;
    const float s = p->state->scale;
    const view_point at = pad_point(p, x, y), to = pad_point(p, player->x, player->y);
    view_canvas_line(p->canvas, at.x, at.y, to.x, to.y, 1.5f * s, faded(ACCENT, 0.6f));
    view_canvas_dot(p->canvas, to.x, to.y, 3.0f * s, faded(ACCENT, 0.6f));
    view_canvas_dot(p->canvas, at.x, at.y, 5.0f * s, ACCENT);
}

static void draw_pad(view_canvas *canvas, const view_state *state) {
    const view_player *player = &state->scene->player;
    const pad p = {canvas, state, player->space, view_layout_pad(&state->layout), view_space_extent(player->space)};
    const sinew_blend_parameter at = sinew_action_parameter(player->mixers[0], player->space_action);
    view_canvas_rect(canvas, state->layout.pad, INSET);
    draw_edges(&p);
    draw_samples(&p, (float)at.x, (float)at.y);
    if (player->in_space) draw_parameter(&p, (float)at.x, (float)at.y);
}

// ---- All of it -----------------------------------------------------------------------------------------------

void view_mixing_draw(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const int head = l->mixing_rows[0].y - l->mixing.y, right = l->mixing.x + l->mixing.width - l->padding;
    char text[32];
    panel(canvas, state, l->mixing, BACK);
    view_canvas_text(canvas, VIEW_FONT_TEXT, l->mixing.x + l->padding, l->mixing.y, head, 0, TEXT, "Mixing");
    snprintf(text, sizeof text, "%.2f s", (double)state->scene->player.settings.fade);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, right, l->mixing.y, head, DIM, text);
    for (int row = 0; row < VIEW_MIXING_ROWS; row++) draw_line(canvas, state, (view_mixing_row)row);
    draw_curve(canvas, state);
    if (l->pad.height > 0) draw_pad(canvas, state);
}
