// SPDX-License-Identifier: MIT
// The rectangles of the panels.
#include "view/layout.h"

#include <math.h>

// Sizes for an ordinary screen.
static const float MARGIN = 10.0f, PADDING = 10.0f, ROW = 22.0f;
static const float LIST_HEAD = 46.0f, LIST_NUMBERS = 54.0f, MIN_LIST = 168.0f, MAX_LIST = 320.0f;
static const float TIMELINE = 112.0f, TIMELINE_HEAD = 26.0f, BAR = 20.0f, MARKERS = 16.0f, GAP = 6.0f;
static const float MIXING = 232.0f, MIXING_ROW = 19.0f, MIXING_HEAD = 24.0f, CURVE = 34.0f, MIXING_LABEL = 90.0f,
                   ATTACHMENTS = 264.0f;
static const float GRAPH = 272.0f, GRAPH_LABEL = 84.0f, GRAPH_VALUE = 44.0f, GRAPH_KEY = 32.0f;
static const float PLOT = 46.0f, BODY_VALUE = 86.0f;
static const float MIN_PICTURE = 120.0f; // between the list and the graph panel
enum { GRAPH_EVENTS = 4, GRAPH_MIN_ROWS = 12 };
static const float PAD_LINE = 46.0f, MIN_PAD = 70.0f, MAX_PAD = 170.0f;

int view_pixels(float scale, float size) {
    return (int)lrintf(scale * size);
}

static int clamp(int value, int least, int most) {
    if (value > most) value = most;
    return value < least ? least : value;
}

static void arrange_timeline(view_layout *l, bool has_markers) {
    const int height = view_pixels(l->scale, TIMELINE), head = view_pixels(l->scale, TIMELINE_HEAD);
    const int bar = view_pixels(l->scale, BAR), gap = view_pixels(l->scale, GAP);
    l->timeline = (view_rect){l->margin, l->height - l->margin - height, l->width - 2 * l->margin, height};
    const int x = l->timeline.x + l->padding, width = l->timeline.width - 2 * l->padding;
    l->bar = (view_rect){x, l->timeline.y + head, width, bar};
    l->markers = (view_rect){x, l->bar.y + bar, width, has_markers ? view_pixels(l->scale, MARKERS) : 0};
    const int top = l->markers.y + l->markers.height + gap;
    l->weights = (view_rect){x, top, width, l->timeline.y + height - l->padding - top};
}

// As wide as the names need, and at most 3/8 of the window's width.
static void arrange_list(view_layout *l, int widest_name, int scroll) {
    const int head = view_pixels(l->scale, LIST_HEAD), foot = l->padding / 2;
    const int most = clamp(l->width * 3 / 8, view_pixels(l->scale, MIN_LIST), view_pixels(l->scale, MAX_LIST));
    const int width =
        clamp(widest_name + view_pixels(l->scale, LIST_NUMBERS), view_pixels(l->scale, MIN_LIST), most);
    const int room = l->timeline.y - 2 * l->margin - head - foot;
    l->visible = clamp(room / l->row, 1, l->clip_count);
    if (l->clip_count == 0) l->visible = 0;
    l->first = clamp(scroll, 0, l->clip_count - l->visible);
    l->list = (view_rect){l->margin, l->margin, width, head + l->visible * l->row + foot};
    l->rows = (view_rect){l->margin, l->margin + head, width, l->visible * l->row};
}

// The curve is below the first rows, which set it; the pad is last and fills the remaining height.
static void arrange_mixing(view_layout *l, view_pad pad) {
    const int width = view_pixels(l->scale, MIXING), curve = view_pixels(l->scale, CURVE);
    const int right = l->width - l->margin, inner = width - 2 * l->padding;
    l->mixing_row = view_pixels(l->scale, MIXING_ROW);
    l->mixing = (view_rect){right - width, l->margin, width, 0};
    const int x = l->mixing.x + l->padding;
    int y = l->mixing.y + view_pixels(l->scale, MIXING_HEAD);
    for (int i = 0; i < VIEW_MIXING_ROWS; i++) {
        l->mixing_rows[i] = (view_rect){x, y, inner, l->mixing_row};
        y += l->mixing_row;
        if (i != VIEW_MIXING_COMPARE) continue;
        l->curve = (view_rect){x, y + l->padding / 4, inner, curve - l->padding / 2};
        y += curve;
    }
    const int label = view_pixels(l->scale, MIXING_LABEL), key = view_pixels(l->scale, 26.0f);
    const view_rect weight = l->mixing_rows[VIEW_MIXING_WEIGHT];
    l->slider = (view_rect){x + label, weight.y, inner - label - key, weight.height};
    if (pad != VIEW_PAD_NONE) {
        const int room = l->timeline.y - l->margin - l->padding - y;
        const int least = view_pixels(l->scale, MIN_PAD), most = view_pixels(l->scale, MAX_PAD);
        const int height = pad == VIEW_PAD_LINE ? view_pixels(l->scale, PAD_LINE) : clamp(room, least, most);
        l->pad = (view_rect){x, y, inner, height};
        y += height;
    }
    l->mixing.height = y + l->padding - l->mixing.y;
}

