// SPDX-License-Identifier: MIT
// svg.h - a drawing as SVG text: shapes that carry class names, and one style sheet for all drawings, light and dark.
//
// Coordinates are pixels, y down, written with one decimal, so that a drawing is the same bytes on every machine.
#ifndef PLOTS_SVG_H
#define PLOTS_SVG_H

#include <stdio.h>

typedef struct svg_point {
    double x, y;
} svg_point;

/// The colours of the style sheet: classes "l0" to "l5" for lines and "f0" to "f5" for areas.
enum { SVG_COLORS = 6 };

/// `title` is for screen readers.
void svg_begin(FILE *to, double width, double height, const char *title);
void svg_end(FILE *to);

void svg_line(FILE *to, const char *classes, svg_point from, svg_point end);
void svg_polyline(FILE *to, const char *classes, const svg_point *points, int count);
void svg_polygon(FILE *to, const char *classes, const svg_point *points, int count);
void svg_rect(FILE *to, const char *classes, svg_point corner, double width, double height);
/// A rectangle with round corners.
void svg_box(FILE *to, const char *classes, svg_point corner, double width, double height, double radius);

/// A line through points: straight between two of the same x or y, else a curve that is horizontal at both.
void svg_flow(FILE *to, const char *classes, const svg_point *points, int count);

void svg_circle(FILE *to, const char *classes, svg_point center, double radius);

/// Squares around points, as one shape.
void svg_squares(FILE *to, const char *classes, const svg_point *centers, const double *sides, int count);

/// From `at` to the right; with class "middle" or "end", to both sides or to the left. Any text: it is escaped.
void svg_text(FILE *to, const char *classes, svg_point at, const char *text);

#endif
