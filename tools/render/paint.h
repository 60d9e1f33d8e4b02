// SPDX-License-Identifier: MIT
// Smooth lines and dots painted over pictures.
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include "render/picture.h"

// An end of a stroke, in pixels from the picture's upper left corner; `radius` is half the stroke's width there.
typedef struct draw_end {
    float x, y, radius;
} draw_end;

// Paints a line with round ends in a colour 0xRRGGBB with an opacity from 0 to 1. A line from a point to itself is a
// dot. Clipped to the picture.
void draw_paint_stroke(draw_picture *picture, draw_end from, draw_end to, uint32_t color, float opacity);

// Fills a rectangle, clipped to the picture, with one pixel (R, G, B, A).
void draw_paint_fill(draw_picture *picture, int x, int y, int width, int height, const uint8_t *rgba);

// Mixes two colours in sRGB; `part` is the weight of the second.
uint32_t draw_paint_mix(uint32_t a, uint32_t b, float part);

#endif
