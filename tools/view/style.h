// SPDX-License-Identifier: MIT
// The panels' style: colors, sizes and backgrounds.
#ifndef VIEWER_STYLE_H
#define VIEWER_STYLE_H

#include "view/canvas.h"
#include "view/state.h"

#include <math.h>

static const view_color BACK = {20, 22, 27, 200}, BACK_SOLID = {20, 22, 27, 236}, INSET = {0, 0, 0, 90},
                        TIP = {58, 64, 76, 250};
static const view_color TEXT = {236, 238, 242, 255}, DIM = {160, 167, 178, 255}, HOVER = {255, 255, 255, 22};
static const view_color ACCENT = {255, 181, 71, 255}, WRONG = {255, 112, 92, 255};

// Returns a clip's color. There are eight, in turn.
static inline view_color color_of(int32_t clip) {
    static const view_color colors[] = {{104, 160, 214, 255}, {226, 156, 74, 255},  {120, 178, 118, 255},
                                        {200, 112, 120, 255}, {150, 132, 204, 255}, {86, 178, 174, 255},
                                        {206, 184, 92, 255},  {178, 140, 120, 255}};
    return colors[clip % (int32_t)(sizeof colors / sizeof colors[0])];
}

static inline view_color faded(view_color color, float strength) {
    color.a = (uint8_t)lrintf((float)color.a * strength);
    return color;
}

// Converts a size on an unscaled screen to pixels.
static inline int px(const view_state *state, float size) {
    return view_pixels(state->scale, size);
}

// Draws a panel's background.
static inline void panel(view_canvas *canvas, const view_state *state, view_rect rect, view_color color) {
    view_canvas_panel(canvas, rect, 6.0f * state->scale, color);
}

#endif