static void arrange_attachments(view_layout *l) {
    const int width = view_pixels(l->scale, ATTACHMENTS), row = view_pixels(l->scale, MIXING_ROW);
    l->attachments = (view_rect){l->width - l->margin - width, l->margin, width, 0};
    int y = l->attachments.y + view_pixels(l->scale, MIXING_HEAD);
    for (int i = 0; i < VIEW_ATTACHMENTS_ROWS; i++, y += row) {
        l->attachments_rows[i] = (view_rect){l->attachments.x + l->padding, y, width - 2 * l->padding, row};
    }
    l->attachments.height = y + l->padding - l->attachments.y;
}

// As many plots as there is room for.
static void arrange_body(view_layout *l, int curve_count) {
    const int width = view_pixels(l->scale, ATTACHMENTS), row = view_pixels(l->scale, MIXING_ROW);
    l->body = (view_rect){l->width - l->margin - width, l->margin, width, 0};
    int y = l->body.y + view_pixels(l->scale, MIXING_HEAD);
    for (int i = 0; i < VIEW_BODY_ROWS; i++, y += row) {
        l->body_rows[i] = (view_rect){l->body.x + l->padding, y, width - 2 * l->padding, row};
    }
    const int plot = view_pixels(l->scale, PLOT), room = (l->timeline.y - l->margin - l->padding - y) / plot;
    l->body_curve_count = clamp(curve_count, 0, clamp(room, 0, VIEW_MAX_PLOTS));
    l->body.height = y + l->body_curve_count * plot + l->padding - l->body.y;
}

view_rect view_layout_body_slider(const view_layout *l, view_body_row row) {
    const view_rect r = l->body_rows[row];
    const int label = view_pixels(l->scale, GRAPH_LABEL), value = view_pixels(l->scale, BODY_VALUE);
    return (view_rect){r.x + label, r.y, r.width - label - value, r.height};
}

view_rect view_layout_body_curve(const view_layout *l, int i) {
    const view_rect last = l->body_rows[VIEW_BODY_ROWS - 1];
    const int plot = view_pixels(l->scale, PLOT);
    return (view_rect){last.x, last.y + last.height + l->padding / 2 + i * plot, last.width, plot};
}

// In a low window the rows scroll, and there is no room for events.
static void arrange_graph(view_layout *l, int count, int scroll) {
    const int width = view_pixels(l->scale, GRAPH), row = view_pixels(l->scale, MIXING_ROW);
    const int head = view_pixels(l->scale, MIXING_HEAD), inner = width - 2 * l->padding;
    const int x = l->width - l->margin - width + l->padding, y = l->margin + head;
    const int rows = (l->timeline.y - l->margin - l->padding - y) / row;
    const int events = rows - GRAPH_EVENTS - 1 >= GRAPH_MIN_ROWS ? GRAPH_EVENTS : 0;
    l->graph_count = count;
    l->graph_visible = clamp(rows - events - (events > 0 ? 1 : 0), 1, count);
    l->graph_first = clamp(scroll, 0, count - l->graph_visible);
    l->graph_rows = (view_rect){x, y, inner, l->graph_visible * row};
    const int label = view_pixels(l->scale, GRAPH_LABEL), value = view_pixels(l->scale, GRAPH_VALUE);
    l->graph_slider = (view_rect){x + label, y, inner - label - value - view_pixels(l->scale, GRAPH_KEY), row};
    const int bottom = y + l->graph_rows.height;
    l->graph_foot = (view_rect){x, bottom + (events > 0 ? row / 2 : 0), inner, events * row};
    l->graph = (view_rect){x - l->padding, l->margin, width,
                           l->graph_foot.y + l->graph_foot.height + l->padding / 2 - l->margin};
    if (l->graph.x >= l->list.x + l->list.width + view_pixels(l->scale, MIN_PICTURE)) return;
    l->list = l->rows = (view_rect){l->margin, l->margin, 0, 0}; // a narrow window has no room for the list
    l->visible = 0;
}

