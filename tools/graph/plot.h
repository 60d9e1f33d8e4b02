// SPDX-License-Identifier: MIT
// Draws animation graphs as SVG.
#ifndef GRAPH_PLOT_H
#define GRAPH_PLOT_H

#include <sinew/motion/graph.h>

#include <stdio.h>

// Draws the parameters, the rig's steps in their order, and each layer's machine. States are boxes, and transitions are
// arrows with their conditions. `title` is for screen readers. Returns false if memory runs out, before writing
// anything.
bool graph_plot(FILE *to, const sinew_graph *graph, const char *title);

// Writes the style sheet's classes from plots/svg.h and those for graphs.
void graph_plot_style(FILE *to);

// Return the width of text in pixels: 12-pixel text, and 11-pixel monospaced text. They're rather too wide than too
// narrow.
double graph_text_width(const char *text);
double graph_mono_width(const char *text);

#endif
