// SPDX-License-Identifier: MIT
// The drawing of the graph panel: parameters, layers and their states, and the last events.
#include "view/panel.h"

#include "view/graph_rows.h"
#include "view/style.h"

#include <stdio.h>

// ---- Parameters ----------------------------------------------------------------------------------------------

static bool is_pointed_at(const view_state *state, view_rect r) {
    return view_rect_has(r, state->x, state->y) && state->drag == VIEW_DRAG_NONE;
}

// The bar leads from 0 to the value that the graph uses; the dot is at the one that was set.
static void draw_slider(view_canvas *canvas, const view_state *state, view_rect r, const view_graph_line *line) {
    const int thick = px(state, 6.0f), y = r.y + (r.height - thick) / 2;
    const float least = fminf(line->damped, line->zero), most = fmaxf(line->damped, line->zero);
    const int from = r.x + (int)lrintf(least * (float)r.width), to = r.x + (int)lrintf(most * (float)r.width);
    const float dot = (float)r.x + line->target * (float)r.width;
    view_canvas_rect(canvas, (view_rect){r.x, y, r.width, thick}, INSET);
    view_canvas_rect(canvas, (view_rect){from, y, to - from, thick}, faded(ACCENT, 0.6f));
    view_canvas_dot(canvas, dot, (float)y + 0.5f * (float)thick, 5.0f * state->scale, ACCENT);
}

static void draw_switch(view_canvas *canvas, const view_state *state, view_rect r, bool on) {
    const int height = px(state, 10.0f), width = px(state, 22.0f), y = r.y + (r.height - height) / 2;
    const float radius = 0.5f * (float)height, x = (float)r.x + (on ? (float)width - radius : radius);
    view_canvas_panel(canvas, (view_rect){r.x, y, width, height}, radius, on ? faded(ACCENT, 0.6f) : INSET);
    view_canvas_dot(canvas, x, (float)y + radius, radius, on ? ACCENT : DIM);
}

// A trigger that waits for a transition is filled.
static void draw_button(view_canvas *canvas, const view_state *state, view_rect r, const view_graph_line *line) {
    const int width = px(state, 48.0f), inset = px(state, 2.0f);
    const view_rect box = {r.x, r.y + inset, width, r.height - 2 * inset};
    const int text = view_canvas_text_width(canvas, VIEW_FONT_SMALL, line->value);
    view_canvas_panel(canvas, box, 3.0f * state->scale, line->on ? ACCENT : (view_color){255, 255, 255, 44});
    view_canvas_text(canvas, VIEW_FONT_SMALL, box.x + (width - text) / 2, r.y, r.height, 0,
                     line->on ? BACK_SOLID : TEXT, line->value);
}

static void draw_parameter(view_canvas *canvas, const view_state *state, view_rect r, const view_graph_line *line) {
    const view_layout *l = &state->layout;
    const int label = l->graph_slider.x - r.x - px(state, 8.0f), right = l->graph_slider.x + l->graph_slider.width;
    const view_rect control = {l->graph_slider.x, r.y, l->graph_slider.width, r.height};
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, r.height, label, TEXT, line->label);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, r.height, DIM, line->key);
    if (line->control == VIEW_CONTROL_SWITCH) draw_switch(canvas, state, control, line->on);
    if (line->control == VIEW_CONTROL_BUTTON) draw_button(canvas, state, control, line);
    if (line->control != VIEW_CONTROL_SLIDER) return;
    draw_slider(canvas, state, control, line);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, right + px(state, 42.0f), r.y, r.height, ACCENT, line->value);
}

// ---- Layers and states ---------------------------------------------------------------------------------------

static void draw_layer(view_canvas *canvas, const view_state *state, view_rect r, const view_graph_line *line) {
    const int pad = state->layout.padding / 2, inset = px(state, 1.0f), gap = px(state, 8.0f);
    const view_rect box = {r.x - pad, r.y + inset, r.width + 2 * pad, r.height - inset};
    view_canvas_rect(canvas, box, FAINT);
    if (line->on) {
        const int passed = (int)lrintf(line->progress * (float)box.width);
        view_canvas_rect(canvas, (view_rect){box.x, box.y, passed, box.height}, faded(LAYER, 0.4f));
    }
    const int width = view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, r.height, r.width / 3, TEXT, line->label);
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + width + gap, r.y, r.height, r.width - width - gap,
                     line->on ? TEXT : ACCENT, line->value);
}

