// SPDX-License-Identifier: MIT
// chart.h - drawings with one or more panels: frames with axes, a grid, lines, dots and a legend.
#ifndef PLOTS_CHART_H
#define PLOTS_CHART_H

#include "plots/svg.h"

#include <stdbool.h>

// ---- Drawings ------------------------------------------------------------------------------------------------

/// Panels with the same height, row by row.
typedef struct figure_layout {
    int rows, columns;
    double height; ///< of a panel's frame, in pixels
    bool shares_x; ///< only the last row has x labels
} figure_layout;

typedef struct figure {
    FILE *to;
    figure_layout layout;
    int panel; ///< the next panel
} figure;

void figure_begin(figure *f, FILE *to, const char *title, figure_layout layout);
void figure_end(const figure *f);

// ---- Panels --------------------------------------------------------------------------------------------------

/// A range with a tick and a grid line at every multiple of `step`. A step of 0 means none.
typedef struct chart_axis {
    const char *label;
    double from, to, step;
} chart_axis;

typedef struct chart {
    FILE *to;
    svg_point corner; ///< the frame's upper left
    double width, height;
    chart_axis x, y;
    double key; ///< position of the legend's next entry, in pixels
} chart;

/// Starts the next panel and draws its frame, grid, ticks and labels.
chart chart_begin(figure *f, chart_axis x, chart_axis y);

/// Returns a value's point in the drawing. Values outside the range are outside the frame.
svg_point chart_point(const chart *c, double x, double y);

// ---- Contents ------------------------------------------------------------------------------------------------

enum { SERIES_MAX = 2048 };

/// Values over x. A NaN in y interrupts the line.
typedef struct series {
    svg_point points[SERIES_MAX];
    int count;
} series;

/// Adds a value. The program ends if there are too many.
void series_add(series *s, double x, double y);

/// Draws a line. Adds it to the legend unless `name` is NULL.
void chart_line(chart *c, const char *classes, const series *s, const char *name);

/// Add a mark to the legend.
void chart_key_dot(chart *c, const char *classes, const char *name);
void chart_key_area(chart *c, const char *classes, const char *name);

/// Draws a circle with a radius in pixels.
void chart_dot(const chart *c, const char *classes, double x, double y, double radius);

/// Draws a vertical line through the frame with a label, which may be "".
void chart_moment(const chart *c, double x, const char *what);

#endif
