// SPDX-License-Identifier: MIT
// Smooth lines and dots painted over pictures.
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include "render/picture.h"

// One end of a stroke, in pixels from the picture's upper left corner. `radius` is half the stroke's width there.
typedef struct draw_end {
    float x, y, radius;
} draw_end;

// Paints a line with round ends, clipped to the picture. The color is 0xRRGGBB, and the opacity 0 to 1. If both ends
// are the same, paints a dot.
void draw_paint_stroke(draw_picture *picture, draw_end from, draw_end to, uint32_t color, float opacity);

// Fills a rectangle with one RGBA pixel, clipped to the picture.
void draw_paint_fill(draw_picture *picture, int x, int y, int width, int height, const uint8_t *rgba);

// Mixes two colors in sRGB. `part` is the second one's weight.
uint32_t draw_paint_mix(uint32_t a, uint32_t b, float part);

#endif