view_layout view_layout_make(const view_layout_def *def) {
    view_layout l = {
        .width = def->width, .height = def->height, .scale = def->scale, .clip_count = def->clip_count};
    l.margin = view_pixels(l.scale, MARGIN);
    l.padding = view_pixels(l.scale, PADDING);
    l.row = view_pixels(l.scale, ROW);
    if (!def->has_file) return l;
    arrange_timeline(&l, def->has_markers);
    arrange_list(&l, def->widest_name, def->scroll);
    if (def->mixing) arrange_mixing(&l, def->pad);
    if (def->attachments && !def->mixing) arrange_attachments(&l);
    if (def->body && !def->mixing && !def->attachments) arrange_body(&l, def->curve_count);
    if (def->graph && !def->mixing && !def->attachments && !def->body)
        arrange_graph(&l, def->graph_row_count, def->graph_scroll);
    return l;
}

bool view_rect_has(view_rect r, float x, float y) {
    return x >= (float)r.x && y >= (float)r.y && x < (float)(r.x + r.width) && y < (float)(r.y + r.height);
}

static view_area area_in_mixing(const view_layout *layout, float x, float y, int *row) {
    if (view_rect_has(layout->slider, x, y)) return VIEW_SLIDER;
    if (view_rect_has(layout->pad, x, y)) return VIEW_PAD;
    for (*row = 0; *row < VIEW_MIXING_ROWS; (*row)++) {
        if (view_rect_has(layout->mixing_rows[*row], x, y)) return VIEW_MIXING;
    }
    return VIEW_PANEL;
}

static view_area area_in_attachments(const view_layout *layout, float x, float y, int *row) {
    for (*row = 0; *row < VIEW_ATTACHMENTS_ROWS; (*row)++) {
        if (view_rect_has(layout->attachments_rows[*row], x, y)) return VIEW_ATTACHMENTS;
    }
    return VIEW_PANEL;
}

static view_area area_in_body(const view_layout *layout, float x, float y, int *row) {
    for (*row = 0; *row < VIEW_BODY_ROWS; (*row)++) {
        if (view_rect_has(layout->body_rows[*row], x, y)) return VIEW_BODY;
    }
    return VIEW_PANEL;
}

view_rect view_layout_graph_row(const view_layout *l, int i) {
    const int row = l->graph_slider.height;
    return (view_rect){l->graph_rows.x, l->graph_rows.y + i * row, l->graph_rows.width, row};
}

static view_area area_in_graph(const view_layout *layout, float x, float y, int *row) {
    if (!view_rect_has(layout->graph_rows, x, y)) return VIEW_PANEL;
    *row = layout->graph_first + ((int)y - layout->graph_rows.y) / layout->graph_slider.height;
    return VIEW_GRAPH;
}

view_area view_layout_at(const view_layout *layout, float x, float y, int *number) {
    if (view_rect_has(layout->mixing, x, y)) return area_in_mixing(layout, x, y, number);
    if (view_rect_has(layout->attachments, x, y)) return area_in_attachments(layout, x, y, number);
    if (view_rect_has(layout->graph, x, y)) return area_in_graph(layout, x, y, number);
    if (view_rect_has(layout->body, x, y)) return area_in_body(layout, x, y, number);
    if (view_rect_has(layout->rows, x, y)) {
        *number = layout->first + ((int)y - layout->rows.y) / layout->row;
        return *number < layout->clip_count ? VIEW_CLIP : VIEW_PANEL;
    }
    if (view_rect_has(layout->bar, x, y)) return VIEW_BAR;
    bool panel = view_rect_has(layout->list, x, y) || view_rect_has(layout->timeline, x, y);
    return panel ? VIEW_PANEL : VIEW_PICTURE;
}

void view_rect_fraction(view_rect r, float x, float y, float *across, float *up) {
    const float width = (float)(r.width > 1 ? r.width : 1), height = (float)(r.height > 1 ? r.height : 1);
    *across = fminf(fmaxf((x - (float)r.x) / width, 0.0f), 1.0f);
    *up = fminf(fmaxf(1.0f - (y - (float)r.y) / height, 0.0f), 1.0f);
}

view_rect view_layout_pad(const view_layout *l) {
    return (view_rect){l->pad.x + l->padding, l->pad.y + l->padding, l->pad.width - 2 * l->padding,
                       l->pad.height - 2 * l->padding};
}

int view_layout_right(const view_layout *layout) {
    if (layout->mixing.width > 0) return layout->mixing.x;
    if (layout->graph.width > 0) return layout->graph.x;
    if (layout->body.width > 0) return layout->body.x;
    return layout->attachments.width > 0 ? layout->attachments.x : layout->width;
}

float view_layout_fraction(const view_layout *layout, float x) {
    if (layout->bar.width <= 0) return 0.0f;
    return fminf(fmaxf((x - (float)layout->bar.x) / (float)layout->bar.width, 0.0f), 1.0f);
}

int view_layout_reveal(const view_layout *layout, int clip) {
    if (clip < layout->first) return clip;
    return clip >= layout->first + layout->visible ? clip - layout->visible + 1 : layout->first;
}
