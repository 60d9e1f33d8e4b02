// SPDX-License-Identifier: MIT
// Paints strokes. A pixel's coverage depends on how far its center is from the outline.
#include "render/paint.h"

#include <math.h>
#include <string.h>

// Returns a pixel center's distance from the stroke's outline; negative outside.
static float depth_inside(draw_end from, draw_end to, float x, float y) {
    float dx = to.x - from.x, dy = to.y - from.y;
    float length = dx * dx + dy * dy;
    float along = length > 0.0f ? ((x - from.x) * dx + (y - from.y) * dy) / length : 0.0f;
    along = fminf(fmaxf(along, 0.0f), 1.0f);
    float away_x = x - (from.x + along * dx), away_y = y - (from.y + along * dy);
    return from.radius + along * (to.radius - from.radius) - sqrtf(away_x * away_x + away_y * away_y);
}

// Returns the nearest integer in [least, most]. Works for any value.
static int clamped(float value, int least, int most) {
    if (!(value > (float)least)) return least;
    return value < (float)most ? (int)value : most;
}

void draw_paint_stroke(draw_picture *picture, draw_end from, draw_end to, uint32_t color, float opacity) {
    const float reach = fmaxf(from.radius, to.radius) + 1.0f;
    int left = clamped(fminf(from.x, to.x) - reach, 0, picture->width);
    int right = clamped(fmaxf(from.x, to.x) + reach + 1.0f, 0, picture->width);
    int top = clamped(fminf(from.y, to.y) - reach, 0, picture->height);
    int bottom = clamped(fmaxf(from.y, to.y) + reach + 1.0f, 0, picture->height);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            float depth = depth_inside(from, to, (float)x + 0.5f, (float)y + 0.5f) + 0.5f;
            float cover = fminf(fmaxf(depth, 0.0f), 1.0f) * opacity;
            draw_picture_blend(picture, x, y, color, (int)lrintf(255.0f * cover));
        }
    }
}

void draw_paint_fill(draw_picture *picture, int x, int y, int width, int height, const uint8_t *rgba) {
    for (int row = y < 0 ? 0 : y; row < y + height && row < picture->height; row++) {
        for (int column = x < 0 ? 0 : x; column < x + width && column < picture->width; column++) {
            memcpy(picture->rgba + 4 * ((size_t)row * (size_t)picture->width + (size_t)column), rgba, 4);
        }
    }
}

uint32_t draw_paint_mix(uint32_t a, uint32_t b, float part) {
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        float x = (float)(a >> shift & 255u), y = (float)(b >> shift & 255u);
        mixed |= (uint32_t)lrintf(x + (y - x) * fminf(fmaxf(part, 0.0f), 1.0f)) << shift;
    }
    return mixed;
}
