// SPDX-License-Identifier: MIT
// Draws animation graphs as SVG.
#ifndef GRAPH_PLOT_H
#define GRAPH_PLOT_H

#include <sinew/motion/graph.h>

#include <stdio.h>

// Draws the parameters, the steps of the rig in their order, and the machine of each layer: states as boxes, transitions as arrows with their conditions.
// `title` is for screen readers. Returns false if memory runs out, before anything is written.
bool graph_plot(FILE *to, const sinew_graph *graph, const char *title);

// Classes of the style sheet of plots/svg.h, and those of drawings of graphs.
void graph_plot_style(FILE *to);

// The width of a text of 12 pixels, or of 11 pixels in a monospaced font, in pixels; rather more than less.
double graph_text_width(const char *text);
double graph_mono_width(const char *text);

#endif