static void draw_state(view_canvas *canvas, const view_state *state, view_rect r, int depth,
                       const view_graph_line *line) {
    const int indent = px(state, 12.0f) * (depth + 1), time = px(state, 48.0f), mark = px(state, 3.0f);
    if (line->on) {
        view_canvas_rect(canvas, (view_rect){r.x, r.y, r.width, r.height}, faded(ACCENT, 0.12f));
        view_canvas_rect(canvas, (view_rect){r.x, r.y, mark, r.height}, ACCENT);
    }
    const int room = r.width - indent - time;
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + indent, r.y, r.height, room > time ? room : time,
                     line->on ? ACCENT : TEXT, line->label);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width - mark, r.y, r.height, DIM, line->value);
}

static void draw_row(view_canvas *canvas, const view_state *state, int i) {
    const view_rect r = view_layout_graph_row(&state->layout, i);
    const view_graph_row *row = view_graph_row_of(state, state->layout.graph_first + i);
    view_graph_line line;
    if (!row) return;
    view_graph_describe(state, row, &line);
    if (row->kind == VIEW_GRAPH_LAYER) {
        draw_layer(canvas, state, r, &line);
        return;
    }
    const int pad = state->layout.padding / 2;
    if (is_pointed_at(state, r))
        view_canvas_rect(canvas, (view_rect){r.x - pad, r.y, r.width + 2 * pad, r.height}, HOVER);
    if (row->kind == VIEW_GRAPH_PARAMETER) draw_parameter(canvas, state, r, &line);
    if (row->kind == VIEW_GRAPH_STATE) draw_state(canvas, state, r, row->depth, &line);
}

static void draw_scroll_bar(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    if (l->graph_visible >= l->graph_count) return;
    const view_rect r = l->graph_rows;
    const int width = px(state, 3.0f), length = r.height * l->graph_visible / l->graph_count;
    const int y = r.y + (r.height - length) * l->graph_first / (l->graph_count - l->graph_visible);
    view_canvas_rect(canvas, (view_rect){l->graph.x + l->graph.width - width - 1, y, width, length},
                     faded(TEXT, 0.4f));
}

// ---- Events --------------------------------------------------------------------------------------------------

static int measure(const void *user, const char *text) {
    return view_canvas_text_width(user, VIEW_FONT_SMALL, text);
}

static void draw_fault(view_canvas *canvas, view_rect r, const char *fault) {
    int starts[VIEW_GRAPH_EVENTS], lengths[VIEW_GRAPH_EVENTS];
    const int row = r.height / VIEW_GRAPH_EVENTS;
    const int count = view_wrap(fault, r.width, measure, canvas, VIEW_GRAPH_EVENTS, starts, lengths);
    for (int i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", lengths[i], fault + starts[i]);
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y + i * row, row, r.width, WRONG, line);
    }
}

static void draw_events(view_canvas *canvas, view_rect r, const view_graph *graph) {
    const int row = r.height / VIEW_GRAPH_EVENTS;
    for (int i = 0; i < graph->event_count; i++) {
        view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y + i * row, row, r.width,
                         faded(graph->events[i].age < 0.5f ? TEXT : DIM, i == 0 ? 1.0f : 0.8f),
                         graph->events[i].text);
    }
}

// ---- All of it -----------------------------------------------------------------------------------------------

// The file's name is red while its text has a fault.
void view_graph_draw(view_canvas *canvas, const view_state *state) {
    const view_layout *l = &state->layout;
    const view_player *player = &state->scene->player;
    const bool has_fault = player->graph.fault[0] != '\0';
    const int head = l->graph_rows.y - l->graph.y, x = l->graph_rows.x, right = x + l->graph_rows.width;
    const char *name = view_file_name(player->settings.graph);
    panel(canvas, state, l->graph, BACK);
    const int title = view_canvas_text(canvas, VIEW_FONT_TEXT, x, l->graph.y, head, 0, TEXT, "Graph");
    const int width = view_canvas_text_width(canvas, VIEW_FONT_SMALL, name), from = x + title + px(state, 12.0f);
    view_canvas_text(canvas, VIEW_FONT_SMALL, right - width > from ? right - width : from, l->graph.y, head,
                     right - from, has_fault ? WRONG : DIM, name);
    for (int i = 0; i < l->graph_visible; i++) draw_row(canvas, state, i);
    draw_scroll_bar(canvas, state);
    if (l->graph_foot.height == 0) return;
    view_canvas_rect(
        canvas, (view_rect){x, l->graph_foot.y - px(state, 5.0f), l->graph_rows.width, px(state, 1.0f)}, FAINT);
    if (has_fault) draw_fault(canvas, l->graph_foot, player->graph.fault);
    if (!has_fault) draw_events(canvas, l->graph_foot, &player->graph);
}
