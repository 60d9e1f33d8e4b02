// SPDX-License-Identifier: MIT
// Computes the panels' rectangles.
#include "view/layout.h"

#include <math.h>

// Sizes on an ordinary screen.
static const float MARGIN = 10.0f, PADDING = 10.0f, ROW = 22.0f;
static const float LIST_HEAD = 46.0f, LIST_NUMBERS = 54.0f, MIN_LIST = 168.0f, MAX_LIST = 320.0f;
static const float TIMELINE_HEAD = 26.0f, BAR = 20.0f, MARKERS = 16.0f, FOOT = 8.0f;

int view_pixels(float scale, float size) {
    return (int)lrintf(scale * size);
}

static int clamp(int value, int least, int most) {
    if (value > most) value = most;
    return value < least ? least : value;
}

static void arrange_timeline(view_layout *l, bool has_markers) {
    const int head = view_pixels(l->scale, TIMELINE_HEAD), bar = view_pixels(l->scale, BAR);
    const int markers = has_markers ? view_pixels(l->scale, MARKERS) : 0;
    const int height = head + bar + markers + view_pixels(l->scale, FOOT);
    l->timeline = (view_rect){l->margin, l->height - l->margin - height, l->width - 2 * l->margin, height};
    const int x = l->timeline.x + l->padding, width = l->timeline.width - 2 * l->padding;
    l->bar = (view_rect){x, l->timeline.y + head, width, bar};
    l->markers = (view_rect){x, l->bar.y + bar, width, markers};
}

// Makes the list as wide as the names need, but at most 3/8 of the window's width.
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

view_layout view_layout_make(const view_layout_def *def) {
    view_layout l = {
        .width = def->width, .height = def->height, .scale = def->scale, .clip_count = def->clip_count};
    l.margin = view_pixels(l.scale, MARGIN);
    l.padding = view_pixels(l.scale, PADDING);
    l.row = view_pixels(l.scale, ROW);
    if (!def->has_file) return l;
    arrange_timeline(&l, def->has_markers);
    arrange_list(&l, def->widest_name, def->scroll);
    return l;
}

bool view_rect_has(view_rect r, float x, float y) {
    return x >= (float)r.x && y >= (float)r.y && x < (float)(r.x + r.width) && y < (float)(r.y + r.height);
}

view_area view_layout_at(const view_layout *layout, float x, float y, int *clip) {
    if (view_rect_has(layout->rows, x, y)) {
        *clip = layout->first + ((int)y - layout->rows.y) / layout->row;
        return *clip < layout->clip_count ? VIEW_CLIP : VIEW_PANEL;
    }
    if (view_rect_has(layout->bar, x, y)) return VIEW_BAR;
    const bool panel = view_rect_has(layout->list, x, y) || view_rect_has(layout->timeline, x, y);
    return panel ? VIEW_PANEL : VIEW_PICTURE;
}

float view_layout_fraction(const view_layout *layout, float x) {
    if (layout->bar.width <= 0) return 0.0f;
    return fminf(fmaxf((x - (float)layout->bar.x) / (float)layout->bar.width, 0.0f), 1.0f);
}

int view_layout_reveal(const view_layout *layout, int clip) {
    if (clip < layout->first) return clip;
    return clip >= layout->first + layout->visible ? clip - layout->visible + 1 : layout->first;
}
