// Drawing the panel for what hangs where.
#include "view/attachments_panel.h"

#include "view/style.h"
#include "view/attachments.h"

static void draw_line(view_canvas *canvas, const view_state *state, view_thing_row row) {
    const view_rect r = state->layout.things_rows[row];
    const int label = px(state, 76.0f), key = px(state, 26.0f);
    const bool acts = row >= VIEW_THING_HANG;
    view_thing_line line;
    view_things_describe(state, row, &line);
    if (acts && view_rect_has(r, state->x, state->y) && state->drag == VIEW_DRAG_NONE) {
        const int pad = state->layout.padding;
        view_canvas_rect(canvas, (view_rect){r.x - pad, r.y, r.width + 2 * pad, r.height}, HOVER);
    }
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x, r.y, r.height, 0, DIM, line.label);
    view_canvas_text_right(canvas, VIEW_FONT_SMALL, r.x + r.width, r.y, r.height, faded(DIM, 0.8f), line.key);
    view_canvas_text(canvas, VIEW_FONT_SMALL, r.x + label, r.y, r.height, r.width - label - key,
                     !line.on ? DIM
                     : acts   ? TEXT
                              : ACCENT,
                     line.value);
}

void view_things_draw(view_canvas *canvas, const view_state *state) {
    const view_rect r = state->layout.things;
    const int head = state->layout.things_rows[0].y - r.y;
    panel(canvas, state, r, BACK);
    view_canvas_text(canvas, VIEW_FONT_TEXT, r.x + state->layout.padding, r.y, head, 0, TEXT, "What hangs where");
    for (int row = 0; row < VIEW_THING_ROWS; row++) draw_line(canvas, state, (view_thing_row)row);
}
