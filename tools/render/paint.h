// Smooth lines and dots painted over pictures.
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include "render/picture.h"

// An end of a stroke, in pixels from the picture's upper left corner; `radius` is half the stroke's width there.
typedef struct draw_end {
    float x, y, radius;
} draw_end;

// Paints a line with round ends from one place to another, in a colour 0xRRGGBB of which `opacity` (0 to 1) covers
// what is below. A line from a place to itself is a dot. What lies outside the picture is left out.
void draw_paint_stroke(draw_picture *picture, draw_end from, draw_end to, uint32_t color, float opacity);

// Fills a rectangle, cut to the picture, with one pixel (R, G, B, A).
void draw_paint_fill(draw_picture *picture, int x, int y, int width, int height, const uint8_t *rgba);

// A colour between two, in sRGB: `part` of the second.
uint32_t draw_paint_mix(uint32_t a, uint32_t b, float part);

#endif
