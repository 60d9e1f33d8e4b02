// SPDX-License-Identifier: MIT
// svg.h - writes drawings as SVG text: shapes with class names, and one style sheet for all drawings, light and dark.
//
// Coordinates are in pixels, y down. They're written with one decimal, which makes a drawing the same on every machine.
#ifndef PLOTS_SVG_H
#define PLOTS_SVG_H

#include <stdio.h>

typedef struct svg_point {
    double x, y;
} svg_point;

/// The style sheet's colors: classes "l0" to "l5" for lines, "f0" to "f5" for areas.
enum { SVG_COLORS = 6 };

/// `title` is for screen readers.
void svg_begin(FILE *to, double width, double height, const char *title);
void svg_end(FILE *to);

void svg_line(FILE *to, const char *classes, svg_point from, svg_point end);
void svg_polyline(FILE *to, const char *classes, const svg_point *points, int count);
void svg_polygon(FILE *to, const char *classes, const svg_point *points, int count);
void svg_rect(FILE *to, const char *classes, svg_point corner, double width, double height);
/// Draws a rectangle with round corners.
void svg_box(FILE *to, const char *classes, svg_point corner, double width, double height, double radius);

/// Draws a line through points: straight between two with the same x or y, otherwise a curve that's horizontal at both.
void svg_flow(FILE *to, const char *classes, const svg_point *points, int count);

void svg_circle(FILE *to, const char *classes, svg_point center, double radius);

/// Draws squares around points as one shape.
void svg_squares(FILE *to, const char *classes, const svg_point *centers, const double *sides, int count);

/// Writes text from `at` to the right. With class "middle" or "end", it's centered or to the left. Escapes any text.
void svg_text(FILE *to, const char *classes, svg_point at, const char *text);

#endif
