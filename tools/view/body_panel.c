// SPDX-License-Identifier: MIT
// The drawing of the body panel: springs, wind, effectors, and plots of curves.
#include "view/panel.h"

#include "view/body.h"
#include "view/style.h"

#include <stdio.h>

// ---- Rows ----------------------------------------------------------------------------------------------------

static void draw_slider(view_canvas *canvas, const view_state *state, view_rect r, const view_body_line *line) {
    const int thick = px(state, 6.0f), y = r.y + (r.height - thick) / 2;
    const int filled = (int)lrintf(line->fraction * (float)r.width);
    const view_color color = line->on ? ACCENT : DIM;
    view_canvas_rect(canvas, (view_rect){r.x, y, r.width, thick}, INSET);
    view_canvas_rect(canvas, (view_rect){r.x, y, filled, thick}, faded(color, 0.6f));
    view_canvas_dot(canvas, (float)(r.x + filled), (float)y + 0.5f * (float)thick, 6.0f * state->scale, color);
}

static void draw_row(view_canvas *canvas, const view_state *state, view_body_row row) {
    const view_layout *l = &state->layout;
    const view_rect r = l->body_rows[row], slider = view_layout_body_slider(l, row);
    const int label = slider.x - r.x, key = px(state, 26.0f);
    view_body_line line;
    view_body_describe(state, row, &line);
    const bool clicks = row <= VIEW_BODY_COLLIDERS || row == VIEW_BODY_WARP;
    if (clicks && view_rect_has(r, state->x, state->y) && state->drag == VIEW_DRAG_NONE) {
        view_canvas_rect(canvas, (view_rect){r.x - l->padding, r.y, r.width + 2 * l->padding, r.height}, HOVER);
    }
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, r.height, 0, DIM, line.label);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, r.height, faded(DIM, 0.8f), line.key);
    const bool slides = row == VIEW_BODY_WIND || row == VIEW_BODY_WIND_FROM;
    const view_color color = line.on ? ACCENT : DIM;
    if (slides) {
        draw_slider(canvas, state, slider, &line);
        view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width - key, r.y, r.height, color, line.value);
    } else {
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + label, r.y, r.height, r.width - label - key, color,
                         line.value);
    }
}

// ---- Curves --------------------------------------------------------------------------------------------------

enum { POINTS = 64 };

// A curve over the duration of the clip, and its range.
typedef struct plot {
    float values[POINTS];
    float least, most;
} plot;

// The index of the channel of a curve; -1 if the clip has none.
static int32_t channel_of(const sinew_clip *clip, int32_t curve) {
    for (int32_t i = clip->channel_count - 1; i >= 0 && clip->channels[i].target == SINEW_TARGET_CURVE; i--) {
        if (clip->channels[i].node == curve) return i;
    }
    return -1;
}

// The range of the plots has at least the values from 0 to 1, so that curves of weights compare.
static void widen(plot *p, float value) {
    p->least = fminf(p->least, value);
    p->most = fmaxf(p->most, value);
}

static plot sample_curve(const view_state *state, const sinew_clip *clip, int32_t curve) {
    plot p = {.least = 0.0f, .most = 1.0f};
    sinew_pose *pose = state->scene->plotted;
    for (int i = 0; i < POINTS; i++) {
        sinew_clip_sample(clip, clip->duration * (float)i / (float)(POINTS - 1), pose);
        p.values[i] = pose->curves[curve];
        widen(&p, p.values[i]);
    }
    return p;
}

static float height_of(const plot *p, view_rect r, float value) {
    const float up = fminf(fmaxf((value - p->least) / (p->most - p->least), 0.0f), 1.0f);
    return (float)(r.y + r.height) - up * (float)r.height;
}

// The keys of the playing clip over its duration, and a dot at the time and the value of the mixer: during a fade it leaves the
// line.
static void draw_plot(view_canvas *canvas, const view_state *state, view_rect r, const sinew_clip *clip,
                      int32_t curve, float value) {
    const view_player *player = &state->scene->player;
    const float width = (float)r.width, left = (float)r.x;
    view_canvas_rect(canvas, r, INSET);
    if (!clip || !(clip->duration > 0.0f) || channel_of(clip, curve) < 0) return;
    const plot p = sample_curve(state, clip, curve);
    const view_color color = color_of(view_player_number(player, clip));
    for (int i = 0; i + 1 < POINTS; i++) {
        view_canvas_line(canvas, left + width * (float)i / (POINTS - 1), height_of(&p, r, p.values[i]),
                         left + width * (float)(i + 1) / (POINTS - 1), height_of(&p, r, p.values[i + 1]),
                         1.5f * state->scale, color);
    }
    view_canvas_dot(canvas, left + width * view_player_time(player) / clip->duration, height_of(&p, r, value),
                    4.0f * state->scale, ACCENT);
}

static void draw_curves(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_player *player = &state->scene->player;
    const sinew_skeleton *skeleton = player->asset->skeleton;
    const float *values = sinew_mixer_curves(player->mixers[0]);
    const sinew_clip *clip = view_player_clip(player);
    for (int i = 0; i < l->body_curve_count; i++) {
        const view_rect r = view_layout_body_curve(l, i);
        const int text = px(state, 15.0f);
        char number[24];
        snprintf(number, sizeof number, "%.3f", (double)values[i]);
        const int room = r.width - view_canvas_text_width(canvas, VIEW_FONT_SMALL, number) - l->padding;
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, text, room, DIM, skeleton->curve_names[i]);
        view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, text, TEXT, number);
        const view_rect line = {r.x, r.y + text, r.width, r.height - text - px(state, 4.0f)};
        draw_plot(canvas, state, line, clip, i, values[i]);
    }
}

// ---- All of it -----------------------------------------------------------------------------------------------

void view_body_draw(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const int head = l->body_rows[0].y - l->body.y, right = l->body.x + l->body.width - l->padding;
    panel(canvas, state, l->body, BACK);
    view_canvas_text(canvas, VIEW_FONT_TEXT, l->body.x + l->padding, l->body.y, head, 0, TEXT, "Body");
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, right, l->body.y, head, faded(DIM, 0.8f), "Q");
    for (int row = 0; row < VIEW_BODY_ROWS; row++) draw_row(canvas, state, (view_body_row)row);
    draw_curves(canvas, state);
}
